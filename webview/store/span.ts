/** Extents of a group's tasks and of its chunks. */
import type { Lane } from './lane';
import { PENDING } from './tick-clock';

/**
 * A stretch of a group that gets a frame of its own: a chunk, or the whole group. These are extents to draw, kept as
 * tasks come in; the figures beside a diagram come from the host alone.
 */
export interface Span {
  /** 1-based number of the chunk; 0: the whole group. */
  readonly number: number;
  /** Tasks in it. */
  slots: number;
  pending: number;
  start: number;
  /** Latest end of an ended task; −Infinity where none has. */
  lastEnd: number;
  /** The task that ended then, the one all others waited for; id 0 where none has ended. */
  lastId: number;
  lastLane: number;
  lastStart: number;
  /** Milliseconds its ended tasks worked. */
  busy: number;
  /** The task with the longest duration among the ended ones; id 0 where none has ended. */
  longestId: number;
  longestLane: number;
  longestStart: number;
  longestEnd: number;
  /**
   * The task that decided for all, id 0 where none has: the first to end in a race, the first fulfilled of `any`. Of `all` the last
   * rejected one that is not ignored: what rejects before it has been swallowed, what rejects after it comes too late.
   */
  deciderId: number;
  deciderLane: number;
  deciderStart: number;
  deciderEnd: number;
  /** Tasks whose call was over before they ended: nobody read what became of them. */
  ignored: number;
}

export type Decides = 'first' | 'last' | 'never';

export const emptySpan = (number: number): Span => ({
  number, slots: 0, pending: 0, start: Infinity, lastEnd: -Infinity, lastId: 0, lastLane: 0, lastStart: 0, busy: 0,
  longestId: 0, longestLane: 0, longestStart: 0, longestEnd: -Infinity,
  deciderId: 0, deciderLane: 0, deciderStart: 0, deciderEnd: Infinity, ignored: 0,
});

export function openTask(span: Span, start: number): void {
  span.slots++;
  span.pending++;
  if (start < span.start) span.start = start;
}

/** @param decides whether its outcome may decide for the others, before what did so until now or after it */
export function closeTask(span: Span, id: number, lane: number, start: number, end: number, decides: Decides): void {
  span.pending--;
  span.busy += end - start;
  noteLast(span, id, lane, start, end);
  noteLongest(span, id, lane, start, end);
  if (decides !== 'never' && (span.deciderId === 0 || (decides === 'first' ? end < span.deciderEnd : end > span.deciderEnd))) {
    span.deciderId = id; span.deciderLane = lane; span.deciderStart = start; span.deciderEnd = end;
  }
}

/** Adds a lane whose tasks decide for nobody, in one walk over its columns. @param number 1-based */
export function addLane(span: Span, lane: Lane, number: number): void {
  const { start, end, length } = lane;
  if (length === 0) return;
  let [pending, busy, last, longest, most] = [0, 0, -1, -1, -1];
  for (let i = 0; i < length; i++) {
    if (end[i] === PENDING) {
      pending++;
      continue;
    }
    const ticks = end[i] - start[i];
    busy += ticks;
    if (last < 0 || end[i] > end[last]) last = i;
    if (ticks > most || (ticks === most && end[i] > end[longest])) {
      longest = i;
      most = ticks;
    }
  }
  span.slots += length;
  span.pending += pending;
  span.busy += lane.msOf(busy);
  span.start = Math.min(span.start, lane.startOf(0));
  if (last < 0) return;
  noteLast(span, lane.idOf(last), number, lane.startOf(last), lane.endOf(last));
  noteLongest(span, lane.idOf(longest), number, lane.startOf(longest), lane.endOf(longest));
}

function noteLast(span: Span, id: number, lane: number, start: number, end: number): void {
  if (end <= span.lastEnd) return;
  span.lastId = id; span.lastLane = lane; span.lastStart = start; span.lastEnd = end;
}

function noteLongest(span: Span, id: number, lane: number, start: number, end: number): void {
  const lead = (end - start) - (span.longestEnd - span.longestStart);
  if (span.longestId !== 0 && lead <= 0 && (lead < 0 || end <= span.longestEnd)) return;
  span.longestId = id; span.longestLane = lane; span.longestStart = start; span.longestEnd = end;
}

/** Where the span ends by now. */
export const spanEnd = (span: Span, now: number): number => (span.pending > 0 ? Math.max(now, span.lastEnd, span.start) : span.lastEnd);
