/** Waiting before the start: a thin line in the free stretch of the lane before the bar. What waited while its lane was busy shows it when gone to. */
import type { GroupTasks } from '../store/group-tasks';
import type { Lane } from '../store/lane';
import type { TaskTable } from '../store/task-table';
import type { Slice } from './bars';
import type { Brush } from './brush';
import { barTop, type Geometry } from './geometry';
import type { Viewport } from './viewport';

/** Height of the line; shorter waits than `LEAST_WIDTH` are left out. Pixels. */
export const QUEUED_HEIGHT = 3;
const LEAST_WIDTH = 3;

/** @param x0 @param x1 pixels, within the plot @param y of the line's upper edge */
type Visit = (x0: number, x1: number, y: number) => void;

export function eachQueued(group: GroupTasks, tasks: TaskTable, geometry: Geometry, viewport: Viewport, slice: Slice, visit: Visit): void {
  // Tasks of a prediction are not known to have waited.
  if (group.details !== tasks) return;
  const from = viewport.start + slice.origin;
  const to = viewport.end + slice.origin;
  for (const number of slice.lanes) {
    const lane = group.lanes[number - 1];
    if (!lane) continue;
    const y = barTop(geometry, number) + (geometry.barHeight - QUEUED_HEIGHT) / 2;
    // The first bar beyond the edge may have waited within view.
    for (let i = lane.firstEndingAfter(from); i < lane.length; i++) {
      const since = waitedFrom(lane, i, tasks.waitOf(lane.idOf(i)));
      if (!Number.isNaN(since)) {
        const x0 = Math.max(viewport.left, viewport.x(since - slice.origin));
        const x1 = Math.min(viewport.right, viewport.x(Math.min(lane.startOf(i), slice.until) - slice.origin));
        if (x1 - x0 >= LEAST_WIDTH) visit(x0, x1, y);
      }
      if (lane.startOf(i) > to) break;
    }
  }
}

/** Since when it waited with its lane free; NaN where it did not. */
function waitedFrom(lane: Lane, index: number, wait: number): number {
  if (!(wait > 0)) return NaN;
  const freeSince = index > 0 ? lane.endOf(index - 1) : -Infinity;
  return Math.max(lane.startOf(index) - wait, freeSince);
}

export function drawQueued({ context, palette }: Brush, group: GroupTasks, tasks: TaskTable, geometry: Geometry, viewport: Viewport, slice: Slice): void {
  context.fillStyle = palette.bars.pending.line;
  eachQueued(group, tasks, geometry, viewport, slice, (x0, x1, y) => { context.fillRect(x0, y, x1 - x0, QUEUED_HEIGHT); });
}
