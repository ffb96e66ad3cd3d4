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
/** Which lane stands in which row; lanes that are in none are hidden. */
export interface LaneOrder {
  /** Row, from 0 at the top, of lane k at index k − 1; −1: hidden. */
  readonly rows: Int32Array;
  /** Lane of each row from the top, 1-based. */
  readonly lanes: Uint32Array;
}

export interface Geometry {
  /** Undefined: all lanes, lane 1 the lowest. */
  readonly order: LaneOrder | undefined;
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
 * @param lanes that are shown @param order of them
 * @param calloutLines 0: the group has no callout; 1: it stands in its dimension line; 2 or more: below it
 */
export function geometryFor(lanes: number, room: number, calloutLines: number, order?: LaneOrder): Geometry {
  const rows = Math.max(1, lanes);
  const foot = calloutLines === 0 ? FOOT : CALLOUT + (calloutLines > 1 ? calloutLines * CALLOUT_LINE : 0);
  const least = rows > 1000 ? 1 : Math.max(MIN_ROW, Math.min(COMFORTABLE_ROW, Math.floor(COMFORTABLE_ROWS / rows)));
  const fitting = Math.floor((room - HEADER - TITLE - 2 * PAD - foot) / rows);
  const rowHeight = Math.min(MAX_ROW, Math.max(least, fitting));
  const gap = rowHeight >= 16 ? 4 : rowHeight >= 9 ? 2 : rowHeight >= 3 ? 1 : 0;
  const rowsTop = TITLE + PAD;
  const frameBottom = rowsTop + rows * rowHeight + PAD;
  return { order, rows, rowHeight, barHeight: rowHeight - gap, frameTop: TITLE, rowsTop, frameBottom, height: frameBottom + foot };
}

/** Far above every plot: a hidden lane's things are seen nowhere. */
const NOWHERE = -1e6;

/** Top of a lane's row. @param lane between two numbers while a bar is on its way from one lane to another */
export function rowTop({ order, rows, rowsTop, rowHeight }: Geometry, lane: number): number {
  if (!order) return rowsTop + (rows - lane) * rowHeight;
  const below = Math.floor(lane);
  const row = order.rows[below - 1];
  if (row === undefined || row < 0) return NOWHERE;
  const next = lane === below ? row : order.rows[below];
  return rowsTop + (row + (next - row) * (lane - below)) * rowHeight;
}

export const isHidden = ({ order }: Geometry, lane: number): boolean => order !== undefined && !(order.rows[lane - 1] >= 0);

/** Top of a bar in its row, on a whole pixel so that its edges are sharp. */
export const barTop = (geometry: Geometry, lane: number): number =>
  rowTop(geometry, lane) + Math.floor((geometry.rowHeight - geometry.barHeight) / 2);

/** @returns the 1-based lane at that height, 0 where there is none */
export function laneAt({ order, rows, rowsTop, rowHeight }: Geometry, y: number): number {
  const row = Math.floor((y - rowsTop) / rowHeight);
  return row < 0 || row >= rows ? 0 : order ? order.lanes[row] : rows - row;
}

/** Lanes whose rows reach into a stretch of the plot, from the top down. */
export function lanesBetween({ order, rows, rowsTop, rowHeight }: Geometry, top: number, bottom: number): number[] {
  const first = Math.max(0, Math.floor((top - rowsTop) / rowHeight));
  const last = Math.min(rows - 1, Math.floor((bottom - rowsTop) / rowHeight));
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => (order ? order.lanes[first + i] : rows - first - i));
}

/** Every how many lanes a number is written so that two of them never touch: 1, 2, 5, 10, … */
export function labelStep(rowHeight: number): number {
  const least = 13 / rowHeight;
  for (let power = 1; ; power *= 10) for (const digit of [1, 2, 5]) if (digit * power >= least) return digit * power;
}

/** Height of a lane's number. */
const LINE = 12;

/** Whether a lane's number stands beside it: lane 1 always, others as far as they do not touch. */
export function isNumbered({ order, rowHeight }: Geometry, lane: number): boolean {
  const step = labelStep(rowHeight);
  // Lanes in an order of their own are numbered by where they stand.
  if (order) return order.rows[lane - 1] % step === 0;
  return lane === 1 || (lane % step === 0 && (lane - 1) * rowHeight >= LINE);
}
