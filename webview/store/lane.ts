/**
 * The tasks of one lane as columns sorted by start, so that what is visible is found by binary search and drawn in one
 * walk. 21 bytes a task; a summary for views in which a pixel holds many tasks can be kept beside these columns.
 */
/** A call of Promise.all over many tasks has as many lanes with one task each. */
const FIRST_CAPACITY = 1;

export class Lane {
  length = 0;
  /** Milliseconds after `timeOrigin`. */
  start = new Float64Array(FIRST_CAPACITY);
  /** As `start`; NaN while pending. */
  end = new Float64Array(FIRST_CAPACITY);
  id = new Uint32Array(FIRST_CAPACITY);
  /** `TaskState` | `IGNORED`. */
  state = new Uint8Array(FIRST_CAPACITY);

  /** Tasks come almost always in start order: then this is an append. */
  insert(id: number, start: number, end: number, state: number): void {
    if (this.length === this.id.length) this.grow();
    const at = this.length > 0 && this.start[this.length - 1] > start ? upperBound(this.start, this.length, start) : this.length;
    if (at < this.length) {
      for (const column of [this.start, this.end, this.id, this.state]) column.copyWithin(at + 1, at, this.length);
    }
    this.length++;
    this.start[at] = start;
    this.end[at] = end;
    this.id[at] = id;
    this.state[at] = state;
  }

  /** @returns the index of the task that is known to start at `start`, or −1 */
  indexOf(id: number, start: number): number {
    const after = upperBound(this.start, this.length, start);
    for (let i = after - 1; i >= 0 && this.start[i] === start; i--) if (this.id[i] === id) return i;
    return this.id.subarray(0, this.length).lastIndexOf(id);
  }

  remove(index: number): void {
    for (const column of [this.start, this.end, this.id, this.state]) column.copyWithin(index, index + 1, this.length);
    this.length--;
  }

  /** The first task that may reach beyond `time`; tasks of one lane follow one another. */
  firstEndingAfter(time: number): number {
    const at = upperBound(this.start, this.length, time);
    return at > 0 ? at - 1 : 0;
  }

  /** @returns the index of the task that runs at `time`, or −1. @param now up to where pending tasks reach */
  at(time: number, now: number): number {
    const i = upperBound(this.start, this.length, time) - 1;
    if (i < 0) return -1;
    const end = this.end[i];
    return time <= (Number.isNaN(end) ? now : end) ? i : -1;
  }

  private grow(): void {
    const capacity = this.id.length * 2;
    const { start, end, id, state } = this;
    (this.start = new Float64Array(capacity)).set(start);
    (this.end = new Float64Array(capacity)).set(end);
    (this.id = new Uint32Array(capacity)).set(id);
    (this.state = new Uint8Array(capacity)).set(state);
  }
}

/** @returns the first index whose value is greater than `value`, `length` where none is */
export function upperBound(sorted: Float64Array, length: number, value: number): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle] > value) high = middle; else low = middle + 1;
  }
  return low;
}
