/** In which order the lanes of a group stand: pinned ones on top, hidden ones nowhere, the others as they are sorted. */
import type { GroupTasks } from '../store/group-tasks';
import { spanEnd } from '../store/span';
import type { LaneOrder } from './geometry';

export const LANE_SORTS = ['number', 'first', 'idle', 'busy', 'longest'] as const;
/** By number, first start, or, the most first, idle time, busy time or longest task. */
export type LaneSort = (typeof LANE_SORTS)[number];

export interface LaneChoice {
  readonly sort: LaneSort;
  /** Whether the first lane stands at the top. */
  readonly firstOnTop: boolean;
  /** 1-based lanes. */
  readonly pinned: ReadonlySet<number>;
  readonly hidden: ReadonlySet<number>;
}

/** @param now milliseconds after `timeOrigin` @returns undefined where lanes stand by number from the bottom, all of them */
export function orderOf(group: GroupTasks, { sort, firstOnTop, pinned, hidden }: LaneChoice, now: number): LaneOrder | undefined {
  if (sort === 'number' && !firstOnTop && pinned.size === 0 && hidden.size === 0) return undefined;
  const count = Math.max(1, group.info?.lanes ?? 0, group.lanes.length);
  const key = sort === 'number' ? undefined : keysOf(group, sort, now);
  const numbers = Array.from({ length: count }, (_, i) => i + 1).filter((lane) => !hidden.has(lane));
  numbers.sort((a, b) => (key ? key[a - 1] - key[b - 1] : 0) || a - b);
  if (!firstOnTop) numbers.reverse();
  const lanes = Uint32Array.from([...numbers.filter((lane) => pinned.has(lane)), ...numbers.filter((lane) => !pinned.has(lane))]);
  const rows = new Int32Array(count).fill(-1);
  lanes.forEach((lane, row) => { rows[lane - 1] = row; });
  return { rows, lanes };
}

/** What lanes are sorted by, the least first; what has the most of something has the least of its negative. */
function keysOf({ lanes, whole }: GroupTasks, sort: Exclude<LaneSort, 'number'>, now: number): Float64Array {
  const keys = new Float64Array(Math.max(1, lanes.length)).fill(Infinity);
  const until = spanEnd(whole, now);
  lanes.forEach((lane, k) => {
    if (!lane || lane.length === 0) return;
    let busy = 0;
    let longest = 0;
    for (let i = 0; i < lane.length; i++) {
      const end = lane.endOf(i);
      const duration = (Number.isNaN(end) ? now : end) - lane.startOf(i);
      busy += duration;
      if (duration > longest) longest = duration;
    }
    const idle = until - whole.start - busy;
    keys[k] = sort === 'first' ? lane.startOf(0) : sort === 'idle' ? -idle : sort === 'busy' ? -busy : -longest;
  });
  return keys;
}
