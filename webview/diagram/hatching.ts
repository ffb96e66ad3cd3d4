/** Hatching as canvas patterns, drawn in device pixels so that its lines stay sharp at every zoom of the page. */

export interface Hatching {
  /** Idle: thin lines, rising. */
  readonly idle: CanvasPattern | string;
  /** Over a rejected bar: bold lines, falling. */
  readonly rejected: CanvasPattern | string;
  /** In an ignored bar: dots. */
  readonly ignored: CanvasPattern | string;
  /** Over all lanes while garbage is collected: upright lines. */
  readonly gc: CanvasPattern | string;
}

/** @param ratio device pixels per CSS pixel */
export function makeHatching(idle: string, rejectedLine: string, ignoredLine: string, ratio: number, gc = idle): Hatching {
  return {
    idle: lines(idle, 7, 1, ratio, true),
    rejected: lines(rejectedLine, 6, 2, ratio, false),
    ignored: dots(ignoredLine, 4, ratio),
    gc: tile(Math.round(3 * ratio), ratio, gc, (context, size) => {
      context.fillStyle = gc;
      context.fillRect(0, 0, Math.max(1, Math.round(ratio)), size);
    }),
  };
}

function lines(color: string, distance: number, width: number, ratio: number, rising: boolean): CanvasPattern | string {
  return tile(Math.round(distance * ratio), ratio, color, (context, size) => {
    context.strokeStyle = color;
    context.lineWidth = width * ratio;
    // Three strokes, so that the corners of the tile meet their neighbours.
    for (const shift of [-size, 0, size]) {
      context.beginPath();
      context.moveTo(shift - 1, rising ? size + 1 : -1);
      context.lineTo(shift + size + 1, rising ? -1 : size + 1);
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
