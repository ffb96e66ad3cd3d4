/** Hatching as canvas patterns, drawn in device pixels so that its lines stay sharp at every zoom of the page. */
import type { Palette } from './palette';

export interface Hatching {
  /** Idle: thin lines, rising. */
  readonly idle: CanvasPattern | string;
  /** Over a rejected bar: bold lines, falling. */
  readonly rejected: CanvasPattern | string;
  /** In an aborted bar: level lines. */
  readonly aborted: CanvasPattern | string;
  /** In a bar that timed out: crossed lines. */
  readonly timedOut: CanvasPattern | string;
  /** In an ignored bar: dots. */
  readonly ignored: CanvasPattern | string;
  /** Over all lanes while garbage is collected: upright lines. */
  readonly gc: CanvasPattern | string;
  /** Over all lanes while promises came too fast to be watched: crossed lines, far apart. */
  readonly unwatched: CanvasPattern | string;
}

export type HatchingColors = Readonly<Record<keyof Hatching, string>>;

export const hatchingColors = ({ idle, gc, unwatched, bars }: Palette): HatchingColors =>
  ({ idle, gc, unwatched, rejected: bars.rejected.line, aborted: bars.aborted.line, timedOut: bars.timedOut.line, ignored: bars.ignored.line });

/** @param ratio device pixels per CSS pixel */
export function makeHatching(colors: HatchingColors, ratio: number): Hatching {
  return {
    idle: lines(colors.idle, 7, 1, ratio, ['rising']),
    rejected: lines(colors.rejected, 6, 2, ratio, ['falling']),
    timedOut: lines(colors.timedOut, 6, 1, ratio, ['rising', 'falling']),
    aborted: tile(Math.round(4 * ratio), ratio, colors.aborted, (context, size) => {
      context.fillStyle = colors.aborted;
      context.fillRect(0, size >> 1, size, Math.max(1, Math.round(ratio)));
    }),
    unwatched: lines(colors.unwatched, 10, 1, ratio, ['rising', 'falling']),
    ignored: dots(colors.ignored, 4, ratio),
    gc: tile(Math.round(3 * ratio), ratio, colors.gc, (context, size) => {
      context.fillStyle = colors.gc;
      context.fillRect(0, 0, Math.max(1, Math.round(ratio)), size);
    }),
  };
}

function lines(color: string, distance: number, width: number, ratio: number, directions: readonly ('rising' | 'falling')[]): CanvasPattern | string {
  return tile(Math.round(distance * ratio), ratio, color, (context, size) => {
    context.strokeStyle = color;
    context.lineWidth = width * ratio;
    // Three strokes, so that the corners of the tile meet their neighbours.
    for (const direction of directions) for (const shift of [-size, 0, size]) {
      const isRising = direction === 'rising';
      context.beginPath();
      context.moveTo(shift - 1, isRising ? size + 1 : -1);
      context.lineTo(shift + size + 1, isRising ? -1 : size + 1);
      context.stroke();
    }
  });
}

function dots(color: string, distance: number, ratio: number): CanvasPattern | string {
  return tile(Math.round(distance * ratio), ratio, color, (context, size) => {
    context.fillStyle = color;
    const dot = Math.max(1, Math.round(ratio));
    context.fillRect(0, 0, dot, dot);
    context.fillRect(size >> 1, size >> 1, dot, dot);
  });
}

function tile(size: number, ratio: number, instead: string, draw: (context: CanvasRenderingContext2D, size: number) => void): CanvasPattern | string {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = Math.max(2, size);
  const context = canvas.getContext('2d');
  if (!context) return instead;
  draw(context, canvas.width);
  const pattern = context.createPattern(canvas, 'repeat');
  pattern?.setTransform(new DOMMatrix().scale(1 / ratio));
  return pattern ?? instead;
}
