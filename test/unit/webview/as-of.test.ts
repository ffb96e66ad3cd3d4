import fc from 'fast-check';
import { expect, test } from 'vitest';
import { TaskState, type GroupKind } from '../../../src/model/timeline';
import { Timeline } from '../../../src/timeline/timeline';
import { GroupTasks } from '../../../webview/store/group-tasks';
import { TaskTable } from '../../../webview/store/task-table';
import { groupAsOf } from '../../../webview/time/as-of';
import { makeGroup } from './group';

/** Whole milliseconds, so that the lanes' ticks hold them exactly. */
const tasks = fc.array(fc.record({
  start: fc.integer({ min: 0, max: 50 }), duration: fc.integer({ min: 0, max: 40 }), lane: fc.integer({ min: 1, max: 5 }), chunk: fc.integer({ min: 1, max: 4 }), fails: fc.boolean(),
}), { minLength: 1, maxLength: 30 });

test('figures up to a time are those the host told at that time', () => {
  fc.assert(fc.property(tasks, fc.integer({ min: 0, max: 100 }), fc.constantFrom<GroupKind>('chunk', 'pool', 'all'), (list, until, kind) => {
    const timeline = new Timeline();
    const id = timeline.addGroup({ thread: 1, kind });
    const table = new TaskTable();
    const group = new GroupTasks(id, table);
    list.forEach(({ start, duration, lane, chunk: number, fails }, i) => {
      const chunk = kind === 'chunk' ? number : 0;
      const state = fails ? TaskState.rejected : TaskState.fulfilled;
      const end = start + duration;
      table.setChunk(i + 1, chunk);
      group.insert({ id: i + 1, lane, chunk, start, end, state });
      if (start <= until) timeline.addTask({ group: id, ordinal: i + 1, lane, chunk, queued: NaN, start, end: end <= until ? end : NaN, state: end <= until ? state : TaskState.pending });
    });
    const end = Math.max(...list.map(({ start, duration }) => start + duration));
    const host = timeline.group(id, until);
    const seen = groupAsOf(group, makeGroup({ id, kind, end }), until);
    if (!host || end <= until) return;
    for (const key of ['taskCount', 'fulfilled', 'rejected', 'pending', 'lanes', 'end'] as const) expect(seen[key], key).toBe(host[key]);
    if (host.taskCount === 0) return;
    for (const key of ['makespanMs', 'busyMs', 'idleMs', 'utilization'] as const) expect(seen.metrics[key], key).toBeCloseTo(host.metrics[key], 6);
  }));
});

test('all that happened has the host’s own figures', () => {
  const info = makeGroup();
  expect(groupAsOf(new GroupTasks(1, new TaskTable()), info, Infinity)).toBe(info);
  expect(groupAsOf(new GroupTasks(1, new TaskTable()), info, 1000)).toBe(info);
});
