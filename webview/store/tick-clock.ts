/**
 * Times of one group as whole ticks in 32 bits. A tick is a power of two of a millisecond: about a nanosecond at first, and
 * twice as long each time the group outgrows the range (4 s at a nanosecond, 70 min at a microsecond). Whole milliseconds
 * stay exact up to 49 days. Ticks round down: a tick doubled and a time read anew then agree.
 */
const FINEST_MS = 2 ** -20;
/** The end of a task that has none. */
export const PENDING = 0xffffffff;
const LAST = PENDING - 1;

export class TickClock {
  /** Milliseconds after `timeOrigin` at tick 0. */
  origin = 0;
  /** Milliseconds. */
  tick = FINEST_MS;
  private latest = -Infinity;

  /** @param end NaN while pending @returns false where the range is too small: `widen` first */
  holds(start: number, end: number): boolean {
    const to = end > start ? end : start;
    if (this.latest === -Infinity) this.origin = Math.floor(start);
    if (start < this.origin || to - this.origin >= LAST * this.tick) return false;
    if (to > this.latest) this.latest = to;
    return true;
  }

  /** Makes room for a task. @returns how ticks of before become ticks of now */
  widen(start: number, end: number): (ticks: number) => number {
    const { origin, tick } = this;
    const from = Math.min(start, origin);
    this.latest = Math.max(this.latest, start, Number.isNaN(end) ? start : end);
    const span = this.latest - from;
    // Who comes early may be followed by somebody earlier still: room for as much again.
    const early = start < origin ? span : 0;
    while ((span + early) * 1.01 >= LAST * this.tick) this.tick *= 2;
    const step = Math.max(1, this.tick);
    if (start < origin || origin % step !== 0) this.origin = Math.floor((from - early) / step) * step;
    const shift = (origin - this.origin) / tick;
    const factor = tick / this.tick;
    return (ticks) => Math.floor((ticks + shift) * factor);
  }

  ticks(time: number): number { return Math.floor((time - this.origin) / this.tick); }
  time(ticks: number): number { return this.origin + ticks * this.tick; }
}
