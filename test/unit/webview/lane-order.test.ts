import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { geometryFor, isHidden, laneAt, lanesBetween, rowTop } from '../../../webview/diagram/geometry';
import { LANE_SORTS, orderOf } from '../../../webview/diagram/lane-order';
import { GroupTasks } from '../../../webview/store/group-tasks';
import { Nesting } from '../../../webview/store/nesting';
import { TaskTable } from '../../../webview/store/task-table';
import { makeGroup } from './group';

const LANES = 6;
function group(): GroupTasks {
  const made = new GroupTasks(1, new TaskTable());
  made.setInfo(makeGroup({ kind: 'pool', lanes: LANES }));
  for (let lane = 1; lane <= LANES; lane++) made.insert({ id: lane, lane, chunk: 0, start: (lane * 7) % 5, end: 20 + ((lane * 11) % 13), state: 1 });
  return made;
}
const lanes = fc.uniqueArray(fc.integer({ min: 1, max: LANES }), { maxLength: LANES - 1 }).map((list) => new Set(list));

describe('the order of lanes', () => {
  it('holds each lane that is not hidden in exactly one row, pinned ones on top, and finds it there', () => {
    fc.assert(fc.property(fc.constantFrom(...LANE_SORTS), fc.boolean(), lanes, lanes, (sort, firstOnTop, pinned, hidden) => {
      const order = orderOf(group(), { sort, firstOnTop, pinned, hidden }, 100);
      const geometry = geometryFor(order?.lanes.length ?? LANES, 400, 0, order);
      const shown = lanesBetween(geometry, 0, geometry.height);
      expect([...shown].sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6].filter((lane) => !hidden.has(lane)));
      for (const lane of shown) expect(laneAt(geometry, rowTop(geometry, lane) + 1)).toBe(lane);
      for (const lane of hidden) expect(isHidden(geometry, lane)).toBe(true);
      const top = [...pinned].filter((lane) => !hidden.has(lane)).length;
      expect(shown.slice(0, top).every((lane) => pinned.has(lane))).toBe(true);
    }));
  });
});

describe('groups inside tasks', () => {
  const info = (id: number, parent?: { group: number; task: number }) => makeGroup({ id, parent });

  it('stand below the group they ran in, where they are open', () => {
    const nesting = new Nesting([info(1), info(2, { group: 1, task: 5 }), info(3, { group: 2, task: 9 }), info(4)]);
    const shown = (...open: number[]): string[] => nesting.unfolded((id) => open.includes(id)).map(({ group: { id }, depth }) => `${id}@${depth}`);
    expect(shown()).toEqual(['1@0', '4@0']);
    expect(shown(2)).toEqual(['1@0', '2@1', '4@0']);
    expect(shown(2, 3)).toEqual(['1@0', '2@1', '3@2', '4@0']);
    expect(shown(3)).toEqual(['1@0', '4@0']);
    expect(nesting.inTask(5).map(({ id }) => id)).toEqual([2]);
    expect(nesting.chainOf(3)).toEqual([3, 2, 1]);
  });

  it('are roots where the group they ran in is not known, and end no search in a ring', () => {
    expect(new Nesting([info(7, { group: 99, task: 1 })]).roots.map(({ id }) => id)).toEqual([7]);
    const ring = new Nesting([info(1, { group: 2, task: 1 }), info(2, { group: 1, task: 2 })]);
    expect(ring.unfolded(() => true)).toEqual([]);
    expect(ring.chainOf(1)).toEqual([1, 2]);
    expect(new Nesting([info(1, { group: 1, task: 1 })]).roots).toHaveLength(1);
  });
});
