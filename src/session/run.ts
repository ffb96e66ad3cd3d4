/** A run as a view sees it, while it lasts: its process, the facts that come in, and the timeline they add up to. */
import { Grouping, type ThreadIntake } from '../grouping/grouping';
import type { Notice, RunInfo, RunState } from '../model/run';
import type { RunSource } from '../timeline/feed';
import { Timeline } from '../timeline/timeline';
import type { Ending, TracedProcess } from './launch';
import { stateOf } from './outcome';
import { endTree } from './process-tree';
import { RECORD_VERSION, type RunRecord } from './run-record';
import { SourceMaps } from './source-maps';
import { FactTail, MAX_BYTES_PER_POLL } from './tail';

const POLL_MS = 15;
const GRACE_MS = 3000;

export interface LiveRunOptions {
  /** Absolute path of the folder the agent writes into. Whoever made it takes it away, after `dispose`. */
  readonly folder: string;
  /** As the user would type it. */
  readonly command: readonly string[];
  readonly cwd: string;
  readonly title: string;
  readonly process: TracedProcess;
  /** What is to be said for as long as no process has begun. */
  readonly untilBegun?: Notice;
}

export class LiveRun implements RunSource {
  readonly timeline = new Timeline();
  readonly threads: ThreadIntake[] = [];
  /** Resolves once the process has ended and all it wrote has been read. */
  readonly finished: Promise<void>;
  private readonly grouping = new Grouping(this.timeline, new SourceMaps());
  private readonly tail: FactTail;
  private readonly listeners = new Set<() => void>();
  private readonly notices: Notice[] = [];
  /** Epoch milliseconds; measured from here on by the steady clock, which nobody sets back. */
  private readonly startedAt = Date.now();
  private readonly startedClock = performance.now();
  private currentInfo: RunInfo;
  private ending: Ending | undefined;
  private endedAt: number | undefined;
  private stopAsked = false;
  private disposed = false;
  /** Something has come in that is not judged to its end. */
  private isBehind = false;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly options: LiveRunOptions) {
    this.currentInfo = { command: options.command, cwd: options.cwd, node: '', timeOrigin: this.startedAt, title: options.title };
    this.tail = new FactTail(options.folder, () => {
      const thread = this.grouping.openThread();
      this.threads.push(thread);
      return thread;
    });
    this.finished = options.process.ended.then((ending) => this.finish(ending));
    this.poll();
  }

  get info(): RunInfo { return this.currentInfo; }

  state(): RunState {
    return stateOf({
      threads: this.threads, ending: this.ending, stopped: this.stopAsked, groups: this.timeline.groupIds().length,
      elapsedMs: this.now(), notices: [...this.notices, ...this.untilBegun()],
    });
  }

  now(): number { return Math.max(0, (this.endedAt ?? this.clock()) - this.currentInfo.timeOrigin); }

  record(): RunRecord {
    return {
      format: 'async-lanes-run', version: RECORD_VERSION, command: this.options.command, cwd: this.options.cwd,
      pid: this.options.process.pid, startedAt: this.startedAt, endedAt: this.endedAt,
      exitCode: this.ending?.exitCode, signal: this.ending?.signal, stopped: this.stopAsked,
    };
  }

  onDidChange(listener: () => void): { dispose(): void } {
    this.listeners.add(listener);
    return { dispose: () => { this.listeners.delete(listener); } };
  }

  /** Asks the process and all it started to end, and makes them after three seconds. */
  async stop(): Promise<void> {
    const { pid, ended } = this.options.process;
    if (this.ending || this.stopAsked || pid === undefined) return;
    this.stopAsked = true;
    await endTree(pid, ended, GRACE_MS);
  }

  /** Follows the run no further; the process, if it still runs, is left alone. */
  dispose(): void {
    this.disposed = true;
    clearTimeout(this.timer);
    this.listeners.clear();
  }

  private untilBegun(): Notice[] {
    const { untilBegun } = this.options;
    return untilBegun && !this.ending && this.threads.every((thread) => !thread.hello) ? [untilBegun] : [];
  }

  private poll(): void {
    const read = this.step();
    if (this.ending || this.disposed) return;
    this.timer = setTimeout(() => { this.poll(); }, read >= MAX_BYTES_PER_POLL ? 0 : POLL_MS);
    this.timer.unref();
  }

  /** Reads some of what has come in. @returns bytes read */
  private step(): number {
    let read = 0;
    try {
      read = this.tail.poll();
      if (read > 0 || this.isBehind) this.grouping.update();
    } catch (error) {
      this.giveUp(error);
    }
    if (read > 0 || this.isBehind) this.changed();
    this.isBehind = read > 0;
    return read;
  }

  private async finish(ending: Ending): Promise<void> {
    clearTimeout(this.timer);
    const endedAt = this.clock();
    while (!this.disposed && this.step() > 0) await new Promise((resolve) => { setImmediate(resolve); });
    this.endedAt = endedAt;
    // Where nobody was there to see the end, the process itself may have told it.
    const told = this.threads.find((thread) => thread.hello?.threadId === 0)?.end?.exitCode;
    this.ending = ending.exitCode === undefined && ending.signal === undefined ? { exitCode: told } : ending;
    this.changed();
  }

  private changed(): void {
    const origin = this.grouping.timeOrigin;
    const node = this.threads[0]?.hello?.node ?? '';
    if (origin !== undefined && (origin !== this.currentInfo.timeOrigin || node !== this.currentInfo.node)) {
      this.currentInfo = { ...this.currentInfo, timeOrigin: origin, node };
    }
    for (const listener of [...this.listeners]) listener();
  }

  /** A fault of ours must not take the user's run with it: what was seen until then stays, and it is said. */
  private giveUp(error: unknown): void {
    const reason = error instanceof Error ? error.message : String(error);
    const text = `Async Lanes could not read on what the script recorded: ${reason}`;
    if (this.notices.every((notice) => notice.text !== text)) this.notices.push({ severity: 'error', code: 'reading-failed', text, values: { reason } });
  }

  private clock(): number { return this.startedAt + performance.now() - this.startedClock; }
}

