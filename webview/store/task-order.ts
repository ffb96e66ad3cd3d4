/** The tasks of a group in the order they started. */
import type { GroupTasks } from './group-tasks';

export interface TaskOrder {
  readonly length: number;
  /** 1-based. */
  readonly lane: Uint32Array;
  /** In the lane's columns. */
  readonly index: Uint32Array;
}

/** Sorts as plain numbers: ordinal above, place of finding below. */
const PLACES = 2 ** 24;

export function tasksInOrder({ lanes, details }: GroupTasks): TaskOrder {
  const length = lanes.reduce((sum, lane) => sum + (lane?.length ?? 0), 0);
  const found = { lane: new Uint32Array(length), index: new Uint32Array(length) };
  const keys = new Float64Array(length);
  let at = 0;
  lanes.forEach((lane, k) => {
    for (let i = 0; lane && i < lane.length; i++, at++) {
      found.lane[at] = k + 1;
      found.index[at] = i;
      keys[at] = details.ordinalOf(lane.idOf(i)) * PLACES + at;
    }
  });
  keys.sort();
  const order = { length, lane: new Uint32Array(length), index: new Uint32Array(length) };
  for (let row = 0; row < length; row++) {
    const from = keys[row] % PLACES;
    order.lane[row] = found.lane[from];
    order.index[row] = found.index[from];
  }
  return order;
}
