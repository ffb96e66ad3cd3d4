import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { useVsCode } from './vscode';
import { FIGURE, useWorkspaces } from './workspace';

const code = useVsCode();
const workspace = useWorkspaces();

it.each([
  ['Default Dark Modern', 'vscode-dark', '0'],
  ['Default High Contrast', 'vscode-high-contrast', '1'],
  ['Default High Contrast Light', 'vscode-high-contrast-light', '1'],
])('wears the colours of %s', async (theme, kind, outlined) => {
  const folder = workspace({ 'figure.mjs': FIGURE });
  mkdirSync(join(folder, '.vscode'));
  writeFileSync(join(folder, '.vscode', 'settings.json'), JSON.stringify({ 'workbench.colorTheme': theme, 'window.autoDetectColorScheme': false }));
  const window = await code.open(folder);
  await window.openFile('figure.mjs');
  await window.run('Async Lanes: Visualize Pool Run');
  await window.phase('finished');
  await window.panel().locator('.page[data-settled=true]').waitFor();
  await window.panel().locator(`body.${kind}`).waitFor();
  const looks = await window.panel().locator('body').evaluate((body) => {
    const style = (body.ownerDocument as unknown as { defaultView: { getComputedStyle(element: unknown): { backgroundColor: string; getPropertyValue(name: string): string } } }).defaultView.getComputedStyle(body);
    return { outlined: style.getPropertyValue('--lanes-outlined').trim() || '0', editor: style.getPropertyValue('--vscode-editor-background').trim(), background: style.getPropertyValue('--lanes-background').trim() };
  });
  expect(looks.outlined).toBe(outlined);
  expect(looks.background).toBe(looks.editor);
  await window.picture(`theme ${theme}`);
});
