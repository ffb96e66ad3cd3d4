/** Bars as shapes; they look as `diagram/bar-outline.ts` says. */
import { cornerOf, cornersOf, DASH, LEAST_SHAPE, LOOKS } from '../diagram/bar-outline';
import { colorsOf, DIMMED, lookOf, type Slice } from '../diagram/bars';
import { barTop, rowTop, type Geometry } from '../diagram/geometry';
import { eachIdle } from '../diagram/idle';
import type { BarColors, Look, Palette } from '../diagram/palette';
import { eachQueued, QUEUED_HEIGHT } from '../diagram/queued';
import type { GroupShading } from '../diagram/shading';
import type { Viewport } from '../diagram/viewport';
import { TaskState } from '../../src/model/timeline';
import type { GroupTasks } from '../store/group-tasks';
import type { TaskTable } from '../store/task-table';
import { lengthText, type Paint, type PathShape, type RectShape, type Shape } from './shapes';

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
  const { until } = slice;
  const to = Math.min(until, viewport.end + slice.origin);
  for (const number of slice.lanes) {
    const lane = group.lanes[number - 1];
    if (!lane) continue;
    const y = top + barTop(geometry, number);
    for (let i = lane.firstEndingAfter(from); i < lane.length && lane.startOf(i) <= to; i++) {
      const ended = lane.endOf(i);
      const x0 = Math.max(viewport.left, viewport.x(lane.startOf(i) - slice.origin));
      const x1 = Math.min(viewport.right, viewport.x((ended <= until ? ended : Math.min(slice.now, until)) - slice.origin)); // a pending one's NaN is not less than anything
      if (x1 < x0) continue;
      const look = lookOf(ended > until ? TaskState.pending : lane.stateOf(i), slice.isOver);
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
  const style = LOOKS[look];
  if (height < LEAST_SHAPE || width < LEAST_SHAPE) {
    return [{ kind: 'rect', name: `bar ${look}`, fill: style.faint || allOutlined ? colors.line : colors.fill, x, y, width, height, radius: 0 }];
  }
  const isOutlined = allOutlined || style.outlined === true;
  const inset = isOutlined ? 0.5 : 0;
  const box = { x: x + inset, y: y + inset, width: width - 2 * inset, height: height - 2 * inset };
  const corners = cornersOf(look, box.x, box.y, box.width, box.height);
  const shaped = (paint: Paint): RectShape | PathShape => (corners ? { ...paint, kind: 'path', d: pathOf(corners) } : { ...paint, kind: 'rect', ...box, radius: cornerOf(height) });
  const line = isOutlined ? { stroke: colors.line, strokeWidth: 1, dash: style.dashed && DASH } : {};
  const bar = shaped({ name: `bar ${look}`, fill: colors.fill, ...line });
  return style.hatching ? [bar, shaped({ name: `${look}-hatching`, fill: { hatching: style.hatching } })] : [bar];
}

function pathOf(corners: readonly number[]): string {
  let d = '';
  for (let at = 0; at < corners.length; at += 2) d += `${at === 0 ? 'M' : 'L'}${lengthText(corners[at])} ${lengthText(corners[at + 1])}`;
  return `${d}Z`;
}

function numeral(text: string, look: Look, { text: color, fill }: BarColors, x: number, y: number, width: number, height: number, measure: (text: string) => number): Shape[] {
  const size = Math.min(13, height - 3);
  if (height < LEAST_NUMERAL_HEIGHT || width < (measure(text) * size) / 12 + 6) return [];
  return [{ kind: 'text', name: 'numeral', text, x: x + width / 2, y: y + height / 2 + size * 0.36, size, weight: 600, anchor: 'middle', color, halo: LOOKS[look].hatching ? fill : undefined }];
}
