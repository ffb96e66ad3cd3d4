import { join } from 'node:path';
import { expect, it } from 'vitest';
import { useVsCode } from './vscode';
import { FIGURE, useWorkspaces } from './workspace';

const code = useVsCode();
const workspace = useWorkspaces();
const soon = { timeout: 60_000 };

it('starts from the Explorer and from the run menu of the editor', async () => {
  const window = await code.open(workspace({ 'figure.mjs': FIGURE, 'types.d.ts': 'export {};', 'notes.md': '' }));
  const file = (name: string) => window.page.locator('.explorer-folders-view .monaco-list-row', { hasText: name });
  const menu = window.page.locator('.monaco-menu');
  await window.openFile('figure.mjs');
  const start = window.page.locator('.editor-group-container').first().locator('.editor-actions').getByRole('button', { name: 'Visualize Pool Run' });
  await start.waitFor();
  await file('notes.md').click({ button: 'right' });
  await menu.getByText('Open to the Side').waitFor();
  expect(await menu.getByText('Visualize Pool Run').count()).toBe(0);
  await window.page.keyboard.press('Escape');
  await file('figure.mjs').click({ button: 'right' });
  await menu.getByText('Visualize Pool Run').click();
  await window.phase('finished');

  await start.click();
  await window.phase('running');
  await window.phase('finished');
  expect(await window.editorTab(/figure\.mjs: /).count()).toBe(1);
});

it('runs a file in a window without a folder, in the folder it lies in', async () => {
  const folder = workspace({ 'here.mjs': 'console.log("in " + process.cwd());' });
  const window = await code.open(undefined, { file: join(folder, 'here.mjs') });
  await window.page.locator('.editor-group-container .editor-actions').getByRole('button', { name: 'Visualize Pool Run' }).waitFor();
  await window.run('Async Lanes: Visualize Pool Run');
  await window.phase('finished');
  await expect.poll(() => window.terminalText(), soon).toContain(`in ${folder}`);
});
