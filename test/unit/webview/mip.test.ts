import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { IGNORED, TaskState } from '../../../src/model/timeline';
import { Mip, Worth, worthOf } from '../../../webview/store/mip';
import { PENDING, TickClock } from '../../../webview/store/tick-clock';

const ROWS = 3;
const task = fc.record({ row: fc.nat(ROWS - 1), start: fc.nat(4_000_000), length: fc.nat(900_000), worth: fc.constantFrom<number>(Worth.fulfilled, Worth.ignored, Worth.rejected) });

describe('the summary of a group', () => {
  it('holds at every level all that was worked in a cell and the worst that happened in it, whatever came in between', () => {
    fc.assert(fc.property(fc.array(task, { maxLength: 30 }), fc.nat(30), (tasks, pause) => {
      const mip = new Mip(ROWS);
      tasks.forEach(({ row, start, length, worth }, i) => {
        if (i === pause) mip.sync();
        mip.add(row, start, start + length, worth);
      });
      mip.sync();
      for (const width of [1, 100_000, 2_000_000]) {
        const level = mip.levelFor(width);
        for (let row = 0; row < ROWS; row++) {
          const mine = tasks.filter((each) => each.row === row);
          const cells = [...level.busy.subarray(row * level.cells, (row + 1) * level.cells)];
          const sum = mine.reduce((all, { length }) => all + length, 0);
          expect(Math.abs(cells.reduce((a, b) => a + b, 0) - sum)).toBeLessThanOrEqual(1 + sum * 1e-5);
          for (const { start, length, worth } of mine) {
            for (const at of [start, start + length]) {
              expect(level.worst[row * level.cells + Math.floor(at / level.width)]).toBeGreaterThanOrEqual(worth);
            }
          }
        }
        expect(level.worst.reduce((a, b) => Math.max(a, b), 0)).toBe(Math.max(0, ...tasks.map(({ worth }) => worth)));
      }
    }), { numRuns: 15 });
  });

  it('offers the coarsest cells that are no wider than asked for', () => {
    const mip = new Mip(2);
    mip.add(0, 0, 100_000_000, Worth.fulfilled);
    mip.sync();
    const finest = mip.levelFor(0).width;
    expect([finest, finest * 1.9, finest * 2, finest * 9].map((ticks) => mip.levelFor(ticks).width / finest)).toEqual([1, 1, 2, 8]);
  });

  it('takes a failure for worse than a result nobody read, and that for worse than success', () => {
    const [fulfilled, ignored, rejected] = [TaskState.fulfilled, TaskState.fulfilled | IGNORED, TaskState.rejected].map((state) => worthOf(state));
    expect(fulfilled).toBeLessThan(ignored);
    expect(ignored).toBeLessThan(rejected);
    expect(worthOf(TaskState.rejected | IGNORED)).toBe(rejected);
  });
});

describe('a group’s clock', () => {
  it('gives back every time it was widened for, to the tick, and old ticks go where the time read anew does', () => {
    const time = fc.double({ min: -1e6, max: 1e8, noNaN: true });
    fc.assert(fc.property(fc.array(fc.tuple(time, fc.option(fc.double({ min: 0, max: 1e7, noNaN: true }))), { minLength: 1, maxLength: 20 }), (tasks) => {
      const clock = new TickClock();
      let known: { time: number; ticks: number }[] = [];
      for (const [start, length] of tasks) {
        const end = length === null ? NaN : start + length;
        if (!clock.holds(start, end)) {
          const to = clock.widen(start, end);
          known = known.map(({ time: at, ticks }) => ({ time: at, ticks: to(ticks) }));
          expect(clock.holds(start, end)).toBe(true);
        }
        for (const at of Number.isNaN(end) ? [start] : [start, end]) known.push({ time: at, ticks: clock.ticks(at) });
      }
      for (const { time: at, ticks } of known) {
        expect(ticks).toBeGreaterThanOrEqual(0);
        expect(ticks).toBeLessThan(PENDING);
        expect(Math.abs(clock.time(ticks) - at)).toBeLessThanOrEqual(clock.tick * 1.001);
        // Doubles themselves round at the border of a tick.
        expect(Math.abs(ticks - clock.ticks(at))).toBeLessThanOrEqual(1);
      }
    }));
  });

  it('keeps whole milliseconds as they are, for weeks', () => {
    const clock = new TickClock();
    const weeks = 28 * 24 * 3_600_000;
    if (!clock.holds(1, weeks)) clock.widen(1, weeks);
    for (const time of [1, 8300, 16_600, weeks]) expect(clock.time(clock.ticks(time))).toBe(time);
  });
});
