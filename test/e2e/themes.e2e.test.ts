import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { useVsCode } from './vscode';
import { FIGURE, useWorkspaces } from './workspace';

const code = useVsCode();
const workspace = useWorkspaces();

const THEMES = [
  ['Default Dark Modern', 'vscode-dark', '0'],
  ['Default High Contrast', 'vscode-high-contrast', '1'],
  ['Default High Contrast Light', 'vscode-high-contrast-light', '1'],
] as const;

it('wears the colours of the theme, and takes on those of another one at once', async () => {
  const folder = workspace({ 'figure.mjs': FIGURE });
  mkdirSync(join(folder, '.vscode'));
  const choose = (theme: string): void => {
    writeFileSync(join(folder, '.vscode', 'settings.json'), JSON.stringify({ 'workbench.colorTheme': theme, 'window.autoDetectColorScheme': false }));
  };
  choose(THEMES[0][0]);
  const window = await code.open(folder, { file: join(folder, 'figure.mjs') });
  await window.run('Async Lanes: Visualize Pool Run');
  await window.phase('finished');
  for (const [theme, kind, outlined] of THEMES) {
    choose(theme);
    await window.panel().locator(`body.${kind}`).waitFor();
    await expect.poll(() => window.panel().locator('body').evaluate((body) => {
      const style = (body.ownerDocument as unknown as { defaultView: { getComputedStyle(element: unknown): { getPropertyValue(name: string): string } } }).defaultView.getComputedStyle(body);
      const editor = style.getPropertyValue('--vscode-editor-background').trim();
      return { outlined: style.getPropertyValue('--lanes-outlined').trim() || '0', asEditor: editor !== '' && style.getPropertyValue('--lanes-background').trim() === editor };
    })).toEqual({ outlined, asEditor: true });
    await window.panel().locator('.page[data-settled=true]').waitFor();
    await window.picture(`theme ${theme}`);
  }
});
