/**
 * The tasks of one lane as columns sorted by start, 12 bytes a task, so that what is visible is found by binary search and
 * drawn in one walk. Columns hold ticks of the group's clock; all methods speak milliseconds after `timeOrigin`.
 */
import { PENDING, type TickClock } from './tick-clock';

/** A call of Promise.all over many tasks has as many lanes with one task each. */
const FIRST_CAPACITY = 1;
/** From here on columns grow by a quarter, not to the double: memory counts more than copying. */
const LARGE = 1024;
const ID_BITS = 27;
const ID_MASK = (1 << ID_BITS) - 1;

export class Lane {
  length = 0;
  start = new Uint32Array(FIRST_CAPACITY);
  /** `PENDING` while pending. */
  end = new Uint32Array(FIRST_CAPACITY);
  /** Id in the low 27 bits, the state's bits above them. */
  private tag = new Uint32Array(FIRST_CAPACITY);

  /** @param rail the lane's number in the `TaskTable` */
  constructor(private readonly clock: TickClock, readonly rail = 0) {}

  startOf(index: number): number { return this.clock.time(this.start[index]); }
  /** NaN while pending. */
  endOf(index: number): number { return this.end[index] === PENDING ? NaN : this.clock.time(this.end[index]); }
  /** Milliseconds of so many ticks. */
  msOf(ticks: number): number { return ticks * this.clock.tick; }
  idOf(index: number): number { return this.tag[index] & ID_MASK; }
  stateOf(index: number): number { return this.tag[index] >>> ID_BITS; }

  /** Tasks come almost always in start order: then this is an append. The clock has to hold the times. */
  insert(id: number, start: number, end: number, state: number): void {
    if (this.length === this.tag.length) this.grow();
    const ticks = this.clock.ticks(start);
    const at = this.length > 0 && this.start[this.length - 1] > ticks ? upperBound(this.start, this.length, ticks) : this.length;
    if (at < this.length) {
      for (const column of [this.start, this.end, this.tag]) column.copyWithin(at + 1, at, this.length);
    }
    this.length++;
    this.start[at] = ticks;
    this.setEnd(at, id, end, state);
  }

  setEnd(index: number, id: number, end: number, state: number): void {
    this.end[index] = Number.isNaN(end) ? PENDING : this.clock.ticks(end);
    this.tag[index] = id | (state << ID_BITS);
  }

  /** @returns the index of the task that is known to start at `start`, or −1 where it starts at another time */
  indexOf(id: number, start: number): number {
    const ticks = this.clock.ticks(start);
    for (let i = upperBound(this.start, this.length, ticks) - 1; i >= 0 && this.start[i] === ticks; i--) if (this.idOf(i) === id) return i;
    return -1;
  }

  /** @returns the index of a task, −1 where it is not here */
  find(id: number): number {
    let index = this.length - 1;
    while (index >= 0 && this.idOf(index) !== id) index--;
    return index;
  }

  removeAt(index: number): void {
    for (const column of [this.start, this.end, this.tag]) column.copyWithin(index, index + 1, this.length);
    this.length--;
  }

  /** The first task that may reach beyond `time`; tasks of one lane follow one another. */
  firstEndingAfter(time: number): number {
    const at = this.firstStartingAfter(time);
    return at > 0 ? at - 1 : 0;
  }

  firstStartingAfter(time: number): number { return upperBound(this.start, this.length, this.clock.ticks(time)); }

  /** @returns the index of the task that runs at `time`, or −1. @param now up to where pending tasks reach */
  at(time: number, now: number): number {
    const i = this.firstStartingAfter(time) - 1;
    if (i < 0) return -1;
    const end = this.endOf(i);
    return time <= (Number.isNaN(end) ? now : end) ? i : -1;
  }

  /** The clock has changed. @param to what ticks of before are now */
  retick(to: (ticks: number) => number): void {
    for (let i = 0; i < this.length; i++) {
      this.start[i] = to(this.start[i]);
      if (this.end[i] !== PENDING) this.end[i] = to(this.end[i]);
    }
  }

  private grow(): void {
    const capacity = this.tag.length < LARGE ? this.tag.length * 2 : Math.ceil(this.tag.length * 1.25);
    const grown = (column: Uint32Array): Uint32Array<ArrayBuffer> => {
      const larger = new Uint32Array(capacity);
      larger.set(column);
      return larger;
    };
    this.start = grown(this.start);
    this.end = grown(this.end);
    this.tag = grown(this.tag);
  }
}

/** @returns the first index whose value is greater than `value`, `length` where none is */
export function upperBound(sorted: Uint32Array, length: number, value: number): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle] > value) high = middle; else low = middle + 1;
  }
  return low;
}
