/** From one task of a kind to the next: from failure to failure, from match to match. */
import { STATE_MASK, TaskState } from '../../src/model/timeline';
import type { GroupTasks, TaskSpot } from '../store/group-tasks';
import type { Lane } from '../store/lane';

export interface Found {
  /** The nearest after `from` (−1: before it) by start and lane; undefined where none is. */
  readonly next: TaskSpot | undefined;
  /** The first of all (−1: the last); undefined where none is wanted. */
  readonly outermost: TaskSpot | undefined;
}

/** @param from undefined: nowhere, so nothing is after it @param isWanted of a lane's columns and an index in them */
export function findNext(group: GroupTasks, from: TaskSpot | undefined, direction: 1 | -1, isWanted: (lane: Lane, index: number) => boolean): Found {
  const lane = from && group.lanes[from.lane - 1];
  const here = from && lane ? { spot: from, start: lane.start[from.index] } : undefined;
  let nearest: Candidate | undefined;
  let outermost: Candidate | undefined;
  group.lanes.forEach((each, k) => {
    for (let index = 0; each && index < each.length; index++) {
      if (!isWanted(each, index)) continue;
      const candidate = { spot: { lane: k + 1, index }, start: each.start[index] };
      if (!outermost || order(candidate, outermost) * direction < 0) outermost = candidate;
      if (here && order(candidate, here) * direction > 0 && (!nearest || order(candidate, nearest) * direction < 0)) nearest = candidate;
    }
  });
  return { next: nearest?.spot, outermost: outermost?.spot };
}

/** @returns the next rejected task, or from the other end where there is none; undefined where none was rejected */
export function nextFailure(group: GroupTasks, from: TaskSpot | undefined, direction: 1 | -1): TaskSpot | undefined {
  if ((group.info?.rejected ?? 0) === 0) return undefined;
  const { next, outermost } = findNext(group, from, direction, (lane, index) => (lane.stateOf(index) & STATE_MASK) === TaskState.rejected);
  return next ?? outermost;
}

interface Candidate { readonly spot: TaskSpot; readonly start: number }
const order = (a: Candidate, b: Candidate): number => a.start - b.start || a.spot.lane - b.spot.lane;
