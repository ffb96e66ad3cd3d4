import { expect, it } from 'vitest';
import { useVsCode } from './vscode';
import { useWorkspaces } from './workspace';

const code = useVsCode();
const workspace = useWorkspaces();

const line = (second: string, thread: string, message: string): string => `[2024-11-09 23:34:${second}] [${thread}] INFO  [a.B:20] - ${message}\n`;
const LOG = `Banner\n${line('30:10000', 'api-1', 'Begin')}${line('30:20000', 'client-1', 'Begin')}${line('30:30000', 'client-2', 'Begin')}${line('30:50000', 'client-1', 'End')}${line('30:60000', 'client-2', 'End')}${line('30:90000', 'api-1', 'End')}`;

it('opens a log as lanes from the Explorer, with a preview of its pattern', async () => {
  const window = await code.open(workspace({ 'app.log': LOG }));
  await window.page.locator('.activitybar').getByRole('tab', { name: 'Async Lanes' }).waitFor();
  await window.page.locator('.explorer-folders-view .monaco-list-row', { hasText: 'app.log' }).click({ button: 'right' });
  await window.page.locator('.monaco-menu').getByText('Open Log as Lanes…').click();
  const told = window.page.locator('.quick-input-widget');
  await told.getByText('Fits 6 of the first 7 lines; the first: thread api-1 at 2024-11-09 23:34:30:10000').waitFor();
  await window.quickInput().fill('<{time}> {thread} {message}');
  await told.getByText('Fits none of the first 7 lines').waitFor();
  await window.quickInput().fill('[{time}] [{thread}] {message}');
  await told.getByText('Fits 6 of').waitFor();
  await window.page.keyboard.press('Enter');
  await window.page.getByText('What begins and what ends a task').waitFor();
  await window.quickInput().fill('Begin … End');
  await window.page.keyboard.press('Enter');
  await window.panel().locator('.group h2', { hasText: 'Threads of client' }).waitFor();
  expect(await window.panel().locator('.group h2').allTextContents()).toEqual(['Threads of api', 'Threads of client']);
  expect(await window.panel().locator('.frame .title, .title').allTextContents()).toEqual(expect.arrayContaining(['1 thread', '2 threads']));
  expect(await window.panel().locator('.notices').innerText()).toContain('1 of 7 lines were left out');
  await window.picture('log lanes');
});
