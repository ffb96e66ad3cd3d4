/**
 * Bars on canvas. One walk along the visible tasks of each visible lane; nothing is allocated on the way. Bars too narrow
 * to stand alone are merged into runs of the same look; rejected and ignored ones are drawn last, never thinner than two
 * pixels, so that one of them among thousands is still seen.
 */
import { ABORTED, IGNORED, STATE_MASK, TaskState, TIMED_OUT } from '../../src/model/timeline';
import type { Matches } from '../search/match';
import type { GroupTasks } from '../store/group-tasks';
import type { TaskTable } from '../store/task-table';
import { LOOKS } from './bar-outline';
import { drawBar } from './bar-shape';
import { numeralOf, type Brush } from './brush';
import { barTop, type Geometry } from './geometry';
import type { BarColors, Look, Palette } from './palette';
import type { GroupShading, HueOf } from './shading';
import type { Viewport } from './viewport';

/** Narrower than this, bars are merged. */
const LEAST_WIDTH = 1.5;
/** Shorter than this, a bar has no numeral. */
const LEAST_NUMERAL_HEIGHT = 10;
const NUMERAL_PADDING = 3;

/** What part of a group is drawn. */
export interface Slice {
  /** Subtracted from the group's times, ms. */
  readonly origin: number;
  readonly now: number;
  /** Nothing after it is drawn, and who runs then is pending; Infinity: all there is. Milliseconds of the group. */
  readonly until: number;
  /** Whether what is pending will never settle: the run has ended. */
  readonly isOver: boolean;
  /** Lanes in view, 1-based. */
  readonly lanes: readonly number[];
}

/** @param isOver whether the run has ended: what has not settled by then never will */
export const lookOf = (state: number, isOver: boolean): Look =>
  ((state & ABORTED) !== 0 ? 'aborted' : (state & TIMED_OUT) !== 0 ? 'timedOut' : (state & IGNORED) !== 0 ? 'ignored'
    : (state & STATE_MASK) === TaskState.rejected ? 'rejected'
      : (state & STATE_MASK) === TaskState.fulfilled ? 'fulfilled' : isOver ? 'unsettled' : 'pending');

/** What is left of the colour of bars that do not match. */
export const DIMMED = 0.16;

/** What a bar's look, and its hue where it has one, make of it. */
export const colorsOf = (palette: Palette, look: Look, hue: number): BarColors => (look === 'fulfilled' && hue > 0 ? palette.hues[hue - 1] : palette.bars[look]);

export function drawBars(brush: Brush, group: GroupTasks, geometry: Geometry, viewport: Viewport, slice: Slice, shading: GroupShading): void {
  const { context } = brush;
  const draw = (only: Matches | undefined): void => {
    const task: LaneDrawing = { brush, group, geometry, viewport, slice, hueOf: shading.hueOf, only };
    for (const lane of slice.lanes) drawLane(task, lane, false);
    if ((group.info?.rejected ?? 0) > 0) for (const lane of slice.lanes) drawLane(task, lane, true);
  };
  if (shading.matches) {
    context.globalAlpha = DIMMED;
    draw(undefined);
    context.globalAlpha = 1;
  }
  draw(shading.matches);
}

interface LaneDrawing {
  readonly brush: Brush;
  readonly group: GroupTasks;
  readonly geometry: Geometry;
  readonly viewport: Viewport;
  readonly slice: Slice;
  readonly hueOf: HueOf | undefined;
  /** Leaves all others out. */
  readonly only: Matches | undefined;
}

/** @param failures draw the rejected ones; else all others */
function drawLane({ brush, group, geometry, viewport, slice, hueOf, only }: LaneDrawing, number: number, failures: boolean): void {
  const lane = group.lanes[number - 1];
  if (!lane) return;
  const { origin, now, until } = slice;
  const from = viewport.start + origin;
  const to = Math.min(until, viewport.end + origin);
  const scale = viewport.scale;
  const shift = viewport.shift - origin * scale;
  const top = barTop(geometry, number);
  const height = geometry.barHeight;
  const least = failures ? 2 : 1;
  let runStart = 0;
  let runEnd = -1;
  let runLook: Look = 'fulfilled';
  let runHue = 0;
  const endRun = (): void => {
    if (runEnd >= runStart) fillRun(brush, runLook, colorsOf(brush.palette, runLook, runHue), runStart, top, Math.max(least, runEnd - runStart), height);
  };
  for (let i = lane.firstEndingAfter(from); i < lane.length; i++) {
    const start = lane.startOf(i);
    if (start > to) break;
    const ended = lane.endOf(i);
    const state = ended > until ? TaskState.pending : lane.stateOf(i);
    if (((state & STATE_MASK) === TaskState.rejected) !== failures) continue;
    if (only && !only.has(lane.idOf(i))) continue;
    const end = ended <= until ? ended : Math.max(start, Math.min(now, until)); // a pending one's NaN is not less than anything
    if (end < from) continue;
    const x0 = start * scale + shift;
    const x1 = end * scale + shift;
    const look = lookOf(state, slice.isOver);
    const hue = hueOf ? hueOf(lane, i) : 0;
    if (x1 - x0 < LEAST_WIDTH) {
      if (runEnd >= runStart && look === runLook && hue === runHue && x0 - runEnd < 1) { if (x1 > runEnd) runEnd = x1; continue; }
      endRun();
      runStart = x0; runEnd = x1; runLook = look; runHue = hue;
      continue;
    }
    drawBar(brush, look, colorsOf(brush.palette, look, hue), x0, top, x1 - x0, height);
  }
  endRun();
}

function fillRun({ context, palette }: Brush, look: Look, colors: BarColors, x: number, y: number, width: number, height: number): void {
  context.fillStyle = LOOKS[look].faint || palette.outlined ? colors.line : colors.fill;
  context.fillRect(x, y, width, height);
}

/** The ordinals, centred in what is visible of their bars, where they fit. */
export function drawNumerals(brush: Brush, group: GroupTasks, tasks: TaskTable, geometry: Geometry, viewport: Viewport, slice: Slice, { hueOf, matches }: GroupShading): void {
  if (geometry.barHeight < LEAST_NUMERAL_HEIGHT) return;
  const { context, palette } = brush;
  const size = Math.min(13, geometry.barHeight - 3);
  context.font = `600 ${size}px ${palette.font}`;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.lineWidth = 4;
  context.lineJoin = 'round';
  const digit = context.measureText('0').width;
  const from = viewport.start + slice.origin;
  const to = Math.min(slice.until, viewport.end + slice.origin);
  const shift = viewport.shift - slice.origin * viewport.scale;
  for (const number of slice.lanes) {
    const lane = group.lanes[number - 1];
    if (!lane) continue;
    const middle = barTop(geometry, number) + geometry.barHeight / 2 + 0.5;
    for (let i = lane.firstEndingAfter(from); i < lane.length && lane.startOf(i) <= to; i++) {
      const ended = lane.endOf(i);
      const x0 = Math.max(viewport.left, lane.startOf(i) * viewport.scale + shift);
      const x1 = Math.min(viewport.right, (ended <= slice.until ? ended : Math.min(slice.now, slice.until)) * viewport.scale + shift);
      if (x1 - x0 < digit + 2 * NUMERAL_PADDING || (matches && !matches.has(lane.idOf(i)))) continue;
      const text = numeralOf(tasks, lane.idOf(i));
      if (x1 - x0 < digit * text.length + 2 * NUMERAL_PADDING) continue;
      const look = lookOf(ended > slice.until ? TaskState.pending : lane.stateOf(i), slice.isOver);
      const colors = colorsOf(brush.palette, look, hueOf ? hueOf(lane, i) : 0);
      if (LOOKS[look].hatching) {
        // Over stripes and dots a numeral needs ground of its own.
        context.strokeStyle = colors.fill;
        context.strokeText(text, (x0 + x1) / 2, middle);
      }
      context.fillStyle = colors.text;
      context.fillText(text, (x0 + x1) / 2, middle);
    }
  }
}
