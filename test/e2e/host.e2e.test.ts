import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';
import { useVsCode } from './vscode';
import { ROOT } from './vsix';
import { FIGURE, useWorkspaces } from './workspace';

const code = useVsCode({ probe: true });
const workspace = useWorkspaces();
const soon = { timeout: 60_000 };

it('answers an assistant with what a run was like', async () => {
  const folder = workspace({ 'figure.mjs': FIGURE });
  const window = await code.open(folder);
  await window.run('Probe: Ask Tool');
  await expect.poll(() => existsSync(join(folder, 'answer.md')), soon).toBe(true);
  const answer = readFileSync(join(folder, 'answer.md'), 'utf8');
  expect(answer).toContain('Promise.all in chunks');
  expect(answer).toMatch(/idle/);
  await window.editorTab('figure.mjs: finished').waitFor();
});

it('runs nothing of a workspace that lies on no disk, and says so', async () => {
  const window = await code.open('memory:/ws');
  await window.page.locator('.explorer-folders-view .monaco-list-row', { hasText: 'a.mjs' }).dblclick();
  await window.shownFile('a.mjs');
  await window.run('Async Lanes: Visualize Pool Run');
  await window.message('a.mjs was not run: it is no file on a disk (memory:)').waitFor();
  expect(await window.page.locator('.editor-group-container .editor-actions').getByRole('button', { name: 'Visualize Pool Run' }).count()).toBe(0);
});

it('inspects a large workspace, and is told to stop', async () => {
  const folder = workspace({});
  const sources = readdirSync(join(ROOT, 'node_modules', 'undici', 'lib'), { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.js'));
  for (let copy = 0; copy < 45; copy++) {
    mkdirSync(join(folder, String(copy)));
    for (const [index, name] of sources.entries()) copyFileSync(join(ROOT, 'node_modules', 'undici', 'lib', name), join(folder, String(copy), `${index}-${basename(name)}`));
  }
  const window = await code.open(folder);
  await window.run('Probe: Watch Host');
  await expect.poll(() => existsSync(join(folder, 'watching.txt')), soon).toBe(true);
  const began = Date.now();
  await window.run('Async Lanes: Inspect Workspace Scripts');
  await window.viewRow('Places', 'agent.js').waitFor();
  await window.page.locator('.pane', { has: window.section('Places') }).getByRole('button', { name: 'Inspect Workspace Scripts' }).waitFor();
  console.error('scan ms', Date.now() - began);
  await window.run('Probe: Tell of Host');
  await expect.poll(() => existsSync(join(folder, 'held-up.txt')), soon).toBe(true);
  console.error('held up', readFileSync(join(folder, 'held-up.txt'), 'utf8'), sources.length * 45);
});
