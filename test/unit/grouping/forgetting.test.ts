/** A long run is judged as a short one is, though what lies far back is forgotten. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Grouping, type ThreadIntake } from '../../../src/grouping/grouping';
import { PromiseTable } from '../../../src/grouping/promises/promise-table';
import { Queue } from '../../../src/grouping/queue';
import { RootKind } from '../../../src/model/facts';
import { TaskState, type Group } from '../../../src/model/timeline';
import { Timeline } from '../../../src/timeline/timeline';
import { FactStream } from './fact-stream';

const PIECE = 10_000;

/** In pieces, with a look after each: only then anything is forgotten. */
function grouped(facts: FactStream): { groups: Group[]; timeline: Timeline; intake: ThreadIntake } {
  const { bytes } = facts;
  const timeline = new Timeline();
  const grouping = new Grouping(timeline);
  const intake = grouping.openThread();
  for (let at = 0; at < bytes.length; at += PIECE) {
    intake.push(bytes.subarray(at, at + PIECE));
    grouping.update();
  }
  grouping.update();
  return { timeline, intake, groups: timeline.groupIds().flatMap((id) => timeline.group(id, 1e6) ?? []) };
}

const range = (n: number, from = 0): number[] => Array.from({ length: n }, (_, i) => from + i);

describe('a long run', () => {
  test('keeps its chunks, numbers and lanes', () => {
    const facts = new FactStream();
    const main = facts.stack(20, 17, 0, '/work/a.mjs', 'main');
    const task = facts.stack(7, 7, main, '/work/a.mjs', 'look');
    facts.call(1, main, 0, 1, 0);
    // More in the first chunk than is kept.
    const sizes = [5000, ...range(15).map(() => 1000)];
    let id = 1;
    let time = 0;
    sizes.forEach((size, chunk) => {
      const tick = chunk + 2;
      const ids = range(size, id + 1);
      for (const call of ids) facts.call(call, task, 1, tick, time);
      const all = (id += size + 1);
      facts.all(all, main, 1, tick, time, ids);
      time += 10;
      for (const call of ids) facts.settled(call, time, call, tick + 1);
      facts.settled(all, time, 0, tick + 1);
    });
    const { groups, timeline } = grouped(facts);
    expect(groups).toMatchObject([{ kind: 'chunk', chunks: 16, taskCount: 20_000, fulfilled: 20_000, lanes: 5000, peak: 5000, end: 160 }]);
    const rows = timeline.rowsOf(groups[0].id);
    const { chunk, lane, ordinal } = timeline.tasks;
    expect(rows.map((row) => ordinal[row])).toEqual(range(20_000, 1));
    expect(rows.map((row) => chunk[row])).toEqual(sizes.flatMap((size, index) => range(size).map(() => index + 1)));
    expect(rows.map((row) => lane[row])).toEqual(sizes.flatMap((size) => range(size, 1)));
  });

  test('loses no rejection that is told behind ten thousand ends of one run of code', () => {
    const facts = new FactStream();
    const main = facts.stack(20, 17, 0, '/work/a.mjs', 'main');
    const task = facts.stack(7, 7, main, '/work/a.mjs', 'fail');
    facts.call(1, main, 0, 1, 0);
    const ids = range(10_000, 2);
    for (const id of ids) facts.call(id, task, 1, 1, 1);
    facts.all(20_000, main, 1, 1, 1, ids, RootKind.allSettled);
    for (const id of ids) facts.settled(id, 5, id, 2);
    facts.settled(20_000, 5, 0, 2);
    for (const id of ids) facts.rejected(id);
    expect(grouped(facts).groups).toMatchObject([{ kind: 'allSettled', taskCount: 10_000, rejected: 10_000 }]);
  });

  test('still knows where a loop stands, of which each turn makes thousands of promises', () => {
    const facts = new FactStream();
    const main = facts.stack(20, 17, 0, '/work/a.mjs', 'main');
    const step = facts.stack(7, 7, main, '/work/a.mjs', 'step');
    const inner = facts.stack(9, 7, 0, '/work/a.mjs', 'step');
    facts.call(1, main, 0, 1, 0);
    let id = 1;
    for (let turn = 0; turn < 4; turn++) {
      const call = ++id;
      facts.call(call, step, 1, 10 * turn + 1, 100 * turn);
      facts.consumed(call, 1);
      for (let i = 0; i < 5000; i++) {
        facts.call(++id, inner, call, 10 * turn + 2, 100 * turn + 1, RootKind.other);
        facts.consumed(id, call);
        facts.settled(id, 100 * turn + 1, call, 10 * turn + 2);
      }
      facts.settled(call, 100 * turn + 50, call, 10 * turn + 3);
    }
    const loop = grouped(facts).groups.find(({ kind }) => kind === 'sequential');
    expect(loop).toMatchObject({ taskCount: 4, site: { line: 20, function: 'main' }, taskSite: { line: 7, function: 'step' } });
  });

  test('keeps a pool by hand one group, on the rails it has', () => {
    const facts = new FactStream();
    const main = facts.stack(20, 17, 0, '/work/a.mjs', 'main');
    const worker = facts.stack(12, 10, main, '/work/a.mjs', 'worker');
    const turn = facts.stack(7, 7, worker, '/work/a.mjs', 'turn');
    facts.call(1, main, 0, 1, 0);
    const workers = range(4, 2);
    for (const id of workers) facts.call(id, worker, 1, 1, 0);
    let id = 10;
    const begin = (by: number, tick: number): number => {
      facts.call(++id, turn, by, tick, tick);
      facts.consumed(id, by);
      return id;
    };
    let running = workers.map((by) => begin(by, 1));
    facts.all(6, main, 1, 1, 1, workers);
    for (let tick = 2; tick < 3000; tick++) {
      for (const [index, call] of running.entries()) facts.settled(call, tick, workers[index], tick);
      running = workers.map((by) => begin(by, tick));
    }
    for (const [index, call] of running.entries()) facts.settled(call, 3000, workers[index], 3000);
    for (const by of workers) facts.settled(by, 3000, by, 3000);
    facts.settled(6, 3000, 0, 3000);
    const { groups, timeline } = grouped(facts);
    expect(groups).toMatchObject([{ kind: 'pool', taskCount: 4 * 2999, fulfilled: 4 * 2999, lanes: 4, peak: 4 }]);
    const states = new Set(timeline.rowsOf(groups[0].id).map((row) => timeline.tasks.state[row]));
    expect([...states]).toEqual([TaskState.fulfilled]);
  });

  test('counts an element that settled so long ago that nothing is left of it', () => {
    const facts = new FactStream();
    const main = facts.stack(20, 17, 0, '/work/a.mjs', 'main');
    const task = facts.stack(7, 7, main, '/work/a.mjs', 'look');
    facts.call(1, main, 0, 1, 0);
    const ids = range(40_000, 2);
    ids.forEach((id) => {
      facts.call(id, task, 1, id, id);
      facts.settled(id, id, id, id);
    });
    facts.all(50_000, main, 1, 50_000, 50_000, [2, 3, 41_000 - 1000, 41_001 - 1000]);
    const { intake } = grouped(facts);
    expect(intake.dropped).toBe(2);
  });
});

test('a promise is known from when it is named until it is forgotten, and never again', () => {
  fc.assert(fc.property(fc.array(fc.tuple(fc.boolean(), fc.integer({ min: 1, max: 600 })), { maxLength: 2000 }), (steps) => {
    const table = new PromiseTable();
    const known = new Set<number>();
    const past = new Set<number>();
    for (const [forgets, id] of steps) {
      if (forgets) {
        const node = table.find(id);
        if (node) table.forget(node);
        if (known.delete(id)) past.add(id);
      } else {
        expect(table.take(id)?.id).toBe(past.has(id) ? undefined : id);
        if (!past.has(id)) known.add(id);
      }
      expect(table.find(id)?.id).toBe(known.has(id) ? id : undefined);
    }
  }));
});

test('a queue gives back in order what was put in', () => {
  const queue = new Queue<number>();
  let put = 0;
  let taken = 0;
  for (let round = 0; round < 5000; round++) {
    queue.push(put++);
    queue.push(put++);
    expect(queue.shift()).toBe(taken++);
  }
  expect(queue.length).toBe(5000);
  while (queue.length > 0) expect(queue.shift()).toBe(taken++);
  expect(() => queue.shift()).toThrow(RangeError);
});
