/**
 * Promises in front of a queue of callbacks: `new Promise((resolve) => { queue.push({ job, resolve }); next(); })`. The queue's
 * tasks are drawn where their jobs ran; whoever resolves a promise at the end of one says since when that task waited.
 *
 *   new Promise  ├┄┄┄┄ queued ┄┄┄┄┤▇▇▇▇ the job ▇▇▇▇┤ resolve
 */
import type { LibraryTask } from './library-task';
import type { PromiseNode } from '../promises/promise-node';

const MIN_PROMISED = 2;
/** Promises of a group that may be for tasks. */
const MAX_KEPT = 64;

interface Promised { readonly promise: PromiseNode; readonly task: LibraryTask }

/** Of one group. */
export class PromisedTasks {
  private endedCount = 0;
  private promisedCount = 0;
  private waiting: Promised[] = [];

  /** A task of the group's has ended. */
  end(): void { this.endedCount++; }

  /**
   * A promise was settled where a task ended.
   * @returns what is known by now to belong together: one alone may be for the whole queue
   */
  promised(task: LibraryTask, promise: PromiseNode): readonly Promised[] {
    this.promisedCount++;
    this.waiting.push({ promise, task });
    if (this.waiting.length > MAX_KEPT) this.waiting.shift();
    if (this.promisedCount < MIN_PROMISED || this.promisedCount * 2 < this.endedCount) return [];
    return this.waiting.splice(0);
  }
}
