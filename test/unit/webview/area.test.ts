import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { areaBetween, hull, nextEdge, sameArea, snap } from '../../../webview/area/area';
import { areaTable } from '../../../webview/area/area-stats';
import { GroupTasks } from '../../../webview/store/group-tasks';
import { TaskTable } from '../../../webview/store/task-table';
import { makeGroup } from './group';

/** @param tasks lane, start, end */
function groupOf(tasks: readonly (readonly [number, number, number])[]): GroupTasks {
  const group = new GroupTasks(1, new TaskTable());
  group.setInfo(makeGroup({ kind: 'pool', lanes: 4 }));
  tasks.forEach(([lane, start, end], i) => group.insert({ id: i + 1, lane, chunk: 0, start, end, state: Number.isNaN(end) ? 0 : 1 }));
  return group;
}

describe('the table of an area', () => {
  it('counts what runs in it, tells durations whole, and splits lanes × length into busy and idle', () => {
    const group = groupOf([[1, 0, 10], [1, 10, 16], [1, 20, 30], [2, 5, 25], [3, 0, 5], [3, 30, 40]]);
    const { all, lanes } = areaTable(group, areaBetween(1, 25, 5, [1, 2, 3]), 100);
    expect(lanes[0]).toMatchObject({ lane: 1, tasks: 3, sum: 26, min: 6, median: 10, max: 10, busy: 5 + 6 + 5, idle: 4, perSecond: 100 });
    expect(lanes[1]).toMatchObject({ lane: 2, tasks: 1, busy: 20, idle: 0, perSecond: 50 });
    expect(lanes[2]).toMatchObject({ lane: 3, tasks: 0, sum: NaN, median: NaN, busy: 0, idle: 20 });
    expect(all).toMatchObject({ lane: 0, tasks: 4, sum: 46, busy: 36, idle: 24, perSecond: 150 });
  });

  it('counts a pending task, up to now, but not among durations', () => {
    const { all } = areaTable(groupOf([[1, 0, 4], [1, 5, NaN]]), areaBetween(1, 0, 20, [1]), 10);
    expect(all).toMatchObject({ tasks: 2, sum: 4, max: 4, busy: 9, idle: 11, perSecond: 50 });
  });

  it('has the quantiles of the sorted durations, whatever their order', () => {
    fc.assert(fc.property(fc.array(fc.integer({ min: 1, max: 1000 }), { minLength: 1, maxLength: 50 }), (durations) => {
      let at = 0;
      const group = groupOf(durations.map((duration): [number, number, number] => [1, at, (at += duration)]));
      const { all } = areaTable(group, areaBetween(1, 0, at, [1]), at);
      const sorted = durations.toSorted((a, b) => a - b);
      const quantile = (share: number): number => {
        const i = (sorted.length - 1) * share;
        return sorted[Math.floor(i)] + ((sorted[Math.ceil(i)] - sorted[Math.floor(i)]) * (i - Math.floor(i)));
      };
      expect(all.median).toBeCloseTo(quantile(0.5), 6);
      expect(all.p95).toBeCloseTo(quantile(0.95), 6);
      expect([all.min, all.max, all.idle]).toEqual([sorted[0], sorted[sorted.length - 1], 0]);
    }));
  });
});

describe('the edges of an area', () => {
  const group = groupOf([[1, 0, 10], [1, 14, 20], [2, 3, 12]]);

  it('go to the nearest end of a bar within reach, and stay where there is none', () => {
    expect([snap(group, [1], 11, 2), snap(group, [1], 13, 2), snap(group, [1], 12, 1), snap(group, [1, 2], 12.5, 1)]).toEqual([10, 14, 12, 12]);
  });

  it('go from end to end by keyboard', () => {
    const walk = (direction: 1 | -1, lanes: number[]): number[] => {
      const seen: number[] = [];
      for (let at = 11, next = NaN; (next = nextEdge(group, lanes, at, direction)) !== at; at = next) seen.push(next);
      return seen;
    };
    expect(walk(1, [1])).toEqual([14, 20]);
    expect(walk(-1, [1, 2])).toEqual([10, 3, 0]);
  });

  it('hold both areas when one is grown to another', () => {
    const grown = hull(areaBetween(1, 14, 20, [1]), areaBetween(1, 3, 12, [2]));
    expect(grown).toMatchObject({ start: 3, end: 20, lanes: [1, 2] });
    expect(sameArea(grown, { ...grown })).toBe(true);
    expect(sameArea(grown, areaBetween(1, 3, 20, [1]))).toBe(false);
  });
});
