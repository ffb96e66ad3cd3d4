import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { GroupDraft, TaskDraft } from '../../../src/grouping/drafts';
import { PromiseNode } from '../../../src/grouping/promises/promise-node';
import { Rails, type OnRail } from '../../../src/grouping/rails';
import { Timeline } from '../../../src/timeline/timeline';

describe('rails', () => {
  test('the longest-free one is taken first, and a new one only where none is free', () => {
    const rails = new Rails();
    expect([rails.take(0), rails.take(0), rails.take(0)]).toEqual([1, 2, 3]);
    rails.release(3, 5);
    rails.release(1, 6);
    expect([rails.take(6), rails.take(7), rails.take(8)]).toEqual([3, 1, 4]);
    expect(rails.areAmiss).toBe(false);
  });

  test('are amiss where something ran on the one that was taken, or where another was free than the new one', () => {
    const late = new Rails();
    late.release(late.take(0), 50);
    late.take(10);
    expect(late.areAmiss).toBe(true);
    const needless = new Rails();
    const first = needless.take(0);
    needless.take(20);
    needless.release(first, 10);
    expect(needless.areAmiss).toBe(true);
  });

  test('laid again, they go on where they are', () => {
    const rails = new Rails();
    const over: OnRail = { start: 0, end: 10, lane: 2 };
    rails.settle(over);
    const tasks: OnRail[] = [{ start: 5, end: 20, lane: 9 }, { start: 12, end: NaN, lane: 9 }];
    rails.layAgain(tasks);
    expect(tasks.map(({ lane }) => lane)).toEqual([1, 2]);
    expect([rails.take(21), rails.take(22)]).toEqual([1, 3]);
  });
});

/** Begins and lengths in whole milliseconds, and in which order tasks are known. */
const spans = fc.array(fc.record({ start: fc.integer({ min: 0, max: 200 }), length: fc.integer({ min: 4, max: 60 }), known: fc.integer() }), { minLength: 1, maxLength: 60 });

/** Tasks as a group has them that knew of them in some order, and of each end right away. */
function rowsOf(tasks: readonly { start: number; length: number; known: number }[]): { ordinal: number; lane: number; start: number; end: number }[] {
  const timeline = new Timeline();
  timeline.addThread({ pid: 1, threadId: 0, name: 'main', requests: false });
  const draft = new GroupDraft({ thread: 1, kind: 'pool', combinator: undefined, library: undefined, site: undefined, taskSite: undefined, declared: undefined });
  [...tasks].sort((a, b) => a.known - b.known).forEach(({ start, length }, i) => {
    const task = new TaskDraft(new PromiseNode(i + 1), start);
    draft.add(task, 0, 0);
    task.finish(start + length, false, false);
    draft.freeRail(task);
    if (i % 7 === 6) draft.write(timeline, (site) => site);
  });
  draft.write(timeline, (site) => site);
  const { ordinal, lane, start, end } = timeline.tasks;
  return timeline.rowsOf(draft.id).map((row) => ({ ordinal: ordinal[row], lane: lane[row], start: start[row], end: end[row] })).sort((a, b) => a.ordinal - b.ordinal);
}

describe('tasks that are known in another order than they began', () => {
  test('are numbered in the order of their starts, and no two are on one rail at once', () => {
    fc.assert(fc.property(spans, (tasks) => {
      const rows = rowsOf(tasks);
      expect(rows.map(({ ordinal }) => ordinal)).toEqual(rows.map((_, i) => i + 1));
      expect(rows.map(({ start }) => start)).toEqual(tasks.map(({ start }) => start).sort((a, b) => a - b));
      const until = new Map<number, number>();
      for (const { lane, start, end } of rows) {
        expect(start).toBeGreaterThanOrEqual((until.get(lane) ?? 0) - 0.5);
        until.set(lane, end);
      }
    }));
  });

  test('have a number each, also where some are settled for good and others are taken out', () => {
    const timeline = new Timeline();
    const draft = new GroupDraft({ thread: 1, kind: 'pool', combinator: undefined, library: undefined, site: undefined, taskSite: undefined, declared: undefined });
    const tasks = [0, 10, 20, 30, 40].map((start, i) => new TaskDraft(new PromiseNode(i + 1), start));
    for (const task of tasks) draft.add(task, 0, 0);
    draft.write(timeline, (site) => site);
    draft.settle(tasks[1]);
    draft.remove(tasks[2]);
    draft.add(new TaskDraft(new PromiseNode(6), 5), 0, 0);
    draft.write(timeline, (site) => site);
    const { ordinal, start } = timeline.tasks;
    const rows = timeline.rowsOf(draft.id).sort((a, b) => ordinal[a] - ordinal[b]);
    expect(new Set(rows.map((row) => ordinal[row])).size).toBe(5);
    expect(rows.filter((row) => start[row] !== 10).map((row) => start[row])).toEqual([0, 5, 30, 40]);
  });

  test('need as many rails as there were at once', () => {
    fc.assert(fc.property(spans, (tasks) => {
      const rows = rowsOf(tasks);
      const most = Math.max(...rows.map(({ start }) => rows.filter((other) => other.start <= start && other.end > start).length));
      expect(Math.max(...rows.map(({ lane }) => lane))).toBe(most);
    }));
  });
});
