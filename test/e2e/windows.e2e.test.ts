import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { useVsCode } from './vscode';
import type { Workbench } from './workbench';
import { FIGURE, UNTIL_ENOUGH, useWorkspaces } from './workspace';

const code = useVsCode();
const workspace = useWorkspaces();
const soon = { timeout: 60_000 };
const chunksOf = async (window: Workbench): Promise<number> => Number(await window.panel().locator('.figure-chunks dd').innerText());

it('keeps the runs of two windows apart, of one folder too', async () => {
  const folder = workspace({ 'live.mjs': UNTIL_ENOUGH, 'figure.mjs': FIGURE });
  const first = await code.open(folder, { file: join(folder, 'live.mjs') });
  await first.run('Async Lanes: Visualize Pool Run');
  await first.phase('running');
  await first.page.locator('.statusbar-item', { hasText: 'live.mjs' }).waitFor();

  const second = await code.open(folder, { file: join(folder, 'figure.mjs') });
  expect(await second.offered('Async Lanes')).not.toContain('Async Lanes: Stop Run');
  await second.run('Async Lanes: Visualize Pool Run');
  await second.phase('finished');
  expect(await second.panel().locator('.figure-tasks dd').allInnerTexts()).toEqual(['10', '10']);
  expect(await second.page.locator('.statusbar-item', { hasText: 'live.mjs' }).count()).toBe(0);

  const before = await chunksOf(first);
  await expect.poll(() => chunksOf(first), soon).toBeGreaterThan(before);
  writeFileSync(join(folder, 'enough'), '');
  await first.phase('finished');
  expect(await first.editorTab(/figure\.mjs: /).count()).toBe(0);
});

it('sees a process that was started elsewhere with the copied options, lists it, and follows it on after a reload', async () => {
  const folder = workspace({ 'live.mjs': UNTIL_ENOUGH });
  const window = await code.open(folder, { file: join(folder, 'live.mjs') });
  await window.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await window.run('Async Lanes: Visualize Running Process…');
  await window.message('No Node process of this workspace is running').getByText('Copy Agent Options').click();
  await window.message('The options are on the clipboard').waitFor();
  await window.panel().getByText('No Node process has started here yet').waitFor();
  const options = await window.page.evaluate(() => (globalThis as unknown as { readonly navigator: { readonly clipboard: { readText(): Promise<string> } } }).navigator.clipboard.readText());

  const child = spawn('sh', ['-c', `${options} exec node live.mjs`], { cwd: folder, stdio: 'ignore' });
  try {
    await window.editorTab('Elsewhere 1: running').waitFor();
    await expect.poll(() => chunksOf(window), soon).toBeGreaterThan(1);
    await window.reload();
    await window.phase('running');
    const before = await chunksOf(window);
    await expect.poll(() => chunksOf(window), soon).toBeGreaterThan(before);

    await window.focusTab('Elsewhere 1');
    await window.run('View: Close Editor');
    await window.editorTab('Elsewhere 1').waitFor({ state: 'hidden' });
    await window.run('Async Lanes: Visualize Running Process…');
    await window.page.locator('.quick-input-list', { hasText: `process ${child.pid ?? ''}` }).waitFor();
    await window.picture('windows 1 running processes');
    await window.choose('live.mjs');
    await window.phase('running');
    await expect.poll(() => chunksOf(window), soon).toBeGreaterThan(before);
  } finally {
    writeFileSync(join(folder, 'enough'), '');
    await new Promise((resolve) => { child.once('exit', resolve); if (child.exitCode !== null) resolve(undefined); });
  }
  await window.panel().locator('.stop').click();
  await window.phase('finished');
});

it('remembers what a script is run with, and says that another Node runs it than the one its folder asks for', async () => {
  const folder = workspace({
    '.nvmrc': '23.99.0\n', 'inner/names.txt': 'Ada',
    'greet.mjs': "import { appendFileSync } from 'node:fs';\nimport { basename } from 'node:path';\nfor await (const name of process.stdin) {\n  const said = ['hello', name, process.argv.slice(2).join('+'), basename(process.cwd()), process.env.MOOD].join(' ');\n  console.log(said);\n  appendFileSync('said.txt', said + '; ');\n}",
  });
  const window = await code.open(folder, { file: join(folder, 'greet.mjs') });
  await window.run('Async Lanes: Visualize Pool Run with Arguments…');
  for (const [step, answer] of [['1 of 4', 'one "two words"'], ['2 of 4', 'inner'], ['3 of 4', 'MOOD="quite well"'], ['4 of 4', 'names.txt']]) {
    await window.page.locator('.quick-input-title', { hasText: step }).waitFor();
    await window.quickInput().fill(answer);
    await window.page.keyboard.press('Enter');
  }
  // First of all: VS Code puts messages away after some seconds.
  expect(await window.message('.nvmrc asks for Node 23.99.0').innerText()).toMatch(/not found in the folders of nvm, .* v\d+\.\d+\.\d+ at .* runs instead/);
  await window.editorTab('greet.mjs: finished').waitFor();
  await expect.poll(() => window.terminalText(), soon).toContain('hello Ada one+two words inner quite well');

  await window.reload();
  await window.phase('finished');
  await window.panel().locator('.run-again').click();
  // It is over too soon to be seen running.
  await expect.poll(() => readFileSync(join(folder, 'inner/said.txt'), 'utf8'), soon).toBe('hello Ada one+two words inner quite well; '.repeat(2));
  await window.phase('finished');
});
