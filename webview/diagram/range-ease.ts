/** Lets the shown range glide to where it should be, so that a live picture grows without jumping. */
import type { TimeRange } from './time-range';

/** After so many milliseconds a third of the way is left. */
const TIME_CONSTANT_MS = 90;
const CLOSE_ENOUGH = 1e-3;

export class RangeEase {
  private current: TimeRange | undefined;
  private lastAt = 0;

  /**
   * @param at `performance.now()` of this frame @param instantly without gliding: reduced motion, or a new picture
   * @returns the range to show now
   */
  step(target: TimeRange, at: number, instantly: boolean): TimeRange {
    const from = this.current;
    const elapsed = Math.min(100, at - this.lastAt);
    this.lastAt = at;
    if (!from || instantly) return (this.current = target);
    const share = 1 - Math.exp(-elapsed / TIME_CONSTANT_MS);
    const next = { start: from.start + (target.start - from.start) * share, end: from.end + (target.end - from.end) * share };
    const left = Math.abs(target.start - next.start) + Math.abs(target.end - next.end);
    this.current = left < CLOSE_ENOUGH * (target.end - target.start) ? target : next;
    return this.current;
  }

  isAt(target: TimeRange): boolean { return this.current?.start === target.start && this.current.end === target.end; }

  reset(): void { this.current = undefined; }
}
