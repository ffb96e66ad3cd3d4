import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { useVsCode } from './vscode';
import type { Workbench } from './workbench';
import { useWorkspaces } from './workspace';

/** Of a user whose shell sets options of their own for every Node, whatever it was started with. */
const home = mkdtempSync(join(tmpdir(), 'lanes-home-'));
writeFileSync(join(home, '.bashrc'), 'export NODE_OPTIONS=--title=mine\n');
afterAll(() => { rmSync(home, { recursive: true, force: true }); });

const code = useVsCode({ env: { HOME: home } });
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
    'plain.mjs': `${WORK}console.log('plain work of', process.title);`,
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

  // The same under the debugger, by the button of its row.
  await window.run('Async Lanes: Visualize Launch Configuration…');
  const row = window.page.locator('.quick-input-widget .monaco-list-row', { hasText: 'Main' });
  await row.hover();
  await row.getByRole('button', { name: 'Visualize and Debug' }).click();
  await window.page.locator('.debug-toolbar').waitFor();
  await window.editorTab('Main: running').waitFor();
  await window.editorTab('Main: finished').waitFor();
  await expect.poll(() => window.panel().locator('.figure-tasks dd').innerText(), soon).toBe('2');

  await window.focusTab('plain.mjs', true);
  await window.page.locator('.editor-group-container.active .monaco-editor').first().click();
  await window.page.keyboard.press('Control+End');
  await window.run('Debug: Toggle Breakpoint');
  await window.run('Async Lanes: Visualize and Debug');
  await window.page.locator('.codicon-debug-stackframe').first().waitFor();
  await window.editorTab('plain.mjs: running').waitFor();
  await window.run('Debug: Continue');
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
  await expect.poll(() => window.terminalText(), soon).toContain('plain work of mine');
  await window.editorTab('Terminal 1: running').waitFor();
  await window.phase('running');
  await expect.poll(() => window.panel().locator('.figure-tasks dd').first().innerText(), soon).toBe('2');
  await window.picture('more ways in 1 a terminal');
});

const runRows = (window: Workbench): Promise<string[]> =>
  window.page.locator('.pane', { has: window.section('Runs') }).locator('.monaco-list-row .label-name').allInnerTexts();

it('keeps runs: opens one, names it, repeats it, compares two, saves one as a file that opens, and deletes them', async () => {
  const folder = workspace({
    'kept.mjs': WORK,
    'events.json': JSON.stringify({ traceEvents: [
      { ph: 'M', name: 'process_name', pid: 7, args: { name: 'Renderer' } }, { ph: 'X', pid: 7, tid: 1, ts: 1000, dur: 2000, name: 'paint' },
      { ph: 'X', pid: 7, tid: 2, ts: 1500, dur: 900, name: 'decode' }, { ph: 'b', pid: 7, tid: 1, ts: 1200, id: '0x1', cat: 'net', name: 'GET' },
      { ph: 'e', pid: 7, tid: 1, ts: 3200, id: '0x1', cat: 'net', name: 'GET' }, { ph: 'X', pid: 7, tid: 2, ts: 1500, dur: -900 },
    ] }),
  });
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
  await window.openRow('Runs', 'before', 'kept.mjs: finished');
  await window.phase('finished');
  await window.fromMenu(window.viewRow('Runs', 'before'), 'Run This Again');
  await expect.poll(() => runRows(window), soon).toEqual(['kept.mjs', 'before']);
  await expect.poll(() => window.viewRow('Runs', 'kept.mjs').innerText(), soon).toContain('finished');

  await window.viewRow('Runs', 'before').click();
  await window.viewRow('Runs', 'kept.mjs').click({ modifiers: ['Control'] });
  await window.run('View: Close All Editors');
  await window.fromMenu(window.viewRow('Runs', 'before'), 'Compare');
  await window.editorTab('before ↔ kept.mjs').waitFor();
  const compared = async (): Promise<string[]> => {
    await window.panel().locator('.comparison-part tr[data-measure=makespan]').waitFor();
    return window.panel().locator('.compared-run .compared-title').allInnerTexts();
  };
  expect(await compared()).toEqual(['before', 'kept.mjs']);
  await expect.poll(() => window.panel().locator('.group .run-badge').allInnerTexts(), soon).toEqual(['Run 1', 'Run 2']);
  // Table and diagrams tell the same.
  const told = await window.panel().locator('.comparison-part tr[data-measure=makespan] td').allInnerTexts();
  expect(await window.panel().locator('.group .figure-elapsed dd').allInnerTexts()).toEqual(told.slice(0, 2));
  await window.picture('more ways in 3 two runs');
  await window.reload();
  await window.editorTab('before ↔ kept.mjs').waitFor();
  expect(await compared()).toEqual(['before', 'kept.mjs']);

  await window.run('View: Close All Editors');
  await window.run('Async Lanes: Compare Runs…');
  await window.choose('kept.mjs');
  await window.quickInput().waitFor();
  await window.choose('before');
  await window.editorTab('before ↔ kept.mjs').waitFor();

  await window.run('View: Close All Editors');
  await window.openRow('Runs', 'kept.mjs', 'kept.mjs: finished');
  await window.fromMenu(window.viewRow('Runs', 'kept.mjs'), 'Compare with…');
  await window.page.locator('.quick-input-title', { hasText: 'Compare kept.mjs with' }).waitFor();
  await window.choose('before');
  await window.editorTab('before ↔ kept.mjs').waitFor();

  await window.run('View: Close All Editors');
  await window.openFileAs(folder, 'kept.mjs.lanes');
  await window.phase('finished');
  expect(await window.panel().locator('.run-again').isVisible()).toBe(false);
  expect(await window.panel().locator('.figure-tasks dd').innerText()).toBe('2');
  await window.picture('more ways in 2 a trace');

  await window.run('View: Close All Editors');
  await window.openFile('events.json');
  await window.run('View: Reopen Editor With...');
  await window.choose('Async Lanes');
  await window.phase('finished');
  expect(await window.panel().locator('.group h2').allInnerTexts()).toEqual(['Threads of Renderer', 'Operations of Renderer · net']);
  expect(await window.panel().locator('.figure-tasks dd').allInnerTexts()).toEqual(['2', '1']);
  expect(await window.panel().locator('.notice').allInnerTexts()).toEqual(['Warning 1 of 6 events were left out: they have no moment, or one that makes no sense.']);
  await window.picture('more ways in 4 trace events');

  const deletes = async (row: string, question: string): Promise<void> => {
    await window.fromMenu(window.viewRow('Runs', row), 'Delete Run');
    const dialog = window.page.locator('.monaco-dialog-box', { hasText: question });
    await dialog.getByRole('button', { name: 'Delete' }).click();
  };
  await deletes('before', 'Delete the recording of before?');
  await expect.poll(() => runRows(window), soon).toEqual(['kept.mjs']);
  await window.run('Async Lanes: Run Again');
  await expect.poll(() => runRows(window), soon).toEqual(['kept.mjs', 'kept.mjs']);
  await window.editorTab('kept.mjs: finished').waitFor();
  const rows = window.page.locator('.pane', { has: window.section('Runs') }).locator('.monaco-list-row');
  await rows.first().click();
  await rows.last().click({ modifiers: ['Control'] });
  await deletes('kept.mjs', 'Delete the recordings of 2 runs?');
  await expect.poll(() => runRows(window), soon).toEqual([]);
}, 5 * 60_000);
