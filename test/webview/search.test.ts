/** Finding tasks: what matches stays, the rest stands back; from match to match; a wrong query says why. */
import type { Locator } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { TaskState } from '../../src/model/timeline';
import { skipWithoutBrowser } from './browser';
import { asChunks, asRails, FIGURE, place, POOL, uniformDurations } from './experiment';
import { LanesPage } from './harness';
import { ScriptedRun } from './scripted-run';
import { usePages } from './use-pages';

describe.skipIf(skipWithoutBrowser())('searching', () => {
  const pages = usePages();
  let lanes: LanesPage;
  beforeEach(async () => { lanes = await pages.open(); });

  const field = (): Locator => lanes.page.locator('.search-field');
  const count = (): Promise<string> => lanes.page.locator('.search-count').innerText();
  const spoken = (): Promise<string | null> => lanes.page.locator('.spoken').textContent();
  async function ask(query: string): Promise<void> {
    await field().fill(query);
    await lanes.settled();
  }

  function figure(): ArrayBuffer[] {
    const run = new ScriptedRun();
    place(run, asChunks(FIGURE, 5), {});
    const pool = run.group(POOL);
    asRails(FIGURE, 5, 20_000).forEach((task, i) => run.task(pool, { ...task, state: i === 2 ? TaskState.rejected : TaskState.fulfilled }));
    run.now = 36_000;
    run.timeline.labelTask(9, 'user nine');
    return run.finish().frames();
  }

  it('opens by /, counts what matches, goes from match to match, and is put away by Escape', async () => {
    await lanes.show(...figure());
    await lanes.group(1).locator('.plot').focus();
    expect(await field().isVisible()).toBe(false);
    await lanes.page.keyboard.press('/');
    await lanes.page.keyboard.type('dur>8s');
    await lanes.settled();
    expect(await count()).toBe('4 of 20 tasks');
    await lanes.picture('search');
    await lanes.page.keyboard.press('Enter');
    expect(await spoken()).toBe('chunk 1, slot 1, task 1, fulfilled, 8.30 s');
    await lanes.page.keyboard.press('Enter');
    expect(await spoken()).toBe('chunk 2, slot 4, task 9, fulfilled, 8.30 s');
    await lanes.page.keyboard.press('Enter');
    expect(await spoken()).toBe('rail 1, task 1, fulfilled, 8.30 s');
    await lanes.page.keyboard.press('Shift+Enter');
    expect(await spoken()).toBe('chunk 2, slot 4, task 9, fulfilled, 8.30 s');
    await lanes.page.keyboard.press('Escape');
    expect(await field().isVisible()).toBe(false);
  });

  it('dims what does not match, and no more than that', async () => {
    await lanes.show(...figure());
    const height = Number(await lanes.group(1).getAttribute('data-row-height'));
    const [second, first] = [[60, 27 + 3.5 * height - 6], [60, 27 + 4.5 * height - 6]] as const;
    const full = await lanes.pixel(1, ...first);
    await lanes.page.keyboard.press('/');
    await ask('lane:1');
    await expect.poll(() => lanes.pixel(1, ...second)).not.toBe(full);
    expect(await lanes.pixel(1, ...first)).toBe(full);
    await ask('-lane:1');
    await expect.poll(() => lanes.pixel(1, ...first)).not.toBe(full);
    expect(await lanes.pixel(1, ...second)).toBe(full);
  });

  it.each([
    ['nine', '1 of 20 tasks'], ['9', '2 of 20 tasks'], ['status:rejected', '1 of 20 tasks'], ['chunk:2', '5 of 20 tasks'], ['group:2 lane:2-3', '5 of 20 tasks'],
    ['at:lookup.mjs:7', '20 of 20 tasks'], ['at:lookup.mjs:8', '0 of 20 tasks'], ['fetchuser -status:rejected', '19 of 20 tasks'], ['dur<=2000', '4 of 20 tasks'],
  ])('understands %s', async (query, expected) => {
    await lanes.show(...figure());
    await lanes.page.keyboard.press('/');
    await ask(query);
    expect(await count()).toBe(expected);
  });

  it('says of a query it cannot understand what is wrong, at the field', async () => {
    await lanes.show(...figure());
    await lanes.page.keyboard.press('/');
    await ask('dur>fast');
    const problem = lanes.page.locator('.search-problem');
    expect(await problem.innerText()).toBe('“dur>fast”: a time is a number with ns, us, ms, s, min or h, like dur>200ms.');
    expect(await field().getAttribute('aria-invalid')).toBe('true');
    expect(await field().getAttribute('aria-describedby')).toBe(await problem.getAttribute('id'));
    await lanes.picture('search-wrong');
    await ask('dur>2s');
    expect(await problem.isVisible()).toBe(false);
  });

  it('finds one in 100,000 and shows where it is', async () => {
    const run = new ScriptedRun();
    const group = run.group(POOL);
    const tasks = asRails(uniformDurations(100_000), 50);
    tasks.forEach((task) => run.task(group, task));
    run.now = 2_600_000;
    await lanes.show(...run.finish().frames());
    const frame = await lanes.box(lanes.group(group).locator('.frame rect'));
    const [found, height] = [tasks[70_000], Number(await lanes.group(group).getAttribute('data-row-height'))];
    const end = Math.max(...tasks.map((task) => task.end));
    const y = 27 + (50 - found.lane + 0.5) * height;
    const at = (ms: number): number => Math.round(44 + (ms / end) * (frame.width + 1.5));
    const elsewhere = [at(end / 4), y] as const;
    const before = await lanes.pixel(group, ...elsewhere);
    await lanes.page.keyboard.press('/');
    await ask('task:70001');
    expect(await count()).toBe('1 of 100\u202f000 tasks');
    const seen = await Promise.all([-1, 0, 1].map((dx) => lanes.pixel(group, at(found.start) + dx, y)));
    expect(seen.some((color) => color !== '')).toBe(true);
    await lanes.picture('search-100000');
    expect(await lanes.group(group).getAttribute('data-detail')).toBe('density');
    expect(before).not.toBe('');
  });

  it('is there again after a reload, and a press on the legend asks for one outcome', async () => {
    const frames = figure();
    await lanes.show(...frames);
    await lanes.page.locator('.legend .sample-rejected button').click();
    await lanes.settled();
    expect(await field().inputValue()).toBe('status:rejected');
    expect(await count()).toBe('1 of 20 tasks');
    await lanes.page.reload();
    await lanes.show(...frames);
    expect(await field().inputValue()).toBe('status:rejected');
    await expect.poll(count).toBe('1 of 20 tasks');
    await lanes.page.locator('.legend .sample-rejected button').click();
    expect(await field().isVisible()).toBe(false);
  });
});
