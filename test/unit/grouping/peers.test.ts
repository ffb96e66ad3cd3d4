import { describe, expect, test } from 'vitest';
import { Grouping } from '../../../src/grouping/grouping';
import { Fact, RootKind } from '../../../src/model/facts';
import { IGNORED, type Group } from '../../../src/model/timeline';
import { Timeline } from '../../../src/timeline/timeline';
import { FactStream } from './fact-stream';

interface Bar { readonly lane: number; readonly queued: number; readonly start: number; readonly end: number }
interface Drawn { readonly group: Group; readonly bars: readonly Bar[] }

/** @param streams of one thread each, the first one's first; with a look at the timeline after each, in the given order */
function draw(streams: readonly FactStream[], order: readonly number[] = streams.map((_, i) => i)): Drawn[] {
  const timeline = new Timeline();
  const grouping = new Grouping(timeline);
  for (const i of order) { grouping.openThread().push(streams[i].bytes); grouping.update(); }
  grouping.update();
  const { tasks } = timeline;
  return timeline.groupIds().flatMap((id) => timeline.group(id, 1000) ?? []).sort((a, b) => a.thread - b.thread).map((group) => ({
    group, bars: timeline.rowsOf(group.id).sort((a, b) => tasks.ordinal[a] - tasks.ordinal[b])
      .map((row) => ({ lane: tasks.lane[row], queued: tasks.queued[row], start: tasks.start[row], end: tasks.end[row], state: tasks.state[row] & IGNORED }))
      .map(({ lane, queued, start, end }) => ({ lane, queued, start, end })),
  }));
}

const started = (facts: FactStream, peer: number, pid: number, threadId: number, promise: number, time: number): void => { facts.record(Fact.peer, 0, peer, pid, threadId, time, promise, 0); };
const posted = (facts: FactStream, peer: number, promise: number, time: number): void => { facts.record(Fact.posted, 0, peer, 0, 0, time, 1, promise); };
const received = (facts: FactStream, peer: number, tick: number, time: number): void => { facts.record(Fact.received, 0, peer, 0, 0, time, tick, 0); };

/** Three calls at once, of which two workers take one after the other: the third waits for the worker that is free first. */
function sharedWorkers(): FactStream[] {
  const main = new FactStream();
  const at = main.stack(20, 17, 0, '/work/a.mjs', 'main');
  const run = main.stack(7, 7, at, '/work/a.mjs', 'run');
  main.call(1, at, 0, 1, 0);
  started(main, 1, 1, 1, 0, 0);
  started(main, 2, 1, 2, 0, 0);
  for (const id of [2, 3, 4]) main.call(id, run, 1, 1, 1, RootKind.other);
  posted(main, 1, 2, 1);
  posted(main, 2, 3, 1);
  main.all(5, at, 1, 1, 1, [2, 3, 4]);
  received(main, 1, 7, 60);
  main.settled(2, 60, 0, 7);
  posted(main, 1, 0, 60);
  received(main, 2, 9, 80);
  main.settled(3, 80, 0, 9);
  received(main, 1, 11, 100);
  main.settled(4, 100, 0, 11);
  main.settled(5, 100, 1);
  const first = new FactStream({ threadId: 1 });
  received(first, 0, 3, 40);
  posted(first, 0, 0, 58);
  received(first, 0, 5, 61);
  posted(first, 0, 0, 99);
  const second = new FactStream({ threadId: 2 });
  received(second, 0, 3, 45);
  posted(second, 0, 0, 79);
  return [main, first, second];
}

describe('tasks that are at work in other threads', () => {
  test('last from the message being handled to the answer being sent, on the lane of their thread', () => {
    const [{ group, bars }] = draw(sharedWorkers());
    expect(group).toMatchObject({ kind: 'pool', lanes: 2, declared: 2, peak: 2, fulfilled: 3 });
    expect(bars).toEqual([
      { lane: 1, queued: 1, start: 40, end: 58 },
      { lane: 2, queued: 1, start: 45, end: 79 },
      { lane: 1, queued: 1, start: 61, end: 99 },
    ]);
  });

  test('are the same whichever thread is read first, and however late', () => {
    const usual = draw(sharedWorkers())[0].bars;
    expect(draw(sharedWorkers(), [0, 2, 1])[0].bars).toEqual(usual);
  });

  test('end with the arrival of the answer where their thread was ended before it could say so', () => {
    const [main, , second] = sharedWorkers();
    const cut = new FactStream({ threadId: 1 });
    received(cut, 0, 3, 40);
    const [{ bars }] = draw([main, cut, second]);
    expect(bars[0]).toEqual({ lane: 1, queued: 1, start: 40, end: 60 });
  });

  test('begin with the program where they were asked for by starting a process, and are a pool even where all could begin at once', () => {
    const main = new FactStream();
    const at = main.stack(20, 17, 0, '/work/a.mjs', 'main');
    const run = main.stack(7, 7, at, '/work/a.mjs', 'run');
    main.call(1, at, 0, 1, 0);
    for (const [id, pid] of [[2, 11], [3, 12]]) {
      main.call(id, run, 1, 1, id, RootKind.other);
      started(main, pid - 10, pid, 0, id, id);
    }
    main.all(4, at, 1, 1, 3, [2, 3]);
    received(main, 1, 5, 90);
    main.settled(2, 90, 0, 5);
    received(main, 2, 6, 95);
    main.settled(3, 95, 0, 6);
    const child = (pid: number, begun: number, sent: number): FactStream => {
      const facts = new FactStream({ pid });
      facts.record(Fact.entered, 0, 0, 0, 0, begun, 0, 0);
      posted(facts, 0, 0, sent);
      return facts;
    };
    const [{ group, bars }] = draw([main, child(11, 50, 89), child(12, 55, 94)]);
    expect(group.kind).toBe('pool');
    expect(bars).toEqual([{ lane: 1, queued: 2, start: 50, end: 89 }, { lane: 2, queued: 3, start: 55, end: 94 }]);
  });

  test('hold what their thread ran for them, and are not counted there once more', () => {
    const [main, first, second] = sharedWorkers();
    const handler = first.stack(3, 3, 0, '/work/a.mjs', 'handle');
    // The handler itself is an async function, called again and again.
    for (const [id, tick, time] of [[1, 3, 40], [2, 5, 61]]) first.call(id, handler, 0, tick, time);
    const inner = new FactStream({ threadId: 2 });
    received(inner, 0, 3, 45);
    const body = inner.stack(9, 8, 0, '/work/a.mjs', 'handle');
    const part = inner.stack(5, 5, body, '/work/a.mjs', 'part');
    inner.call(1, body, 0, 3, 45);
    inner.call(2, part, 1, 3, 46);
    inner.call(3, part, 1, 3, 46);
    inner.all(4, body, 1, 3, 46, [2, 3]);
    for (const id of [2, 3, 4]) inner.settled(id, 70, 1);
    posted(inner, 0, 0, 79);
    const drawn = draw([main, first, inner]);
    expect(drawn.map(({ group }) => group.thread)).toEqual([1, 3]);
    expect(drawn[1].group.parent?.group).toBe(drawn[0].group.id);
    expect(second.bytes.length).toBeGreaterThan(0);
  });

  test('are a pool of the function that sends for them where no promise waits for the answers', () => {
    const main = new FactStream();
    const loop = main.stack(20, 1, 0, '/work/a.mjs');
    const next = main.stack(9, 8, loop, '/work/a.mjs', 'next');
    const ask = (peer: number, time: number): void => { main.record(Fact.posted, 0, peer, next, 0, time, 1, 0); };
    for (const peer of [1, 2]) { started(main, peer, 1, peer, 0, 0); ask(peer, 1); }
    for (const [peer, tick, time] of [[1, 3, 41], [1, 5, 60], [2, 7, 81], [1, 9, 100]]) {
      received(main, peer, tick, time);
      if (time === 60 || time === 81) ask(peer, time);
    }
    received(main, 2, 11, 120);
    main.record(Fact.end, 0, 0, 1, 0, 130, 0, 0);
    const worker = (threadId: number, moments: readonly (readonly [handled: number, sent: readonly number[]])[]): FactStream => {
      const facts = new FactStream({ threadId });
      for (const [handled, sent] of moments) {
        received(facts, 0, handled, handled);
        for (const time of sent) posted(facts, 0, 0, time);
      }
      return facts;
    };
    // The first one tells of its progress once.
    const threads = [main, worker(1, [[30, [40, 59]], [61, [99]]]), worker(2, [[35, [80]], [82, [119]]])];
    const [{ group, bars }] = draw(threads);
    expect(group).toMatchObject({ kind: 'pool', lanes: 2, declared: 2, site: { line: 20 }, taskSite: { line: 8, function: 'next' }, fulfilled: 4 });
    expect(bars.map(({ lane, start, end }) => [lane, start, end])).toEqual([[1, 30, 59], [2, 35, 80], [1, 61, 99], [2, 82, 119]]);
    expect(draw(threads, [0, 2, 1])[0].bars).toEqual(bars);
  });

  test('are left as they were seen here where other work came first', () => {
    const main = new FactStream();
    const at = main.stack(20, 17, 0, '/work/a.mjs', 'main');
    const job = main.stack(7, 7, at, '/work/a.mjs', 'job');
    const ask = main.stack(4, 4, job, '/work/a.mjs', 'ask');
    main.call(1, at, 0, 1, 0);
    started(main, 1, 1, 1, 0, 0);
    main.call(2, job, 1, 1, 1);
    main.call(3, job, 1, 1, 1);
    main.all(4, at, 1, 1, 1, [2, 3]);
    main.call(5, ask, 2, 4, 30, RootKind.other);
    posted(main, 1, 5, 30);
    main.consumed(5, 2);
    received(main, 1, 7, 60);
    main.settled(5, 60, 0, 7);
    main.settled(2, 80, 2);
    main.settled(3, 80, 3);
    const worker = new FactStream({ threadId: 1 });
    received(worker, 0, 3, 31);
    posted(worker, 0, 0, 59);
    const [{ group, bars }] = draw([main, worker]);
    expect(group.kind).toBe('all');
    expect(bars.map(({ start, end }) => [start, end])).toEqual([[1, 80], [1, 80]]);
  });
});
