import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { useVsCode } from './vscode';
import { useWorkspaces } from './workspace';

const code = useVsCode();
const workspace = useWorkspaces();
const soon = { timeout: 60_000 };

const WORK = `
import { setTimeout as sleep } from 'node:timers/promises';
const work = async (ms) => { await sleep(ms); };
await Promise.all([work(60), work(90)]);
`;

it('runs launch configurations, tests, what is debugged, and all that a terminal of its profile starts', async () => {
  const folder = workspace({
    'app/main.mjs': `${WORK}console.log('got', process.env.NAME, process.env.FROM_FILE, process.argv.slice(2).join('+'), process.cwd());`,
    'app/some.env': 'FROM_FILE="a file"\n',
    'plain.mjs': `${WORK}console.log('plain work');`,
    'sum.test.mjs': `import test from 'node:test';\n${WORK}test('adds', async () => { await Promise.all([work(20), work(30)]); });`,
    '.vscode/launch.json': JSON.stringify({ version: '0.2.0', configurations: [
      { type: 'node', request: 'launch', name: 'Main', program: '${workspaceFolder}/app/main.mjs', args: ['one', 'two words'], cwd: '${workspaceFolder}/app', env: { NAME: 'launch' }, envFile: '${workspaceFolder}/app/some.env' },
      { type: 'node', request: 'attach', name: 'Other' },
    ] }),
  });
  const window = await code.open(folder);
  await window.openFile('plain.mjs');
  await window.run('Async Lanes: Visualize Launch Configuration…');
  await window.choose('Main');
  await window.editorTab('Main: finished').waitFor();
  await expect.poll(() => window.terminalText(), soon).toContain(`got launch a file one+two words ${join(folder, 'app')}`);

  await window.focusTab('plain.mjs', true);
  await window.run('Async Lanes: Visualize and Debug');
  await window.editorTab('plain.mjs: finished').waitFor();
  expect(await window.panel().locator('.figure-tasks dd').innerText()).toBe('2');

  await window.openFile('sum.test.mjs');
  await window.run('Async Lanes: Visualize Tests of This File');
  await window.editorTab('sum.test.mjs: finished').waitFor();

  await window.run('Create New Terminal (With Profile)');
  await window.choose('Async Lanes');
  await window.editorTab('Terminal 1: starting').waitFor();
  await window.page.locator('.tabs-list .monaco-list-row', { hasText: 'Async Lanes' }).click();
  // The shell takes no keys before it asks for some.
  await expect.poll(() => window.terminalText(), soon).toMatch(/[$#%>]\s*$/);
  await window.typeIntoTerminal('node plain.mjs\n');
  await window.editorTab('Terminal 1: running').waitFor();
  await window.phase('running');
  await expect.poll(() => window.panel().locator('.figure-tasks dd').first().innerText(), soon).toBe('2');
  await window.picture('more ways in 1 a terminal');
});

it('keeps runs, saves one as a file and opens that file', async () => {
  const folder = workspace({ 'kept.mjs': WORK });
  const window = await code.open(folder);
  await window.openFile('kept.mjs');
  await window.run('Async Lanes: Visualize Pool Run');
  await window.phase('finished');
  await window.codeLens(/2 tasks/).waitFor();
  await window.run('View: Show Async Lanes');
  await window.fromMenu(window.viewRow('Runs', 'kept.mjs'), 'Save Run as .lanes');
  await expect.poll(() => window.quickInput().inputValue(), soon).toContain('kept.mjs.lanes');
  await window.page.keyboard.press('Enter');
  await expect.poll(() => existsSync(join(folder, 'kept.mjs.lanes')), soon).toBe(true);

  await window.fromMenu(window.viewRow('Runs', 'kept.mjs'), 'Rename Run');
  await window.quickInput().fill('before');
  await window.page.keyboard.press('Enter');
  await window.viewRow('Runs', 'before').waitFor();

  // The run's own panel stands beside and would answer in its place.
  await window.run('View: Close All Editors');
  await window.openFileAs(folder, 'kept.mjs.lanes');
  await window.phase('finished');
  expect(await window.panel().locator('.run-again').isVisible()).toBe(false);
  expect(await window.panel().locator('.figure-tasks dd').innerText()).toBe('2');
  await window.picture('more ways in 2 a trace');
});
