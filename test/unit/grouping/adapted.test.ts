import { describe, expect, test } from 'vitest';
import { Grouping } from '../../../src/grouping/grouping';
import { Fact, LibraryKind, LibraryPromise, RootKind, TaskFlag } from '../../../src/model/facts';
import type { Group } from '../../../src/model/timeline';
import { Timeline } from '../../../src/timeline/timeline';
import { FactStream } from './fact-stream';

/** A stream with the words of adapters. */
class LibraryStream extends FactStream {
  group(id: number, stack: number, owner: number, limit: number, library: string, kind: number = LibraryKind.pool): void {
    this.record(Fact.libraryGroup, kind, id, stack, owner, 0, limit, this.string(library));
  }

  waits(task: number, group: number, time: number, owner = 0): void { this.record(Fact.libraryTask, 1, task, group, owner, time, task, 0); }

  /** A task that need not wait: its function is entered. */
  runs(task: number, group: number, time: number, within?: () => void): void {
    this.record(Fact.libraryTask, 0, task, group, 0, time, task, 0);
    this.enters(task, time, within);
  }

  /** @param within what the function does before it returns */
  enters(task: number, time: number, within?: () => void): void {
    this.record(Fact.libraryRun, 0, task, 0, 0, time, 0, 0);
    within?.();
    this.record(Fact.libraryRun, 1, task, 0, 0, time, 0, 0);
  }

  returns(task: number, promise: number): void { this.record(Fact.libraryPromise, 0, task, promise, 0, 0, 0, 0); }
  gives(task: number, promise: number): void { this.record(Fact.libraryPromise, 1, task, promise, 0, 0, 0, 0); }
  /** @param context the promise whose reaction ends it */
  ends(task: number, time: number, failed = false, context = 0): void { this.record(Fact.libraryEnd, failed ? 1 : 0, task, 0, 0, time, context, 0); }
}

interface Row { readonly queued: number; readonly start: number; readonly end: number; readonly lane: number; readonly label: string | undefined }

/** Also the rows of the first group. */
function group(facts: FactStream): { groups: Group[]; rows: Row[] } {
  const timeline = new Timeline();
  const grouping = new Grouping(timeline);
  const intake = grouping.openThread();
  intake.push(facts.bytes);
  grouping.update();
  expect(intake.problem).toBeUndefined();
  const groups = timeline.groupIds().flatMap((id) => timeline.group(id, 1000) ?? []).sort((a, b) => a.start - b.start);
  const { tasks } = timeline;
  const rows = (groups[0] ? timeline.rowsOf(groups[0].id) : []).map((row) => ({
    queued: tasks.queued[row], start: tasks.start[row], end: tasks.end[row], lane: tasks.lane[row], label: timeline.labelOf(row + 1),
  }));
  return { groups, rows };
}

describe('what adapters tell of libraries', () => {
  test('a pool has the limit that was declared, the place of the call, rails, and the index of each item', () => {
    const facts = new LibraryStream();
    const main = facts.stack(20, 17, 0, '/work/a.mjs', 'main');
    facts.group(1, main, 0, 2, 'async');
    facts.runs(1, 1, 1);
    facts.runs(2, 1, 1);
    facts.ends(2, 11);
    facts.runs(3, 1, 12);
    facts.ends(1, 21, true);
    facts.ends(3, 22);
    const { groups, rows } = group(facts);
    expect(groups).toMatchObject([{ kind: 'pool', library: 'async', declared: 2, peak: 2, lanes: 2, fulfilled: 2, rejected: 1, site: { line: 20, function: 'main' } }]);
    expect(rows.map(({ start, end, lane, label }) => [start, end, lane, label])).toEqual([[1, 21, 1, '1'], [1, 11, 2, '2'], [12, 22, 2, '3']]);
  });

  test('a task that waited says since when, and one that did not wait says nothing', () => {
    const facts = new LibraryStream();
    facts.group(1, facts.stack(20, 17), 0, 1, 'p-limit');
    facts.waits(1, 1, 1);
    facts.waits(2, 1, 1);
    facts.enters(1, 1.2);
    facts.ends(1, 10);
    facts.enters(2, 10);
    facts.ends(2, 20);
    expect(group(facts).rows.map(({ queued, start }) => [queued, start])).toEqual([[NaN, 1.2], [1, 10]]);
  });

  test('an error that the library was kept from hearing of is the task\'s where that ends in a reaction to it, however long that takes', () => {
    const outcomes = [12, 0].map((context) => {
      const facts = new LibraryStream();
      const load = facts.stack(8, 7, 0, '/work/a.mjs', 'load');
      facts.group(1, facts.stack(20, 17), 0, 2, 'rxjs');
      facts.runs(1, 1, 1, () => { facts.call(11, load, 0, 1, 1); });
      facts.runs(2, 1, 1);
      facts.record(Fact.consumed, 0, 11, 0, 12, 0, 0, 0);
      facts.settled(11, 10, 11, 3);
      facts.ends(1, 16, false, context);
      facts.ends(2, 17);
      facts.rejected(11);
      const [{ fulfilled, rejected }] = group(facts).groups;
      return { fulfilled, rejected };
    });
    // Ended by something else, six milliseconds later, it went on without it.
    expect(outcomes).toEqual([{ fulfilled: 1, rejected: 1 }, { fulfilled: 2, rejected: 0 }]);
  });

  test('a task ends with the promise that its function returned, or with an earlier end of what its submitter got', () => {
    const facts = new LibraryStream();
    const main = facts.stack(20, 17);
    const work = facts.stack(7, 7, main, '/work/a.mjs', 'work');
    facts.group(1, main, 0, 2, 'p-queue');
    [1, 2].forEach((task) => {
      facts.waits(task, 1, 0);
      facts.call(10 + task, main, 0, 1, 0);
      facts.gives(task, 10 + task);
      facts.enters(task, 1, () => { facts.call(20 + task, work, 0, 1, 1); });
      facts.returns(task, 20 + task);
    });
    facts.settled(21, 8);
    facts.settled(11, 9);
    facts.settled(12, 15);
    facts.rejected(12);
    facts.settled(22, 30);
    const { groups, rows } = group(facts);
    expect(rows.map(({ end }) => end)).toEqual([8, 15]);
    expect(groups).toMatchObject([{ fulfilled: 1, rejected: 1, taskSite: { line: 7, function: 'work' } }]);
  });

  test('no second group is made of the same work: neither of its calls, nor of the Promise.all over what submitters got', () => {
    const facts = new LibraryStream();
    const main = facts.stack(20, 17, 0, '/work/a.mjs', 'main');
    const all = facts.stack(22, 17, 0, '/work/a.mjs', 'main');
    const work = facts.stack(7, 7, main, '/work/a.mjs', 'work');
    facts.group(1, main, 0, 2, 'p-limit');
    const ids = [1, 2, 3, 4];
    for (const id of ids) { facts.waits(id, 1, 0); facts.call(10 + id, main, 0, 1, 0); facts.gives(id, 10 + id); }
    facts.all(50, all, 0, 1, 0, ids.map((id) => 10 + id));
    for (const id of ids) {
      facts.enters(id, id * 10, () => { facts.call(20 + id, work, 0, id + 1, id * 10); });
      facts.returns(id, 20 + id);
      if (id > 1) { facts.settled(19 + id, id * 10 + 5); facts.settled(9 + id, id * 10 + 5); }
    }
    expect(group(facts).groups).toMatchObject([{ library: 'p-limit', taskCount: 4, site: { line: 22 } }]);
  });

  test('a combinator inside of a task is a group inside of that task', () => {
    const facts = new LibraryStream();
    const main = facts.stack(20, 17);
    const part = facts.stack(5, 5, main, '/work/a.mjs', 'part');
    facts.group(1, main, 0, 2, 'async');
    facts.runs(1, 1, 1, () => {
      facts.call(11, part, 0, 1, 1);
      facts.call(12, part, 0, 1, 1);
      facts.all(13, main, 0, 1, 1, [11, 12]);
    });
    facts.runs(2, 1, 2);
    const { groups } = group(facts);
    expect(groups).toMatchObject([{ library: 'async', taskCount: 2 }, { kind: 'all', taskCount: 2, parent: { group: groups[0].id } }]);
  });

  test('a limiter fed by several running functions is one pool and inside of none of them', () => {
    const facts = new LibraryStream();
    const main = facts.stack(20, 17, 0, '/work/a.mjs', 'main');
    const handle = facts.stack(7, 7, main, '/work/a.mjs', 'handle');
    facts.group(1, main, 0, 2, 'p-limit');
    facts.group(2, handle, 0, 2, 'p-limit');
    for (const id of [1, 2]) {
      facts.waits(id, 1, 0);
      facts.enters(id, 0, () => { facts.call(10 + id, handle, 0, 1, 0); });
      facts.returns(id, 10 + id);
      facts.waits(10 + id, 2, 1, 10 + id);
      facts.enters(10 + id, 2);
      facts.ends(10 + id, 8);
    }
    const { groups } = group(facts);
    expect(groups.map(({ taskCount, parent }) => [taskCount, parent])).toEqual([[2, undefined], [2, undefined]]);
  });

  test('what a function does once a semaphore lets it is a task, which begins when the code that runs is through', () => {
    const facts = new LibraryStream();
    const main = facts.stack(20, 17, 0, '/work/a.mjs', 'main');
    const guarded = facts.stack(8, 7, main, '/work/a.mjs', 'guarded');
    facts.group(1, main, 0, 2, 'async-sema');
    [[11, 21, 0], [12, 22, 4], [13, 23, 6]].forEach(([call, turn, time], at) => {
      facts.call(call, guarded, 0, 1, time);
      facts.record(Fact.libraryTask, TaskFlag.waits | TaskFlag.section, at + 1, 1, call, time, at + 1, 0);
      facts.call(turn, guarded, call, 1, time, RootKind.other);
      if (turn < 23) facts.settled(turn, time, 0, 1);
      facts.record(Fact.libraryPromise, LibraryPromise.turn, at + 1, turn, 0, 0, 0, 0);
    });
    facts.all(30, main, 0, 1, 7, [11, 12, 13]);
    facts.call(31, guarded, 11, 2, 7.2, RootKind.other);
    facts.ends(1, 20);
    facts.settled(11, 20, 11, 3);
    facts.settled(23, 20.1, 11, 3);
    facts.call(33, guarded, 13, 4, 20.2, RootKind.other);
    for (const [task, call, time] of [[2, 12, 25], [3, 13, 30]]) { facts.ends(task, time); facts.settled(call, time, call, time); }
    facts.rejected(13);
    const { groups, rows } = group(facts);
    expect(groups).toMatchObject([{ kind: 'pool', library: 'async-sema', declared: 2, peak: 2, taskCount: 3, fulfilled: 2, rejected: 1, site: { line: 20 }, taskSite: { line: 7 } }]);
    expect(rows.map(({ queued, start, end }) => [queued, start, end])).toEqual([[NaN, 7, 20], [NaN, 7, 25], [6, 20.1, 30]]);
  });

  test('what was submitted and never ran is no task', () => {
    const facts = new LibraryStream();
    facts.group(1, facts.stack(20, 17), 0, 2, 'p-limit');
    for (const id of [1, 2, 3]) facts.waits(id, 1, 0);
    facts.enters(1, 0);
    facts.enters(2, 0);
    expect(group(facts).groups).toMatchObject([{ taskCount: 2, pending: 2 }]);
  });

  test('facts of tasks and groups that were never told of do no harm', () => {
    const facts = new LibraryStream();
    facts.waits(1, 9, 0);
    facts.enters(1, 1);
    facts.returns(1, 77);
    facts.ends(1, 2);
    facts.record(Fact.libraryFunction, 0, 9, 1, 1, 0, 3, 4);
    expect(group(facts).groups).toEqual([]);
  });
});
