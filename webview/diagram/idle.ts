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

export function drawIdle(brush: Brush, group: GroupTasks, geometry: Geometry, viewport: Viewport, slice: Slice): void {
  brush.context.fillStyle = brush.hatching.idle;
  const inChunks = group.info?.kind === 'chunk';
  const { whole } = group;
  for (let number = slice.fromLane; number <= slice.toLane; number++) {
    const lane = group.lanes[number - 1];
    if (!lane) continue;
    const top = rowTop(geometry, number);
    if (inChunks) idleOfChunks(brush, group, lane, top, geometry, viewport, slice);
    else idleOfRail(brush, lane, whole, top, geometry, viewport, slice);
  }
}

/** Each bar leaves its slot idle from its end to the end of its chunk, and from the chunk's start to its own. */
function idleOfChunks(brush: Brush, group: GroupTasks, lane: Lane, top: number, geometry: Geometry, viewport: Viewport, slice: Slice): void {
  const to = viewport.end + slice.origin;
  const from = viewport.start + slice.origin;
  // The bar before the first visible one may leave idle time that reaches into view.
  for (let i = Math.max(0, lane.firstEndingAfter(from) - 1); i < lane.length; i++) {
    const span = group.spanOf(lane.idOf(i));
    if (span.start > to) break;
    hatch(brush, span.start, lane.startOf(i), top, geometry, viewport, slice.origin);
    const end = lane.endOf(i);
    if (!Number.isNaN(end)) hatch(brush, end, spanEnd(span, slice.now), top, geometry, viewport, slice.origin);
  }
}

/** A rail is idle before, between and after its bars. */
function idleOfRail(brush: Brush, lane: Lane, span: Span, top: number, geometry: Geometry, viewport: Viewport, slice: Slice): void {
  const to = viewport.end + slice.origin;
  let i = lane.firstEndingAfter(viewport.start + slice.origin);
  let freeFrom = i > 0 ? lane.endOf(i - 1) : span.start;
  for (; i < lane.length && freeFrom <= to; i++) {
    hatch(brush, freeFrom, lane.startOf(i), top, geometry, viewport, slice.origin);
    const end = lane.endOf(i);
    if (Number.isNaN(end)) return; // pending: busy until now
    if (end > freeFrom) freeFrom = end;
  }
  if (freeFrom <= to) hatch(brush, freeFrom, spanEnd(span, slice.now), top, geometry, viewport, slice.origin);
}

function hatch({ context }: Brush, from: number, to: number, top: number, geometry: Geometry, viewport: Viewport, origin: number): void {
  const x0 = Math.max(viewport.left, viewport.x(from - origin));
  const x1 = Math.min(viewport.right, viewport.x(to - origin));
  if (x1 - x0 >= LEAST_WIDTH) context.fillRect(x0, top, x1 - x0, geometry.rowHeight);
}
