/**
 * Chunks without a promise: `files.forEach((file) => resize(file, () => { if (--pending === 0) nextRound(); }))`. Calls of one function made
 * in one go, and in the wake of the last of them that is through the same again.
 */
import type { Put } from './callback-put';

/** Calls made in one go that make a round. */
const MIN_CALLS = 2;

export class Rounds {
  /** Node's number of the callback that the latest calls were made in. */
  private run = -1;
  private calls: Put[] = [];
  private isNext = false;
  /** Whether they were told of as chunks. */
  isTold = false;

  /** Whether a call made in a callback is the first one there. */
  isFirstIn(run: number): boolean { return run !== this.run; }

  /** Whether the latest calls were made in one go, so that it is known when each is through. */
  get isRound(): boolean { return this.calls.length >= MIN_CALLS; }

  /** Whether the calls that a callback makes have a round before them, or the first of them had. */
  isBehindRound(run: number): boolean { return this.isRound || (this.isNext && !this.isFirstIn(run)); }

  /** Whether calls that came in the wake of a round have become one just now. */
  get isSecond(): boolean { return this.isNext && this.calls.length === MIN_CALLS; }

  /**
   * @param run Node's number of the callback that runs
   * @param isNext whether all calls before are through, and the last of them asked for this one
   * @returns calls whose end is to be seen from now on
   */
  add(put: Put, run: number, isNext: boolean): readonly Put[] {
    if (this.isFirstIn(run)) {
      this.isNext = isNext && this.isRound;
      this.run = run;
      this.calls = [];
    }
    this.calls.push(put);
    if (!this.isRound) return [];
    return this.calls.length === MIN_CALLS ? this.calls : [put];
  }
}
