/** A stretch of time on some lanes of one group: what is measured. */
import type { GroupTasks } from '../store/group-tasks';

export interface Area {
  /** `Group.id`. */
  readonly group: number;
  /** Milliseconds after `timeOrigin`, start before end. */
  readonly start: number;
  readonly end: number;
  /** 1-based. */
  readonly lanes: readonly number[];
}

export const areaBetween = (group: number, a: number, b: number, lanes: readonly number[]): Area => ({ group, start: Math.min(a, b), end: Math.max(a, b), lanes });

export const sameArea = (a: Area | undefined, b: Area): boolean =>
  a !== undefined && a.group === b.group && a.start === b.start && a.end === b.end && a.lanes.join() === b.lanes.join();

/** The area grown so that it holds another as well. */
export const hull = (a: Area, b: Area): Area => ({
  group: a.group, start: Math.min(a.start, b.start), end: Math.max(a.end, b.end), lanes: [...new Set([...a.lanes, ...b.lanes])],
});

/** @returns the start or end of a bar nearest to `time`, or `time` itself where none is within `reach` ms */
export function snap(group: GroupTasks, lanes: readonly number[], time: number, reach: number): number {
  let nearest = time;
  let distance = reach;
  for (const edge of edgesAround(group, lanes, time)) {
    if (Math.abs(edge - time) > distance) continue;
    distance = Math.abs(edge - time);
    nearest = edge;
  }
  return nearest;
}

/** @returns the next start or end of a bar after `time` (−1: before it); `time` itself where there is none */
export function nextEdge(group: GroupTasks, lanes: readonly number[], time: number, direction: 1 | -1): number {
  let next = time;
  for (const edge of edgesAround(group, lanes, time)) {
    if ((edge - time) * direction > 0 && (next === time || (next - edge) * direction > 0)) next = edge;
  }
  return next;
}

/** Bars of a lane follow one another: the edges next to a time are those of the two before it and the two after it. Beside them, the group's own. */
function* edgesAround(group: GroupTasks, lanes: readonly number[], time: number): Generator<number> {
  if (group.whole.slots > 0) yield group.whole.start;
  if (group.whole.lastId > 0) yield group.whole.lastEnd;
  for (const number of lanes) {
    const lane = group.lanes[number - 1];
    if (!lane) continue;
    const after = lane.firstStartingAfter(time);
    for (let i = Math.max(0, after - 2); i < Math.min(lane.length, after + 2); i++) {
      yield lane.startOf(i);
      const end = lane.endOf(i);
      if (!Number.isNaN(end)) yield end;
    }
  }
}
