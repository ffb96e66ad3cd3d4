/** The page in all the places it has to look right in: themes, narrow panels, many lanes, many tasks, Korean. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TaskState } from '../../src/model/timeline';
import { launchBrowser, skipWithoutBrowser } from './browser';
import { asChunks, asRails, FIGURE, place, POOL, uniformDurations } from './experiment';
import { LanesPage, type OpenOptions } from './harness';
import { ScriptedRun } from './scripted-run';

function figure(): ScriptedRun {
  const run = new ScriptedRun();
  place(run, asChunks(FIGURE, 5), {});
  place(run, asRails(FIGURE, 5, 20_000), POOL);
  return run.finish();
}

describe.skipIf(skipWithoutBrowser())('the page', () => {
  let browser: Browser;
  beforeAll(async () => { browser = await launchBrowser(); });
  afterAll(async () => { await browser.close(); });

  async function show<T>(run: ScriptedRun, picture: string, options: OpenOptions, look: (lanes: LanesPage) => Promise<T>, locale = 'en'): Promise<T> {
    const lanes = await LanesPage.open(browser, options);
    try {
      await lanes.show(...run.frames({ locale }));
      await lanes.picture(picture);
      const seen = await look(lanes);
      expect(lanes.complaints).toEqual([]);
      return seen;
    } finally {
      await lanes.close();
    }
  }
  const noSidewaysScroll = (lanes: LanesPage): Promise<boolean> => lanes.page.locator('.scroller').evaluate((scroller) => scroller.scrollWidth <= scroller.clientWidth);

  it.each(['light', 'dark'] as const)('fills its bars in VS Code’s %s themes', async (theme) => {
    const [bar, fill, page] = await show(figure(), `theme-${theme}`, { theme }, async (lanes) => [
      await lanes.pixel(1, 60, 40), await lanes.color('fulfilled'), await lanes.page.locator('body').evaluate((body) => (globalThis as unknown as { getComputedStyle(of: unknown): { backgroundColor: string } }).getComputedStyle(body).backgroundColor),
    ]);
    expect(bar).toBe(fill);
    expect(page).toBe(theme === 'dark' ? 'rgb(31, 31, 31)' : 'rgb(255, 255, 255)');
  });

  it.each(['high contrast', 'high contrast light'] as const)('outlines its bars in %s', async (theme) => {
    const [inside, fill, edge, line] = await show(figure(), `theme-${theme.replaceAll(' ', '-')}`, { theme }, async (lanes) => [
      await lanes.pixel(1, 80, 40), await lanes.color('fulfilled'), await lanes.pixel(1, 80, 29), await lanes.color('fulfilled-line'),
    ]);
    expect(inside).toBe(fill);
    expect(edge).toBe(line);
    expect(line).not.toBe(fill);
  });

  it('follows the system’s colours in a plain browser', async () => {
    const light = await show(figure(), 'browser-light', { colorScheme: 'light' }, (lanes) => lanes.pixel(1, 60, 40));
    const dark = await show(figure(), 'browser-dark', { colorScheme: 'dark' }, (lanes) => lanes.pixel(1, 60, 40));
    expect(light).not.toBe(dark);
    expect(await show(figure(), 'browser-contrast', { colorScheme: 'dark', contrast: 'more' }, (lanes) => lanes.color('outlined'))).toBe('1');
  });

  it('paints itself anew when the theme changes under it', async () => {
    await show(figure(), 'theme-changed', { theme: 'light' }, async (lanes) => {
      await lanes.dress('dark');
      await expect.poll(() => lanes.pixel(1, 60, 40)).toBe(await lanes.color('fulfilled'));
    });
  });

  it('is sharp on a screen with more pixels', async () => {
    const width = await show(figure(), 'two-pixels', { deviceScaleFactor: 2 }, (lanes) => lanes.group(1).locator('.plot canvas').getAttribute('width'));
    expect(Number(width)).toBe(2 * 1100);
  });

  it('fits a panel 320 pixels wide', async () => {
    await show(figure(), 'narrow', { viewport: { width: 320, height: 760 } }, async (lanes) => {
      expect(await noSidewaysScroll(lanes)).toBe(true);
      expect(await lanes.page.locator('.callout text').allTextContents()).toHaveLength(2);
      expect(await lanes.group(2).locator('.saving text').allTextContents()).toEqual(['2.30 s less, −14 %']);
      expect(await lanes.group(1).locator('.title').allTextContents()).toEqual(['Chunk 1', 'Chunk 2']);
    });
  });

  it('scrolls through 400 lanes of three pixels, drawing what is in sight', async () => {
    const run = new ScriptedRun();
    const group = run.group({ kind: 'all' });
    uniformDurations(400).forEach((ms, i) => run.task(group, { ordinal: i + 1, lane: i + 1, start: i / 2, end: i / 2 + ms, state: i === 20 ? TaskState.rejected : TaskState.fulfilled }));
    run.now = 2500;
    await show(run.finish(), 'lanes-400', {}, async (lanes) => {
      expect(await lanes.group(group).getAttribute('data-row-height')).toBe('3');
      const bottom = 27 + 399 * 3;
      await lanes.page.locator('.scroller').evaluate((scroller) => { scroller.scrollTop = scroller.scrollHeight; });
      await expect.poll(() => lanes.pixel(group, 150, bottom)).toBe(await lanes.color('fulfilled'));
      expect(await lanes.pixel(group, 150, 27 + (400 - 21) * 3)).toBe(await lanes.color('rejected'));
      await lanes.picture('lanes-400-bottom');
      const height = await lanes.group(group).locator('.plot canvas').evaluate((canvas) => canvas.getBoundingClientRect().height);
      expect(height).toBeLessThan(27 + 400 * 3);
    });
  });

  it('shows one failed task among 100,000', async () => {
    const run = new ScriptedRun();
    const group = run.group(POOL);
    asRails(uniformDurations(100_000), 50).forEach((task, i) => run.task(group, { ...task, state: i === 50_000 ? TaskState.rejected : TaskState.fulfilled }));
    const failed = asRails(uniformDurations(100_000), 50)[50_000];
    run.now = 2_600_000;
    await show(run.finish(), 'tasks-100000', {}, async (lanes) => {
      const frame = await lanes.box(lanes.group(group).locator('.frame rect'));
      const height = Number(await lanes.group(group).getAttribute('data-row-height'));
      const end = run.timeline.group(group, run.now)?.end ?? NaN;
      const x = 44 + (failed.start / end) * (frame.width + 1.5);
      const y = 27 + (50 - failed.lane + 0.5) * height;
      const seen = await Promise.all([-2, -1, 0, 1, 2].map((dx) => lanes.pixel(group, x + dx, y)));
      expect(seen).toContain(await lanes.color('rejected'));
    });
  });

  it('puts a hundred groups on the page, and more when asked', async () => {
    const run = new ScriptedRun();
    for (let i = 0; i < 250; i++) run.task(run.group({ kind: 'all' }), { start: i, end: i + 5 });
    run.now = 300;
    await show(run.finish(), 'groups-250', {}, async (lanes) => {
      expect(await lanes.page.locator('.group').count()).toBe(100);
      await lanes.page.getByText('Show 100 more groups').click();
      await lanes.page.getByText('Show 50 more groups').click();
      await expect.poll(() => lanes.page.locator('.group').count()).toBe(250);
    });
  });

  it('speaks Korean', async () => {
    await show(figure(), 'korean', {}, async (lanes) => {
      expect(await lanes.page.locator('h2').allTextContents()).toEqual(['청크 단위 Promise.all', '프로미스 풀']);
      expect(await lanes.page.locator('.callout text').allTextContents()).toEqual(['가장 긴 프로미스의 시간이 청크의 시간입니다']);
      expect(await lanes.page.locator('.run-again').innerText()).toBe('다시 실행');
      expect(await lanes.page.locator('html').getAttribute('lang')).toBe('ko');
    }, 'ko');
  });
});
