/** Time: following what happens now, standing still, playing again, and an axis from nanoseconds to hours. */
import { describe, expect, it } from 'vitest';
import { TaskState } from '../../src/model/timeline';
import { skipWithoutBrowser } from './browser';
import { asChunks, asRails, FIGURE, place, POOL } from './experiment';
import { LanesPage, type OpenOptions } from './harness';
import { ScriptedRun } from './scripted-run';
import { usePages } from './use-pages';

describe.skipIf(skipWithoutBrowser())('time', () => {
  const pages = usePages();
  let lanes: LanesPage;
  const open = async (options: OpenOptions = {}): Promise<void> => { lanes = await pages.open(options); };
  const x = (seconds: number): number => 44 + (seconds / (16.6 * 1.02)) * 1030;
  const scrub = (share: number): Promise<void> => lanes.page.locator('.scrubber').fill(String(Math.round(share * 10_000)));
  const frameEnd = async (group: number): Promise<number> => { const { x: left, width } = await lanes.box(lanes.group(group).locator('.frame rect').last()); return left + width; };

  async function showPair(): Promise<void> {
    const run = new ScriptedRun();
    place(run, asChunks(FIGURE, 5).map((task) => ({ ...task, state: task.ordinal === 5 ? TaskState.rejected : TaskState.fulfilled })), {});
    place(run, asRails(FIGURE, 5, 20_000), POOL);
    await lanes.show(...run.finish().frames());
  }

  it('plays a run that is over again: nothing is shown that had not happened by then', async () => {
    await open();
    await showPair();
    await lanes.page.getByRole('button', { name: 'Play what happened again (P)' }).click();
    await lanes.page.getByRole('button', { name: 'Pause drawing (P)' }).click();
    await scrub(5 / 16.6);
    await lanes.settled();
    expect(await lanes.page.locator('.playhead-time').innerText()).toBe('5.00 s');
    const height = Number(await lanes.group(1).getAttribute('data-row-height'));
    const y = (lane: number): number => Math.round(27 + (5 - lane + 0.5) * height);
    // Task 5 runs at 5 s and fails at 6 s: by now it is pending.
    expect(await lanes.pixel(1, x(3), y(5) - 5)).toBe(await lanes.color('pending'));
    expect(await lanes.pixel(1, x(3), y(2) - 5)).toBe(await lanes.color('fulfilled'));
    expect(await lanes.pixel(1, x(5.3), y(5))).toBe('');
    expect(await lanes.group(1).locator('.frame').count()).toBe(1);
    expect(await lanes.group(1).locator('.longest').count()).toBe(0);
    expect(await lanes.page.locator('.saving').count()).toBe(0);
    // What stands above is as it stood then.
    const figures = async (group: number): Promise<string[]> => lanes.group(group).locator('.figure:visible').allInnerTexts();
    expect((await figures(1)).map((text) => text.replace(/\s+/gu, ' '))).toEqual(['elapsed 5.00 s', 'tasks 5', 'pending 3', 'slots 5', 'chunks 1', 'busy 21.0 s', 'idle 4.00 s', 'utilization 84 %']);
    await lanes.picture('replay');
    await scrub(8.5 / 16.6);
    await lanes.settled();
    expect(await lanes.group(1).locator('.longest').count()).toBe(1);
    expect(await lanes.pixel(1, x(3), y(5) - 5)).not.toBe(await lanes.color('pending'));
    expect(await lanes.group(1).locator('.figure-rejected dd').innerText()).toBe('1');
    await lanes.page.getByRole('button', { name: 'Show all there is' }).click();
    await lanes.settled();
    expect(await lanes.group(1).locator('.figure-tasks dd').innerText()).toBe('10');
    expect(await lanes.group(1).locator('.frame').count()).toBe(2);
    expect(await lanes.page.locator('.saving').count()).toBe(1);
  });

  it('goes on by itself at the speed chosen, up to the end', async () => {
    await open({ reducedMotion: 'no-preference' });
    await showPair();
    await lanes.group(1).locator('.plot').focus();
    await lanes.page.keyboard.press('p');
    const time = async (): Promise<number> => parseFloat(await lanes.page.locator('.playhead-time').innerText());
    await expect.poll(time).toBeGreaterThan(0);
    await lanes.page.keyboard.press('p');
    const stopped = await time();
    await lanes.settled();
    expect(await time()).toBe(stopped);
    await lanes.page.locator('.time-bar select').selectOption('100');
    await lanes.page.keyboard.press('Escape');
    await lanes.group(1).locator('.plot').focus();
    await lanes.page.keyboard.press('p');
    await expect.poll(() => lanes.page.locator('.playhead-time').innerText(), { timeout: 10_000 }).toBe('16.6 s');
    await expect.poll(() => lanes.page.locator('.time-bar vscode-button').first().getAttribute('aria-label')).toBe('Play (P)');
  });

  it('stands still while the run goes on, and goes back to now by one button', async () => {
    await open();
    const run = new ScriptedRun();
    const group = run.group(POOL);
    run.task(group, { ordinal: 1, start: 0 });
    run.now = 1000;
    await lanes.send(...run.frames());
    await lanes.group(group).locator('.frame').waitFor({ state: 'attached' });
    await lanes.page.getByRole('button', { name: 'Pause drawing (P)' }).click();
    await lanes.page.locator('.time-bar').waitFor();
    const [end, text] = [await frameEnd(group), await lanes.page.locator('.playhead-time').innerText()];
    run.task(group, { ordinal: 2, lane: 2, start: 50_000, end: 50_100 });
    run.now = 60_000;
    await lanes.send(run.delta());
    await expect.poll(() => lanes.page.locator('.elapsed').innerText()).toMatch(/^(60|1 min)/u);
    expect(await lanes.group(group).locator('.figure-tasks dd').innerText()).toBe('1');
    expect(await frameEnd(group)).toBeCloseTo(end, 1);
    expect(await lanes.page.locator('.playhead-time').innerText()).toBe(text);
    await lanes.page.locator('.live').click();
    await lanes.page.locator('.time-bar').waitFor({ state: 'hidden' });
    await expect.poll(() => lanes.page.locator('.axis .ticks text').last().textContent()).toMatch(/(min|[6-9]\d s)/);
  });

  it('follows what happens now in a zoomed view until the reader looks elsewhere, and again when asked', async () => {
    await open();
    const run = new ScriptedRun();
    const group = run.group(POOL);
    run.task(group, { start: 0 });
    run.now = 10_000;
    await lanes.send(...run.frames());
    await lanes.group(group).locator('.plot').focus();
    const lastTick = async (): Promise<number> => Math.max(...await lanes.page.locator('.axis .ticks g').evaluateAll((all) => all.map((tick) => Number(tick.getAttribute('data-time')))));
    for (const key of ['+', '+', '+', 'd', 'd', 'd', 'd', 'd', 'd', 'd', 'd', 'd', 'd', 'd', 'd', 'd']) await lanes.page.keyboard.press(key);
    expect(await lanes.page.locator('.live').isVisible()).toBe(false);
    run.now = 40_000;
    await lanes.send(run.delta());
    await expect.poll(lastTick).toBeGreaterThan(35_000);
    for (const key of ['a', 'a', 'a', 'a', 'a', 'a', 'a', 'a', 'a', 'a']) await lanes.page.keyboard.press(key);
    await lanes.page.locator('.live').waitFor();
    // What the keys asked for is drawn two frames later at the latest.
    await lanes.page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    const seen = await lastTick();
    run.now = 80_000;
    run.task(group, { ordinal: 2, lane: 2, start: 79_000 });
    await lanes.send(run.delta());
    await expect.poll(() => lanes.group(group).locator('.figure-tasks dd').innerText()).toBe('2');
    expect(await lastTick()).toBe(seen);
    await lanes.page.locator('.live').click();
    await expect.poll(lastTick).toBeGreaterThan(75_000);
    await lanes.page.locator('.live').waitFor({ state: 'hidden' });
  });

  it('reads its axis in nanoseconds close up, with what all ticks share told once', async () => {
    await open();
    await showPair();
    await lanes.group(1).locator('.plot').focus();
    for (let i = 0; i < 45; i++) await lanes.page.keyboard.press('+');
    await lanes.settled();
    const ticks = await lanes.page.locator('.axis .ticks text').allTextContents();
    expect(ticks.every((tick) => /^\+\d+(\.\d+)? (ns|µs)$/.test(tick)), ticks.join()).toBe(true);
    expect(await lanes.page.locator('.axis-base').textContent()).toMatch(/^8\.\d{5,} s$/);
    await lanes.picture('nanoseconds');
  });
});
