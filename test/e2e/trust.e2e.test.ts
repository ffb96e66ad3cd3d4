import { execFileSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { useVsCode } from './vscode';
import { ROOT } from './vsix';
import { FIGURE, useWorkspaces } from './workspace';

const code = useVsCode({
  settings: { 'security.workspace.trust.enabled': true, 'security.workspace.trust.startupPrompt': 'never', 'security.workspace.trust.banner': 'never' },
});
const workspace = useWorkspaces();

it('runs nothing of a workspace that is not trusted, says why, and runs it once it is', async () => {
  const folder = workspace({ 'figure.mjs': `import { writeFileSync } from 'node:fs';\nwriteFileSync('it-ran', '');\n${FIGURE}` });
  writeFileSync(join(folder, 'seen.mjs'), 'const work = (ms) => new Promise((done) => { setTimeout(done, ms); });\nawait Promise.all([work(9), work(19)]);');
  execFileSync(process.execPath, [join(ROOT, 'dist', 'cli.js'), 'run', '--quiet', '--trace', 'seen.lanes', 'seen.mjs'], { cwd: folder });
  const window = await code.open(folder, { file: join(folder, 'figure.mjs') });
  await window.run('Async Lanes: Visualize Pool Run');
  const message = window.message('The script was not run: that would execute code of a workspace you have not said to trust.');
  await message.waitFor();
  await window.picture('trust 1 refused');
  expect(existsSync(join(folder, 'it-ran'))).toBe(false);

  // What was recorded somewhere can be looked at.
  await window.openFileAs(folder, 'seen.lanes');
  await window.phase('finished');
  expect(await window.panel().locator('.figure-tasks dd').innerText()).toBe('2');
  await window.run('View: Close Editor');
  await window.shownFile('figure.mjs');

  await message.getByText('Manage Workspace Trust').click();
  await window.page.locator('.workspace-trust-editor').getByText('Trust', { exact: true }).first().click();
  await window.page.getByText('You trust this folder').waitFor();
  await window.closeModal();
  await window.run('Async Lanes: Visualize Pool Run');
  await window.phase('finished');
  expect(existsSync(join(folder, 'it-ran'))).toBe(true);
});

it('tells the lesson of a demo without trust, and runs it only with', async () => {
  const window = await code.open(workspace({ 'notes.md': '' }));
  await window.page.locator('.activitybar').getByRole('tab', { name: 'Async Lanes' }).waitFor();
  await window.run('Async Lanes: Open Teaching Demo…');
  await window.choose('fail-fast');
  await window.panel().locator('.lesson-run').click();
  await window.message('The script was not run: that would execute code of a workspace you have not said to trust.').waitFor();
  expect(await window.panel().locator('.lesson-text').innerText()).toContain('the whole call rejects at once');
  expect(await window.panel().locator('.lesson-run').innerText()).toBe('Run');
});
