import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PLANS, predict, scheduleLongestFirst } from '../../../src/analysis/what-if';

const FIGURE = [8.3, 4, 2, 5, 6, 4.7, 2, 3, 8.3, 6];
const durations = fc.array(fc.integer({ min: 0, max: 2_000_000 }).map((us) => us / 1000), { maxLength: 100 });
const lanes = fc.integer({ min: 1, max: 12 });
const A_HAIR = 1e-6;
const sum = (list: ArrayLike<number>): number => Array.from(list).reduce((a, b) => a + b, 0);

describe('the figure of the document, predicted', () => {
  test('takes 16.6 as two chunks of 5, 14.3 on 5 rails, 10.3 with the longest first', () => {
    const [chunks, rails, longestFirst] = PLANS.map((plan) => predict(FIGURE, plan, 5));
    expect([chunks, rails, longestFirst].map(({ metrics }) => metrics.makespanMs)).toEqual([16.6, 14.3, 10.3]);
    expect([chunks, rails, longestFirst].map((each) => each.chunks)).toEqual([2, 0, 0]);
    expect(chunks.metrics.idleMs).toBeCloseTo(2 * 5 * 8.3 - 49.3);
    expect(rails.metrics.idleMs).toBeCloseTo(5 * 14.3 - 49.3);
  });
});

describe('the longest first', () => {
  test('every task is run once, for as long as it took, on a rail that is free', () => {
    fc.assert(fc.property(durations, lanes, (list, count) => {
      const { start, end, lane } = scheduleLongestFirst(list, count);
      const rows = [...lane.keys()];
      for (const row of rows) expect(end[row] - start[row]).toBeCloseTo(list[row], 6);
      for (let rail = 1; rail <= count; rail++) {
        const mine = rows.filter((row) => lane[row] === rail).sort((a, b) => start[a] - start[b] || end[a] - end[b]);
        mine.forEach((row, i) => { expect(start[row]).toBeCloseTo(i === 0 ? 0 : end[mine[i - 1]], 6); });
      }
    }));
  });

  test('a longer task never starts after a shorter one', () => {
    fc.assert(fc.property(durations, lanes, (list, count) => {
      const { start } = scheduleLongestFirst(list, count);
      for (let a = 0; a < list.length; a++) for (let b = 0; b < list.length; b++) if (list[a] > list[b]) expect(start[a]).toBeLessThanOrEqual(start[b]);
    }));
  });
});

describe('whatever the plan', () => {
  test('what is worked stays what it was, and busy and idle together fill the slots', () => {
    fc.assert(fc.property(durations, lanes, fc.constantFrom(...PLANS), (list, count, plan) => {
      const { metrics, schedule, lanes: used, chunks } = predict(list, plan, count);
      expect(metrics.busyMs).toBeCloseTo(sum(list), 6);
      expect(used).toBeLessThanOrEqual(Math.min(count, list.length));
      expect(metrics.makespanMs).toBe(Math.max(0, ...schedule.end));
      expect(metrics.makespanMs).toBeGreaterThanOrEqual(Math.max(0, ...list, sum(list) / count) - A_HAIR);
      if (plan === 'chunks') expect(chunks).toBe(Math.ceil(list.length / count));
      else expect(metrics.busyMs + metrics.idleMs).toBeCloseTo(used * metrics.makespanMs, 5);
    }));
  });

  test('rails of as many are never slower than chunks, nor is the longest first ever slower than 2 − 1/N of the best there can be', () => {
    fc.assert(fc.property(durations, lanes, (list, count) => {
      const of = (plan: (typeof PLANS)[number]): number => predict(list, plan, count).metrics.makespanMs;
      expect(of('rails')).toBeLessThanOrEqual(of('chunks'));
      expect(of('longestFirst')).toBeLessThanOrEqual((2 - 1 / count) * Math.max(0, ...list, sum(list) / count) + A_HAIR);
    }));
  });
});
