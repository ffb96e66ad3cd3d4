/** Which stretch of time lies between which pixels: the one state all diagrams and the axis are functions of. */
import type { TimeRange } from './time-range';

/** No further in than this many milliseconds over the width: below a nanosecond of a double there is nothing to see. */
const LEAST_WINDOW_MS = 0.001;

export class Viewport {
  /** Pixels per millisecond; a time stands at `time * scale + shift`. */
  scale = 1;
  shift = 0;
  /** Grows with every change. */
  version = 0;
  /** Pixels of the plot's left and right edge. */
  left = 0;
  right = 1;
  range: TimeRange = { start: 0, end: 1 };
  /** True while all there is is shown: then the view follows as the range grows. */
  isFitted = true;

  x(time: number): number { return time * this.scale + this.shift; }
  time(x: number): number { return (x - this.shift) / this.scale; }
  get start(): number { return this.time(this.left); }
  get end(): number { return this.time(this.right); }
  get width(): number { return this.right - this.left; }

  /** Smallest and largest scale: all there is, and a microsecond. */
  get scaleExtent(): readonly [number, number] {
    const least = this.width / (this.range.end - this.range.start);
    return [least, Math.max(least, this.width / LEAST_WINDOW_MS)];
  }

  /** The plot has another size; what was shown stays shown. */
  resize(left: number, right: number): void {
    if (left === this.left && right === this.right) return;
    const { start, end } = this;
    this.left = left;
    this.right = Math.max(left + 1, right);
    this.show(start, end);
  }

  /** There is more (or less) to show. */
  setRange(range: TimeRange): void {
    if (range.start === this.range.start && range.end === this.range.end) return;
    const { start, end } = this;
    this.range = range;
    this.show(start, end);
  }

  fit(): void {
    this.isFitted = true;
    this.show(this.range.start, this.range.end);
  }

  /** Shows a stretch of time, as far as it lies in the range; a fitted view stays fitted. */
  show(start: number, end: number): void {
    const [least, most] = this.scaleExtent;
    const scale = this.isFitted ? least : Math.min(most, Math.max(least, this.width / Math.max(end - start, 1e-9)));
    this.place(scale, this.left - (this.isFitted ? this.range.start : start) * scale);
  }

  /** @param scale pixels per millisecond @param shift pixel of time 0 */
  place(scale: number, shift: number): void {
    const [least] = this.scaleExtent;
    this.isFitted = scale <= least * (1 + 1e-9);
    this.scale = scale;
    // Neither edge of the range comes inside the plot.
    this.shift = Math.min(this.left - this.range.start * scale, Math.max(this.right - this.range.end * scale, shift));
    this.version++;
  }
}
