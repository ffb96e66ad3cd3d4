/** What trace events told of one track (a thread, or one asynchronous operation), in columns, and what nests in what. */

/** `begin` and `end` stand alone; `whole` brings its own length. */
export const SlicePhase = { begin: 0, end: 1, whole: 2 } as const;
export type SlicePhase = (typeof SlicePhase)[keyof typeof SlicePhase];

/** Times are microseconds, as in the file. */
export interface Slice {
  readonly start: number;
  /** NaN where nothing has ended it. */
  readonly end: number;
  /** 1: in nothing else. */
  readonly level: number;
  /** What `add` was told with its beginning. */
  readonly what: number;
}

/** Ends and starts that differ by less are one moment: times of the file are decimal fractions. */
const SAME = 1e-4;

export class SliceTrack {
  private readonly times: number[] = [];
  private readonly lengths: number[] = [];
  private readonly phases: SlicePhase[] = [];
  private readonly whats: number[] = [];
  private isSorted = true;

  /** @param length only of a whole one @param what handed back with the slice */
  add(phase: SlicePhase, time: number, length: number, what: number): void {
    if (this.times.length > 0 && time < this.times[this.times.length - 1]) this.isSorted = false;
    this.times.push(time);
    this.lengths.push(length);
    this.phases.push(phase);
    this.whats.push(what);
  }

  /** Calls back for each slice, outer before inner. @returns ends without a beginning */
  slices(take: (slice: Slice) => void): number {
    const open: { start: number; end: number; level: number; what: number; isWhole: boolean }[] = [];
    let unpaired = 0;
    const found: { start: number; end: number; level: number; what: number }[] = [];
    for (const i of this.order()) {
      const time = this.times[i];
      for (let top = open.at(-1); top?.isWhole && top.end <= time + SAME; top = open.at(-1)) open.pop();
      if (this.phases[i] === SlicePhase.end) {
        let k = open.length - 1;
        while (k >= 0 && open[k].isWhole) k--;
        if (k < 0) unpaired++;
        else {
          found[open[k].what].end = time;
          open.length = k;
        }
        continue;
      }
      const isWhole = this.phases[i] === SlicePhase.whole;
      const slice = { start: time, end: isWhole ? time + this.lengths[i] : NaN, level: (open.at(-1)?.level ?? 0) + 1, what: this.whats[i] };
      open.push({ ...slice, what: found.length, isWhole });
      found.push(slice);
    }
    for (const slice of found) take(slice);
    return unpaired;
  }

  /** By time; of those at one time the longer first, else as they came. */
  private order(): Iterable<number> {
    const order = Array.from(this.times.keys());
    if (this.isSorted && this.phases.every((phase) => phase !== SlicePhase.whole)) return order;
    return order.sort((a, b) => this.times[a] - this.times[b]
      || (this.phases[a] === SlicePhase.whole && this.phases[b] === SlicePhase.whole ? this.lengths[b] - this.lengths[a] : 0) || a - b);
  }
}
