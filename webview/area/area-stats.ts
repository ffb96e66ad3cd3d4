/** What lies in an area, in figures. */
import { quantile } from '../../src/analysis/quantile';
import type { GroupTasks } from '../store/group-tasks';
import type { Lane } from '../store/lane';
import type { Area } from './area';

/** Times are milliseconds. */
export interface AreaFigures {
  /** 1-based; 0: all lanes of the area together. */
  readonly lane: number;
  /** Tasks that run in the area, wholly or in part. */
  readonly tasks: number;
  /** Of the whole durations of those that have ended; NaN where none has. */
  readonly sum: number;
  readonly min: number;
  readonly median: number;
  readonly p95: number;
  readonly max: number;
  /** Inside the area: lanes × length = busy + idle. */
  readonly busy: number;
  readonly idle: number;
  /** Tasks that ended in the area, by its length. */
  readonly perSecond: number;
}

export interface AreaTable { readonly all: AreaFigures; readonly lanes: readonly AreaFigures[] }

/** O(tasks in the area). @param now up to where pending tasks reach */
export function areaTable(group: GroupTasks, area: Area, now: number): AreaTable {
  const counts = area.lanes.map((number) => countIn(group.lanes[number - 1], area));
  const durations = new Float64Array(counts.reduce((sum, { to, from }) => sum + to - from, 0));
  const length = area.end - area.start;
  let filled = 0;
  const whole = { tasks: 0, busy: 0, ended: 0 };
  const lanes = area.lanes.map((number, k): AreaFigures => {
    const lane = group.lanes[number - 1];
    const first = filled;
    const sums = { tasks: 0, busy: 0, ended: 0 };
    for (let i = counts[k].from; lane && i < counts[k].to; i++) {
      const start = lane.startOf(i);
      const end = lane.endOf(i);
      const until = Number.isNaN(end) ? Math.max(now, start) : end;
      // What only touches the area's edge is not in it; a task of no length is where it begins.
      if (until <= area.start && !(until === start && start === area.start)) continue;
      sums.tasks++;
      sums.busy += Math.max(0, Math.min(until, area.end) - Math.max(start, area.start));
      if (Number.isNaN(end)) continue;
      if (end <= area.end) sums.ended++;
      durations[filled++] = end - start;
    }
    for (const key of ['tasks', 'busy', 'ended'] as const) whole[key] += sums[key];
    return figures(number, sums, durations.subarray(first, filled), length, 1);
  });
  return { all: figures(0, whole, durations.subarray(0, filled), length, area.lanes.length), lanes };
}

function countIn(lane: Lane | undefined, { start, end }: Area): { from: number; to: number } {
  if (!lane) return { from: 0, to: 0 };
  let to = lane.firstStartingAfter(end);
  while (to > 0 && lane.startOf(to - 1) >= end) to--;
  return { from: Math.min(to, Math.max(0, lane.firstEndingAfter(start) - 1)), to };
}

function figures(lane: number, { tasks, busy, ended }: { tasks: number; busy: number; ended: number }, durations: Float64Array, length: number, lanes: number): AreaFigures {
  let sum = 0;
  let min = Infinity;
  let max = -Infinity;
  for (const duration of durations) {
    sum += duration;
    if (duration < min) min = duration;
    if (duration > max) max = duration;
  }
  const none = durations.length === 0;
  return {
    lane, tasks, busy, idle: Math.max(0, lanes * length - busy), perSecond: length > 0 ? (ended * 1000) / length : 0,
    sum: none ? NaN : sum, min: none ? NaN : min, median: quantile(durations, 0.5), p95: quantile(durations, 0.95), max: none ? NaN : max,
  };
}
