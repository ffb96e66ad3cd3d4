/**
 * A summary of a group's ended tasks over time × lanes, for views in which a pixel holds many of them. Each cell says what
 * share of it is busy and the worst state in it, which no averaging takes away: one failed task among a million is seen.
 * Level k + 1 holds the cells of level k two by two in time. Tasks are added one by one; `sync` brings the upper levels up
 * to date where something came in.
 */
import { ABORTED, IGNORED, STATE_MASK, TaskState, TIMED_OUT } from '../../src/model/timeline';

/** Severity of a cell, 0: nothing in it. Fulfilled tasks of hue h have h more: coloured by duration, the longest of a cell is seen. */
export const Worth = { none: 0, fulfilled: 1, ignored: 28, aborted: 29, timedOut: 30, rejected: 31 } as const;
export const WORTHS = 32;

/** @param hue 0: by outcome; at most 26 */
export const worthOf = (state: number, hue = 0): number =>
  (state & STATE_MASK) === TaskState.rejected ? (state & ABORTED) !== 0 ? Worth.aborted : (state & TIMED_OUT) !== 0 ? Worth.timedOut : Worth.rejected : (state & IGNORED) !== 0 ? Worth.ignored : Worth.fulfilled + hue;

export interface MipLevel {
  /** Cells of a lane. */
  readonly cells: number;
  /** Ticks a cell is wide. */
  readonly width: number;
  /** Ticks worked in each cell; cell c of lane index r at r × cells + c. */
  readonly busy: Float32Array;
  /** `Worth` of each cell. */
  readonly worst: Uint8Array;
}

/** Of level 0. All levels together take 2 × 5 B × this: 42 MB at the most. */
const MOST_CELLS = 1 << 22;
const MOST_ROWS = 1 << 12;
const LEAST_CELLS = 1 << 6;

export class Mip {
  private readonly base: number;
  private readonly worked: Float32Array[] = [];
  private readonly worsts: Uint8Array[] = [];
  /** Ticks a cell of level 0 is wide. */
  private width = 1;
  private dirtyFrom = Infinity;
  private dirtyTo = -1;

  static fits(lanes: number): boolean { return lanes > 0 && lanes <= MOST_ROWS; }

  constructor(readonly rows: number) {
    this.base = 2 ** Math.min(16, Math.floor(Math.log2(MOST_CELLS / rows)));
    for (let cells = this.base; cells >= LEAST_CELLS; cells /= 2) {
      this.worked.push(new Float32Array(rows * cells));
      this.worsts.push(new Uint8Array(rows * cells));
    }
  }

  /** @param row 0-based lane @param start @param end ticks */
  add(row: number, start: number, end: number, worth: number): void {
    while (end >= this.base * this.width) this.fold();
    const { base, width } = this;
    const [busy] = this.worked;
    const [worst] = this.worsts;
    const first = Math.floor(start / width);
    const last = Math.floor(end / width);
    if (first < this.dirtyFrom) this.dirtyFrom = first;
    if (last > this.dirtyTo) this.dirtyTo = last;
    for (let cell = first; cell <= last; cell++) {
      const at = row * base + cell;
      busy[at] += Math.min(end, (cell + 1) * width) - Math.max(start, cell * width);
      if (worth > worst[at]) worst[at] = worth;
    }
  }

  sync(): void {
    let from = this.dirtyFrom;
    let to = this.dirtyTo;
    for (let level = 1; level < this.worked.length && to >= from; level++) {
      from >>= 1;
      to >>= 1;
      for (let row = 0; row < this.rows; row++) this.halve(level - 1, level, row, from, to);
    }
    this.dirtyFrom = Infinity;
    this.dirtyTo = -1;
  }

  /** The coarsest level whose cells are no wider than `ticks`, or the finest there is. */
  levelFor(ticks: number): MipLevel {
    let level = 0;
    while (level + 1 < this.worked.length && this.width * 2 ** (level + 1) <= ticks) level++;
    return { cells: this.base >> level, width: this.width * 2 ** level, busy: this.worked[level], worst: this.worsts[level] };
  }

  /** Cells of level 0 become twice as wide. */
  private fold(): void {
    const half = this.base / 2;
    for (let row = 0; row < this.rows; row++) {
      this.halve(0, 0, row, 0, half - 1);
      this.worked[0].fill(0, row * this.base + half, (row + 1) * this.base);
      this.worsts[0].fill(0, row * this.base + half, (row + 1) * this.base);
    }
    this.width *= 2;
    this.dirtyFrom = 0;
    this.dirtyTo = this.base - 1;
  }

  private halve(from: number, to: number, row: number, first: number, last: number): void {
    const busy = this.worked[from];
    const worst = this.worsts[from];
    const toBusy = this.worked[to];
    const toWorst = this.worsts[to];
    const source = row * (this.base >> from);
    const target = row * (this.base >> to);
    for (let cell = first; cell <= last; cell++) {
      const a = source + 2 * cell;
      toBusy[target + cell] = busy[a] + busy[a + 1];
      toWorst[target + cell] = worst[a] > worst[a + 1] ? worst[a] : worst[a + 1];
    }
  }
}
