import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ActivityKind } from '../../../src/model/activity';
import { decodeFrame } from '../../../src/model/frames';
import { MAX_ACTIVITY_PER_DELTA, MAX_TASKS_PER_DELTA, MAX_UNACKNOWLEDGED, type Delta, type ToView } from '../../../src/model/protocol';
import type { RunInfo, RunState } from '../../../src/model/run';
import { TaskState } from '../../../src/model/timeline';
import { ViewFeed, type RunSource } from '../../../src/timeline/feed';
import { Timeline } from '../../../src/timeline/timeline';

const INFO: RunInfo = { command: ['node', 'a.mjs'], cwd: '/', node: '', timeOrigin: 0, title: 'a.mjs' };

class FakeRun implements RunSource {
  info = INFO;
  readonly timeline = new Timeline();
  phase: RunState['phase'] = 'running';
  private readonly listeners = new Set<() => void>();
  state(): RunState { return { phase: this.phase, elapsedMs: this.now(), complete: true, dropped: 0, sampledMs: 0, notices: [] }; }
  now(): number { return performance.now(); }
  onDidChange(listener: () => void): { dispose(): void } {
    this.listeners.add(listener);
    return { dispose: () => { this.listeners.delete(listener); } };
  }
  change(): void { for (const listener of this.listeners) listener(); }
  get listened(): number { return this.listeners.size; }
  group(): number { return this.timeline.addGroup({ thread: 1, kind: 'pool' }); }
  task(group: number, start = 0, end = NaN): number {
    const state = Number.isNaN(end) ? TaskState.pending : TaskState.fulfilled;
    return this.timeline.addTask({ group, ordinal: 1, lane: 1, chunk: 0, queued: NaN, start, end, state });
  }
}

/** A view that notes what it is sent, and acknowledges it at once unless told not to. */
function connect(run: FakeRun, acknowledging = true) {
  const got: { at: number; message: ToView }[] = [];
  const feed = new ViewFeed(run, {
    send: (frame) => {
      const message = decodeFrame(frame);
      got.push({ at: performance.now(), message });
      if (acknowledging && message.type === 'delta') feed.receive({ type: 'ack', seq: message.seq });
    },
  }, { locale: 'en', capabilities: { stop: true, runAgain: false, openSource: false, saveFile: false } });
  const deltas = (): Delta[] => got.map(({ message }) => message).filter((message) => message.type === 'delta');
  const hellos = (): number => got.length - deltas().length;
  return { feed, got, deltas, hellos };
}

const taskIds = (deltas: readonly Delta[]): number[] => deltas.flatMap((delta) => [...delta.tasks.id]);

describe('a feed to a view', () => {
  beforeEach(() => { vi.useFakeTimers(); });
  afterEach(() => { vi.useRealTimers(); });

  it('tells a view that nobody can see what is new about once a second, and at once when somebody can again', () => {
    const run = new FakeRun();
    const group = run.group();
    const { feed, deltas } = connect(run);
    feed.receive({ type: 'ready' });
    vi.advanceTimersByTime(100);
    feed.rest(true);
    const before = deltas().length;
    for (let i = 0; i < 500; i++) {
      run.task(group, i);
      run.change();
      vi.advanceTimersByTime(10);
    }
    expect(deltas().length - before).toBeGreaterThanOrEqual(4);
    expect(deltas().length - before).toBeLessThanOrEqual(6);
    run.task(group, 600);
    run.change();
    feed.rest(false);
    vi.advanceTimersByTime(150);
    expect(taskIds(deltas()).length).toBe(501);
  });

  it('does not let a view that rests fall behind, however much comes', () => {
    const run = new FakeRun();
    const group = run.group();
    const { feed, deltas } = connect(run);
    feed.receive({ type: 'ready' });
    vi.advanceTimersByTime(100);
    feed.rest(true);
    for (let i = 0; i < 3 * MAX_TASKS_PER_DELTA; i++) run.task(group, i, i + 1);
    run.change();
    vi.advanceTimersByTime(1900);
    expect(taskIds(deltas()).length).toBe(3 * MAX_TASKS_PER_DELTA);
  });

  it('keeps each frame far below what a frame may hold, however long the names of thousands of groups are', () => {
    const run = new FakeRun();
    const name = '\u0001'.repeat(40_000); // six bytes a letter in JSON
    const count = 3000;
    for (let i = 0; i < count; i++) run.task(run.timeline.addGroup({ thread: 1, kind: 'pool', site: { file: name, line: 1, column: 1, function: name }, taskSite: { file: name, line: 2, column: 1, function: name } }), 0, 1);
    let largest = 0;
    const seen = new Set<number>();
    const feed = new ViewFeed(run, {
      send(frame) {
        largest = Math.max(largest, frame.byteLength);
        const message = decodeFrame(frame);
        if (message.type !== 'delta') return;
        for (const group of message.groups) seen.add(group.id);
        feed.receive({ type: 'ack', seq: message.seq });
      },
    }, { locale: 'en', capabilities: { stop: true, runAgain: false, openSource: false, saveFile: false } });
    feed.receive({ type: 'ready' });
    for (let i = 0; i < 100 && seen.size < count; i++) vi.advanceTimersByTime(10_000);
    expect(seen.size).toBe(count);
    expect(largest).toBeLessThan(32 << 20);
    feed.dispose();
  });

  it('has a view show the tasks of a line once, and a view that had not confirmed it once more', () => {
    const run = new FakeRun();
    run.task(run.group(), 0, 5);
    const { feed, deltas } = connect(run, false);
    const places = () => deltas().flatMap(({ place }) => place ?? []);
    const place = { file: '/w/a.mjs', line: 7 };
    feed.showPlace(place);
    feed.receive({ type: 'ready' });
    vi.advanceTimersByTime(100);
    expect(places()).toEqual([place]);
    feed.receive({ type: 'ready' });
    vi.advanceTimersByTime(100);
    expect(places()).toEqual([place, place]);
    feed.receive({ type: 'ack', seq: deltas().at(-1)?.seq ?? 0 });
    feed.receive({ type: 'ready' });
    vi.advanceTimersByTime(500);
    expect(places()).toHaveLength(2);
  });

  it('sends what threads went through once, and all of it to a view that begins anew', () => {
    const run = new FakeRun();
    const pause = (start: number): void => { run.timeline.activity.add({ thread: 1, kind: ActivityKind.gc, start, end: start + 2, count: 1, most: 0, limit: 0 }); };
    for (let i = 0; i < MAX_ACTIVITY_PER_DELTA + 1; i++) pause(i);
    const { feed, deltas } = connect(run);
    feed.receive({ type: 'ready' });
    vi.advanceTimersByTime(100);
    pause(-1);
    run.change();
    vi.advanceTimersByTime(100);
    const starts = deltas().flatMap(({ activity }) => [...activity?.start ?? []]);
    expect(starts.length).toBe(MAX_ACTIVITY_PER_DELTA + 2);
    expect(starts.slice(-3)).toEqual([MAX_ACTIVITY_PER_DELTA - 1, MAX_ACTIVITY_PER_DELTA, -1]);
    const before = deltas().length;
    feed.receive({ type: 'ready' });
    vi.advanceTimersByTime(100);
    expect(deltas().slice(before).reduce((sum, { activity }) => sum + (activity?.length ?? 0), 0)).toBe(starts.length);
    feed.dispose();
  });

  it('says nothing before the view is ready, then hello and all there is', () => {
    const run = new FakeRun();
    const group = run.group();
    run.task(group);
    const { feed, got, deltas } = connect(run);
    vi.advanceTimersByTime(1000);
    expect(got).toEqual([]);
    feed.receive({ type: 'ready' });
    vi.advanceTimersByTime(20);
    expect(got[0].message).toMatchObject({ type: 'hello', run: { title: 'a.mjs' }, capabilities: { stop: true } });
    expect(deltas()[0]).toMatchObject({ seq: 1, caughtUp: true, groups: [{ id: group, taskCount: 1 }] });
    expect(taskIds(deltas())).toEqual([1]);
    feed.dispose();
  });

  it('splits what was there into deltas that fit, and says with the last that it has caught up', () => {
    const run = new FakeRun();
    const group = run.group();
    for (let i = 0; i < MAX_TASKS_PER_DELTA + 5; i++) run.task(group, i, i + 1);
    const { feed, deltas } = connect(run);
    feed.receive({ type: 'ready' });
    vi.advanceTimersByTime(5000);
    expect(deltas().slice(0, 2).map((delta) => [delta.tasks.length, delta.caughtUp])).toEqual([[MAX_TASKS_PER_DELTA, false], [5, true]]);
    feed.dispose();
  });

  it('sends a change once, a frame of the display after the last delta at the soonest', () => {
    const run = new FakeRun();
    const group = run.group();
    run.task(group, 0, 1);
    const { feed, got, deltas } = connect(run);
    feed.receive({ type: 'ready' });
    vi.advanceTimersByTime(1);
    for (let i = 0; i < 40; i++) {
      run.task(group, i, i + 1);
      run.change();
      vi.advanceTimersByTime(5);
    }
    vi.advanceTimersByTime(20);
    expect(taskIds(deltas())).toEqual(Array.from({ length: 41 }, (_, i) => i + 1));
    const times = got.slice(1).map(({ at }) => at);
    expect(Math.min(...times.slice(1).map((at, i) => at - times[i]))).toBeGreaterThanOrEqual(16);
    feed.dispose();
  });

  it('has no more deltas under way than the view may lag behind, and loses nothing meanwhile', () => {
    const run = new FakeRun();
    const group = run.group();
    const { feed, deltas } = connect(run, false);
    feed.receive({ type: 'ready' });
    for (let i = 0; i < 20; i++) {
      run.task(group, i, i + 1);
      run.change();
      vi.advanceTimersByTime(100);
    }
    expect(deltas()).toHaveLength(MAX_UNACKNOWLEDGED);
    feed.receive({ type: 'ack', seq: 1 });
    vi.advanceTimersByTime(100);
    expect(deltas()).toHaveLength(MAX_UNACKNOWLEDGED + 1);
    expect(taskIds(deltas())).toEqual(Array.from({ length: 20 }, (_, i) => i + 1));
    feed.dispose();
  });

  it('tells the figures of a running group about ten times a second though nothing new has come in', () => {
    const run = new FakeRun();
    run.task(run.group(), 0);
    const { feed, deltas } = connect(run);
    feed.receive({ type: 'ready' });
    vi.advanceTimersByTime(1050);
    const busy = deltas().map((delta) => delta.groups[0]?.metrics.busyMs);
    expect(busy.length).toBeGreaterThanOrEqual(10);
    expect(busy.length).toBeLessThanOrEqual(12);
    expect(busy).toEqual(busy.toSorted((a, b) => a - b));
    expect(new Set(busy).size).toBe(busy.length);
    feed.dispose();
  });

  it('falls silent after the end of the run, having told it', () => {
    const run = new FakeRun();
    run.task(run.group(), 0);
    const { feed, deltas } = connect(run);
    feed.receive({ type: 'ready' });
    vi.advanceTimersByTime(50);
    expect(feed.isDrained).toBe(false);
    run.phase = 'finished';
    run.change();
    vi.advanceTimersByTime(50);
    const sent = deltas().length;
    expect(deltas().at(-1)).toMatchObject({ state: { phase: 'finished' }, groups: [{ pending: 1 }] });
    expect(feed.isDrained).toBe(true);
    vi.advanceTimersByTime(5000);
    expect(deltas()).toHaveLength(sent);
    feed.dispose();
  });

  it('starts over from nothing when the view is ready again', () => {
    const run = new FakeRun();
    run.task(run.group(), 0, 1);
    run.phase = 'finished';
    const { feed, deltas, hellos } = connect(run);
    for (let i = 0; i < 2; i++) {
      feed.receive({ type: 'ready' });
      vi.advanceTimersByTime(500);
    }
    expect(hellos()).toBe(2);
    expect(deltas().map((delta) => [delta.seq, delta.tasks.length])).toEqual([[1, 1], [1, 1]]);
    feed.dispose();
  });

  it('starts over when more is known of who the run is', () => {
    const run = new FakeRun();
    const { feed, got, hellos } = connect(run);
    feed.receive({ type: 'ready' });
    vi.advanceTimersByTime(50);
    run.info = { ...INFO, node: 'v22.1.0', timeOrigin: 5 };
    run.change();
    vi.advanceTimersByTime(50);
    expect(hellos()).toBe(2);
    expect(got.filter(({ message }) => message.type === 'hello').at(-1)?.message).toMatchObject({ run: { node: 'v22.1.0', timeOrigin: 5 } });
    feed.dispose();
  });

  it('tells of a group that is no more, and of no task before its group', () => {
    const run = new FakeRun();
    for (let i = 0; i < 5000; i++) run.task(run.group(), 0, 1);
    const { feed, deltas } = connect(run);
    feed.receive({ type: 'ready' });
    vi.advanceTimersByTime(500);
    const known = new Set<number>();
    for (const delta of deltas()) {
      for (const group of delta.groups) known.add(group.id);
      for (const group of delta.tasks.group) expect(known.has(group)).toBe(true);
    }
    expect(known.size).toBe(5000);
    run.timeline.removeGroup(7);
    run.change();
    vi.advanceTimersByTime(500);
    expect(deltas().flatMap((delta) => delta.removed)).toEqual([7]);
    feed.dispose();
  });

  it('stops for good when disposed, and lets go of the run', () => {
    const run = new FakeRun();
    const { feed, got } = connect(run);
    feed.receive({ type: 'ready' });
    feed.dispose();
    const sent = got.length;
    run.change();
    vi.advanceTimersByTime(5000);
    expect(got).toHaveLength(sent);
    expect(run.listened).toBe(0);
  });

  it('leaves to its host what is not its own', () => {
    const { feed } = connect(new FakeRun());
    expect(feed.receive({ type: 'stop' })).toBe(false);
    expect(feed.receive({ type: 'ready' })).toBe(true);
    feed.dispose();
  });
});
