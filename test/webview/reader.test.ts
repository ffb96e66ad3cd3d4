/** What a reader does with the picture: look at a task, zoom, pan, choose, come back. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { TaskState } from '../../src/model/timeline';
import { skipWithoutBrowser } from './browser';
import { asChunks, asRails, FIGURE, place, POOL } from './experiment';
import { LanesPage } from './harness';
import { ScriptedRun } from './scripted-run';
import { usePages } from './use-pages';

describe.skipIf(skipWithoutBrowser())('a reader', () => {
  const pages = usePages();
  let lanes: LanesPage;
  let frames: ArrayBuffer[];
  beforeAll(async () => {
    const run = new ScriptedRun();
    place(run, asChunks(FIGURE, 5, 100).map((task) => ({ ...task, queued: task.chunk === 2 ? 100 : NaN })), {});
    place(run, asRails(FIGURE, 5, 20_000), POOL);
    run.timeline.labelTask(9, 'user 9');
    frames = run.finish().frames();
  });
  beforeEach(async () => {
    lanes = await pages.open();
    await lanes.show(...frames);
  });

  /** First and last time in the plot, read off where two ticks stand; seconds. */
  async function shown(): Promise<[number, number]> {
    await lanes.settled();
    const ticks = await lanes.page.locator('.axis .ticks g').evaluateAll((all) => all.map((tick) => [Number(tick.getAttribute('data-time')), Number(/\((.+),/.exec(tick.getAttribute('transform') ?? '')?.[1])]));
    const [[t0, x0], [t1, x1]] = [ticks[0], ticks[ticks.length - 1]];
    const at = (x: number): number => Math.round((t0 + ((x - x0) * (t1 - t0)) / (x1 - x0)) / 10) / 100;
    const width = await lanes.page.locator('.scroller').evaluate((scroller) => scroller.clientWidth);
    return [at(44), at(width - 26)];
  }
  const rowHeight = async (group: number): Promise<number> => Number(await lanes.group(group).getAttribute('data-row-height'));
  const plot = (group: number): ReturnType<LanesPage['group']> => lanes.group(group).locator('.plot');

  it('sees all about the task under the pointer, and nothing beside one', async () => {
    await plot(1).hover({ position: { x: 700, y: 27 + 1.5 * await rowHeight(1) } }); // slot 4 of chunk 2
    const card = lanes.page.locator('.tooltip');
    expect((await card.innerText()).split('\n').filter(Boolean)).toEqual([
      'Task 9', 'user 9', 'slot', '4', 'chunk', '2', 'queued', '0.00 ms, waited 8.30 s', 'start', '8.30 s', 'end', '16.6 s', 'duration', '8.30 s', 'outcome', 'fulfilled',
    ]);
    await lanes.picture('tooltip');
    await plot(1).hover({ position: { x: 400, y: 8 } });
    expect(await card.isVisible()).toBe(false);
  });

  it('sees of an idle stretch how much it is and which task everybody waited for', async () => {
    const card = async (): Promise<string[]> => (await lanes.page.locator('.tooltip').innerText()).split('\n').filter(Boolean);
    await plot(1).hover({ position: { x: 400, y: 27 + 2.5 * await rowHeight(1) } }); // behind task 3
    expect(await card()).toEqual([
      'Idle', 'slot', '3', 'from', '2.00 s', 'until', '8.30 s', 'duration', '6.30 s', 'waited for', 'task 1 (8.30 s)', 'in all of the chunk', '16.2 s of slot time, 39 %',
    ]);
    expect(await lanes.group(1).locator('.culprit').getAttribute('data-task')).toBe('1');
    await lanes.picture('idle');
    await plot(2).hover({ position: { x: 800, y: 27 + 4.5 * await rowHeight(2) } }); // rail 1 behind task 1, up to the end of the pool
    expect(await card()).toEqual([
      'Idle', 'rail', '1', 'from', '8.30 s', 'until', '14.3 s', 'duration', '6.00 s', 'waited for', 'task 9 (8.30 s)', 'in all', '22.2 s of slot time, 31 %',
    ]);
    expect(await lanes.group(1).locator('.culprit').count()).toBe(0);
    expect(await lanes.group(2).locator('.culprit').count()).toBe(1);
  });

  it('goes from task to task by arrow keys and hears where that is', async () => {
    await plot(2).focus();
    const spoken = lanes.page.locator('.spoken');
    const press = async (...keys: string[]): Promise<string | null> => { for (const key of keys) await lanes.page.keyboard.press(key); return spoken.textContent(); };
    expect(await press('ArrowRight')).toBe('rail 1, task 1, fulfilled, 8.30 s');
    expect(await press('ArrowUp')).toBe('rail 2, task 2, fulfilled, 4.00 s');
    expect(await press('ArrowRight', 'ArrowRight')).toBe('rail 2, task 10, fulfilled, 6.00 s');
    expect(await press('ArrowUp')).toBe('rail 3, task 6, fulfilled, 4.70 s');
    expect(await press('ArrowDown', 'Home')).toBe('rail 2, task 2, fulfilled, 4.00 s');
    expect(await lanes.group(2).locator('.focus').count()).toBe(1);
    expect(await spoken.getAttribute('aria-live')).toBe('polite');
    await plot(1).focus();
    expect(await press('ArrowRight', 'ArrowRight')).toBe('chunk 2, slot 1, task 6, fulfilled, 4.70 s');
    expect(await plot(2).getAttribute('aria-label')).toBe('Diagram of Promise pool: 10 tasks on 5 lanes, 14.3 s elapsed, 69 % busy, 0 rejected, 0 pending');
  });

  it('zooms at the pointer with Ctrl and the wheel, for all diagrams at once', async () => {
    const x = 44 + (1100 - 70) / 4;
    await plot(1).hover({ position: { x, y: 60 } });
    await lanes.page.keyboard.down('Control');
    for (let i = 0; i < 3; i++) await lanes.page.mouse.wheel(0, -100);
    await lanes.page.keyboard.up('Control');
    const [start, end] = await shown();
    expect(end - start).toBeLessThan(8);
    expect(start + (end - start) / 4).toBeCloseTo(16.93 / 4, 1);
    const [first, second] = [await lanes.box(lanes.group(1).locator('.frame rect').first()), await lanes.box(lanes.group(2).locator('.frame rect').first())];
    expect(first.x).toBeCloseTo(second.x, 3);
  });

  it('zooms with the plain wheel where nothing can be scrolled, and scrolls where something can', async () => {
    await plot(1).hover({ position: { x: 500, y: 60 } });
    const before = await shown();
    await lanes.page.mouse.wheel(0, -100);
    await expect.poll(shown).not.toEqual(before);
    await lanes.page.setViewportSize({ width: 1100, height: 400 });
    const zoomed = await shown();
    await lanes.page.mouse.wheel(0, 200);
    await expect.poll(() => lanes.page.locator('.scroller').evaluate((scroller) => scroller.scrollTop)).toBeGreaterThan(50);
    expect(await shown()).toEqual(zoomed);
  });

  it('pans by dragging, by Shift and the wheel, and by Shift and arrow keys', async () => {
    await plot(1).click({ position: { x: 500, y: 10 } });
    await lanes.page.keyboard.press('+');
    await lanes.page.keyboard.press('+');
    const width = async (): Promise<number> => { const [start, end] = await shown(); return end - start; };
    const wide = await width();
    const start = async (): Promise<number> => (await shown())[0];
    const one = await start();
    await lanes.page.keyboard.press('Shift+ArrowRight');
    const two = await start();
    expect(two).toBeGreaterThan(one);
    await lanes.page.keyboard.down('Shift');
    await lanes.page.mouse.wheel(0, 100);
    await lanes.page.keyboard.up('Shift');
    await expect.poll(start).toBeGreaterThan(two);
    const three = await start();
    await lanes.page.mouse.move(500, 220);
    await lanes.page.mouse.down();
    await lanes.page.mouse.move(700, 220, { steps: 4 });
    await lanes.page.mouse.up();
    await expect.poll(start).toBeLessThan(three);
    expect(await width()).toBeCloseTo(wide, 1);
    await lanes.page.keyboard.press('0');
    await expect.poll(start).toBe(0);
    await lanes.page.keyboard.press('-');
    expect(await start()).toBe(0);
  });

  it('moves by W, A, S and D, fills the view with a task by F, and takes each step back and forth again', async () => {
    await plot(1).focus();
    const press = async (...keys: string[]): Promise<[number, number]> => { for (const key of keys) await lanes.page.keyboard.press(key); return shown(); };
    const all = await shown();
    const filled = await press('ArrowRight', 'BracketRight', 'f'); // task 6: 8.3 s to 13 s
    expect(filled[0]).toBeCloseTo(16.93 - 3 * 4.7, 1);
    expect(filled[1]).toBeCloseTo(16.93, 1);
    await lanes.page.waitForTimeout(500);
    const near = await press('w');
    expect(near[1] - near[0]).toBeLessThan(filled[1] - filled[0]);
    await lanes.page.waitForTimeout(500);
    const later = await press('d');
    expect(later[0]).toBeGreaterThan(near[0]);
    expect(await press('Control+z')).toEqual(near);
    expect(await press('Control+z')).toEqual(filled);
    expect(await press('Control+z')).toEqual(all);
    expect(await press('Control+Shift+z')).toEqual(filled);
    expect(await press('Control+y')).toEqual(near);
    expect(await press('s', 's', 's', 's', 's')).toEqual(all);
  });

  it('finds the list of keys by ? and puts it away by Escape', async () => {
    await plot(1).focus();
    const keys = lanes.page.locator('.keys');
    expect(await keys.isVisible()).toBe(false);
    await lanes.page.keyboard.press('?');
    expect(await keys.innerText()).toContain('failure before and after');
    await lanes.picture('keys');
    await lanes.page.keyboard.press('Escape');
    expect(await keys.isVisible()).toBe(false);
  });

  it('goes from failure to failure by full stop and comma', async () => {
    const run = new ScriptedRun();
    const group = run.group(POOL);
    for (let i = 0; i < 40; i++) run.task(group, { ordinal: i + 1, lane: (i % 4) + 1, start: i * 100, end: i * 100 + 350, state: i === 7 || i === 30 ? TaskState.rejected : TaskState.fulfilled });
    run.now = 5000;
    await lanes.show(...run.finish().frames({ run: { timeOrigin: 1 } }));
    await plot(1).focus();
    const spoken = async (key: string): Promise<string | null> => { await lanes.page.keyboard.press(key); return lanes.page.locator('.spoken').textContent(); };
    expect(await spoken('.')).toBe('rail 4, task 8, rejected, 350 ms');
    expect(await spoken('.')).toBe('rail 3, task 31, rejected, 350 ms');
    expect(await spoken(',')).toBe('rail 4, task 8, rejected, 350 ms');
  });

  it('chooses between the same start and the wall clock', async () => {
    const left = async (group: number): Promise<number> => { await lanes.settled(); return (await lanes.box(lanes.group(group).locator('.frame rect').first())).x; };
    expect(await left(1)).toBe(await left(2));
    await lanes.page.locator('vscode-radio', { hasText: 'Wall clock' }).click();
    await expect.poll(async () => (await left(2)) - (await left(1))).toBeGreaterThan(300);
    expect(await lanes.page.locator('.saving').count()).toBe(0);
    await lanes.picture('wall-clock');
    await lanes.page.locator('vscode-radio', { hasText: 'Same start' }).click();
    await expect.poll(() => lanes.page.locator('.saving').count()).toBe(1);
  });

  it('finds zoom and choice again after the page was reloaded', async () => {
    await lanes.page.locator('vscode-radio', { hasText: 'Wall clock' }).click();
    await lanes.settled();
    await plot(1).focus();
    await lanes.page.keyboard.press('+');
    const before = await shown();
    await lanes.page.reload();
    await lanes.show(...frames);
    expect(await shown()).toEqual(before);
    expect(await lanes.page.locator('.axis-title').textContent()).toBe('time since the run began');
  });

  it('brings a task gone to by keyboard into the zoomed view', async () => {
    await plot(2).focus();
    for (const key of ['+', '+', '+', '+', '+']) await lanes.page.keyboard.press(key);
    await lanes.page.keyboard.press('ArrowRight');
    await lanes.page.keyboard.press('End');
    await lanes.page.keyboard.press('ArrowUp');
    await lanes.page.keyboard.press('End');
    const [start, end] = await shown();
    expect(start).toBeLessThan(12);
    expect(end).toBeGreaterThan(6);
    const focus = await lanes.box(lanes.group(2).locator('.focus'));
    expect(focus.x).toBeLessThan(1074);
    expect(focus.x + focus.width).toBeGreaterThan(44);
  });
});
