import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeFrame } from '../../../src/model/frames';
import { createTaskColumns, TaskState } from '../../../src/model/timeline';
import { spanEnd } from '../../../webview/store/span';
import { HostClock } from '../../../webview/store/clock';
import { Lane } from '../../../webview/store/lane';
import { TickClock } from '../../../webview/store/tick-clock';
import { RunStore } from '../../../webview/store/run-store';
import { parseDelta, parseHello } from '../../../webview/store/parse';
import { stepTask, type Step } from '../../../webview/diagram/stepping';
import { ScriptedRun } from '../../webview/scripted-run';

/** Feeds a store from the frames of a run, as the page does. */
function feed(store: RunStore, frames: readonly ArrayBuffer[], at = 0): void {
  for (const frame of frames) {
    const message = decodeFrame(frame);
    if (message.type === 'hello') store.reset(parseHello(message)); else if (message.type === 'delta') store.apply(parseDelta(message).delta, at);
  }
}

/** What a store holds of a group: task id → lane, start, end, state. */
function contents(store: RunStore, group: number): Map<number, readonly number[]> {
  const found = new Map<number, readonly number[]>();
  store.groups.get(group)?.lanes.forEach((lane, k) => {
    for (let i = 0; lane && i < lane.length; i++) found.set(lane.idOf(i), [k + 1, lane.startOf(i), lane.endOf(i), lane.stateOf(i)]);
  });
  return found;
}

describe('the store', () => {
  it('holds after any history of deltas what the host’s timeline holds', () => {
    const change = fc.record({ task: fc.nat(11), lane: fc.integer({ min: 1, max: 4 }), chunk: fc.integer({ min: 0, max: 3 }), start: fc.nat(20), length: fc.option(fc.nat(9)), group: fc.nat(2), flush: fc.boolean() });
    fc.assert(fc.property(fc.array(change, { maxLength: 40 }), (changes) => {
      const run = new ScriptedRun();
      const groups = [run.group(), run.group({ kind: 'pool' }), run.group({ kind: 'all' })];
      const store = new RunStore();
      feed(store, [run.hello(), run.delta()]);
      const ids: number[] = [];
      for (const { task, lane, chunk, start, length, group, flush } of changes) {
        const end = length === null ? NaN : start + length;
        const facts = { group: groups[group], ordinal: task + 1, lane, chunk, queued: NaN, start, end, state: length === null ? TaskState.pending : TaskState.fulfilled };
        if (task < ids.length) run.timeline.updateTask(ids[task], facts); else ids.push(run.timeline.addTask(facts));
        if (flush) feed(store, [run.delta()]);
      }
      feed(store, [run.delta()]);
      const { tasks } = run.timeline;
      for (const group of groups) {
        const expected = new Map<number, readonly number[]>();
        for (let row = 0; row < tasks.length; row++) if (tasks.group[row] === group) expected.set(row + 1, [tasks.lane[row], tasks.start[row], tasks.end[row], tasks.state[row]]);
        expect(contents(store, group)).toEqual(expected);
        for (const lane of store.groups.get(group)?.lanes ?? []) {
          const starts = [...(lane?.start.subarray(0, lane.length) ?? [])];
          expect(starts).toEqual(starts.toSorted((a, b) => a - b));
        }
        expectSpans(store, group);
      }
    }));
  });

  /** Spans kept task by task are the spans counted from scratch. */
  function expectSpans(store: RunStore, id: number): void {
    const group = store.groups.get(id);
    const all = [...contents(store, id)];
    if (!group || all.length === 0) return;
    for (const span of group.frames) {
      const mine = span.number === 0 ? all : all.filter(([task]) => store.tasks.chunkOf(task) === span.number);
      expect(span.slots).toBe(mine.length);
      expect(span.start).toBe(Math.min(...mine.map(([, [, start]]) => start)));
      const ended = mine.filter(([, [, , end]]) => !Number.isNaN(end));
      expect(span.pending).toBe(mine.length - ended.length);
      const longest = Math.max(...ended.map(([, [, start, end]]) => end - start));
      if (ended.length > 0) expect(span.longestEnd - span.longestStart).toBe(longest);
    }
  }

  it('takes a group that is no more away, and a task that moved along', () => {
    const run = new ScriptedRun();
    const [one, two] = [run.group({ kind: 'all' }), run.group({ kind: 'chunk' })];
    const task = run.task(one, { start: 0, end: 5 });
    const store = new RunStore();
    feed(store, run.frames());
    run.timeline.removeGroup(one);
    run.timeline.updateTask(task, { group: two, ordinal: 1, lane: 2, chunk: 1, queued: NaN, start: 0, end: 5, state: TaskState.fulfilled });
    feed(store, [run.delta()]);
    expect([...store.groups.keys()]).toEqual([two]);
    expect(contents(store, two)).toEqual(new Map([[task, [2, 0, 5, TaskState.fulfilled]]]));
  });

  it('refuses rows that make no sense, counts them, and keeps the rest', () => {
    const sound = { id: 1, lane: 1, chunk: 0, start: 0, end: 5, state: 1 };
    const rows = [sound, ...[{ id: 0 }, { id: 2 ** 31 }, { start: NaN }, { start: 5, end: 1 }, { start: Infinity }, { lane: 0 }, { lane: 2 ** 31 }, { state: 3 }, { chunk: 2 ** 31 }].map((bad) => ({ ...sound, id: 2, ...bad }))];
    const tasks = createTaskColumns(rows.length);
    tasks.length = rows.length;
    tasks.group.fill(1);
    rows.forEach((row, i) => { for (const key of ['id', 'lane', 'chunk', 'start', 'end', 'state'] as const) tasks[key][i] = row[key]; });
    const store = new RunStore();
    const run = new ScriptedRun();
    feed(store, [run.hello(), run.delta({ tasks })]);
    expect(store.refused).toBe(rows.length - 1);
    expect([...contents(store, 1).keys()]).toEqual([1]);
  });

  it('forgets everything at a hello', () => {
    const run = new ScriptedRun();
    run.task(run.group(), { start: 0 });
    const store = new RunStore();
    feed(store, run.frames());
    feed(store, [run.hello()]);
    expect([store.groups.size, store.state, store.clock.isRunning]).toEqual([0, undefined, false]);
  });
});

describe('a chunk', () => {
  it('ends with its longest task, and by now while one is pending', () => {
    const run = new ScriptedRun();
    const group = run.group();
    run.task(group, { start: 0, end: 8, lane: 1, chunk: 1 });
    run.task(group, { start: 0, end: 4, lane: 2, chunk: 1 });
    run.task(group, { start: 8, lane: 1, chunk: 2 });
    const store = new RunStore();
    feed(store, run.frames());
    const [first, second] = store.groups.get(group)?.frames ?? [];
    expect([first.number, spanEnd(first, 10), first.longestId]).toEqual([1, 8, 1]);
    expect([second.number, spanEnd(second, 10), second.longestId]).toEqual([2, 10, 0]);
  });
});

describe('the host’s clock', () => {
  it('goes on between messages, and never back while the run lasts', () => {
    const clock = new HostClock();
    clock.hear(100, 1000, true);
    expect(clock.now(1050)).toBe(150);
    clock.hear(140, 1060, true);
    expect(clock.now(1060)).toBe(150);
    expect(clock.now(1100)).toBe(180);
  });

  it('stands at the host’s last word once the run is over, and where the connection broke', () => {
    const clock = new HostClock();
    clock.hear(100, 0, true);
    clock.hear(120, 50, false);
    expect(clock.now(9999)).toBe(120);
    clock.hear(200, 0, true);
    clock.stop(30);
    expect(clock.now(9999)).toBe(230);
  });
});

describe('a lane', () => {
  it('finds the task that runs at a moment, a pending one up to now, and none in a gap', () => {
    const lane = new Lane(new TickClock());
    lane.insert(1, 0, 5, 1);
    lane.insert(3, 12, NaN, 0);
    lane.insert(2, 6, 9, 1);
    expect([-1, 0, 5, 5.5, 7, 10, 13, 21].map((time) => lane.at(time, 20))).toEqual([-1, 0, 0, -1, 1, -1, 2, -1]);
  });
});

describe('stepping by keyboard', () => {
  it('goes along a lane and to the task nearest in time on the next one', () => {
    const run = new ScriptedRun();
    const group = run.group({ kind: 'pool' });
    [[1, 0, 6], [1, 6, 9], [3, 0, 2], [3, 2, 7], [3, 7, 8]].forEach(([lane, start, end]) => run.task(group, { lane, start, end }));
    const store = new RunStore();
    feed(store, run.frames());
    const tasks = store.groups.get(group);
    if (!tasks) throw new Error('no group');
    const walk = (...steps: Step[]): unknown => steps.reduce<ReturnType<typeof stepTask>>((at, step) => stepTask(tasks, at, step), undefined);
    expect(walk('right')).toEqual({ lane: 1, index: 0 });
    expect(walk('right', 'right', 'right')).toEqual({ lane: 1, index: 1 });
    expect(walk('right', 'right', 'up')).toEqual({ lane: 3, index: 2 }); // lane 2 is empty; 7 is nearer to 6 than 2
    expect(walk('right', 'right', 'up', 'first', 'down')).toEqual({ lane: 1, index: 0 });
    expect(walk('right', 'down')).toEqual({ lane: 1, index: 0 });
    expect(walk('right', 'last')).toEqual({ lane: 1, index: 1 });
  });
});
