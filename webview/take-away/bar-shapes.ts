/** Bars as shapes; they look as `diagram/bar-shape.ts` draws them. */
import { colorsOf, DIMMED, lookOf, type Slice } from '../diagram/bars';
import { barTop, rowTop, type Geometry } from '../diagram/geometry';
import { eachIdle } from '../diagram/idle';
import type { BarColors, Look, Palette } from '../diagram/palette';
import { eachQueued, QUEUED_HEIGHT } from '../diagram/queued';
import type { GroupShading } from '../diagram/shading';
import type { Viewport } from '../diagram/viewport';
import type { GroupTasks } from '../store/group-tasks';
import type { TaskTable } from '../store/task-table';
import type { PathShape, RectShape, Shape } from './shapes';

const LEAST_WIDTH = 0.75;
const LEAST_NUMERAL_HEIGHT = 10;

export interface BarsInput {
  readonly group: GroupTasks;
  readonly geometry: Geometry;
  readonly viewport: Viewport;
  readonly slice: Slice;
  readonly palette: Palette;
  readonly shading: GroupShading;
  readonly tasks: TaskTable;
  /** Pixels of a text of 12 pixels. */
  readonly measure: (text: string) => number;
}

/** Idle stretches and bars of a group in view, moved down by `top`. */
export function barShapes({ group, geometry, viewport, slice, palette, shading: { hueOf, matches }, tasks, measure }: BarsInput, top: number): Shape[] {
  const shapes: Shape[] = [];
  eachIdle(group, viewport, slice, (lane, x0, x1) => {
    shapes.push({ kind: 'rect', name: 'idle', fill: { hatching: 'idle' }, x: x0, y: top + rowTop(geometry, lane), width: x1 - x0, height: geometry.rowHeight });
  });
  eachQueued(group, tasks, geometry, viewport, slice, (x0, x1, y) => {
    shapes.push({ kind: 'rect', name: 'queued', fill: palette.bars.pending.line, x: x0, y: top + y, width: x1 - x0, height: QUEUED_HEIGHT });
  });
  const from = viewport.start + slice.origin;
  const to = viewport.end + slice.origin;
  for (const number of slice.lanes) {
    const lane = group.lanes[number - 1];
    if (!lane) continue;
    const y = top + barTop(geometry, number);
    for (let i = lane.firstEndingAfter(from); i < lane.length && lane.startOf(i) <= to; i++) {
      const ended = lane.endOf(i);
      const x0 = Math.max(viewport.left, viewport.x(lane.startOf(i) - slice.origin));
      const x1 = Math.min(viewport.right, viewport.x((Number.isNaN(ended) ? slice.now : ended) - slice.origin));
      if (x1 < x0) continue;
      const look = lookOf(lane.stateOf(i), slice.isOver);
      const colors = colorsOf(palette, look, hueOf ? hueOf(lane, i) : 0);
      const isDim = matches !== undefined && !matches.has(lane.idOf(i));
      const width = Math.max(LEAST_WIDTH, x1 - x0 > 3 ? x1 - x0 - 1 : x1 - x0);
      shapes.push(...oneBar(look, colors, x0, y, width, geometry.barHeight, palette.outlined).map((shape) => (isDim ? { ...shape, opacity: DIMMED } : shape)));
      if (!isDim) shapes.push(...numeral(String(group.details.ordinalOf(lane.idOf(i))), look, colors, x0, y, width, geometry.barHeight, measure));
    }
  }
  return shapes;
}

function oneBar(look: Look, colors: BarColors, x: number, y: number, width: number, height: number, allOutlined: boolean): (RectShape | PathShape)[] {
  const isSmall = height < 6 || width < 6;
  const fill = isSmall && (look === 'ignored' || allOutlined) ? colors.line : colors.fill;
  const outlined = !isSmall && (allOutlined || look === 'pending' || look === 'unsettled' || look === 'ignored');
  const line = outlined ? { stroke: colors.line, strokeWidth: 1, dash: look === 'pending' || look === 'unsettled' ? [4, 3] : undefined } : {};
  const radius = isSmall ? 0 : height >= 12 ? 3 : 1.5;
  const inset = outlined ? 0.5 : 0;
  const box = { x: x + inset, y: y + inset, width: width - 2 * inset, height: height - 2 * inset };
  if (look === 'unsettled' && !isSmall) {
    const tooth = Math.min(box.width / 2, box.height / 4);
    const edge = [0, 1, 2, 3, 4].map((step) => `L${n(box.x + box.width - (step % 2) * tooth)} ${n(box.y + (step * box.height) / 4)}`).join('');
    return [{ kind: 'path', name: 'bar unsettled', fill, ...line, d: `M${n(box.x)} ${n(box.y)}${edge}H${n(box.x)}Z` }];
  }
  if (look === 'pending' && !isSmall) {
    const point = Math.min(width / 2, height / 2);
    const right = box.x + box.width;
    return [{ kind: 'path', name: 'bar pending', fill, ...line, d: `M${n(box.x)} ${n(box.y)}H${n(right - point)}L${n(right)} ${n(y + height / 2)}L${n(right - point)} ${n(box.y + box.height)}H${n(box.x)}Z` }];
  }
  const bar: RectShape[] = [{ kind: 'rect', name: `bar ${look}`, fill, ...line, ...box, radius }];
  if (!isSmall && (look === 'rejected' || look === 'ignored')) bar.push({ kind: 'rect', name: `${look}-hatching`, fill: { hatching: look }, ...box, radius });
  return bar;
}

function numeral(text: string, look: Look, { text: color, fill }: BarColors, x: number, y: number, width: number, height: number, measure: (text: string) => number): Shape[] {
  const size = Math.min(13, height - 3);
  if (height < LEAST_NUMERAL_HEIGHT || width < (measure(text) * size) / 12 + 6) return [];
  return [{ kind: 'text', name: 'numeral', text, x: x + width / 2, y: y + height / 2 + size * 0.36, size, weight: 600, anchor: 'middle', color, halo: look === 'rejected' || look === 'ignored' ? fill : undefined }];
}

const n = (value: number): string => String(Math.round(value * 100) / 100);
