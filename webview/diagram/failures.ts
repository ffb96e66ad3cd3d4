/** From failure to failure. */
import { STATE_MASK, TaskState } from '../../src/model/timeline';
import type { GroupTasks, TaskSpot } from '../store/group-tasks';

/** @returns the rejected task nearest after `from` (−1: before it) by start and lane, or from the other end where there is none; undefined where none was rejected */
export function nextFailure(group: GroupTasks, from: TaskSpot | undefined, direction: 1 | -1): TaskSpot | undefined {
  if ((group.info?.rejected ?? 0) === 0) return undefined;
  const lane = from && group.lanes[from.lane - 1];
  const here = from && lane ? { spot: from, start: lane.start[from.index] } : undefined;
  let nearest: Candidate | undefined;
  let outermost: Candidate | undefined;
  group.lanes.forEach((each, k) => {
    for (let index = 0; each && index < each.length; index++) {
      if ((each.stateOf(index) & STATE_MASK) !== TaskState.rejected) continue;
      const candidate = { spot: { lane: k + 1, index }, start: each.start[index] };
      if (!outermost || order(candidate, outermost) * direction < 0) outermost = candidate;
      if (here && order(candidate, here) * direction > 0 && (!nearest || order(candidate, nearest) * direction < 0)) nearest = candidate;
    }
  });
  return (nearest ?? outermost)?.spot;
}

interface Candidate { readonly spot: TaskSpot; readonly start: number }
const order = (a: Candidate, b: Candidate): number => a.start - b.start || a.spot.lane - b.spot.lane;
