/** Idle time: hatched wherever a slot of a frame stands free while the frame lasts. */
import type { GroupTasks } from '../store/group-tasks';
import type { Lane } from '../store/lane';
import { spanEnd, type Span } from '../store/span';
import type { Slice } from './bars';
import type { Brush } from './brush';
import { rowTop, type Geometry } from './geometry';
import type { Viewport } from './viewport';

/** Shorter stretches would be noise, not hatching. */
const LEAST_WIDTH = 1.5;

export function drawIdle({ context, hatching }: Brush, group: GroupTasks, geometry: Geometry, viewport: Viewport, slice: Slice): void {
  context.fillStyle = hatching.idle;
  eachIdle(group, viewport, slice, (lane, x0, x1) => { context.fillRect(x0, rowTop(geometry, lane), x1 - x0, geometry.rowHeight); });
}

/** @param x0 @param x1 pixels, within the plot */
type Visit = (lane: number, x0: number, x1: number) => void;

/** Visits the idle stretches in view that are wide enough to be seen. */
export function eachIdle(group: GroupTasks, viewport: Viewport, slice: Slice, visit: Visit): void {
  const inChunks = group.info?.kind === 'chunk';
  const { whole } = group;
  for (const number of slice.lanes) {
    const lane = group.lanes[number - 1];
    if (!lane) continue;
    const hatch = (from: number, to: number): void => {
      const x0 = Math.max(viewport.left, viewport.x(from - slice.origin));
      const x1 = Math.min(viewport.right, viewport.x(Math.min(to, slice.until) - slice.origin));
      if (x1 - x0 >= LEAST_WIDTH) visit(number, x0, x1);
    };
    if (inChunks) idleOfChunks(group, lane, viewport, slice, hatch);
    else idleOfRail(lane, whole, viewport, slice, hatch);
  }
}

type Hatch = (from: number, to: number) => void;

/** Each bar leaves its slot idle from its end to the end of its chunk, and from the chunk's start to its own. */
function idleOfChunks(group: GroupTasks, lane: Lane, viewport: Viewport, slice: Slice, hatch: Hatch): void {
  const to = viewport.end + slice.origin;
  const from = viewport.start + slice.origin;
  // The bar before the first visible one may leave idle time that reaches into view.
  for (let i = Math.max(0, lane.firstEndingAfter(from) - 1); i < lane.length; i++) {
    const span = group.spanOf(lane.idOf(i));
    if (span.start > to) break;
    hatch(span.start, lane.startOf(i));
    const end = lane.endOf(i);
    if (!Number.isNaN(end)) hatch(end, spanEnd(span, slice.now));
  }
}

/** A rail is idle before, between and after its bars. */
function idleOfRail(lane: Lane, span: Span, viewport: Viewport, slice: Slice, hatch: Hatch): void {
  const to = viewport.end + slice.origin;
  let i = lane.firstEndingAfter(viewport.start + slice.origin);
  let freeFrom = i > 0 ? lane.endOf(i - 1) : span.start;
  for (; i < lane.length && freeFrom <= to; i++) {
    hatch(freeFrom, lane.startOf(i));
    const end = lane.endOf(i);
    if (Number.isNaN(end)) return; // pending: busy until now
    if (end > freeFrom) freeFrom = end;
  }
  if (freeFrom <= to) hatch(freeFrom, spanEnd(span, slice.now));
}
