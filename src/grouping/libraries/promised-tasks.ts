/**
 * Promises in front of a queue of callbacks: `new Promise((resolve) => { queue.push({ job, resolve }); next(); })`. The queue's
 * tasks are drawn where their jobs ran; whoever resolves a promise at the end of one says since when that task waited.
 *
 *   new Promise  ├┄┄┄┄ queued ┄┄┄┄┤▇▇▇▇ the job ▇▇▇▇┤ resolve
 */
import type { TaskDraft } from '../drafts';
import type { PromiseNode } from '../promises/promise-node';

const MIN_PROMISED = 2;
/** Ended tasks of a group that a promise may still be told of, and promises that may be for tasks. */
const MAX_KEPT = 64;

interface Promised { readonly promise: PromiseNode; readonly task: TaskDraft }

/** Of one group. */
export class PromisedTasks {
  private readonly ended = new Map<number, TaskDraft>();
  private endedCount = 0;
  private promisedCount = 0;
  private waiting: Promised[] = [];

  end(id: number, task: TaskDraft): void {
    this.endedCount++;
    this.ended.set(id, task);
    if (this.ended.size <= MAX_KEPT) return;
    const [oldest] = this.ended.keys();
    this.ended.delete(oldest);
  }

  /**
   * A promise was settled where a task ended.
   * @returns what is known by now to belong together: one alone may be for the whole queue
   */
  promised(id: number, promise: PromiseNode): readonly Promised[] {
    const task = this.ended.get(id);
    if (!task) return [];
    this.ended.delete(id);
    this.promisedCount++;
    this.waiting.push({ promise, task });
    if (this.waiting.length > MAX_KEPT) this.waiting.shift();
    if (this.promisedCount < MIN_PROMISED || this.promisedCount * 2 < this.endedCount) return [];
    return this.waiting.splice(0);
  }
}
