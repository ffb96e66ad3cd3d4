/** From task to task by keyboard: left and right within a lane, up and down to the task nearest in time on the next lane. */
import type { LaneOrder } from './geometry';
import type { GroupTasks, TaskSpot } from '../store/group-tasks';

export type Step = 'left' | 'right' | 'up' | 'down' | 'first' | 'last';

/** @returns the task to go to, or the same where there is none; undefined in a group without tasks */
export function stepTask(group: GroupTasks, from: TaskSpot | undefined, step: Step, order?: LaneOrder): TaskSpot | undefined {
  const lane = from && group.lanes[from.lane - 1];
  if (!from || !lane || from.index >= lane.length) return firstTask(group);
  switch (step) {
    case 'left': return { lane: from.lane, index: Math.max(0, from.index - 1) };
    case 'right': return { lane: from.lane, index: Math.min(lane.length - 1, from.index + 1) };
    case 'first': return { lane: from.lane, index: 0 };
    case 'last': return { lane: from.lane, index: lane.length - 1 };
    case 'up': case 'down': return onNextLane(group, from, lane.startOf(from.index), step === 'up' ? -1 : 1, order);
  }
}

function firstTask(group: GroupTasks): TaskSpot | undefined {
  const lane = group.lanes.findIndex((candidate) => candidate !== undefined && candidate.length > 0);
  return lane < 0 ? undefined : { lane: lane + 1, index: 0 };
}

/** @param direction 1: a row further down @param order undefined: lane 1 is the lowest */
function onNextLane(group: GroupTasks, from: TaskSpot, time: number, direction: 1 | -1, order: LaneOrder | undefined): TaskSpot {
  const rows = order?.lanes.length ?? group.lanes.length;
  const rowOf = order ? order.rows[from.lane - 1] : rows - from.lane;
  for (let row = rowOf + direction; row >= 0 && row < rows; row += direction) {
    const number = order ? order.lanes[row] : rows - row;
    const lane = group.lanes[number - 1];
    if (!lane || lane.length === 0) continue;
    const after = Math.min(lane.length - 1, lane.firstStartingAfter(time));
    const before = Math.max(0, after - 1);
    return { lane: number, index: time - lane.startOf(before) <= lane.startOf(after) - time ? before : after };
  }
  return from;
}
