/** The whole run above the diagrams: what it shows, and how it moves the view. */
import { beforeEach, describe, expect, it } from 'vitest';
import { TaskState } from '../../src/model/timeline';
import { skipWithoutBrowser } from './browser';
import { asChunks, asRails, FIGURE, place, POOL } from './experiment';
import { LanesPage } from './harness';
import { ScriptedRun } from './scripted-run';
import { usePages } from './use-pages';

const LEFT = 44;
const RIGHT = 1100 - 26;

describe.skipIf(skipWithoutBrowser())('the overview', () => {
  const pages = usePages();
  let lanes: LanesPage;
  let run: ScriptedRun;
  beforeEach(async () => {
    run = new ScriptedRun();
    lanes = await pages.open();
  });

  /** 100 rails that are half empty in the second half of ten seconds; one task of 20,000 fails, at 7 s. */
  function busyRun(): void {
    const group = run.group(POOL);
    for (let lane = 1; lane <= 100; lane++) {
      for (let i = 0; i < 200; i++) {
        if (lane > 50 && i >= 100) continue;
        run.task(group, { ordinal: i * 100 + lane, lane, start: i * 50, end: i * 50 + 50, state: lane === 7 && i === 140 ? TaskState.rejected : TaskState.fulfilled });
      }
    }
    run.now = 10_000;
  }
  const canvas = (): ReturnType<typeof lanes.page.locator> => lanes.page.locator('.overview canvas');
  const x = (share: number): number => LEFT + (RIGHT - LEFT) * share;
  const shownTimes = async (): Promise<[number, number]> => {
    await lanes.settled();
    const box = await lanes.box(lanes.page.locator('.overview .selection'));
    const time = (at: number): number => (10_200 * (at - LEFT)) / (RIGHT - LEFT);
    return [time(box.x), time(box.x + box.width)];
  };
  const isFitted = async (): Promise<boolean> => {
    await lanes.settled();
    return (await lanes.page.locator('.overview .selection').getAttribute('style'))?.includes('none') ?? false;
  };

  it('says what was in flight, how many ended a second, and finds the one that failed', async () => {
    busyRun();
    await lanes.show(...run.finish().frames());
    await lanes.picture('overview');
    expect(await canvas().getAttribute('aria-label')).toBe('The whole run: 75 tasks in flight on average, 15 000 ended, 1500 a second, 1 rejected.'.replace('15 000', '15\u202f000'));
    await lanes.page.locator('.overview').hover({ position: { x: x(2.5 / 10.2), y: 20 } });
    const card = async (): Promise<string[]> => (await lanes.page.locator('.tooltip').innerText()).split('\n').filter(Boolean);
    expect((await card()).slice(1, 3)).toEqual(['in flight', '100']);
    await lanes.page.locator('.overview').hover({ position: { x: x(7.05 / 10.2), y: 20 } });
    expect((await card()).slice(1, 3)).toEqual(['in flight', '50']);
    expect((await card()).slice(-2)).toEqual(['rejected', '1']);
    const rejected = await lanes.color('rejected');
    const red = await canvas().evaluate((of, at) => {
      const context = (of as unknown as { getContext(kind: string): { getImageData(x: number, y: number, w: number, h: number): { data: Iterable<number> } } }).getContext('2d');
      return [...context.getImageData(at - 4, 54, 9, 1).data];
    }, Math.round(x(7.05 / 10.2)));
    const colors = Array.from({ length: 9 }, (_, i) => `#${red.slice(4 * i, 4 * i + 3).map((value) => value.toString(16).padStart(2, '0')).join('')}`);
    expect(colors).toContain(rejected);
  });

  it('moves the view with a window drawn, dragged and put elsewhere by pointer', async () => {
    busyRun();
    await lanes.show(...run.finish().frames());
    expect(await isFitted()).toBe(true);
    const box = await lanes.page.locator('.overview').boundingBox();
    const drag = async (from: number, to: number): Promise<void> => {
      await lanes.page.mouse.move(x(from), (box?.y ?? 0) + 20);
      await lanes.page.mouse.down();
      await lanes.page.mouse.move(x((from + to) / 2), (box?.y ?? 0) + 20);
      await lanes.page.mouse.move(x(to), (box?.y ?? 0) + 20);
      await lanes.page.mouse.up();
    };
    await drag(0.2, 0.4);
    expect((await shownTimes()).map((ms) => Math.round(ms / 100))).toEqual([20, 41]);
    await drag(0.3, 0.5);
    expect((await shownTimes()).map((ms) => Math.round(ms / 100))).toEqual([41, 61]);
    await lanes.picture('overview-window');
    await lanes.page.mouse.click(x(0.9), (box?.y ?? 0) + 20);
    const [start, end] = await shownTimes();
    expect([Math.round((start + end) / 200), Math.round((end - start) / 100)]).toEqual([92, 20]);
  });

  it('moves the view by keys, and says where it is', async () => {
    busyRun();
    await lanes.show(...run.finish().frames());
    const brush = lanes.page.locator('.overview .brush');
    await brush.focus();
    for (let i = 0; i < 3; i++) await lanes.page.keyboard.press('Shift+ArrowLeft');
    const [start, end] = await shownTimes();
    expect(start).toBeCloseTo(0, 0);
    expect(end / 10_200).toBeCloseTo(0.9 ** 3, 2);
    await lanes.page.keyboard.press('ArrowRight');
    const [later] = await shownTimes();
    expect(later / 10_200).toBeCloseTo(0.1 * 0.9 ** 3, 2);
    expect(await brush.getAttribute('aria-valuetext')).toMatch(/^from \d+ ms to 8\.\d\d s$/);
    await lanes.page.keyboard.press('0');
    expect(await isFitted()).toBe(true);
  });

  it('holds a compared pair against each other, both from the same start', async () => {
    place(run, asChunks(FIGURE, 5), {});
    place(run, asRails(FIGURE, 5, 20_000), POOL);
    await lanes.show(...run.finish().frames());
    await lanes.picture('overview-pair');
    const words = await canvas().getAttribute('aria-label');
    expect(words).toBe('Promise.all in chunks: 2.97 tasks in flight on average, 10 ended, 0.602 a second, 0 rejected. Promise pool: 3.45 tasks in flight on average, 10 ended, 0.699 a second, 0 rejected.');
  });

  it('follows a live run', async () => {
    const group = run.group(POOL);
    run.task(group, { start: 0, end: 500 });
    run.now = 500;
    await lanes.send(...run.frames());
    await expect.poll(() => canvas().getAttribute('aria-label')).toContain('1 ended');
    run.task(group, { start: 500, end: 900, state: TaskState.rejected });
    run.now = 900;
    await lanes.send(run.delta());
    await expect.poll(() => canvas().getAttribute('aria-label')).toContain('2 ended');
    expect(await canvas().getAttribute('aria-label')).toContain('1 rejected');
  });
});
