/** A run told step by step: a real Timeline, and the frames a host would send of it. */
import { encodeFrame } from '../../src/model/frames';
import { PROTOCOL_VERSION, type Capabilities, type Delta, type Hello } from '../../src/model/protocol';
import type { RunInfo, RunState } from '../../src/model/run';
import { createTaskColumns, IGNORED, TaskState, type Site, type TaskColumns } from '../../src/model/timeline';
import { Timeline, type GroupFacts, type TaskFacts } from '../../src/timeline/timeline';

export const SITE: Site = { file: '/work/app/lookup.mjs', line: 20, column: 24, function: 'main' };
export const TASK_SITE: Site = { file: '/work/app/lookup.mjs', line: 7, column: 1, function: 'fetchUser' };

export class ScriptedRun {
  readonly timeline = new Timeline();
  private readonly changes = this.timeline.track();
  private seq = 0;
  state: RunState = { phase: 'running', elapsedMs: 0, complete: true, dropped: 0, sampledMs: 0, notices: [] };
  now = 0;

  group(facts: Partial<GroupFacts> = {}): number {
    return this.timeline.addGroup({ thread: 1, kind: 'chunk', combinator: 'all', site: SITE, taskSite: TASK_SITE, ...facts });
  }

  /** A task; without an end it is pending. */
  task(group: number, facts: Partial<TaskFacts> & { start: number }): number {
    const open: TaskFacts = { group, ordinal: 1, lane: 1, chunk: 0, queued: NaN, end: NaN, state: TaskState.pending, ...facts };
    const ended = { ...open, state: Number.isNaN(open.end) ? TaskState.pending : facts.state ?? TaskState.fulfilled };
    return this.timeline.addTask(ended);
  }

  finish(exitCode = 0): this {
    this.state = { ...this.state, phase: 'finished', exitCode, elapsedMs: this.now };
    return this;
  }

  hello(change: { run?: Partial<RunInfo>; capabilities?: Partial<Capabilities>; locale?: string; protocol?: number; firstLane?: Hello['firstLane'] } = {}): ArrayBuffer {
    this.seq = 0;
    const hello: Hello = {
      type: 'hello', protocol: change.protocol ?? PROTOCOL_VERSION, locale: change.locale ?? 'en',
      run: { command: ['node', 'lookup.mjs'], cwd: '/work/app', node: 'v22.1.0', timeOrigin: 1795183154804, title: 'lookup.mjs', ...change.run },
      firstLane: change.firstLane ?? 'bottom',
      capabilities: { stop: true, runAgain: true, openSource: true, saveFile: true, ...change.capabilities },
    };
    return encodeFrame(hello);
  }

  /** What changed since the last one, as one frame. */
  delta(change: Partial<Delta> = {}): ArrayBuffer {
    this.state = { ...this.state, elapsedMs: this.now };
    const ids = this.changes.takeTasks(1 << 16);
    const labels = this.changes.takeLabels().map((id) => [id, this.timeline.labelOf(id) ?? ''] as const);
    const errors = this.changes.takeErrors().map((id) => [id, this.timeline.errorOf(id) ?? ''] as const);
    const groups = this.changes.takeGroups().flatMap((id) => this.timeline.group(id, this.now) ?? []);
    return encodeFrame({
      type: 'delta', seq: ++this.seq, now: this.now, state: this.state, caughtUp: true,
      groups, removed: this.changes.takeGone(), labels, errors, tasks: pick(this.timeline.tasks, ids), ...change,
    });
  }

  /** All of it from the start, as after `ready`. */
  frames(hello: Parameters<ScriptedRun['hello']>[0] = {}): ArrayBuffer[] {
    const frames = [this.hello(hello)];
    do frames.push(this.delta({ caughtUp: this.changes.isEmpty })); while (!this.changes.isEmpty);
    frames.push(this.delta());
    return frames;
  }
}

export const ignored = (state: TaskState): number => state | IGNORED;

function pick(from: TaskColumns, ids: readonly number[]): TaskColumns {
  const to = createTaskColumns(ids.length);
  to.length = ids.length;
  ids.forEach((id, i) => {
    const row = id - 1;
    to.id[i] = from.id[row]; to.group[i] = from.group[row]; to.ordinal[i] = from.ordinal[row]; to.lane[i] = from.lane[row]; to.chunk[i] = from.chunk[row];
    to.queued[i] = from.queued[row]; to.start[i] = from.start[row]; to.end[i] = from.end[row]; to.state[i] = from.state[row];
  });
  return to;
}
