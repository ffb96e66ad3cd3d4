/** Which lanes stand where, what bars are coloured by, and that both are kept. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { TaskState } from '../../src/model/timeline';
import { skipWithoutBrowser } from './browser';
import { asChunks, asRails, FIGURE, place, POOL, uniformDurations } from './experiment';
import { LanesPage, type Theme } from './harness';
import { ScriptedRun } from './scripted-run';
import { usePages } from './use-pages';

describe.skipIf(skipWithoutBrowser())('lanes and colours', () => {
  const pages = usePages();
  let lanes: LanesPage;
  let frames: ArrayBuffer[];
  beforeAll(async () => {
    const run = new ScriptedRun();
    place(run, asRails(FIGURE, 5), POOL);
    frames = run.finish().frames();
  });
  beforeEach(async () => { lanes = await pages.open(); });

  /** The lanes from the top down, by what the pointer meets at the left edge of each row. */
  async function order(): Promise<number[]> {
    await lanes.settled();
    const height = Number(await lanes.group(1).getAttribute('data-row-height'));
    const frame = await lanes.box(lanes.group(1).locator('.frame rect').first());
    const rows = Math.round((frame.height - 9) / height);
    const seen: number[] = [];
    for (let row = 0; row < rows; row++) {
      await lanes.group(1).locator('.plot').hover({ position: { x: 47, y: 27 + (row + 0.5) * height } });
      const [, , lane] = (await lanes.page.locator('.tooltip').innerText()).split('\n').filter(Boolean);
      seen.push(Number(lane));
    }
    return seen;
  }
  const choose = (label: string, value: string) => lanes.page.locator('.select-holder', { hasText: label }).locator('select').selectOption(value);

  it('stand by number from the bottom, by first start, idle time, busy time or longest task when asked', async () => {
    await lanes.show(...frames);
    expect(await order()).toEqual([5, 4, 3, 2, 1]);
    await choose('Lanes', 'idle'); // 14.3 s less 8.3, 12, 6.7, 8 and 14.3 s of work: the idlest is the first, at the bottom
    expect(await order()).toEqual([5, 2, 1, 4, 3]);
    await choose('Lanes', 'busy');
    expect(await order()).toEqual([3, 4, 1, 2, 5]);
    await choose('Lanes', 'longest');
    expect(await order()).toEqual([3, 4, 2, 5, 1]);
    await lanes.page.getByLabel('First lane at the top or at the bottom').first().click();
    expect(await order()).toEqual([1, 5, 2, 4, 3]);
    await lanes.picture('lanes-sorted');
    await lanes.page.reload();
    await lanes.show(...frames);
    expect(await order()).toEqual([1, 5, 2, 4, 3]);
  });

  it('start at the top where the host’s settings say so', async () => {
    const run = new ScriptedRun();
    place(run, asRails(FIGURE, 5), POOL);
    await lanes.show(...run.finish().frames({ firstLane: 'top' }));
    expect(await order()).toEqual([1, 2, 3, 4, 5]);
  });

  it('are pinned and hidden by keys, by a click on their number, and come back', async () => {
    await lanes.show(...frames);
    await lanes.group(1).locator('.plot').focus();
    for (const key of ['ArrowRight', 'l']) await lanes.page.keyboard.press(key);
    expect(await order()).toEqual([1, 5, 4, 3, 2]);
    const height = Number(await lanes.group(1).getAttribute('data-row-height'));
    await lanes.group(1).locator('.plot').click({ position: { x: 20, y: 27 + 2.5 * height } });
    await lanes.picture('lanes-menu');
    await lanes.page.getByRole('menuitem', { name: 'Hide' }).click();
    expect(await order()).toEqual([1, 5, 3, 2]);
    expect(await lanes.group(1).locator('.figure-lanes dd').innerText()).toBe('5');
    await lanes.page.reload();
    await lanes.show(...frames);
    expect(await order()).toEqual([1, 5, 3, 2]);
    await lanes.group(1).getByText('hidden lanes: 1, show').click();
    expect(await order()).toEqual([1, 5, 4, 3, 2]);
  });

  it('are stepped through as they stand', async () => {
    await lanes.show(...frames);
    await choose('Lanes', 'idle');
    await lanes.settled();
    await lanes.group(1).locator('.plot').focus();
    const spoken = async (key: string): Promise<string | null> => { await lanes.page.keyboard.press(key); return lanes.page.locator('.spoken').textContent(); };
    expect(await spoken('ArrowRight')).toContain('rail 1,');
    expect(await spoken('ArrowUp')).toContain('rail 2,');
    expect(await spoken('ArrowUp')).toContain('rail 5,');
    expect(await spoken('ArrowDown')).toContain('rail 2,');
  });

  it.each(['light', 'dark', 'high contrast'] as const)('have a colour for each chunk, duration and task function, which the legend explains, in %s', async (theme: Theme) => {
    lanes = await pages.open({ theme });
    const run = new ScriptedRun();
    place(run, asChunks(FIGURE, 5), {});
    place(run, asRails(FIGURE, 5, 20_000), { ...POOL, taskSite: { file: '/work/app/other.mjs', line: 3, column: 1, function: 'save' } });
    await lanes.show(...run.finish().frames());
    const outlined = theme === 'high contrast';
    // The middle of a filled bar, the edge of an outlined one.
    const bar = async (group: number, x: number, lane: number): Promise<string> => {
      const height = Number(await lanes.group(group).getAttribute('data-row-height'));
      return lanes.pixel(group, x, outlined ? 27 + (5 - lane) * height + (height >= 16 ? 2 : 1) : 27 + (5 - lane + 0.5) * height - 6);
    };
    const legend = (): Promise<string[]> => lanes.page.locator('.legend li').allTextContents();
    await choose('Colour', 'chunk');
    await expect.poll(() => bar(1, 70, 1)).toBe(await lanes.color('category-1'));
    expect(await bar(1, 600, 4)).toBe(await lanes.color('category-2'));
    expect(await legend()).toEqual(['chunk 1, 7, …', 'chunk 2, 8, …', 'idle', 'longest']);
    await lanes.page.locator('.legend .sample-hue-2 button').click();
    await lanes.settled();
    expect(await lanes.page.locator('.search-count').innerText()).toBe('5 of 20 tasks');
    expect(await bar(1, 70, 1)).not.toBe(await lanes.color('category-1'));
    expect(await bar(1, 600, 4)).toBe(await lanes.color('category-2'));
    await lanes.page.locator('.legend .sample-hue-2 button').click();
    await lanes.picture(`colour-chunk-${theme.replaceAll(' ', '-')}`);
    await choose('Colour', 'function');
    await expect.poll(() => bar(1, 600, 4)).toBe(await lanes.color('category-1'));
    expect(await bar(2, 70, 4)).toBe(await lanes.color('category-2'));
    expect((await legend()).slice(0, 2)).toEqual(['fetchUser · lookup.mjs:7', 'save · other.mjs:3']);
    await choose('Colour', 'duration');
    await expect.poll(() => bar(1, 70, 1)).toBe(await lanes.color('step-5'));
    expect(await bar(1, 70, 3)).toBe(await lanes.color('step-1'));
    expect((await legend()).slice(0, 5)).toEqual(['below 3.00 s', '3.00 s to 4.70 s', '4.70 s to 6.00 s', '6.00 s to 8.30 s', '8.30 s and more']);
    await lanes.picture(`colour-duration-${theme.replaceAll(' ', '-')}`);
    await lanes.page.locator('.legend .sample-hue-11 button').click();
    await lanes.settled();
    expect(await lanes.page.locator('.search-count').innerText()).toBe('4 of 20 tasks');
  });

  it('have the longest of every chunk outlined on request, where else only the worst five are', async () => {
    const run = new ScriptedRun();
    place(run, asChunks(uniformDurations(150), 5), {});
    const sent = run.finish().frames();
    await lanes.show(...sent);
    const outlined = (): Promise<number> => lanes.group(1).locator('.longest').count();
    expect(await outlined()).toBe(5);
    const sample = lanes.page.locator('.legend .sample-longest button');
    expect(await sample.innerText()).toBe('longest of the 5 chunks with most idle time');
    await sample.click();
    await expect.poll(outlined).toBe(30);
    await lanes.settled();
    expect(await sample.getAttribute('aria-pressed')).toBe('true');
    await lanes.picture('outlined-all');
    await lanes.page.reload();
    await lanes.show(...sent);
    await expect.poll(() => lanes.page.locator('.legend .sample-longest button').getAttribute('aria-pressed')).toBe('true');
  });

  it('keep failures in sight whatever bars are coloured by, among 100,000', async () => {
    const run = new ScriptedRun();
    const group = run.group(POOL);
    const tasks = asRails(uniformDurations(100_000), 50);
    tasks.forEach((task, i) => run.task(group, { ...task, state: i === 50_000 ? TaskState.rejected : TaskState.fulfilled }));
    run.now = 2_600_000;
    await lanes.show(...run.finish().frames());
    await choose('Colour', 'duration');
    await lanes.settled();
    const frame = await lanes.box(lanes.group(group).locator('.frame rect'));
    const height = Number(await lanes.group(group).getAttribute('data-row-height'));
    const [failed, end] = [tasks[50_000], Math.max(...tasks.map((task) => task.end))];
    const x = 44 + (failed.start / end) * (frame.width + 1.5);
    const y = 27 + (50 - failed.lane + 0.5) * height;
    const seen = await Promise.all([-2, -1, 0, 1, 2].map((dx) => lanes.pixel(group, x + dx, y)));
    expect(seen).toContain(await lanes.color('rejected'));
    await lanes.picture('colour-duration-100000');
  });
});
