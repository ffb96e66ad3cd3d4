/** What a lane's columns do not hold of a task, found by its id (which counts from 1 without holes). */
const FIRST_CAPACITY = 1024;

export class TaskTable {
  /** Group and lane under which the task stands in its group's columns; group 0: nowhere. */
  group = new Uint32Array(FIRST_CAPACITY);
  lane = new Uint32Array(FIRST_CAPACITY);
  ordinal = new Uint32Array(FIRST_CAPACITY);
  chunk = new Uint32Array(FIRST_CAPACITY);
  /** Milliseconds after `timeOrigin`; NaN where it did not wait. */
  queued = new Float64Array(FIRST_CAPACITY);

  /** Makes room for a task of that id. */
  reach(id: number): void {
    if (id < this.group.length) return;
    let capacity = this.group.length;
    while (capacity <= id) capacity *= 2;
    const { group, lane, ordinal, chunk, queued } = this;
    (this.group = new Uint32Array(capacity)).set(group);
    (this.lane = new Uint32Array(capacity)).set(lane);
    (this.ordinal = new Uint32Array(capacity)).set(ordinal);
    (this.chunk = new Uint32Array(capacity)).set(chunk);
    (this.queued = new Float64Array(capacity)).set(queued);
  }
}
