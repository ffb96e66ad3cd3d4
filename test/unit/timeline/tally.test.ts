import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createTaskColumns, IGNORED, TaskState, type GroupKind, type TaskColumns } from '../../../src/model/timeline';
import { Tally } from '../../../src/timeline/tally';

/** One task; no `end`: it is pending. Times in milliseconds. */
interface Bar { readonly start: number; readonly end?: number; readonly lane: number; readonly chunk: number; readonly state?: number }

function columnsOf(bars: readonly Bar[]): TaskColumns {
  const tasks = createTaskColumns(bars.length);
  tasks.length = bars.length;
  bars.forEach((bar, row) => {
    tasks.start[row] = bar.start;
    tasks.end[row] = bar.end ?? NaN;
    tasks.lane[row] = bar.lane;
    tasks.chunk[row] = bar.chunk;
    tasks.state[row] = bar.end === undefined ? TaskState.pending : bar.state ?? TaskState.fulfilled;
  });
  return tasks;
}

const over = (bars: readonly Bar[]): Tally => Tally.over(columnsOf(bars), bars.map((_, row) => row));

/** Every start and end at its time; those of one moment in an order of `shuffle`, except that a task starts before it ends. */
function inOrder(bars: readonly Bar[], shuffle: (row: number) => number): Tally {
  const events = bars.flatMap(({ start, end, lane, chunk, state }, row) => {
    const begin = { time: start, rank: shuffle(row), apply: (tally: Tally) => tally.begin(start, lane, chunk) };
    if (end === undefined) return [begin];
    const rank = end === start ? Infinity : shuffle(~row);
    return [begin, { time: end, rank, apply: (tally: Tally) => tally.finish(start, end, state ?? TaskState.fulfilled, chunk) }];
  });
  events.sort((a, b) => a.time - b.time || (a.rank < b.rank ? -1 : a.rank > b.rank ? 1 : 0));
  const tally = new Tally();
  for (const event of events) event.apply(tally);
  return tally;
}

const figures = (tally: Tally, kind: GroupKind, now: number) => {
  const { taskCount, fulfilled, rejected, pending, lanes, peak, chunks, start, end } = tally;
  return { taskCount, fulfilled, rejected, pending, lanes, peak, chunks, start, end, ...tally.metrics(kind, now) };
};

/** Whole milliseconds below 40: moments coincide, and sums of doubles are exact. */
const bar: fc.Arbitrary<Bar> = fc.record({
  start: fc.nat(20), length: fc.option(fc.nat(20), { nil: undefined }), lane: fc.integer({ min: 1, max: 5 }), chunk: fc.nat(3),
  state: fc.constantFrom(TaskState.fulfilled, TaskState.rejected, TaskState.rejected | IGNORED),
}).map(({ length, ...rest }) => ({ ...rest, end: length === undefined ? undefined : rest.start + length }));

describe('a tally kept event by event', () => {
  test('equals one made over all tasks afterwards, in whatever order things of one moment come', () => {
    const kinds = fc.constantFrom<GroupKind>('chunk', 'pool', 'all');
    fc.assert(fc.property(fc.array(bar, { maxLength: 40, size: 'max' }), kinds, fc.nat(60), fc.func(fc.nat()), (bars, kind, now, shuffle) => {
      expect(figures(inOrder(bars, shuffle), kind, now)).toEqual(figures(over(bars), kind, now));
    }), { numRuns: 500 });
  });

  test('takes what comes late for what it was, and says when that came too late for the peak', () => {
    fc.assert(fc.property(fc.array(bar, { maxLength: 40, size: 'max' }), fc.func(fc.nat()), (bars, shuffle) => {
      const tally = new Tally();
      for (const row of bars.map((_, index) => index).sort((a, b) => shuffle(a) - shuffle(b))) {
        const { start, end, lane, chunk, state } = bars[row];
        tally.begin(start, lane, chunk);
        if (end !== undefined) tally.finish(start, end, state ?? TaskState.fulfilled, chunk);
        expect(tally.peak).toBeGreaterThanOrEqual(1);
      }
      expect(tally.isLost).toBe(false);
      expect(figures(tally, 'pool', 60)).toEqual(figures(over(bars), 'pool', 60));
    }));
    const long = new Tally();
    for (let time = 0; time < 10_000; time++) {
      long.begin(time, 1, 0);
      long.finish(time, time + 1, TaskState.fulfilled, 0);
    }
    expect(long.peak).toBe(1);
    long.begin(9_990, 2, 0);
    expect(long.isLost).toBe(false);
    expect(long.peak).toBe(2);
    long.begin(5, 3, 0);
    expect(long.isLost).toBe(true);
  });

  test('a time that is none changes nothing of the peak', () => {
    const tally = over([{ start: 0, end: 5, lane: 1, chunk: 0 }]);
    tally.begin(NaN, 2, 0);
    tally.finish(NaN, NaN, TaskState.fulfilled, 0);
    expect(tally.peak).toBe(1);
  });

  test('a task that turned out rejected after its end is counted as that', () => {
    const tally = over([{ start: 0, end: 5, lane: 1, chunk: 0 }]);
    tally.restate(TaskState.fulfilled, TaskState.rejected);
    expect([tally.fulfilled, tally.rejected]).toEqual([0, 1]);
  });
});

describe('the figures of a group', () => {
  test('a task that starts when another ends takes over its slot: the peak does not count both', () => {
    expect(over([{ start: 0, end: 5, lane: 1, chunk: 0 }, { start: 5, end: 9, lane: 1, chunk: 0 }]).peak).toBe(1);
  });

  test('a task that took no time does not keep others from handing over their slot', () => {
    expect(over([{ start: 11, end: 11, lane: 1, chunk: 0 }, { start: 3, end: 11, lane: 1, chunk: 0 }]).peak).toBe(1);
  });

  test('idle of a chunk group is counted chunk by chunk, of a pool over lanes and makespan', () => {
    const bars: Bar[] = [
      { start: 0, end: 10, lane: 1, chunk: 1 }, { start: 0, end: 4, lane: 2, chunk: 1 }, { start: 12, end: 15, lane: 1, chunk: 2 },
    ];
    // Chunk 1: 2 slots × 10 − 14 = 6; chunk 2: 1 × 3 − 3 = 0. The pause of 2 between them belongs to neither.
    expect(over(bars).metrics('chunk', 15)).toEqual({ makespanMs: 15, busyMs: 17, idleMs: 6, utilization: 17 / 23 });
    expect(over(bars).metrics('pool', 15)).toEqual({ makespanMs: 15, busyMs: 17, idleMs: 13, utilization: 17 / 30 });
  });

  test('a pending task has worked up to now and holds the group open', () => {
    const tally = over([{ start: 0, end: 10, lane: 1, chunk: 0 }, { start: 2, lane: 2, chunk: 0 }]);
    expect(tally.end).toBeUndefined();
    expect(tally.pending).toBe(1);
    expect(tally.metrics('pool', 30)).toMatchObject({ makespanMs: 30, busyMs: 38, idleMs: 22 });
  });

  test('a clock that lags behind what has happened takes no work back', () => {
    const tally = over([{ start: 0, end: 10, lane: 1, chunk: 0 }, { start: 2, lane: 2, chunk: 0 }]);
    expect(tally.metrics('pool', 1)).toMatchObject({ makespanMs: 10, busyMs: 18 });
  });

  test('a group without tasks is all zeros', () => {
    expect(over([]).metrics('pool', 100)).toEqual({ makespanMs: 0, busyMs: 0, idleMs: 0, utilization: 0 });
  });
});
