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
  /** The task that ended first; what decides a race. */
  firstId: number;
  firstLane: number;
  firstStart: number;
  firstEnd: number;
}

export const emptySpan = (number: number): Span => ({
  number, slots: 0, pending: 0, start: Infinity, lastEnd: -Infinity, lastId: 0, lastLane: 0, lastStart: 0, busy: 0,
  longestId: 0, longestLane: 0, longestStart: 0, longestEnd: -Infinity,
  firstId: 0, firstLane: 0, firstStart: 0, firstEnd: Infinity,
});

export function openTask(span: Span, start: number): void {
  span.slots++;
  span.pending++;
  if (start < span.start) span.start = start;
}

/** @param decides false where the task's outcome cannot win (a rejection in `Promise.any`) */
export function closeTask(span: Span, id: number, lane: number, start: number, end: number, decides: boolean): void {
  span.pending--;
  span.busy += end - start;
  if (end > span.lastEnd) {
    span.lastId = id; span.lastLane = lane; span.lastStart = start; span.lastEnd = end;
  }
  const lead = (end - start) - (span.longestEnd - span.longestStart);
  if (span.longestId === 0 || lead > 0 || (lead === 0 && end > span.longestEnd)) {
    span.longestId = id; span.longestLane = lane; span.longestStart = start; span.longestEnd = end;
  }
  if (decides && end < span.firstEnd) {
    span.firstId = id; span.firstLane = lane; span.firstStart = start; span.firstEnd = end;
  }
}

/** Where the span ends by now. */
export const spanEnd = (span: Span, now: number): number => (span.pending > 0 ? Math.max(now, span.lastEnd, span.start) : span.lastEnd);
