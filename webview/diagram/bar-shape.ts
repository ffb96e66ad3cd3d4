/** Draws one bar on a canvas as `bar-outline.ts` says. */
import { cornerOf, cornersOf, DASH, LEAST_SHAPE, LOOKS } from './bar-outline';
import type { Brush } from './brush';
import type { BarColors, Look } from './palette';

const DASHED = [...DASH];
const NO_DASH: number[] = [];

/** @param colors of the look, or of a hue for a fulfilled bar */
export function drawBar(brush: Brush, look: Look, colors: BarColors, x: number, y: number, width: number, height: number): void {
  const { context, palette, hatching } = brush;
  const style = LOOKS[look];
  // One pixel is left free at the right, so that bars which follow one another stay two bars.
  const w = width > 3 ? width - 1 : width;
  if (height < LEAST_SHAPE || w < LEAST_SHAPE) {
    context.fillStyle = style.faint || palette.outlined ? colors.line : colors.fill;
    context.fillRect(x, y, w, height);
    return;
  }
  context.fillStyle = colors.fill;
  outline(context, look, x, y, w, height);
  context.fill();
  if (style.hatching) {
    context.fillStyle = hatching[style.hatching];
    context.fill();
  }
  if (style.outlined || palette.outlined) {
    context.strokeStyle = colors.line;
    context.lineWidth = 1;
    context.setLineDash(style.dashed ? DASHED : NO_DASH);
    outline(context, look, x + 0.5, y + 0.5, w - 1, height - 1);
    context.stroke();
    context.setLineDash(NO_DASH);
  }
  if (look === 'rejected') cross(brush, x, y, w, height);
}

function outline(context: CanvasRenderingContext2D, look: Look, x: number, y: number, w: number, h: number): void {
  const corners = cornersOf(look, x, y, w, h);
  context.beginPath();
  if (!corners) {
    context.roundRect(x, y, w, h, cornerOf(h));
    return;
  }
  context.moveTo(corners[0], corners[1]);
  for (let at = 2; at < corners.length; at += 2) context.lineTo(corners[at], corners[at + 1]);
  context.closePath();
}

function cross({ context, palette }: Brush, x: number, y: number, w: number, h: number): void {
  if (h < 12 || w < 64) return;
  const arm = 3.5;
  const cx = x + w - 11;
  const cy = y + h / 2;
  context.fillStyle = palette.bars.rejected.fill;
  context.beginPath();
  context.arc(cx, cy, arm + 3.5, 0, 2 * Math.PI);
  context.fill();
  context.strokeStyle = palette.bars.rejected.text;
  context.lineWidth = 2;
  context.beginPath();
  context.moveTo(cx - arm, cy - arm); context.lineTo(cx + arm, cy + arm);
  context.moveTo(cx + arm, cy - arm); context.lineTo(cx - arm, cy + arm);
  context.stroke();
}
