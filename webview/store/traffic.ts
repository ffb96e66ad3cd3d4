/**
 * How much went on over time: tasks in flight, tasks ended, tasks failed, in cells of equal width. Each task costs the same
 * however long it lasts: starts and ends are counted where they are, with how far into their cell they lie, and what is in
 * flight follows from their sums. As time goes on cells fold into wider ones, so that memory is fixed. All times are milliseconds
 * after `timeOrigin`.
 */
const CELLS = 1 << 12;
/** Of a cell at first. */
const FINEST_MS = 2 ** -10;

/** Sums from the origin up to a time. */
export interface Sums {
  /** Task-milliseconds in flight. */
  readonly flight: number;
  readonly ended: number;
  readonly failed: number;
}

/** The most in flight at once: exact where both are one number, else between them, as a cell keeps no order of its starts and ends. */
export interface Peak { readonly least: number; readonly most: number }

export class Traffic {
  /** Grows with every change. */
  version = 0;
  /** Milliseconds a cell is wide. */
  width = FINEST_MS;
  private readonly starts = new Int32Array(CELLS);
  /** How far into the cell, 0 to 1, summed up. */
  private readonly startsAt = new Float64Array(CELLS);
  private readonly ends = new Int32Array(CELLS);
  private readonly endsAt = new Float64Array(CELLS);
  private readonly failures = new Int32Array(CELLS);
  private readonly flightTo = new Float64Array(CELLS + 1);
  private readonly endedTo = new Float64Array(CELLS + 1);
  private readonly failedTo = new Float64Array(CELLS + 1);
  private summedVersion = 0;
  private inFlight = 0;
  private most: Peak = { least: 0, most: 0 };
  /** Highest cell that anything was counted in. */
  private last = 0;

  /** @param origin what began earlier counts as begun then */
  constructor(readonly origin: number) {}

  /** @param count −1 takes a start back */
  begin(start: number, count: 1 | -1 = 1): void {
    const cell = this.cellOf(start);
    this.starts[cell] += count;
    this.startsAt[cell] += count * this.shareOf(start, cell);
    this.version++;
  }

  /** @param count −1 takes an end back */
  finish(end: number, failed: boolean, count: 1 | -1 = 1): void {
    const cell = this.cellOf(end);
    this.ends[cell] += count;
    this.endsAt[cell] += count * this.shareOf(end, cell);
    if (failed) this.failures[cell] += count;
    this.version++;
  }

  /** Within a cell what happened counts as evenly spread. */
  upTo(time: number): Sums {
    this.sum();
    const at = Math.max(0, (time - this.origin) / this.width);
    const { flightTo, endedTo, failedTo } = this;
    if (at >= CELLS) return { flight: flightTo[CELLS] + (at - CELLS) * this.width * this.inFlight, ended: endedTo[CELLS], failed: failedTo[CELLS] };
    const cell = Math.floor(at);
    const share = at - cell;
    const between = (sums: Float64Array): number => sums[cell] + share * (sums[cell + 1] - sums[cell]);
    return { flight: between(flightTo), ended: between(endedTo), failed: between(failedTo) };
  }

  get peak(): Peak {
    this.sum();
    return this.most;
  }

  private sum(): void {
    if (this.summedVersion === this.version) return;
    this.summedVersion = this.version;
    const { starts, startsAt, ends, endsAt, failures, flightTo, endedTo, failedTo, width } = this;
    let [inFlight, least, most] = [0, 0, 0];
    for (let cell = 0; cell < CELLS; cell++) {
      flightTo[cell + 1] = flightTo[cell] + width * (inFlight + (starts[cell] - startsAt[cell]) - (ends[cell] - endsAt[cell]));
      endedTo[cell + 1] = endedTo[cell] + ends[cell];
      failedTo[cell + 1] = failedTo[cell] + failures[cell];
      if (ends[cell] > 0) most = Math.max(most, inFlight + starts[cell]);
      inFlight += starts[cell] - ends[cell];
      least = Math.max(least, inFlight);
    }
    this.inFlight = inFlight;
    this.most = { least, most: Math.max(least, most) };
  }

  private cellOf(time: number): number {
    const after = Math.max(0, time - this.origin);
    if (after >= CELLS * this.width) {
      let by = 2;
      while (after >= CELLS * this.width * by) by *= 2;
      this.fold(by);
    }
    const cell = Math.floor(after / this.width);
    if (cell > this.last) this.last = cell;
    return cell;
  }

  private shareOf(time: number, cell: number): number { return Math.max(0, time - this.origin) / this.width - cell; }

  /** @param by how many cells become one */
  private fold(by: number): void {
    const { last } = this;
    this.last = Math.floor(last / by);
    for (const [counts, at] of [[this.starts, this.startsAt], [this.ends, this.endsAt]] as const) {
      for (let cell = 0; cell <= this.last; cell++) {
        let [count, share] = [0, 0];
        for (let i = 0, from = cell * by; i < by && from + i <= last; i++) {
          count += counts[from + i];
          share += at[from + i] + counts[from + i] * i;
        }
        counts[cell] = count;
        at[cell] = share / by;
      }
      at.fill(0, this.last + 1, last + 1);
      counts.fill(0, this.last + 1, last + 1);
    }
    for (let cell = 0; cell <= this.last; cell++) {
      let count = 0;
      for (let i = 0, from = cell * by; i < by && from + i <= last; i++) count += this.failures[from + i];
      this.failures[cell] = count;
    }
    this.failures.fill(0, this.last + 1, last + 1);
    this.width *= by;
  }
}
