import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { expect, it } from 'vitest';
import { useVsCode } from './vscode';
import { QUEUED, useWorkspaces } from './workspace';

const code = useVsCode();
const workspace = useWorkspaces();

/** How many pixels of a canvas are painted. */
const inkOf = (canvas: Locator): Promise<number> => canvas.evaluate((element) => {
  const { width, height, getContext } = element as unknown as { width: number; height: number; getContext(kind: string): { getImageData(x: number, y: number, w: number, h: number): { readonly data: Uint8ClampedArray } } };
  return getContext.call(element, '2d').getImageData(0, 0, width, height).data.filter((value, i) => i % 4 === 3 && value > 0).length;
});

const THEMES = [
  ['Default Dark Modern', 'vscode-dark', '0'],
  ['Default High Contrast', 'vscode-high-contrast', '1'],
  ['Default High Contrast Light', 'vscode-high-contrast-light', '1'],
] as const;

it('wears the colours of the theme, and takes on those of another one at once', async () => {
  const folder = workspace({ 'queued.mjs': QUEUED });
  mkdirSync(join(folder, '.vscode'));
  const choose = (theme: string): void => {
    writeFileSync(join(folder, '.vscode', 'settings.json'), JSON.stringify({ 'workbench.colorTheme': theme, 'window.autoDetectColorScheme': false }));
  };
  choose(THEMES[0][0]);
  const window = await code.open(folder, { file: join(folder, 'queued.mjs') });
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
    // The strip of the queue is drawn in colours of the theme too.
    await expect.poll(() => inkOf(window.panel().locator('.queue canvas'))).toBeGreaterThan(0);
    await window.picture(`theme ${theme}`);
  }
});
