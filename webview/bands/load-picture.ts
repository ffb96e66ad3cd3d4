/** What a strip below a group shows: a load over time, in work up to a limit and waiting beyond it. One entry a pixel of the plot's width. */
import type { Brush } from '../diagram/brush';

/** How many are at it in a stretch of time; a mean over the stretch where the source keeps none finer. */
export interface Load {
  readonly working: number;
  readonly queued: number;
}

export interface LoadPicture {
  readonly name: 'queue' | 'requests';
  readonly loads: readonly Load[];
  /** What the strip's full height stands for. */
  readonly scale: number;
  /** Where a line is drawn: no more are in work at once. Undefined: not known, and what is in work is not shown. */
  readonly limit: number | undefined;
  /** The peak in words. */
  readonly label: string;
  /** What `working` and `queued` are called. */
  readonly words: { readonly working: string; readonly queued: string };
}

/** What a strip is drawn from: a key that changes with it, and how it is made. */
export interface LoadSource {
  readonly version: string;
  readonly make: () => LoadPicture;
}

export const STRIP_HEIGHT = 40;
const TOP = 14;
const BOTTOM = 38;
const LEAST = 1;

/** Pixel rows of a load: in work between `y0` and `y1`, waiting between `y1` and `y2`, from the foot up. */
export interface LoadSpan { readonly y0: number; readonly y1: number; readonly y2: number }

export const loadY = (value: number, scale: number): number => BOTTOM - (scale > 0 ? (value / scale) * (BOTTOM - TOP) : 0);

/** Never too low to be seen. */
export function spanOf({ working, queued }: Load, scale: number): LoadSpan {
  const y1 = working > 0 ? Math.min(BOTTOM - LEAST, loadY(working, scale)) : BOTTOM;
  return { y0: BOTTOM, y1, y2: queued > 0 ? Math.min(y1 - LEAST, loadY(working + queued, scale)) : y1 };
}

/** @param left pixel of the first entry */
export function drawLoads({ context, palette, hatching }: Brush, { loads, scale, limit }: LoadPicture, left: number): void {
  const ink = palette.outlined ? palette.bars.fulfilled.line : palette.bars.fulfilled.fill;
  loads.forEach((load, i) => {
    const { y0, y1, y2 } = spanOf(load, scale);
    context.fillStyle = ink;
    context.fillRect(left + i, y1, 1, y0 - y1);
    context.fillStyle = hatching.idle;
    context.fillRect(left + i, y2, 1, y1 - y2);
    // Hatching alone has no edge to read a height off.
    context.fillStyle = palette.label;
    if (y2 < y1) context.fillRect(left + i, y2, 1, 1);
  });
  if (limit !== undefined) {
    const y = Math.round(loadY(limit, scale)) + 0.5;
    context.strokeStyle = palette.label;
    context.setLineDash([2, 3]);
    context.beginPath();
    context.moveTo(left, y);
    context.lineTo(left + loads.length, y);
    context.stroke();
    context.setLineDash([]);
  }
}
