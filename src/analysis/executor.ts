/**
 * What `java.util.concurrent.ThreadPoolExecutor` does with tasks whose durations are known: who runs where, what waits, what
 * is rejected. Its rules: fewer threads than *core*: a new one; else the queue; the queue full: a new thread, up to *max*;
 * that many too: rejected. Recorded runs of the real one stand beside the tests.
 *
 * Where several things happen at one moment, tasks end first (the one started earlier before the other), then threads whose
 * time is up, then the next task is submitted; the real one decides such races by chance.
 */
import { requireCount, ticksOf } from './schedule';

/**
 * `callerRuns`: the submitting thread runs it; `abort`: it is told; `discard`: nobody is told; `discardOldest`: the head of
 * the queue goes in its place.
 */
export const REJECTIONS = ['callerRuns', 'abort', 'discard', 'discardOldest'] as const;
export type Rejection = (typeof REJECTIONS)[number];

export interface ExecutorSettings {
  /** Threads that stay, from 0. */
  readonly core: number;
  /** Threads at the most, from 1, not below `core`. */
  readonly max: number;
  /** How long a thread beyond core waits for work before it ends, in the unit of the durations. */
  readonly keepAlive: number;
  /** Tasks that can wait, from 0. With 0 (a SynchronousQueue) a task is handed to a thread that waits, the last one that came to wait. */
  readonly queue: number;
  readonly rejection: Rejection;
}

export type TaskOutcome = 'ran' | 'callerRan' | 'rejected' | 'discarded';

export interface ExecutorTask {
  readonly outcome: TaskOutcome;
  /** 1-based, in the order in which threads were made; 0 where it did not run on one. */
  readonly thread: number;
  /** When it was really submitted: later than asked where the submitting thread was running a task itself. */
  readonly submitted: number;
  /** NaN where it never ran. */
  readonly start: number;
  readonly end: number;
}

export interface ExecutorSchedule {
  /** Row i is the task submitted as number i + 1. */
  readonly tasks: readonly ExecutorTask[];
  /** Row i is thread i + 1; `to` is missing for threads that stay. */
  readonly threads: readonly { readonly from: number; readonly to?: number }[];
  /** The queue's length whenever it changed. */
  readonly queue: readonly { readonly at: number; readonly length: number }[];
  /** The end of the task that ends last; 0 where none ran. */
  readonly makespan: number;
}

/**
 * @param submitAt when the submitting thread comes to each task, not falling; times are in any one unit
 * @param durations of the tasks, in the same unit
 * @throws RangeError where an argument is out of range, or where DiscardOldest has no queue to discard from (the real one then recurses until its stack is full)
 */
export function scheduleExecutor(submitAt: ArrayLike<number>, durations: ArrayLike<number>, settings: ExecutorSettings): ExecutorSchedule {
  check(submitAt, durations, settings);
  const count = durations.length;
  const { ticks, perUnit } = ticksOf([...Array.from(submitAt), ...Array.from(durations), settings.keepAlive]);
  return new Executor(ticks.subarray(0, count), ticks.subarray(count, 2 * count), { ...settings, keepAlive: ticks[2 * count] }, perUnit).run();
}

interface Running { readonly task: number; readonly thread: number; readonly end: number }
/** A thread that waits for work; `isTimed` where there were more than core when it began to. */
interface Waiting { readonly thread: number; readonly since: number; readonly isTimed: boolean }
type Draft = { -readonly [K in keyof ExecutorTask]: ExecutorTask[K] };

/** Counts in ticks. */
class Executor {
  private readonly tasks: Draft[];
  private readonly threads: { from: number; to?: number }[] = [];
  private readonly lengths: { at: number; length: number }[] = [];
  /** The order in which they end. */
  private readonly running: Running[] = [];
  /** The order in which they came to wait. */
  private readonly waiting: Waiting[] = [];
  private readonly queue: number[] = [];
  private alive = 0;
  private callerFreeAt = 0;
  private now = 0;

  constructor(private readonly submitAt: Float64Array, private readonly durations: Float64Array, private readonly settings: ExecutorSettings, private readonly perUnit: number) {
    this.tasks = Array.from(durations, () => ({ outcome: 'rejected', thread: 0, submitted: 0, start: NaN, end: NaN }));
  }

  run(): ExecutorSchedule {
    let next = 0;
    for (;;) {
      const submission = next < this.tasks.length ? Math.max(this.submitAt[next], this.callerFreeAt) : Infinity;
      const end = this.running.at(0)?.end ?? Infinity;
      const timed = this.waiting.findIndex(({ isTimed }) => isTimed);
      const expiry = timed < 0 ? Infinity : this.waiting[timed].since + this.settings.keepAlive;
      this.now = Math.min(submission, end, expiry);
      if (this.now === Infinity) break;
      if (end === this.now) this.endFirst();
      else if (expiry === this.now) this.expire(timed);
      else this.submit(next++);
    }
    const unit = <T extends object>(row: T, ...keys: (keyof T)[]): T => {
      for (const key of keys) if (typeof row[key] === 'number') Object.assign(row, { [key]: row[key] / this.perUnit });
      return row;
    };
    for (const task of this.tasks) unit(task, 'submitted', 'start', 'end');
    return {
      tasks: this.tasks, threads: this.threads.map((thread) => unit(thread, 'from', 'to')), queue: this.lengths.map((step) => unit(step, 'at')),
      makespan: this.tasks.reduce((latest, { end }) => (end > latest ? end : latest), 0),
    };
  }

  private submit(task: number): void {
    this.tasks[task].submitted = this.now;
    this.execute(task);
  }

  private execute(task: number): void {
    const { core, max, queue: capacity } = this.settings;
    if (this.alive < core) return this.runOnNew(task);
    // Threads in line for a queue are served in their order; a SynchronousQueue is a stack.
    const idle = capacity > 0 ? this.waiting.shift() : this.waiting.pop();
    if (idle) return this.runOn(idle.thread, task);
    if (this.queue.length < capacity) {
      // Without core threads somebody has to be there to take what is queued.
      if (this.alive === 0) return this.runOnNew(task);
      this.queue.push(task);
      return this.noteQueue();
    }
    if (this.alive < max) return this.runOnNew(task);
    this.reject(task);
  }

  private reject(task: number): void {
    switch (this.settings.rejection) {
      case 'callerRuns': {
        const end = this.now + this.durations[task];
        Object.assign(this.tasks[task], { outcome: 'callerRan', start: this.now, end });
        this.callerFreeAt = end;
        return;
      }
      case 'discardOldest': {
        const oldest = this.queue.shift();
        if (oldest !== undefined) this.tasks[oldest].outcome = 'discarded';
        return this.execute(task);
      }
      case 'abort': case 'discard':
        this.tasks[task].outcome = this.settings.rejection === 'abort' ? 'rejected' : 'discarded';
    }
  }

  private runOnNew(task: number): void {
    this.alive++;
    this.runOn(this.threads.push({ from: this.now }), task);
  }

  private runOn(thread: number, task: number): void {
    const end = this.now + this.durations[task];
    Object.assign(this.tasks[task], { outcome: 'ran', thread, start: this.now, end });
    // Of those that end together the one started earlier comes first.
    const place = this.running.findLastIndex((other) => other.end <= end) + 1;
    this.running.splice(place, 0, { task, thread, end });
  }

  private endFirst(): void {
    const ended = this.running.shift();
    if (!ended) return;
    const task = this.queue.shift();
    if (task === undefined) {
      this.waiting.push({ thread: ended.thread, since: this.now, isTimed: this.alive > this.settings.core });
      return;
    }
    this.noteQueue();
    this.runOn(ended.thread, task);
  }

  /** A thread has waited as long as it may: it ends if there are more than core still, else it goes on waiting, last in line. */
  private expire(index: number): void {
    const [{ thread }] = this.waiting.splice(index, 1);
    if (this.alive > this.settings.core) {
      this.alive--;
      this.threads[thread - 1].to = this.now;
    } else {
      this.waiting.push({ thread, since: this.now, isTimed: false });
    }
  }

  private noteQueue(): void { this.lengths.push({ at: this.now, length: this.queue.length }); }
}

function check(submitAt: ArrayLike<number>, durations: ArrayLike<number>, { core, max, keepAlive, queue, rejection }: ExecutorSettings): void {
  requireCount('max', max);
  requireWhole('core', core);
  requireWhole('the queue', queue);
  if (core > max) throw new RangeError(`core has to be no more than max, which is ${max}, not ${core}`);
  if (!(keepAlive >= 0 && keepAlive < Infinity)) throw new RangeError(`keepAlive has to be a number from 0, not ${keepAlive}`);
  if (rejection === 'discardOldest' && queue === 0) throw new RangeError('DiscardOldest needs a queue of at least 1: it makes room by discarding from it');
  if (submitAt.length !== durations.length) throw new RangeError(`there are ${durations.length} durations for ${submitAt.length} submissions`);
  for (let i = 1; i < submitAt.length; i++) if (!(submitAt[i] >= submitAt[i - 1])) throw new RangeError('tasks have to be submitted in their order');
}

function requireWhole(what: string, value: number): void {
  if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`${what} has to be a whole number from 0, not ${value}`);
}
