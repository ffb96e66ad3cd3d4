/**
 * A log as lanes: a group for each pool, a lane for each of its threads, and on it what the thread did. What a thread did is
 * told by pairs of messages (one begins a task, one ends it), or, where no such messages are named, by silence: lines of one
 * thread that follow one another within the gap are one task, from the first of them to the last.
 */
import { TaskState } from '../model/timeline';
import { Timeline } from '../timeline/timeline';
import type { LogPattern } from './log-pattern';
import { poolOf } from './log-pattern';
import { DayCounter, parseLogTime } from './log-time';

export interface LogOptions {
  readonly pattern: LogPattern;
  /** A message that holds this begins a task. */
  readonly begin?: string;
  /** A message that holds this ends the task of its thread; without it, the next beginning or the thread's last line does. */
  readonly end?: string;
  /** Milliseconds of silence after which a thread's next line is another task. */
  readonly gapMs: number;
}

export interface LogCounts {
  readonly lines: number;
  /** Lines of another form than the pattern's, or without a moment. */
  readonly wrong: number;
  /** Ends without a beginning. */
  readonly unpaired: number;
  /** Tasks left out, for there were too many. */
  readonly beyond: number;
}

export const MAX_TASKS = 4_000_000;
/** Tasks that keep their thread's name and message; texts of all would not fit into memory. */
const MAX_LABELS = 100_000;
const MAX_LABEL = 120;

interface Open { start: number; last: number; failed: boolean; message: string }
interface Thread { readonly name: string; readonly group: number; readonly lane: number; open: Open | undefined }

export class LogLanes {
  readonly timeline = new Timeline();
  /** Epoch milliseconds (or milliseconds of the first day) of the first line: all times are counted from there. */
  origin: number | undefined;
  /** Milliseconds from the first line to the last. */
  elapsedMs = 0;
  private readonly threads = new Map<string, Thread>();
  private readonly pools = new Map<string, { readonly group: number; lanes: number; tasks: number }>();
  private readonly days = new DayCounter();
  private lines = 0;
  private wrong = 0;
  private unpaired = 0;
  private beyond = 0;
  private tasks = 0;

  constructor(private readonly options: LogOptions) {}

  get counts(): LogCounts { return { lines: this.lines, wrong: this.wrong, unpaired: this.unpaired, beyond: this.beyond }; }

  push(text: string): void {
    if (text === '') return;
    this.lines++;
    const line = this.options.pattern.read(text);
    const moment = line && parseLogTime(line.time);
    if (!line || moment === undefined) {
      this.wrong++;
      return;
    }
    const at = this.days.continuing(moment);
    this.origin ??= at;
    // Threads write past each other: a line may come a little before the first.
    const time = Math.max(0, at - this.origin);
    this.elapsedMs = Math.max(this.elapsedMs, time);
    this.take(this.threadOf(line.thread), time, line.message, /^(?:ERROR|FATAL|SEVERE)$/i.test(line.level));
  }

  /** The log is over: what is open ends with its thread's last line. */
  finish(): void {
    for (const thread of this.threads.values()) this.close(thread);
  }

  private take(thread: Thread, time: number, message: string, failed: boolean): void {
    const { begin, end, gapMs } = this.options;
    const { open } = thread;
    if (begin === undefined) {
      if (open && time - open.last <= gapMs) this.go(open, time, failed);
      else this.open(thread, time, message, failed);
    } else if (message.includes(begin)) {
      this.open(thread, time, message, failed);
    } else if (open) {
      this.go(open, time, failed);
      if (end !== undefined && message.includes(end)) this.close(thread);
    } else if (end !== undefined && message.includes(end)) {
      this.unpaired++;
    }
  }

  private go(open: Open, time: number, failed: boolean): void {
    open.last = Math.max(open.last, time);
    open.failed ||= failed;
  }

  private open(thread: Thread, time: number, message: string, failed: boolean): void {
    this.close(thread);
    thread.open = { start: time, last: time, failed, message };
  }

  private close(thread: Thread): void {
    const { open } = thread;
    thread.open = undefined;
    if (!open) return;
    if (++this.tasks > MAX_TASKS) {
      this.beyond++;
      return;
    }
    const pool = this.pools.get(poolOf(thread.name));
    const id = this.timeline.addTask({
      group: thread.group, ordinal: pool ? ++pool.tasks : 1, lane: thread.lane, chunk: 0, queued: NaN, start: open.start, end: open.last,
      state: open.failed ? TaskState.rejected : TaskState.fulfilled,
    });
    if (id <= MAX_LABELS) this.timeline.labelTask(id, `${thread.name}: ${open.message}`.slice(0, MAX_LABEL));
  }

  private threadOf(name: string): Thread {
    const known = this.threads.get(name);
    if (known) return known;
    const poolName = poolOf(name);
    let pool = this.pools.get(poolName);
    if (!pool) {
      pool = { group: this.timeline.addGroup({ thread: 1, kind: 'pool', name: poolName }), lanes: 0, tasks: 0 };
      this.pools.set(poolName, pool);
    }
    const thread: Thread = { name, group: pool.group, lane: ++pool.lanes, open: undefined };
    this.threads.set(name, thread);
    return thread;
  }
}
