import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { useVsCode } from './vscode';
import { FIGURE, useWorkspaces } from './workspace';

const code = useVsCode({ probe: true });
const workspace = useWorkspaces();
const soon = { timeout: 60_000 };

it('answers an assistant with what a run was like, once the user has said that it may run', async () => {
  const folder = workspace({ 'figure.mjs': FIGURE });
  const window = await code.open(folder);
  await window.run('Probe: Ask Tool');
  const question = window.page.locator('.monaco-dialog-box', { hasText: `Run ${join(folder, 'figure.mjs')} and record what runs at the same time?` });
  await question.waitFor();
  expect(await window.editorTab(/figure\.mjs/).count()).toBe(0);
  await question.getByText('Yes').click();
  const file = join(folder, 'answer.md');
  await expect.poll(() => (existsSync(file) ? readFileSync(file, 'utf8') : ''), soon).not.toBe('');
  const answer = readFileSync(file, 'utf8');
  expect(answer).toMatch(/\| chunk \| figure\.mjs:\d+ \| figure\.mjs:\d+ lookUp \| 10 \| 5 \| 2 \|/);
  for (const [chunk, culprit] of [[1, 1], [2, 9]]) expect(answer).toMatch(new RegExp(`- chunk figure\\.mjs:\\d+ \\(group \\d+\\), chunk ${chunk}: 4 slots stood idle for [\\d.]+ s in all until task ${culprit} ended`));
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
