/** One idle stretch of one lane: how long it is, what it is part of, and which task everybody waited for. */
import type { GroupTasks } from '../store/group-tasks';
import { spanEnd, type Span } from '../store/span';

export interface IdleStretch {
  /** 1-based. */
  readonly lane: number;
  /** Milliseconds after `timeOrigin`. */
  readonly from: number;
  readonly to: number;
  /** The chunk, or the whole group, whose end it waited for; undefined between two tasks of a rail: nothing held it there. */
  readonly waited: Span | undefined;
}

/** @returns undefined where the lane is busy at that time, or no slot of a frame. @param number 1-based lane */
export function idleAt(group: GroupTasks, number: number, time: number, now: number): IdleStretch | undefined {
  const lane = group.lanes[number - 1];
  if (!lane || lane.length === 0) return undefined;
  const next = lane.firstStartingAfter(time);
  const hasNext = next < lane.length;
  // Before its first task a lane belongs to that task's frame, else to the frame of the task that ran last.
  const spanBefore = next > 0 ? group.spanOf(lane.idOf(next - 1)) : undefined;
  const endBefore = next > 0 ? lane.endOf(next - 1) : -Infinity;
  if (!(endBefore < time)) return undefined;
  if (spanBefore && time < spanEnd(spanBefore, now)) {
    const isTail = !hasNext || lane.startOf(next) >= spanEnd(spanBefore, now);
    const to = isTail ? spanEnd(spanBefore, now) : lane.startOf(next);
    return { lane: number, from: endBefore, to, waited: isTail ? spanBefore : undefined };
  }
  const spanNext = hasNext ? group.spanOf(lane.idOf(next)) : undefined;
  if (!spanNext || time < spanNext.start) return undefined;
  return { lane: number, from: spanNext.start, to: lane.startOf(next), waited: undefined };
}

/** Milliseconds all slots of a frame stood idle, summed up: slots × duration − work. @param lanes of the group, where the frame is all of it */
export const idleOf = (span: Span, lanes: number): number =>
  Math.max(0, (span.number > 0 ? span.slots : lanes) * (span.lastEnd - span.start) - span.busy);
