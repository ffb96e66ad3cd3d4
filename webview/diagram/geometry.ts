/**
 * Where things of one group's diagram stand from top to bottom, in CSS pixels:
 *
 *   title row      Chunk 1            Chunk 2
 *   frame top     ┌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌┐┌╌╌╌╌╌╌╌╌╌╌╌╌
 *   row n         │ ▆▆▆ 5 ▆▆▆ ░░░░ ││ ▆▆ 10 ▆▆ ░░
 *   …             │                ││
 *   row 1         │ ▆▆▆▆▆▆ 1 ▆▆▆▆▆ ││ ▆▆▆ 6 ▆▆▆▆▆
 *   frame bottom  └╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌┘└╌╌╌╌╌╌╌╌╌╌╌╌
 *   callout       ├─ the longest … ┤
 */
export interface Geometry {
  readonly rows: number;
  readonly rowHeight: number;
  /** Height of a bar in its row; the rest is the gap to the row above. */
  readonly barHeight: number;
  readonly frameTop: number;
  readonly rowsTop: number;
  readonly frameBottom: number;
  readonly height: number;
}

/** Left of the plot: lane numbers. Right of it: room for the arrow's head. */
export const GUTTER = 44;
export const RIGHT = 26;
const TITLE = 22;
const PAD = 5;
const FOOT = 16;
const CALLOUT = 26;
/** A callout that does not fit in one line stands below its dimension line. */
export const CALLOUT_LINE = 15;
const MAX_ROW = 30;
const MIN_ROW = 3;
/** Few lanes are not squeezed: a panel too low for them scrolls. */
const COMFORTABLE_ROW = 14;
const COMFORTABLE_ROWS = 150;
/** What a group's header takes, roughly: only the choice of a row height hangs on it. */
const HEADER = 74;

/**
 * Rows as high as `room` allows, between what is comfortable and what can still be told apart; above 1,000 lanes a row is one pixel.
 * @param room pixels the whole group may take, header included
 * @param calloutLines 0: the group has no callout; 1: it stands in its dimension line; 2 or more: below it
 */
export function geometryFor(lanes: number, room: number, calloutLines: number): Geometry {
  const rows = Math.max(1, lanes);
  const foot = calloutLines === 0 ? FOOT : CALLOUT + (calloutLines > 1 ? calloutLines * CALLOUT_LINE : 0);
  const least = rows > 1000 ? 1 : Math.max(MIN_ROW, Math.min(COMFORTABLE_ROW, Math.floor(COMFORTABLE_ROWS / rows)));
  const fitting = Math.floor((room - HEADER - TITLE - 2 * PAD - foot) / rows);
  const rowHeight = Math.min(MAX_ROW, Math.max(least, fitting));
  const gap = rowHeight >= 16 ? 4 : rowHeight >= 9 ? 2 : rowHeight >= 3 ? 1 : 0;
  const rowsTop = TITLE + PAD;
  const frameBottom = rowsTop + rows * rowHeight + PAD;
  return { rows, rowHeight, barHeight: rowHeight - gap, frameTop: TITLE, rowsTop, frameBottom, height: frameBottom + foot };
}

/** Top of a lane's row: lane 1 is the lowest. */
export const rowTop = (geometry: Geometry, lane: number): number => geometry.rowsTop + (geometry.rows - lane) * geometry.rowHeight;
/** Top of a bar in its row, on a whole pixel so that its edges are sharp. */
export const barTop = (geometry: Geometry, lane: number): number =>
  rowTop(geometry, lane) + Math.floor((geometry.rowHeight - geometry.barHeight) / 2);

/** @returns the 1-based lane at that height, 0 where there is none */
export function laneAt(geometry: Geometry, y: number): number {
  const fromTop = Math.floor((y - geometry.rowsTop) / geometry.rowHeight);
  return fromTop < 0 || fromTop >= geometry.rows ? 0 : geometry.rows - fromTop;
}

/** Every how many lanes a number is written so that two of them never touch: 1, 2, 5, 10, … */
export function labelStep(rowHeight: number): number {
  const least = 13 / rowHeight;
  for (let power = 1; ; power *= 10) for (const digit of [1, 2, 5]) if (digit * power >= least) return digit * power;
}
