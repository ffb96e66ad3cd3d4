/** A picture on a canvas, for PNG. */
import { makeHatching, type Hatching } from '../diagram/hatching';
import type { Fill, Paint, Picture, Shape, TextShape } from './shapes';

/** No browser makes a canvas with more pixels along a side. */
const MOST_SIDE = 16_384;
const MOST_PIXELS = 120_000_000;

/** @param ratio pixels of the picture per CSS pixel; less where the picture would be too large @returns undefined where the browser makes no canvas of that size */
export function paintPicture(picture: Picture, ratio: number): HTMLCanvasElement | undefined {
  const { width, height, shapes, font } = picture;
  const scale = Math.min(ratio, MOST_SIDE / width, MOST_SIDE / height, Math.sqrt(MOST_PIXELS / (width * height)));
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  const context = canvas.getContext('2d');
  if (!context) return undefined;
  context.scale(scale, scale);
  context.fillStyle = picture.background;
  context.fillRect(0, 0, width, height);
  const hatching = makeHatching(picture.hatching, scale);
  for (const shape of shapes) paintShape(context, hatching, font, shape);
  return canvas;
}

function paintShape(context: CanvasRenderingContext2D, hatching: Hatching, font: string, shape: Shape): void {
  switch (shape.kind) {
    case 'rect': {
      const path = new Path2D();
      path.roundRect(shape.x, shape.y, shape.width, shape.height, shape.radius ?? 0);
      paint(context, hatching, path, shape);
      return;
    }
    case 'path': paint(context, hatching, new Path2D(shape.d), shape); return;
    case 'text': paintText(context, font, shape); return;
    case 'image': context.drawImage(shape.source, shape.x, shape.y, shape.width, shape.height);
  }
}

function paint(context: CanvasRenderingContext2D, hatching: Hatching, path: Path2D, { fill, stroke, strokeWidth, dash, opacity }: Paint): void {
  if (fill !== undefined) {
    context.globalAlpha = opacity ?? 1;
    context.fillStyle = styleOf(fill, hatching);
    context.fill(path);
    context.globalAlpha = 1;
  }
  if (stroke === undefined) return;
  context.strokeStyle = stroke;
  context.lineWidth = strokeWidth ?? 1;
  context.setLineDash([...(dash ?? [])]);
  context.stroke(path);
  context.setLineDash([]);
}

const styleOf = (fill: Fill, hatching: Hatching): string | CanvasPattern => (typeof fill === 'string' ? fill : hatching[fill.hatching]);

function paintText(context: CanvasRenderingContext2D, font: string, { text, x, y, size, weight, anchor, color, halo }: TextShape): void {
  context.font = `${weight ?? 400} ${size}px ${font}`;
  context.textAlign = anchor === 'middle' ? 'center' : anchor;
  context.textBaseline = 'alphabetic';
  if (halo) {
    context.strokeStyle = halo;
    context.lineWidth = 8;
    context.lineJoin = 'round';
    context.strokeText(text, x, y);
  }
  context.fillStyle = color;
  context.fillText(text, x, y);
}
