/** How long it took VS Code to have the extension: what it says itself, and what of that was our own code's. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Workbench } from '../e2e/workbench';

/** Takes the window away from whatever it showed. The figure in VS Code's list of running extensions: milliseconds from when it wants the code until `activate()` has returned, whatever else went on meanwhile. */
export async function activationMs(window: Workbench): Promise<number> {
  await window.run('Developer: Show Running Extensions');
  const list = window.page.locator('.runtime-extensions-editor');
  const row = list.locator('.extension', { hasText: 'Async Lanes' });
  await list.locator('.extension').first().hover();
  // Slowest first, and only what is in sight is there.
  while (await row.count() === 0) {
    await window.page.mouse.wheel(0, 100);
    await window.page.waitForTimeout(200);
  }
  const text = await row.locator('.activation-time').innerText();
  const ms = /(\d+)\s*ms/.exec(text)?.[1];
  if (ms === undefined) throw new Error(`no activation time in "${text}"`);
  return Number(ms);
}

/** Milliseconds from the call that loads our bundle until that returns, by the host's own marks. @param folder absolute path of the window's folder */
export async function ownLoadingMs(window: Workbench, folder: string): Promise<number> {
  await window.run('Probe: Tell of Loading');
  return Number(await toldIn(window, join(folder, 'loading.txt')));
}

/** The text of a file, once the probe has written it. @param path absolute path */
export async function toldIn(window: Workbench, path: string): Promise<string> {
  // There before it is written to.
  while (!existsSync(path) || readFileSync(path, 'utf8') === '') await window.page.waitForTimeout(50);
  return readFileSync(path, 'utf8');
}
