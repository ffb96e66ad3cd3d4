/**
 * Tasks of a library's pool of threads, as the thread tells of them that runs them: the pool's own function takes one message
 * after the other there, and calls the program's. On the side of who feeds the pool they are known by which thread they were
 * handed to, and as the how manyth.
 */
import type { TaskDraft } from '../drafts';
import { topOf } from '../promises/places';
import { isUserCall, type PromiseNode } from '../promises/promise-node';

/** Functions that take a message, in the files of a library that run in a worker. */
const TAKES = /^(?:onMessage|.+\.onMessage)$/;
const POOLS: ReadonlySet<string> = new Set(['piscina', 'tinypool']);
/** Tasks of which more may yet be heard. */
const MAX_OPEN = 1 << 14;

/** A task in the thread that runs it. Milliseconds after the run's `timeOrigin`; NaN as long as it is not known. */
interface Run { start: number; end: number }

/** What one thread tells of the tasks it ran for a pool. */
export class PoolRuns {
  readonly runs: Run[] = [];
  private readonly taking = new Map<PromiseNode, Run>();
  private readonly working = new Map<PromiseNode, Run>();

  /** A function that runs one of the tasks, as an adapter tells of it. */
  private entered: Run | undefined;

  /** The program's function for one is entered. */
  enter(time: number): void {
    this.entered = { start: time, end: NaN };
    this.runs.push(this.entered);
  }

  /** It has returned, but may have something to wait for. */
  leave(): void { this.entered = undefined; }

  rooted(node: PromiseNode): void {
    const { owner } = node;
    const run = this.entered ?? (owner && this.taking.get(owner));
    if (run && node.isAsyncFunction && isUserCall(node)) {
      if (owner) this.taking.delete(owner);
      this.entered = undefined;
      this.working.set(node, run);
      run.start = node.made;
    } else if (isTaking(node)) {
      const run: Run = { start: node.made, end: NaN };
      this.runs.push(run);
      this.taking.set(node, run);
    }
  }

  settled(node: PromiseNode): void {
    if (this.runs.length === 0) return;
    const run = this.working.get(node);
    if (run) run.end = node.ended;
    this.working.delete(node);
    this.taking.delete(node);
  }

  retiring(node: PromiseNode): void { this.settled(node); }
}

function isTaking({ isAsyncFunction, stack }: PromiseNode): boolean {
  const top = isAsyncFunction ? topOf(stack) : undefined;
  if (!top || !POOLS.has(top.place.library ?? '')) return false;
  return TAKES.test(top.place.name) || (top.place.name === '' && top.callers?.place.kind === 'library' && TAKES.test(top.callers.place.name));
}

/** What is known of a thread that tasks are handed to. Times ascend. */
export interface HandedTo {
  readonly pool: PoolRuns;
  readonly handled: readonly number[];
  readonly sent: readonly number[];
  readonly ended: boolean;
}

/** Tasks that a library handed to threads. */
export class HandedOver {
  private readonly counts = new Map<HandedTo, number>();
  private readonly open = new Set<{ readonly task: TaskDraft; readonly to: HandedTo; readonly index: number }>();

  add(task: TaskDraft, to: HandedTo): void {
    const index = this.counts.get(to) ?? 0;
    this.counts.set(to, index + 1);
    this.open.add({ task, to, index });
    if (this.open.size > MAX_OPEN) for (const oldest of this.open) { this.open.delete(oldest); break; }
  }

  /** Looks what the threads have said by now. @returns tasks of which more is known */
  update(): TaskDraft[] {
    const changed: TaskDraft[] = [];
    for (const one of this.open) {
      const { task, to, index } = one;
      const run = to.pool.runs.length > 0 ? to.pool.runs[index] : messageOf(to, index);
      const isOver = !Number.isNaN(task.end);
      if (isOver && (to.ended || (run && !Number.isNaN(run.end)))) this.open.delete(one);
      if (!run || !(run.start >= task.start) || run.start > task.end) continue;
      const end = isOver ? Math.min(run.end >= run.start ? run.end : task.end, task.end) : NaN;
      if (task.elsewhere?.start === run.start && Object.is(task.elsewhere.end, end)) continue;
      task.elsewhere = { start: run.start, end, lane: 0 };
      changed.push(task);
    }
    return changed;
  }
}

/** The how manyth message to a thread, and its last answer before the next one. */
function messageOf({ handled, sent }: HandedTo, index: number): Run | undefined {
  if (index >= handled.length) return undefined;
  const start = handled[index];
  const next = handled[index + 1] ?? Infinity;
  return { start, end: sent.findLast((time) => time >= start && time <= next) ?? NaN };
}
