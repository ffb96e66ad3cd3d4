import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Grouping, type ThreadIntake } from '../../../src/grouping/grouping';
import { ActivityKind, GcKind } from '../../../src/model/activity';
import { Fact, RootKind } from '../../../src/model/facts';
import type { Group } from '../../../src/model/timeline';
import { Timeline } from '../../../src/timeline/timeline';
import { FactStream, ORIGIN } from './fact-stream';

/** @param cuts lengths of the pieces that come in one after the other, with a look at the timeline after each */
function group(bytes: Buffer, cuts: readonly number[] = []): { groups: Group[]; timeline: Timeline; intake: ThreadIntake } {
  const timeline = new Timeline();
  const grouping = new Grouping(timeline);
  const intake = grouping.openThread();
  let at = 0;
  for (const cut of [...cuts, bytes.length]) {
    if (at >= bytes.length) break;
    intake.push(bytes.subarray(at, at + cut));
    grouping.update();
    at += cut;
  }
  return { timeline, intake, groups: timeline.groupIds().flatMap((id) => timeline.group(id, 1000) ?? []).sort((a, b) => a.start - b.start) };
}

/** Two chunks of two tasks, awaited by one running function. */
function twoChunks(): FactStream {
  const facts = new FactStream();
  const main = facts.stack(20, 17, 0, '/work/a.mjs', 'main');
  const task = facts.stack(7, 7, main, '/work/a.mjs', 'look');
  facts.call(1, main, 0, 1, 0);
  facts.call(2, task, 1, 1, 1);
  facts.call(3, task, 1, 1, 1);
  facts.all(4, main, 1, 1, 1, [2, 3]);
  facts.settled(2, 10, 2);
  facts.settled(3, 30, 3);
  facts.settled(4, 30);
  facts.call(5, task, 1, 5, 31);
  facts.call(6, task, 1, 5, 31);
  facts.all(7, main, 1, 5, 31, [5, 6]);
  facts.settled(6, 40, 6);
  facts.settled(5, 51, 5);
  facts.settled(7, 51);
  return facts;
}

describe('chunks', () => {
  test('calls of Promise.all that follow one another at one place are one group', () => {
    const { groups, timeline } = group(twoChunks().bytes);
    expect(groups).toMatchObject([{
      kind: 'chunk', combinator: 'all', taskCount: 4, lanes: 2, chunks: 2, peak: 2, start: 1, end: 51,
      site: { file: '/work/a.mjs', line: 20, function: 'main' }, taskSite: { line: 7, function: 'look' },
    }]);
    const rows = timeline.rowsOf(groups[0].id);
    expect(rows.map((row) => [timeline.tasks.chunk[row], timeline.tasks.lane[row], timeline.tasks.end[row]])).toEqual([[1, 1, 10], [1, 2, 30], [2, 1, 51], [2, 2, 40]]);
  });

  test('what a live run shows in the end is what its recording shows, however the bytes came in', () => {
    const bytes = twoChunks().bytes;
    const whole = group(bytes);
    fc.assert(fc.property(fc.array(fc.integer({ min: 1, max: 200 }), { maxLength: 60 }), (cuts) => {
      const live = group(bytes, cuts);
      expect(live.groups.map(({ id: _, ...rest }) => rest)).toEqual(whole.groups.map(({ id: _, ...rest }) => rest));
    }), { numRuns: 60 });
  });

  test('a second call that takes promises started before the first one is no chunk', () => {
    const facts = new FactStream();
    const main = facts.stack(14, 12);
    const task = facts.stack(7, 7, main);
    facts.call(1, main, 0, 1, 0);
    for (const id of [2, 3, 4, 5]) facts.call(id, task, 1, 1, 1);
    facts.all(6, main, 1, 1, 2, [2, 3]);
    for (const id of [2, 3, 4]) facts.settled(id, 10 + id, id);
    facts.settled(6, 14);
    facts.all(7, main, 1, 3, 15, [4, 5]);
    facts.settled(5, 40, 5);
    expect(group(facts.bytes).groups).toMatchObject([{ kind: 'all', taskCount: 4, lanes: 4, peak: 4 }]);
  });

  /** A function that awaits one Promise.all, called twice from one place, the second time after the first. */
  function helperTwice(functions: readonly number[]): FactStream {
    const facts = new FactStream();
    const main = facts.stack(30, 25);
    const helper = facts.stack(20, 17, main);
    const tasks = functions.map((line) => facts.stack(line, line, helper));
    facts.call(1, main, 0, 1, 0);
    for (const [call, start] of [[10, 1], [20, 50]]) {
      facts.call(call, helper, 1, call, start);
      tasks.forEach((task, index) => { facts.call(call + 1 + index, task, call, call, start); });
      facts.all(call + 5, helper, call, call, start, tasks.map((_, index) => call + 1 + index));
      tasks.forEach((_, index) => { facts.settled(call + 1 + index, start + 10 + index); });
      facts.settled(call + 5, start + 20);
      facts.settled(call, start + 20, call);
    }
    return facts;
  }

  test('a helper called from one place for one chunk after the other makes one group', () => {
    expect(group(helperTwice([7, 7, 7]).bytes).groups).toMatchObject([{ kind: 'chunk', taskCount: 6, lanes: 3, chunks: 2 }]);
  });

  test('a call that awaits different functions at once is no chunk of its caller\'s', () => {
    expect(group(helperTwice([7, 9]).bytes).groups).toMatchObject([{ kind: 'all', taskCount: 2 }, { kind: 'all', taskCount: 2 }]);
  });

  test('the same line reached by another call is another group', () => {
    const facts = new FactStream();
    const main = facts.stack(30, 25);
    const helper = facts.stack(20, 17, main);
    const task = facts.stack(7, 7, helper);
    facts.call(1, main, 0, 1, 0);
    facts.call(10, helper, 1, 1, 0);
    facts.call(11, helper, 1, 1, 0);
    for (const [all, owner, tasks] of [[20, 10, [2, 3]], [21, 11, [4, 5]]] as const) {
      for (const id of tasks) facts.call(id, task, owner, 1, 1);
      facts.all(all, helper, owner, 1, 1, tasks);
    }
    for (const id of [2, 3, 4, 5]) facts.settled(id, 20, id);
    expect(group(facts.bytes).groups).toMatchObject([{ kind: 'all', taskCount: 2 }, { kind: 'all', taskCount: 2 }]);
  });
});

describe('pools', () => {
  test('elements that call one place again and again are rails, and each turn of theirs is a task', () => {
    const facts = new FactStream();
    const main = facts.stack(20, 17);
    const worker = facts.stack(9, 8, main);
    const job = facts.stack(3, 3, worker);
    facts.call(1, main, 0, 1, 0);
    facts.call(2, worker, 1, 1, 1);
    facts.call(4, job, 2, 1, 1);
    facts.consumed(4, 2);
    facts.call(3, worker, 1, 1, 1);
    facts.call(5, job, 3, 1, 1);
    facts.consumed(5, 3);
    facts.all(9, main, 1, 1, 2, [2, 3]);
    facts.settled(4, 10, 4);
    facts.call(6, job, 2, 3, 11);
    facts.consumed(6, 2);
    facts.settled(5, 20, 5);
    facts.settled(3, 20, 3);
    facts.settled(6, 30, 6);
    facts.settled(2, 30, 2);
    const { groups, timeline } = group(facts.bytes);
    expect(groups).toMatchObject([{ kind: 'pool', taskCount: 3, lanes: 2, peak: 2, declared: 2, taskSite: { line: 3 } }]);
    expect(timeline.rowsOf(groups[0].id).map((row) => [timeline.tasks.lane[row], timeline.tasks.start[row], timeline.tasks.end[row]])).toEqual([[1, 1, 10], [2, 1, 20], [1, 11, 30]]);
  });

  test('a task that waited for a neighbour to end begins when it was let in, and says since when it waited', () => {
    const facts = new FactStream();
    const main = facts.stack(20, 17);
    const task = facts.stack(9, 8, main);
    const acquire = facts.stack(3, 2, task);
    facts.call(1, main, 0, 1, 0);
    facts.call(2, task, 1, 1, 1);
    facts.call(3, task, 1, 1, 1);
    facts.call(4, acquire, 3, 1, 1, RootKind.other);
    facts.consumed(4, 3);
    facts.all(9, main, 1, 1, 2, [2, 3]);
    facts.settled(4, 20, 2);
    facts.settled(2, 20.1, 2);
    facts.settled(3, 40, 3);
    const { groups, timeline } = group(facts.bytes);
    expect(groups).toMatchObject([{ kind: 'pool', taskCount: 2, lanes: 1, peak: 1 }]);
    const rows = timeline.rowsOf(groups[0].id);
    expect(rows.map((row) => [timeline.tasks.start[row], timeline.tasks.queued[row]])).toEqual([[1, NaN], [20.1, 1]]);
  });

  test('a library\'s frame is never the place of a task', () => {
    const facts = new FactStream();
    const main = facts.stack(20, 17);
    const library = facts.stack(5, 4, main, '/work/node_modules/@scope/pool/index.js');
    const task = facts.stack(9, 8, library);
    facts.call(1, main, 0, 1, 0);
    facts.call(2, library, 1, 1, 0);
    facts.call(3, task, 2, 1, 1);
    facts.consumed(3, 2);
    facts.call(4, task, 2, 1, 1);
    facts.consumed(4, 2);
    facts.settled(3, 10, 3);
    facts.call(5, task, 2, 3, 11);
    facts.consumed(5, 2);
    facts.settled(4, 20, 4);
    facts.settled(5, 30, 5);
    expect(group(facts.bytes).groups).toMatchObject([{ kind: 'pool', library: '@scope/pool', taskCount: 3, lanes: 2, site: { line: 20 }, taskSite: { line: 8 } }]);
  });
});

describe('loops', () => {
  function loopThenBurst(): FactStream {
    const facts = new FactStream();
    const main = facts.stack(20, 17);
    const task = facts.stack(9, 8, main);
    facts.call(1, main, 0, 1, 0);
    for (let i = 0; i < 4; i++) {
      facts.call(10 + i, task, 1, 10 + i, 10 * i);
      facts.consumed(10 + i, 1);
      facts.settled(10 + i, 10 * i + 9, 10 + i);
    }
    return facts;
  }

  test('calls awaited one after the other are a sequential group', () => {
    expect(group(loopThenBurst().bytes).groups).toMatchObject([{ kind: 'sequential', taskCount: 4, lanes: 1 }]);
  });

  test('the same function called all at once afterwards is a group of its own, however the bytes came in', () => {
    const facts = loopThenBurst();
    for (const id of [30, 31, 32]) facts.call(id, 2, 1, 50, 60);
    facts.all(33, 1, 1, 50, 61, [30, 31, 32]);
    for (const id of [30, 31, 32]) facts.settled(id, 70 + id, id);
    const expected = [{ kind: 'sequential', taskCount: 4 }, { kind: 'all', taskCount: 3, lanes: 3 }];
    expect(group(facts.bytes).groups).toMatchObject(expected);
    expect(group(facts.bytes, Array<number>(500).fill(32)).groups).toMatchObject(expected);
  });

  test('a listener that events call and nobody waits for is no group', () => {
    const facts = new FactStream();
    const listener = facts.stack(9, 8);
    for (let i = 0; i < 6; i++) facts.call(10 + i, listener, 0, 10 + i, 5 * i);
    for (let i = 0; i < 6; i++) facts.settled(10 + i, 100 + i, 10 + i);
    expect(group(facts.bytes).groups).toEqual([]);
  });
});

describe('what is wrong with a fact file', () => {
  test('bytes of something else are refused with a sentence, once', () => {
    const { intake, groups } = group(Buffer.from('GIF89a, and then a picture that goes on and on and on'.repeat(10)));
    expect(intake.problem).toMatch(/no fact file of Async Lanes/);
    expect(groups).toEqual([]);
  });

  test('a file of a newer agent is refused with both versions', () => {
    expect(group(new FactStream({ version: 99 }).bytes).intake.problem).toMatch(/version 99 .* reads version 1/);
  });

  test('a call told of in one record is what it is in three', () => {
    const chunks = (tell: (facts: FactStream, call: number, stack: number, id: number, start: number, index: number) => void): FactStream => {
      const facts = new FactStream();
      const main = facts.stack(20, 17, 0, '/work/a.mjs', 'main');
      const task = facts.stack(7, 7, main, '/work/a.mjs', 'look');
      facts.call(1, main, 0, 1, 0);
      for (let chunk = 0; chunk < 3; chunk++) {
        const all = 2 + chunk * 10;
        facts.record(Fact.root, RootKind.all, all, main, 1, chunk + 0.5, chunk + 1, 0);
        for (let i = 0; i < 3; i++) tell(facts, all, task, all + 1 + i, chunk + i * 0.125, i);
        facts.record(Fact.gathered, 0, all, 3, 0, 0, 0, 0);
        facts.consumed(all, 1);
        facts.settled(all, chunk + 0.75);
      }
      return facts;
    };
    const inThree = chunks((facts, call, stack, id, start, index) => {
      facts.record(Fact.root, RootKind.asyncFunction, id, stack, 1, start, (call + 8) / 10, 0);
      facts.settled(id, start + 0.0625, 0, (call + 8) / 10);
      facts.record(Fact.element, 0, call, id, index, 0, 0, 0);
    });
    const inOne = chunks((facts, call, stack, id, start, index) => { facts.record(Fact.quick, 0, id, call, stack, start, index, 62_500); });
    const { groups } = group(inOne.bytes);
    expect(groups).toMatchObject([{ kind: 'chunk', taskCount: 9 }]);
    expect(groups).toEqual(group(inThree.bytes).groups);
  });

  test('a file cut anywhere shows what it holds and never throws', () => {
    const bytes = twoChunks().bytes;
    for (let length = 0; length < bytes.length; length += 7) {
      const { intake } = group(bytes.subarray(0, length));
      expect(intake.problem).toBeUndefined();
    }
  });

  test('damaged bytes end in a picture or a sentence, never in an error or a hang', () => {
    const bytes = twoChunks().bytes;
    fc.assert(fc.property(fc.integer({ min: 0, max: bytes.length - 1 }), fc.integer({ min: 0, max: 255 }), (at, value) => {
      const damaged = Buffer.from(bytes);
      damaged[at] = value;
      expect(() => group(damaged)).not.toThrow();
    }), { numRuns: 400 });
  });

  test('the clock of a second thread is brought to the first one\'s', () => {
    const timeline = new Timeline();
    const grouping = new Grouping(timeline);
    grouping.openThread().push(new FactStream().bytes);
    const worker = new FactStream({ threadId: 3, timeOrigin: ORIGIN + 500 });
    const main = worker.stack(2, 1);
    worker.call(1, main, 0, 1, 1);
    worker.call(2, main, 0, 1, 1);
    worker.all(3, main, 0, 1, 2, [1, 2]);
    grouping.openThread().push(worker.bytes);
    grouping.update();
    expect(grouping.timeOrigin).toBe(ORIGIN);
    expect(timeline.threads).toMatchObject([{ id: 1, name: 'main' }, { id: 2, threadId: 3, name: 'worker 3' }]);
    expect(timeline.group(1, 1000)).toMatchObject({ thread: 2, start: 501 });
  });
});

describe('what a thread goes through besides tasks', () => {
  test('stands on the clock of the run', () => {
    const timeline = new Timeline();
    const grouping = new Grouping(timeline);
    grouping.openThread().push(new FactStream().bytes);
    const worker = new FactStream({ threadId: 3, timeOrigin: ORIGIN + 100, requests: true });
    worker.record(Fact.blocked, 0, 0, 0, 0, 90, 50_000, 0);
    worker.record(Fact.collected, GcKind.markSweepCompact, 0, 0, 0, 95, 1500, 0);
    worker.record(Fact.requests, 0, 0, 6, 9, 120, 4000, 4);
    grouping.openThread().push(worker.bytes);
    const { rows } = timeline.activity;
    const row = (i: number) => ({ thread: rows.thread[i], kind: rows.kind[i], start: rows.start[i], end: rows.end[i], count: rows.count[i], most: rows.most[i], limit: rows.limit[i] });
    expect([0, 1, 2].map(row)).toEqual([
      { thread: 2, kind: ActivityKind.blocked, start: 140, end: 190, count: 0, most: 0, limit: 0 },
      { thread: 2, kind: ActivityKind.gc, start: 193.5, end: 195, count: GcKind.markSweepCompact, most: 0, limit: 0 },
      { thread: 2, kind: ActivityKind.requests, start: 216, end: 220, count: 6, most: 9, limit: 4 },
    ]);
    expect(timeline.threads.map(({ requests }) => requests)).toEqual([false, true]);
  });
});

describe('an error that a task swallows itself', () => {
  /** Two tasks that wait for something each; the second one's is rejected. @param goesOn whether it waits for something else after that */
  function tasks(goesOn: boolean): FactStream {
    const facts = new FactStream();
    const main = facts.stack(20, 17, 0, '/work/a.mjs', 'main');
    const task = facts.stack(7, 7, main, '/work/a.mjs', 'look');
    const load = facts.stack(3, 3, task, '/work/a.mjs', 'load');
    facts.call(1, main, 0, 1, 0);
    for (const id of [2, 3]) facts.call(id, task, 1, 1, 1);
    facts.all(4, main, 1, 1, 1, [2, 3]);
    for (const id of [2, 3]) { facts.call(id + 10, load, id, 1, 1, RootKind.other); facts.consumed(id + 10, id); }
    facts.settled(12, 10);
    facts.settled(2, 10, 2);
    facts.settled(13, 12);
    if (goesOn) { facts.call(15, load, 3, 9, 12, RootKind.other); facts.consumed(15, 3); facts.settled(15, 14); }
    facts.settled(3, 15, 3);
    facts.rejected(13);
    facts.settled(4, 15);
    return facts;
  }

  test('makes it a failed task where it did nothing more', () => {
    expect(group(tasks(false).bytes).groups).toMatchObject([{ fulfilled: 1, rejected: 1, status: 'fulfilled' }]);
  });

  test('does not where it went on with other work', () => {
    expect(group(tasks(true).bytes).groups).toMatchObject([{ fulfilled: 2, rejected: 0 }]);
  });
});
