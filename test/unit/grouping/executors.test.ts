import { describe, expect, test } from 'vitest';
import { Grouping } from '../../../src/grouping/grouping';
import { RootKind } from '../../../src/model/facts';
import { IGNORED, TaskState } from '../../../src/model/timeline';
import { Timeline } from '../../../src/timeline/timeline';
import { FactStream } from './fact-stream';

interface Drawn { readonly lane: number; readonly queued: number; readonly start: number; readonly end: number; readonly state: number }

/** Groups as they are drawn in the end. @param cut bytes that come in at a time */
function draw(bytes: Buffer, cut = bytes.length): { kind: string; lanes: number; line: number | undefined; tasks: Drawn[] }[] {
  const timeline = new Timeline();
  const grouping = new Grouping(timeline);
  const intake = grouping.openThread();
  for (let at = 0; at < bytes.length; at += cut) {
    intake.push(bytes.subarray(at, at + cut));
    grouping.update();
  }
  grouping.update();
  const { tasks } = timeline;
  return timeline.groupIds().flatMap((id) => timeline.group(id, 1000) ?? []).map(({ id, kind, lanes, taskSite }) => ({
    kind, lanes, line: taskSite?.line,
    tasks: [...timeline.rowsOf(id)].map((row) => ({ lane: tasks.lane[row], queued: tasks.queued[row], start: tasks.start[row], end: tasks.end[row], state: tasks.state[row] & ~IGNORED }))
      .sort((a, b) => a.start - b.start || a.lane - b.lane),
  }));
}

/**
 * `submit(task)` makes a promise, a thread's loop calls the task and settles the promise then. Six tasks, handed in at 0, on
 * two threads that nobody awaits: 1 and 2 begin at once.
 *
 *   thread 1  ▇1▇▇▇▇▇▇ ▇3▇▇▇▇▇▇ ▇5▇▇▇▇▇▇       10 ms each
 *   thread 2  ▇2▇▇▇▇▇▇▇▇▇ ▇4▇▇▇▇▇▇▇▇▇ ▇6▇▇▇▇▇▇▇▇▇   12 ms each
 */
class Executor {
  readonly facts = new FactStream();
  private readonly main = this.facts.stack(50, 40, 0, '/work/a.mjs', 'main');
  private readonly submit = this.facts.stack(5, 4, this.main, '/work/a.mjs', 'submit');
  private readonly thread = this.facts.stack(12, 11, this.submit, '/work/a.mjs', 'thread');
  readonly loop = this.facts.stack(15, 11, 0, '/work/a.mjs', 'thread');
  readonly task = this.facts.stack(30, 29, this.loop, '/work/a.mjs', 'job');
  readonly byMain = this.facts.stack(30, 29, this.main, '/work/a.mjs', 'job');
  private id = 100;

  constructor(readonly promiseOf = (i: number): number => 10 + i, readonly ofAll = 6) {
    const { facts } = this;
    facts.call(1, this.main, 0, 1, 0);
    for (let i = 1; i <= ofAll; i++) {
      facts.call(promiseOf(i), this.submit, 1, 1, i / 100, RootKind.other);
      if (i <= 2) facts.call(1 + i, this.thread, 1, 1, i / 100);
      if (i <= 2) this.begin(i, i, i / 100, 1);
    }
  }

  /** A thread calls task i. */
  begin(i: number, thread: number, time: number, tick: number): void {
    this.facts.call(30 + i, this.task, 1 + thread, tick, time);
    this.facts.consumed(30 + i, 1 + thread);
  }

  /** Task i is through, and its thread settles its promise. */
  end(i: number, thread: number, time: number, tick: number): void {
    this.facts.settled(30 + i, time, 30 + i, tick);
    this.facts.settled(this.promiseOf(i), time + 0.1, 1 + thread, tick);
  }

  run(): this {
    for (let round = 0; round < 3; round++) {
      for (const [thread, ms] of [[1, 10], [2, 12]]) {
        const i = 2 * round + thread;
        const time = ms * (round + 1);
        this.end(i, thread, time, this.id);
        if (i + 2 <= this.ofAll) this.begin(i + 2, thread, time + 0.1, this.id);
        this.id++;
      }
    }
    // Later things happen too.
    this.facts.call(90, this.main, 0, 900, 100);
    return this;
  }
}

describe('an executor of the program\'s own', () => {
  test('its threads are the lanes of one pool, and its tasks are queued since they were handed in', () => {
    const [pool, ...others] = draw(new Executor().run().facts.bytes);
    expect(others).toEqual([]);
    expect(pool).toMatchObject({ kind: 'pool', lanes: 2, line: 29 });
    expect(pool.tasks.map(({ lane, start, end }) => [lane, start, end])).toEqual([
      [1, 0.01, 10.1], [2, 0.02, 12], [1, 10.1, 20], [2, 12.1, 24], [1, 20.1, 30], [2, 24.1, 36],
    ]);
    expect(pool.tasks.map(({ queued }) => queued)).toEqual([NaN, NaN, 0.03, 0.04, 0.05, 0.06]);
  });

  test('it makes no difference how often somebody looks', () => {
    const { bytes } = new Executor().run().facts;
    expect(draw(bytes, 32)).toEqual(draw(bytes));
  });

  test('a task that its submitter ran, and one that was refused, stand beside the threads', () => {
    const executor = new Executor(undefined, 8);
    const { facts } = executor;
    facts.settled(17, 0.08, 1, 1);
    facts.rejected(17);
    facts.call(38, executor.byMain, 1, 1, 0.1);
    facts.consumed(38, 1);
    facts.settled(38, 9, 38, 80);
    facts.settled(18, 9.1, 1, 80);
    executor.run();
    const [pool, ...others] = draw(facts.bytes);
    expect(others).toEqual([]);
    expect(pool.lanes).toBe(3);
    expect(pool.tasks.filter(({ lane }) => lane === 3)).toMatchObject([
      { start: 0.07, end: 0.08, state: TaskState.rejected }, { start: 0.1, end: 9, state: TaskState.fulfilled },
    ]);
  });

  test('what several tasks settle together was handed out for none of them', () => {
    // All promises of a batch are settled by the first task that is through.
    const executor = new Executor();
    for (let i = 1; i <= 6; i++) executor.facts.call(60 + i, executor.task, 1, 1, 0.5, RootKind.other);
    const tasks = draw(executor.run().facts.bytes).flatMap((group) => group.tasks);
    expect(tasks).not.toEqual([]);
    const batch = new Executor(() => 11);
    expect(draw(batch.run().facts.bytes).flatMap((group) => group.tasks.map(({ queued }) => queued)).every(Number.isNaN)).toBe(true);
  });
});

test('calls that loop on their own, one begun after the other, are no workers', () => {
  const facts = new FactStream();
  const handler = facts.stack(5, 4, 0, '/work/a.mjs', 'onRequest');
  const loop = facts.stack(7, 4, 0, '/work/a.mjs', 'onRequest');
  const page = facts.stack(20, 19, loop, '/work/a.mjs', 'fetchPage');
  for (const [id, begun] of [[1, 0], [2, 5]]) {
    facts.call(id, handler, 0, id, begun);
    for (let i = 0; i < 3; i++) {
      facts.call(10 * id + i, page, id, 10 * id + i, begun + i * 10);
      facts.consumed(10 * id + i, id);
      facts.settled(10 * id + i, begun + i * 10 + 9, 10 * id + i, 10 * id + i + 1);
    }
    facts.settled(id, begun + 30, id, 10 * id + 4);
  }
  expect(draw(facts.bytes).map(({ kind, tasks }) => [kind, tasks.length])).toEqual([['sequential', 3], ['sequential', 3]]);
});

test('lanes that wait for what another stage\'s lanes bring them are workers of their own pool', () => {
  const facts = new FactStream();
  const main = facts.stack(50, 40, 0, '/work/a.mjs', 'main');
  const lane = facts.stack(5, 4, main, '/work/a.mjs', 'lane');
  const inLane = (line: number): number => facts.stack(line, 4, 0, '/work/a.mjs', 'lane');
  const take = facts.stack(21, 20, inLane(6), '/work/a.mjs', 'take');
  const wait = facts.stack(22, 20, 0, '/work/a.mjs', 'take');
  const pass = facts.stack(31, 30, inLane(7), '/work/a.mjs', 'pass');
  facts.call(1, main, 0, 1, 0);
  const stage = facts.stack(9, 8, main, '/work/a.mjs', 'stage');
  for (const [id, lanes] of [[8, [2, 3]], [9, [4, 5]]] as const) {
    facts.call(id, stage, 1, 1, 0);
    for (const each of lanes) facts.call(each, lane, id, 1, 0);
    facts.all(id - 2, stage, id, 1, 0, lanes);
    facts.consumed(id - 2, id);
  }
  const work = (worker: number, id: number, start: number, ms: number): void => {
    facts.call(id, pass, worker, id, start);
    facts.consumed(id, worker);
    facts.settled(id, start + ms, id, id + 1);
  };
  const waitForItem = (worker: number, id: number, start: number): void => {
    facts.call(id, take, worker, id, start);
    facts.call(id + 1, wait, id, id, start, RootKind.other);
    facts.consumed(id + 1, id);
    facts.consumed(id, worker);
  };
  const bring = (id: number, by: number, time: number): void => {
    facts.settled(id + 1, time, by, id + 500);
    facts.settled(id, time, id, id + 500);
  };
  for (let round = 0; round < 4; round++) {
    const at = round * 10;
    for (const i of [0, 1]) {
      waitForItem(4 + i, 1000 + 100 * round + 10 * i, at);
      work(2 + i, 100 + 100 * round + 10 * i, at, 8 + i);
      bring(1000 + 100 * round + 10 * i, 2 + i, at + 8 + i);
      work(4 + i, 105 + 100 * round + 10 * i, at + 8 + i, 1);
    }
  }
  for (const id of [2, 3, 4, 5, 6, 7, 8, 9, 1]) facts.settled(id, 60, id, 9000);
  expect(draw(facts.bytes).map(({ kind, lanes, line, tasks }) => [kind, lanes, line, tasks.length])).toEqual([['pool', 2, 30, 8], ['pool', 2, 30, 8]]);
});
