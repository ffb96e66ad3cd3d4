/** The tasks of a group in the order they started, as another plan needs them. */
import type { GroupTasks } from '../store/group-tasks';

/** Where each task stands; row = place in start order. Times are milliseconds after the group's first start. */
export interface Layout {
  readonly start: Float64Array;
  readonly end: Float64Array;
  /** 1-based; between two numbers while a bar is on its way. */
  readonly lane: Float64Array;
}

export interface Recorded {
  readonly ids: Uint32Array;
  /** `TaskState` | `IGNORED`. */
  readonly states: Uint8Array;
  readonly durations: Float64Array;
  readonly layout: Layout;
}

export const emptyLayout = (length: number): Layout =>
  ({ start: new Float64Array(length), end: new Float64Array(length), lane: new Float64Array(length) });

/** Sorts as plain numbers: ordinal above, place of finding below. */
const PLACES = 2 ** 24;

/** @returns undefined while a task is pending: how long it takes is not known */
export function recordedOf(group: GroupTasks): Recorded | undefined {
  const { whole, details } = group;
  if (whole.pending > 0 || whole.slots === 0) return undefined;
  const found = { ...emptyLayout(whole.slots), ids: new Uint32Array(whole.slots), states: new Uint8Array(whole.slots), keys: new Float64Array(whole.slots) };
  let length = 0;
  group.lanes.forEach((lane, k) => {
    for (let i = 0; lane && i < lane.length; i++, length++) {
      found.ids[length] = lane.idOf(i);
      found.states[length] = lane.stateOf(i);
      found.start[length] = lane.startOf(i) - whole.start;
      found.end[length] = lane.endOf(i) - whole.start;
      found.lane[length] = k + 1;
      found.keys[length] = details.ordinalOf(found.ids[length]) * PLACES + length;
    }
  });
  const order = found.keys.sort();
  const layout = emptyLayout(length);
  const recorded = { ids: new Uint32Array(length), states: new Uint8Array(length), durations: new Float64Array(length), layout };
  for (let row = 0; row < length; row++) {
    const from = order[row] % PLACES;
    recorded.ids[row] = found.ids[from];
    recorded.states[row] = found.states[from];
    recorded.durations[row] = found.end[from] - found.start[from];
    layout.start[row] = found.start[from];
    layout.end[row] = found.end[from];
    layout.lane[row] = found.lane[from];
  }
  return recorded;
}
