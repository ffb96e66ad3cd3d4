/**
 * Work that a limiter's queue does for whoever waits for its result, and for nothing else:
 *
 *   async run(fn) {
 *     if (this.active < 3) { this.active++; try { return await fn(); } finally { this.active--; this.next(); } }
 *     return new Promise((resolve, reject) => { this.queue.push({ fn, resolve, reject }); });
 *   }
 *   next() { const job = this.queue.shift(); if (job) Promise.resolve().then(() => this.run(job.fn)).then(job.resolve, job.reject); }
 */
import { releaseOf } from './releases';
import { NO_WAIT_MS } from '../moments';
import type { LoopEntries } from '../promises/loop-entries';
import { workUnder } from '../promises/only-call';
import { isUserCall, type PromiseNode } from '../promises/promise-node';
import { sourceOf } from '../promises/chain-links';
import { workOf } from '../promises/work-of';

/**
 * The call that was made for a function in the meantime, where all that it waited for was the result of that, and it did nothing behind. Whoever is
 * let in by a wait begins something then.
 */
export function workDoneFor({ ended, isPending, lastWait, scope, turnWait }: PromiseNode, loop: LoopEntries): PromiseNode | undefined {
  const wait = turnWait ?? lastWait;
  if (!wait || isPending || !loop.isRightBehind(ended, wait.ended, NO_WAIT_MS)) return undefined;
  if (scope?.calls?.some(({ nodes }) => nodes.some(({ made }) => made >= wait.ended)) === true) return undefined;
  const { settledIn, isAsyncFunction, isDerived, made } = releaseOf(wait);
  if (isAsyncFunction || isDerived) return undefined;
  let given = settledIn?.isDerived ? settledIn.parent : undefined;
  // What has failed is passed on to the `catch` behind.
  while (given?.rejected && !given.inner && given.isDerived) given = given.parent;
  const work = given?.inner && sourceOf(given.inner);
  return work?.isAsyncFunction && work.made >= made ? work : undefined;
}

/** What such a call, a limiter's maybe, has called in turn. */
export const jobOf = (done: PromiseNode): PromiseNode => (isUserCall(done) ? workUnder(done, done.made) : undefined) ?? workOf(done);
