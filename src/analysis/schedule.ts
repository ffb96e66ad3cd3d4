/**
 * What another schedule would have done with the same tasks: the recorded durations, in their order, laid out as chunks or
 * as rails. A prediction: it takes every task to last as long as it did, whatever runs beside it.
 *
 * Both count time in whole ticks, a millionth of the unit the durations come in (a nanosecond for milliseconds), and not in
 * sums of doubles. Which rail is free first is decided by comparing sums that took different ways (4 + 2 against 6, but also
 * 0.1 + 0.2 against 0.3), and sums of doubles would break such ties by their rounding error. Sums of whole numbers tie
 * exactly, and comparing them is transitive, which "equal within a tolerance" is not.
 */
const TICKS_PER_UNIT = 1e6;

/** Where each task goes. Row i is the task of ordinal i + 1; times are in the unit of the durations, from 0. */
export interface Schedule {
  readonly start: Float64Array;
  readonly end: Float64Array;
  /** 1-based: the slot within the chunk, or the rail. */
  readonly lane: Uint32Array;
  /** 1-based; 0 throughout where there are no chunks. */
  readonly chunk: Uint32Array;
  /** The end of the task that ends last; 0 without tasks. */
  readonly makespan: number;
}

/**
 * Chunks of `size` tasks: those of one chunk start together, each on a slot of its own, when the slowest of the chunk
 * before has ended. O(n).
 * @param durations finite, not negative, in any one unit
 * @param size whole number from 1
 * @throws RangeError where an argument is none of that
 */
export function scheduleChunks(durations: ArrayLike<number>, size: number): Schedule {
  requireCount('the chunk size', size);
  const { ticks, perUnit } = ticksOf(durations);
  const schedule = emptySchedule(ticks.length);
  let chunkStart = 0;
  let chunkEnd = 0;
  for (let i = 0; i < ticks.length; i++) {
    const slot = i % size;
    if (slot === 0) chunkStart = chunkEnd;
    const end = chunkStart + ticks[i];
    if (end > chunkEnd) chunkEnd = end;
    schedule.start[i] = chunkStart / perUnit;
    schedule.end[i] = end / perUnit;
    schedule.lane[i] = slot + 1;
    schedule.chunk[i] = Math.floor(i / size) + 1;
  }
  return { ...schedule, makespan: chunkEnd / perUnit };
}

/**
 * A pool on `rails` rails: each task in turn takes the rail that has been free the longest. Rails nobody has used yet come
 * first, by number; of two freed at the same moment, the one freed by the task of the lower ordinal. O(n log rails).
 *
 * Without tasks that wait for each other this cannot go wrong the way list schedules otherwise can: no more rails, no
 * shorter task and no task less ever makes it longer (a proof stands at the tests).
 * @param durations finite, not negative, in any one unit
 * @param rails whole number from 1
 * @throws RangeError where an argument is none of that
 */
export function scheduleRails(durations: ArrayLike<number>, rails: number): Schedule {
  requireCount('the number of rails', rails);
  const { ticks, perUnit } = ticksOf(durations);
  const schedule = emptySchedule(ticks.length);
  const queue = new RailQueue(Math.min(rails, ticks.length));
  let makespan = 0;
  for (let i = 0; i < ticks.length; i++) {
    const rail = queue.first;
    const start = queue.freeAt[rail];
    const end = start + ticks[i];
    if (end > makespan) makespan = end;
    schedule.start[i] = start / perUnit;
    schedule.end[i] = end / perUnit;
    schedule.lane[i] = rail + 1;
    queue.occupyFirst(end, i + 1);
  }
  return { ...schedule, makespan: makespan / perUnit };
}

/** The rails in the order in which they are to be taken: a binary heap over (free since, freed by, number). */
class RailQueue {
  /** Tick at which a rail is free, by 0-based rail. */
  readonly freeAt: Float64Array;
  /** Ordinal of the task that frees it; 0 before the first. */
  private readonly freedBy: Uint32Array;
  private readonly heap: Uint32Array;

  constructor(rails: number) {
    this.freeAt = new Float64Array(rails);
    this.freedBy = new Uint32Array(rails);
    this.heap = Uint32Array.from({ length: rails }, (_, rail) => rail);
  }

  /** The 0-based rail whose turn it is. */
  get first(): number { return this.heap[0]; }

  /** The first rail is taken until tick `end`. As it only ever moves back in the queue, sifting down is all the heap needs. */
  occupyFirst(end: number, ordinal: number): void {
    const { heap } = this;
    const rail = heap[0];
    this.freeAt[rail] = end;
    this.freedBy[rail] = ordinal;
    let hole = 0;
    for (;;) {
      let child = 2 * hole + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && this.isBefore(heap[child + 1], heap[child])) child++;
      if (!this.isBefore(heap[child], rail)) break;
      heap[hole] = heap[child];
      hole = child;
    }
    heap[hole] = rail;
  }

  private isBefore(a: number, b: number): boolean {
    return (this.freeAt[a] - this.freeAt[b] || this.freedBy[a] - this.freedBy[b] || a - b) < 0;
  }
}

/** Durations in whole ticks; coarser ones where the sum of all would otherwise outgrow what doubles can count (104 days of milliseconds). */
export function ticksOf(durations: ArrayLike<number>): { ticks: Float64Array; perUnit: number } {
  const ticks = Float64Array.from(durations);
  let total = 0;
  for (const duration of ticks) {
    total += duration;
    if (!(duration >= 0 && total < Infinity)) throw new RangeError(`durations have to be numbers from 0 and have a sum, not ${duration}`);
  }
  const perUnit = Math.min(TICKS_PER_UNIT, 10 ** Math.floor(Math.log10(Number.MAX_SAFE_INTEGER / Math.max(total, 1))));
  for (let i = 0; i < ticks.length; i++) ticks[i] = Math.round(ticks[i] * perUnit);
  return { ticks, perUnit };
}

export function requireCount(what: string, value: number): void {
  if (!Number.isSafeInteger(value) || value < 1) throw new RangeError(`${what} has to be a whole number from 1, not ${value}`);
}

const emptySchedule = (tasks: number) => ({
  start: new Float64Array(tasks), end: new Float64Array(tasks), lane: new Uint32Array(tasks), chunk: new Uint32Array(tasks),
});
