import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { scheduleChunks, scheduleRails, type Schedule } from '../../../src/analysis/schedule';

/** The ten tasks of the document's figure (DOCUMENTS.md, D1), in units read off the drawing. */
const FIGURE = [8.3, 4, 2, 5, 6, 4.7, 2, 3, 8.3, 6];

/** Ordinals of the tasks on each lane, in their order. */
function onLanes(schedule: Schedule): number[][] {
  const lanes: number[][] = [];
  schedule.lane.forEach((lane, row) => (lanes[lane - 1] ??= []).push(row + 1));
  return lanes;
}

describe('the ten tasks of the figure in the document', () => {
  test('as chunks of 5 last 16.6, each chunk as long as its longest task', () => {
    const chunks = scheduleChunks(FIGURE, 5);
    expect(chunks.makespan).toBe(16.6);
    expect([...chunks.chunk]).toEqual([1, 1, 1, 1, 1, 2, 2, 2, 2, 2]);
    expect([...chunks.lane]).toEqual([1, 2, 3, 4, 5, 1, 2, 3, 4, 5]);
    expect([...chunks.start]).toEqual([0, 0, 0, 0, 0, 8.3, 8.3, 8.3, 8.3, 8.3]);
    expect([...chunks.end]).toEqual([8.3, 4, 2, 5, 6, 13, 10.3, 11.3, 16.6, 14.3]);
  });

  test('as 5 rails last 14.3, on the rails of the drawing', () => {
    const rails = scheduleRails(FIGURE, 5);
    expect(rails.makespan).toBe(14.3);
    expect(onLanes(rails)).toEqual([[1], [2, 7, 10], [3, 6], [4, 8], [5, 9]]);
    expect([...rails.start]).toEqual([0, 0, 0, 0, 0, 2, 4, 5, 6, 6]);
    expect([...rails.end]).toEqual([8.3, 4, 2, 5, 6, 6.7, 6, 8, 14.3, 12]);
    expect([...rails.chunk]).toEqual(new Array(10).fill(0));
  });
});

describe('which rail is taken', () => {
  test('of two rails freed at once, the one freed by the earlier task', () => {
    // Task 3 ends on rail 1 when task 2 ends on rail 2: number alone would take rail 1 first.
    expect(onLanes(scheduleRails([2, 6, 4, 1, 1], 2))).toEqual([[1, 3, 5], [2, 4]]);
  });

  test('sums of decimals that tie on paper tie here, whatever doubles make of them', () => {
    expect(0.001 + 1.001).toBeLessThan(1.002);
    // Tasks 1 and 3 end together, so task 4 goes to the rail freed by task 1.
    expect(onLanes(scheduleRails([1.002, 0.001, 1.001, 1, 1], 2))).toEqual([[1, 4], [2, 3, 5]]);
  });

  test('a rail nobody has used yet comes before one freed by a task that took no time', () => {
    expect(onLanes(scheduleRails([0, 3, 1], 2))).toEqual([[1, 3], [2]]);
  });
});

describe('arguments', () => {
  test('no tasks make an empty schedule', () => {
    for (const schedule of [scheduleChunks([], 5), scheduleRails([], 5)]) {
      expect(schedule.makespan).toBe(0);
      expect(schedule.lane).toHaveLength(0);
    }
  });

  test('a size or a number of rails that is no whole number from 1 is refused', () => {
    for (const count of [0, -1, 1.5, NaN, Infinity]) {
      expect(() => scheduleChunks([1], count)).toThrow('whole number from 1');
      expect(() => scheduleRails([1], count)).toThrow('whole number from 1');
    }
  });

  test('a duration that is none is refused', () => {
    for (const duration of [-1, NaN, Infinity]) {
      expect(() => scheduleChunks([1, duration], 2)).toThrow('durations have to be numbers from 0');
      expect(() => scheduleRails([1, duration], 2)).toThrow('durations have to be numbers from 0');
    }
    expect(() => scheduleRails([1e308, 1e308], 2)).toThrow('durations have to be numbers from 0');
  });

  test('centuries of milliseconds are laid out as well', () => {
    const century = 3.15576e12;
    const rails = scheduleRails([3 * century, century, century], 2);
    expect(rails.makespan / century).toBeCloseTo(3, 9);
    expect(onLanes(rails)).toEqual([[1], [2, 3]]);
  });
});

/** Milliseconds in whole microseconds, few of them and many the same, so that ties are common. */
const durations = fc.array(
  fc.oneof(fc.integer({ min: 0, max: 6 }), fc.integer({ min: 0, max: 2_000_000 }).map((us) => us / 1000)), { maxLength: 120 });
const lanes = fc.integer({ min: 1, max: 12 });
/** Sums of the same microseconds in another order may differ by their rounding. */
const A_HAIR = 1e-6;
const sum = (list: readonly number[]): number => list.reduce((a, b) => a + b, 0);

describe('for any durations and any number of rails', () => {
  test('a rail runs one task at a time and a task starts at once when its rail is free', () => {
    fc.assert(fc.property(durations, lanes, (list, count) => {
      const rails = scheduleRails(list, count);
      const freeAt = new Float64Array(count);
      list.forEach((duration, row) => {
        const rail = rails.lane[row] - 1;
        expect(rails.start[row]).toBe(freeAt[rail]);
        expect(rails.start[row]).toBe(Math.min(...freeAt));
        expect(rails.end[row] - rails.start[row]).toBeCloseTo(duration, 6);
        freeAt[rail] = rails.end[row];
      });
      expect(rails.makespan).toBe(Math.max(0, ...rails.end));
    }));
  });

  test('chunks start together, when the longest task of the chunk before has ended', () => {
    fc.assert(fc.property(durations, lanes, (list, size) => {
      const chunks = scheduleChunks(list, size);
      let chunkEnd = 0;
      for (let first = 0; first < list.length; first += size) {
        const starts = chunks.start.subarray(first, first + size);
        expect(new Set(starts)).toEqual(new Set([chunkEnd]));
        chunkEnd = Math.max(...chunks.end.subarray(first, first + size));
      }
      expect(chunks.makespan).toBe(chunkEnd);
    }));
  });

  test('rails never take longer than chunks of as many', () => {
    fc.assert(fc.property(durations, lanes, (list, count) => {
      expect(scheduleRails(list, count).makespan).toBeLessThanOrEqual(scheduleChunks(list, count).makespan);
    }));
  });

  test('nothing beats the longest task, nor the whole work spread evenly, and rails come within 2 − 1/N of that', () => {
    fc.assert(fc.property(durations, lanes, (list, count) => {
      const bound = Math.max(0, ...list, sum(list) / count);
      const { makespan } = scheduleRails(list, count);
      expect(makespan).toBeGreaterThanOrEqual(bound - A_HAIR);
      expect(makespan).toBeLessThanOrEqual((2 - 1 / count) * bound + A_HAIR);
    }));
  });

  test('one rail and chunks of one are the tasks one after another', () => {
    fc.assert(fc.property(durations, (list) => {
      expect(scheduleRails(list, 1).makespan).toBeCloseTo(sum(list), 6);
      expect(scheduleChunks(list, 1).makespan).toBeCloseTo(sum(list), 6);
    }));
  });
});

/*
 * Graham's anomalies (more machines, shorter jobs, a longer schedule) need jobs that wait for each other. Here they cannot
 * happen. Say that loads b₁ ≤ … ≤ bₙ of the rails lie below loads a₁ ≤ … ≤ aₙ when bᵢ ≤ aᵢ for all i. A task of length
 * q ≤ p goes to b₁ and to a₁: b₁ + q ≤ a₁ + p, the other loads still lie below pairwise, and sorting two lists that lie below
 * each other pairwise keeps them so. A missing task is q = 0. A further rail is one more load, at or below all others, on the
 * side of b: compare its n largest loads with a; either the smallest of b stays out again, or b₁ + q does, and then
 * b₂ … bₙ₊₁ already lay below a₁ … aₙ. The makespan is the largest load ever reached. Only the order of tasks matters otherwise.
 */
describe('without tasks that wait for each other', () => {
  test('one more rail never makes it longer', () => {
    fc.assert(fc.property(durations, lanes, (list, count) => {
      expect(scheduleRails(list, count + 1).makespan).toBeLessThanOrEqual(scheduleRails(list, count).makespan);
    }), { numRuns: 1000 });
  });

  test('neither does a shorter task or a task less', () => {
    fc.assert(fc.property(durations, lanes, fc.nat(), fc.double({ min: 0, max: 1, noNaN: true }), (list, count, which, factor) => {
      fc.pre(list.length > 0);
      const row = which % list.length;
      const { makespan } = scheduleRails(list, count);
      expect(scheduleRails(list.with(row, list[row] * factor), count).makespan).toBeLessThanOrEqual(makespan);
      expect(scheduleRails(list.toSpliced(row, 1), count).makespan).toBeLessThanOrEqual(makespan);
    }), { numRuns: 1000 });
  });
});
