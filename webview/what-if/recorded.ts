/** The tasks of a group in the order they started, as another plan needs them. */
import type { GroupTasks } from '../store/group-tasks';
import { tasksInOrder } from '../store/task-order';

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

/** @returns undefined while a task is pending: how long it takes is not known */
export function recordedOf(group: GroupTasks): Recorded | undefined {
  const { whole } = group;
  if (whole.pending > 0 || whole.slots === 0) return undefined;
  const { length, lane: lanes, index } = tasksInOrder(group);
  const layout = emptyLayout(length);
  const recorded = { ids: new Uint32Array(length), states: new Uint8Array(length), durations: new Float64Array(length), layout };
  for (let row = 0; row < length; row++) {
    const lane = group.lanes[lanes[row] - 1];
    const i = index[row];
    if (!lane) continue;
    recorded.ids[row] = lane.idOf(i);
    recorded.states[row] = lane.stateOf(i);
    layout.start[row] = lane.startOf(i) - whole.start;
    layout.end[row] = lane.endOf(i) - whole.start;
    layout.lane[row] = lanes[row];
    recorded.durations[row] = layout.end[row] - layout.start[row];
  }
  return recorded;
}
