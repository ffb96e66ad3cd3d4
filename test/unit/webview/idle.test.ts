import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scheduleChunks, scheduleRails } from '../../../src/analysis/schedule';
import { idleAt, idleOf } from '../../../webview/diagram/idle-stretch';
import { GroupTasks } from '../../../webview/store/group-tasks';
import { TaskTable } from '../../../webview/store/task-table';
import { makeGroup } from './group';

const durations = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 30 });
const lanes = fc.integer({ min: 1, max: 6 });

function groupOf(kind: 'chunk' | 'pool', list: readonly number[], count: number): GroupTasks {
  const schedule = kind === 'chunk' ? scheduleChunks(list, count) : scheduleRails(list, count);
  const table = new TaskTable();
  const group = new GroupTasks(1, table);
  group.setInfo(makeGroup({ kind, lanes: Math.min(count, list.length) }));
  list.forEach((_, row) => {
    table.setChunk(row + 1, schedule.chunk[row]);
    group.insert({ id: row + 1, lane: schedule.lane[row], chunk: schedule.chunk[row], start: schedule.start[row], end: schedule.end[row], state: 1 });
  });
  return group;
}

describe('idle time', () => {
  it.each(['chunk', 'pool'] as const)('looked at moment by moment is as much as the frames of a %s group say', (kind) => {
    fc.assert(fc.property(durations, lanes, (list, count) => {
      const group = groupOf(kind, list, count);
      let seen = 0;
      for (let lane = 1; lane <= group.lanes.length; lane++) {
        for (let time = 0.5; time < group.whole.lastEnd; time++) {
          const stretch = idleAt(group, lane, time, 0);
          if (stretch) seen++;
          if (stretch) expect(stretch.from < time && time < stretch.to).toBe(true);
          const isBusy = group.lanes[lane - 1]?.at(time, 0) !== -1;
          if (isBusy) expect(stretch).toBeUndefined();
        }
      }
      expect(seen).toBe(group.frames.reduce((sum, span) => sum + idleOf(span, group.lanes.length), 0));
    }), { numRuns: 40 });
  });

  it('at the end of a frame is blamed on the task that ended last, between two tasks of a rail on none', () => {
    const chunks = groupOf('chunk', [8, 4, 2, 3, 5, 1], 3);
    expect(idleAt(chunks, 3, 5, 0)).toMatchObject({ from: 2, to: 8, waited: { number: 1, lastId: 1 } });
    expect(idleAt(chunks, 3, 10, 0)).toMatchObject({ from: 9, to: 13, waited: { number: 2, lastId: 5 } });
    const pool = new GroupTasks(1, new TaskTable());
    pool.setInfo(makeGroup({ kind: 'pool', lanes: 2 }));
    [[1, 1, 0, 3], [2, 2, 0, 9], [3, 1, 5, 6]].forEach(([id, lane, start, end]) => pool.insert({ id, lane, chunk: 0, start, end, state: 1 }));
    expect(idleAt(pool, 1, 4, 0)).toEqual({ lane: 1, from: 3, to: 5, waited: undefined });
    expect(idleAt(pool, 1, 7, 0)).toMatchObject({ from: 6, to: 9, waited: { lastId: 2 } });
    expect(idleAt(pool, 1, 9.5, 0)).toBeUndefined();
  });
});
