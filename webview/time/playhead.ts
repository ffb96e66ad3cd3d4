/**
 * Up to where the picture is drawn: all there is, or up to a time that stands (drawing is paused) or goes on (what happened is
 * played again). Times are milliseconds on the axis.
 */
import type { TimeRange } from '../diagram/time-range';

/** With motion not wanted the picture goes on in steps of this length. */
const STEP_MS = 500;

export class Playhead {
  /** Undefined: all there is. */
  at: number | undefined;
  isPlaying = false;
  /** Milliseconds of the run in one of the reader's. */
  speed = 1;
  private steppedAt = 0;

  /** Stands at a time. */
  hold(at: number): void {
    this.at = at;
    this.isPlaying = false;
  }

  /** Goes on from where it is; from the start where it is nowhere or at the end. */
  play(range: TimeRange, now: number): void {
    if (this.at === undefined || this.at >= range.end) this.at = range.start;
    this.isPlaying = true;
    this.steppedAt = now;
  }

  pause(): void { this.isPlaying = false; }

  /** Shows all there is again. */
  leave(): void {
    this.at = undefined;
    this.isPlaying = false;
  }

  /** @param now `performance.now()` @param end of what there is to play */
  step(now: number, end: number, reducedMotion: boolean): void {
    if (this.at === undefined || !this.isPlaying || (reducedMotion && now - this.steppedAt < STEP_MS)) return;
    this.at = Math.min(end, this.at + Math.max(0, now - this.steppedAt) * this.speed);
    this.steppedAt = now;
    if (this.at >= end) this.isPlaying = false;
  }
}
