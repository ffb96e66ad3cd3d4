/** The stretch of time the shared axis shows when nothing is zoomed. All milliseconds. */
import type { Group } from '../../src/model/timeline';
import type { Anchored } from '../store/run-store';

/** `same`: each group starts at its own zero. `wall`: each stands where it happened in the run. */
export type Align = 'same' | 'wall';

export interface TimeRange { readonly start: number; readonly end: number }

/**
 * What is subtracted from a group's times before they meet the axis.
 * @param group one that ran inside a task stands under that task: its zero is that of the outermost group around it
 */
export const originOf = (group: Group & Anchored, align: Align): number => (align === 'same' ? group.anchor ?? group.start : 0);

/** Until when a group is drawn: its end, or now while it has none. */
export const endOf = (group: Group, now: number): number => group.end ?? Math.max(Math.min(now, group.until ?? now), group.start);

/** Room to the right of the last end, so that the frame does not touch the arrow's head. */
const MARGIN = 0.02;
const LEAST_MS = 1;

/** A group that ended so lately may go on: a pool has no task between one that ends and the next. */
const GRACE_MS = 500;

/**
 * While a group grows, the range ends at a round time ahead of it, so that bars grow over a picture that stands still;
 * of groups that have ended, just behind the last end.
 */
export function rangeOf(groups: readonly Group[], align: Align, now: number, live: boolean): TimeRange {
  let start = Infinity;
  let end = -Infinity;
  let growing = -Infinity;
  for (const group of groups) {
    const origin = originOf(group, align);
    start = Math.min(start, group.start - origin);
    const until = endOf(group, now) - origin;
    end = Math.max(end, until);
    if (live && (group.end === undefined || now - group.end < GRACE_MS)) growing = Math.max(growing, until);
  }
  if (!(end >= start)) return { start: 0, end: LEAST_MS };
  const ended = Math.max(LEAST_MS, end - start) * (1 + MARGIN);
  return { start, end: start + (growing >= start ? Math.max(ended, roundAbove(Math.max((growing - start) * 1.04, 100))) : ended) };
}

const STEPS = [1, 1.25, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10];

function roundAbove(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return (STEPS.find((step) => step * power >= value) ?? 10) * power;
}
