/** What threads went through: bands over all lanes, and the strip of libuv's pool. */
import { beforeEach, describe, expect, it } from 'vitest';
import { ActivityKind } from '../../src/model/activity';
import { activityRows } from './activity-rows';
import { skipWithoutBrowser } from './browser';
import { asRails, place, POOL, uniformDurations } from './experiment';
import { LanesPage } from './harness';
import { ScriptedRun } from './scripted-run';
import { usePages } from './use-pages';

const THREAD = { id: 1, pid: 100, threadId: 0, name: 'main', requests: true };

describe.skipIf(skipWithoutBrowser())('what threads went through', () => {
  const pages = usePages();
  let lanes: LanesPage;
  let run: ScriptedRun;
  beforeEach(async () => {
    run = new ScriptedRun();
    lanes = await pages.open();
    place(run, asRails(uniformDurations(60), 6), POOL);
  });

  const end = (): number => run.timeline.group(1, run.now)?.end ?? NaN;
  const x = (ms: number): number => 44 + (ms / (end() * 1.02)) * 1030;

  it('stands as bands over all lanes of the groups of its thread, and says what it was', async () => {
    const other = run.group({ kind: 'pool', thread: 2 });
    run.task(other, { start: 0, end: 5000 });
    run.finish();
    const frames = [run.hello(), run.delta({ threads: [THREAD, { ...THREAD, id: 2, threadId: 1 }], activity: activityRows({ kind: ActivityKind.blocked, start: 2000, end: 3000 }, { kind: ActivityKind.gc, start: 6000, end: 6001, count: 4 }, { kind: ActivityKind.unwatched, start: 4000, end: 4500, count: 9 }, { kind: ActivityKind.unwatched, start: 4500, end: 5000, count: 9 }) })];
    await lanes.show(...frames);
    const cap = (at: number, color: string): Promise<[string, string]> => Promise.all([lanes.pixel(1, x(at), 23), lanes.color(color)]);
    const [blocked, violet] = await cap(2500, 'blocked');
    expect(blocked).toBe(violet);
    expect(await lanes.pixel(1, x(1500), 23)).toBe('');
    expect(await lanes.pixel(other, x(2500), 23)).toBe('');
    const near = await Promise.all([-1, 0, 1].map((step) => lanes.pixel(1, x(6000) + step, 25)));
    expect(near).toContain(await lanes.color('gc'));
    await lanes.group(1).locator('.plot').hover({ position: { x: x(2500), y: 24 } });
    const card = async (): Promise<string[]> => (await lanes.page.locator('.tooltip').innerText()).split('\n').filter(Boolean);
    expect(await card()).toEqual(['Event loop blocked', 'from', '2.00 s', 'until', '3.00 s', 'duration', '1.00 s']);
    await lanes.group(1).locator('.plot').hover({ position: { x: x(6000), y: 24 } });
    expect((await card())[0]).toBe('Garbage collection');
    const [unwatched, grey] = await cap(4500, 'unwatched');
    expect(unwatched).toBe(grey);
    // Told of in pieces, it is one stretch.
    await lanes.group(1).locator('.plot').hover({ position: { x: x(4700), y: 24 } });
    expect(await card()).toEqual(['Promises came too fast to watch: tasks that began here are missing', 'from', '4.00 s', 'until', '5.00 s', 'duration', '1.00 s']);
    expect(await lanes.page.locator('.legend li').allTextContents()).toEqual(expect.arrayContaining(['event loop blocked', 'garbage collection', 'too fast to watch']));
    await lanes.picture('bands');
  });

  it('shows requests in libuv’s pool as in work up to its threads and queued beyond them, and that this is inferred', async () => {
    const steps = [{ end: 1000, count: 3 }, { end: 2000, count: 12 }, { end: 4000, count: 4 }, { end: 6000, count: 0 }];
    run.finish();
    await lanes.show(run.hello(), run.delta({ threads: [THREAD], activity: activityRows(...steps.map((step, i) => ({ kind: ActivityKind.requests, start: steps[i - 1]?.end ?? 0, limit: 4, ...step }))) }));
    const canvas = lanes.group(1).locator('.requests canvas');
    expect(await canvas.getAttribute('aria-label')).toBe('libuv thread pool, inferred: up to 4 in work on 4 threads, up to 8 queued');
    const foot = await canvas.evaluate((of) => {
      const context = (of as unknown as { getContext(kind: string): { getImageData(x: number, y: number, w: number, h: number): { data: Iterable<number> } } }).getContext('2d');
      return [...context.getImageData(0, 36, 1100, 1).data].filter((_, i) => i % 4 === 3);
    });
    expect([foot[Math.round(x(1500))], foot[Math.round(x(8000))]]).toEqual([255, 0]);
    await lanes.picture('requests');
  });

  const QUEUE = [{ at: 0, lasts: 1000 }, { at: 0, lasts: 2000 }, { at: 1000, lasts: 3000 }, { at: 2000, lasts: 2000 }, { at: 4000, lasts: 4000 }, { at: 4000, lasts: 4000 }];

  /** Six tasks handed in at once to two lanes: four of them wait, for 1, 2, 4 and 4 s. */
  function queued(declared?: number): number {
    const pool = run.group({ ...POOL, declared });
    QUEUE.forEach(({ at, lasts }, i) => run.task(pool, { ordinal: i + 1, lane: [1, 2, 1, 2, 2, 1][i], queued: at > 0 ? 0 : NaN, start: at, end: at + lasts }));
    run.now = Math.max(run.now, 8000);
    return pool;
  }

  /** What a strip is read as where the arrow keys have gone. */
  async function readings(pool: number, ...keys: string[]): Promise<(string | null)[]> {
    const canvas = lanes.group(pool).locator('.queue canvas');
    await canvas.focus();
    const read: (string | null)[] = [];
    for (const key of keys) {
      await canvas.press(key);
      read.push(await canvas.getAttribute('aria-valuetext'));
    }
    return read;
  }

  it('shows below a group how many of its tasks waited for their start, its peak in words, read by keyboard and pointer', async () => {
    const pool = queued();
    await lanes.show(...run.finish().frames());
    const canvas = lanes.group(pool).locator('.queue canvas');
    expect(await canvas.getAttribute('aria-label')).toBe('queue: up to 4 tasks waited at once');
    expect(await readings(pool, 'Home', 'End')).toEqual(['0.00 ms: waiting 4', expect.stringMatching(/: waiting 0$/)]);
    const heights = await canvas.evaluate((of) => {
      const context = (of as unknown as { getContext(kind: string): { getImageData(x: number, y: number, w: number, h: number): { data: Uint8ClampedArray } } }).getContext('2d');
      const { data } = context.getImageData(44, 13, 1000, 26);
      return Array.from({ length: 1000 }, (_, i) => Array.from({ length: 26 }, (__, y) => data[(y * 1000 + i) * 4 + 3]).indexOf(255));
    });
    const heightAt = (ms: number): number => heights[Math.round(x(ms)) - 44];
    expect([heightAt(500), heightAt(1500), heightAt(3000), heightAt(6000)]).toEqual([1, 7, 13, -1]);
    await canvas.hover({ position: { x: x(1500), y: 30 } });
    expect((await lanes.page.locator('.tooltip').innerText()).split('\n').filter(Boolean).slice(1)).toEqual(['waiting', '3']);
    expect(await lanes.group(1).locator('.queue').isVisible()).toBe(false);
    await lanes.picture('queue');
  });

  it('sets the queue over what is in flight where the limit is known, and says that those not started are missing while the run goes on', async () => {
    const pool = queued(3);
    await lanes.show(...run.frames());
    const label = 'queue: up to 4 tasks waited at once, beside up to 2 of 3 in flight';
    const canvas = lanes.group(pool).locator('.queue canvas');
    expect(await canvas.getAttribute('aria-label')).toBe(`${label}; those that have not started yet are still missing`);
    expect(await readings(pool, 'Home')).toEqual(['0.00 ms: in flight 2, waiting 4']);
    for (let i = 0; i < 3; i++) run.task(pool, { ordinal: 7 + i, lane: 1, queued: 0, start: 8000 + i, end: 8001 + i });
    await lanes.show(run.finish().delta());
    expect(await canvas.getAttribute('aria-label')).toBe(label.replace('4 tasks', '7 tasks'));
  });

  it('leaves no room for a pool nobody knows of', async () => {
    await lanes.show(...run.finish().frames());
    expect(await lanes.group(1).locator('.requests').isVisible()).toBe(false);
  });

  it('leaves out rows that make no sense, and says how many', async () => {
    run.finish();
    await lanes.show(run.hello(), run.delta({ activity: activityRows({ kind: 9, start: 0, end: 1 }, { kind: ActivityKind.gc, start: 5, end: 1 }, { kind: ActivityKind.blocked, start: NaN, end: 1 }, { kind: ActivityKind.gc, start: 0, end: 1, thread: 2 ** 31 }) }));
    expect(await lanes.page.locator('.notice[data-code="refused"]').innerText()).toContain('4 entries');
  });
});
