/** From task to task by keyboard: left and right within a lane, up and down to the task nearest in time on the next lane. */
import type { GroupTasks, TaskSpot } from '../store/group-tasks';

export type Step = 'left' | 'right' | 'up' | 'down' | 'first' | 'last';

/** @returns the task to go to, or the same where there is none; undefined in a group without tasks */
export function stepTask(group: GroupTasks, from: TaskSpot | undefined, step: Step): TaskSpot | undefined {
  const lane = from && group.lanes[from.lane - 1];
  if (!from || !lane || from.index >= lane.length) return firstTask(group);
  switch (step) {
    case 'left': return { lane: from.lane, index: Math.max(0, from.index - 1) };
    case 'right': return { lane: from.lane, index: Math.min(lane.length - 1, from.index + 1) };
    case 'first': return { lane: from.lane, index: 0 };
    case 'last': return { lane: from.lane, index: lane.length - 1 };
    case 'up': case 'down': return onNextLane(group, from, lane.startOf(from.index), step === 'up' ? 1 : -1);
  }
}

function firstTask(group: GroupTasks): TaskSpot | undefined {
  const lane = group.lanes.findIndex((candidate) => candidate !== undefined && candidate.length > 0);
  return lane < 0 ? undefined : { lane: lane + 1, index: 0 };
}

/** Lane 1 is the lowest: up is the next higher number. */
function onNextLane(group: GroupTasks, from: TaskSpot, time: number, direction: 1 | -1): TaskSpot {
  for (let number = from.lane + direction; number >= 1 && number <= group.lanes.length; number += direction) {
    const lane = group.lanes[number - 1];
    if (!lane || lane.length === 0) continue;
    const after = Math.min(lane.length - 1, lane.firstStartingAfter(time));
    const before = Math.max(0, after - 1);
    return { lane: number, index: time - lane.startOf(before) <= lane.startOf(after) - time ? before : after };
  }
  return from;
}
