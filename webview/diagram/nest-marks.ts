/** Marks bars whose task ran groups of its own: a small triangle at the foot of the bar, as at a row that opens. */
import type { Nesting } from '../store/nesting';
import type { GroupTasks } from '../store/group-tasks';
import { colorsOf, lookOf, type Slice } from './bars';
import type { Brush } from './brush';
import { barTop, type Geometry } from './geometry';
import type { GroupShading } from './shading';
import type { Viewport } from './viewport';

const SIZE = 5;
const LEAST_HEIGHT = 10;
const LEAST_WIDTH = 9;

export function drawNestMarks({ context, palette }: Brush, group: GroupTasks, nesting: Nesting, geometry: Geometry, viewport: Viewport, slice: Slice, { hueOf }: GroupShading): void {
  if (geometry.barHeight < LEAST_HEIGHT || nesting.inGroup(group.id).length === 0) return;
  const from = viewport.start + slice.origin;
  const to = viewport.end + slice.origin;
  for (const number of slice.lanes) {
    const lane = group.lanes[number - 1];
    if (!lane) continue;
    const bottom = barTop(geometry, number) + geometry.barHeight - 2;
    for (let i = lane.firstEndingAfter(from); i < lane.length && lane.startOf(i) <= to; i++) {
      if (nesting.inTask(lane.idOf(i)).length === 0) continue;
      const ended = lane.endOf(i);
      const x0 = Math.max(viewport.left, viewport.x(lane.startOf(i) - slice.origin));
      const x1 = viewport.x((Number.isNaN(ended) ? slice.now : ended) - slice.origin);
      if (x1 - x0 < LEAST_WIDTH) continue;
      context.fillStyle = colorsOf(palette, lookOf(lane.stateOf(i), slice.isOver), hueOf ? hueOf(lane, i) : 0).text;
      context.beginPath();
      context.moveTo(x0 + 3, bottom - SIZE);
      context.lineTo(x0 + 3, bottom);
      context.lineTo(x0 + 3 + SIZE, bottom);
      context.fill();
    }
  }
}
