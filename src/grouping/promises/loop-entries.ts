/** When the event loop came in, as far as promises tell: one was settled by no function and in no reaction. All that is between two such moments ran in one go. */
import type { PromiseNode } from './promise-node';

/** Moments that are kept in mind; what is asked about was a moment ago. */
const KEPT = 1024;

export class LoopEntries {
  /** A ring of milliseconds after the run's `timeOrigin`. */
  private readonly times = new Float64Array(KEPT);
  private count = 0;

  /** When it came in last. */
  get latest(): number { return this.count > 0 ? this.times[(this.count - 1) % KEPT] : -Infinity; }

  /** A promise has settled: they come in the order in which they did. A derived one does so in a reaction, be that one of the language's own. */
  settled({ ended, endedTick, inReaction, isDerived, settledBy, settledIn, tick }: PromiseNode): void {
    const isOfReaction = isDerived || settledBy || settledIn || (inReaction && tick === endedTick);
    if (isOfReaction || this.latest >= ended) return;
    this.times[this.count++ % KEPT] = ended;
  }

  /**
   * Whether a time came right behind another one, however busy the machine was in between: the loop has not come in.
   * @param within milliseconds that are next to nothing, whatever came in
   */
  isRightBehind(time: number, before: number, within: number): boolean { return time - before < within || !this.hasComeBetween(before, time); }

  /** Whether the loop came in behind a time, and not behind another one; true where that is too long ago to be known. */
  hasComeBetween(after: number, until: number): boolean {
    const oldest = Math.max(0, this.count - KEPT);
    if (oldest > 0 && this.times[oldest % KEPT] > after) return true;
    // The latest one that is not behind the second time.
    let low = oldest;
    let high = this.count;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.times[middle % KEPT] <= until) low = middle + 1;
      else high = middle;
    }
    return low > oldest && this.times[(low - 1) % KEPT] > after;
  }
}
