/** A panel 300 pixels wide, on screens of one to three pixels a pixel: everything opens, fits, and is sharp. */
import { describe, expect, it } from 'vitest';
import { TaskState } from '../../src/model/timeline';
import { skipWithoutBrowser } from './browser';
import { asChunks, asRails, FIGURE, place, POOL } from './experiment';
import type { LanesPage } from './harness';
import { ScriptedRun } from './scripted-run';
import { usePages } from './use-pages';

const WIDTH = 300;

function run(): ScriptedRun {
  const scripted = new ScriptedRun();
  place(scripted, asChunks(FIGURE, 5).map((task) => ({ ...task, state: task.ordinal === 3 ? TaskState.rejected : TaskState.fulfilled })), {});
  scripted.timeline.tellError(3, 'ConnectionError: connect ECONNREFUSED 127.0.0.1:5432, after three tries of a second each');
  place(scripted, asRails(FIGURE, 5, 20_000).map((task) => ({ ...task, queued: task.start > 20_000 ? 20_000 : NaN })), { ...POOL, declared: 6 });
  return scripted.finish();
}

describe.skipIf(skipWithoutBrowser())('a panel 300 pixels wide', () => {
  const pages = usePages();

  /** What is in sight and reaches beyond the panel's edges; what scrolls by itself may hold wider things. */
  const beyond = (lanes: LanesPage): Promise<string[]> => lanes.page.evaluate(`[...document.querySelectorAll('body *')].flatMap((element) => {
    const { left, right, width, height } = element.getBoundingClientRect();
    const scrolls = element.closest('.area-scroller, .spoken, svg, .overview, .playhead') || element.tagName === 'CANVAS';
    return scrolls || width === 0 || height === 0 || (left >= -0.5 && right <= ${WIDTH} + 0.5) ? [] : [element.className || element.tagName];
  })`);

  it.each([1, 2, 3])('holds outline, table, cards, menus and controls, at %d pixels a pixel', async (deviceScaleFactor) => {
    const lanes = await pages.open({ viewport: { width: WIDTH, height: 800 }, deviceScaleFactor, theme: deviceScaleFactor === 2 ? 'dark' : 'light' });
    await lanes.show(...run().frames());
    const { page } = lanes;
    const fits = async (name: string): Promise<void> => {
      await lanes.picture(`narrow-${name}-${deviceScaleFactor}x`);
      expect(await beyond(lanes), name).toEqual([]);
    };
    expect(await lanes.group(1).locator('.plot canvas').getAttribute('width')).toBe(String(WIDTH * deviceScaleFactor));
    await fits('page');
    await page.locator('.menu vscode-button').first().click();
    await fits('menu');
    await page.keyboard.press('Escape');
    await lanes.group(1).locator('.what-if-toggle').click();
    await lanes.group(1).locator('vscode-radio[value="rails"]').click();
    await lanes.settled();
    await fits('what-if');
    await lanes.group(1).locator('.what-if-toggle').click();
    await lanes.group(1).locator('.plot').focus();
    await page.keyboard.press('g');
    await lanes.settled();
    await fits('outline');
    await lanes.group(1).locator('.plot').focus();
    await page.keyboard.press('g');
    await page.keyboard.press('t');
    await lanes.settled();
    await fits('table');
    await page.keyboard.press('Escape');
    await page.keyboard.press('.');
    await page.locator('.tooltip').waitFor();
    await fits('card');
    await page.keyboard.press('?');
    await fits('keys');
    expect(await page.locator('.keys').evaluate((keys) => keys.getBoundingClientRect().top)).toBeGreaterThanOrEqual(0);
    await page.keyboard.press('?');
    await lanes.group(1).locator('.plot').focus();
    await page.keyboard.press('p');
    await page.locator('.time-bar').waitFor();
    await page.keyboard.press('p');
    await fits('replay');
  });
});
