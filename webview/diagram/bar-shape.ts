/**
 * How one bar looks, told by shape and pattern as well as by colour:
 *
 *   fulfilled  ██████   solid
 *   rejected   ▚▚▚▚▚×   solid under bold stripes, crossed at its end where there is room
 *   pending    ▒▒▒▒▒▷   light, dashed above and below, its end a point: it goes on
 *   unsettled    ▒▒▒▒▒≷   light, dashed, its end torn off: the run ended first
 *   ignored    ┆·····┆  hollow and dotted
 */
import type { Brush } from './brush';
import type { BarColors, Look } from './palette';

/** Lower bars are plain rectangles: there is no room for corners, points and outlines. */
const SHAPE_HEIGHT = 6;
const SHAPE_WIDTH = 6;
const DASH = [4, 3];
const NO_DASH: number[] = [];

/** @param colors of the look, or of a hue for a fulfilled bar */
export function drawBar(brush: Brush, look: Look, colors: BarColors, x: number, y: number, width: number, height: number): void {
  const { context, palette, hatching } = brush;
  // One pixel is left free at the right, so that bars which follow one another stay two bars.
  const w = width > 3 ? width - 1 : width;
  if (height < SHAPE_HEIGHT || w < SHAPE_WIDTH) {
    context.fillStyle = look === 'ignored' || palette.outlined ? colors.line : colors.fill;
    context.fillRect(x, y, w, height);
    return;
  }
  context.fillStyle = colors.fill;
  outline(context, look, x, y, w, height);
  context.fill();
  if (look === 'rejected' || look === 'ignored') {
    context.fillStyle = look === 'rejected' ? hatching.rejected : hatching.ignored;
    context.fill();
  }
  if (look === 'fulfilled' && !palette.outlined) return;
  if (look === 'rejected' && !palette.outlined) { cross(brush, x, y, w, height); return; }
  context.strokeStyle = colors.line;
  context.lineWidth = 1;
  context.setLineDash(look === 'pending' || look === 'unsettled' ? DASH : NO_DASH);
  outline(context, look, x + 0.5, y + 0.5, w - 1, height - 1);
  context.stroke();
  context.setLineDash(NO_DASH);
  if (look === 'rejected') cross(brush, x, y, w, height);
}

function outline(context: CanvasRenderingContext2D, look: Look, x: number, y: number, w: number, h: number): void {
  context.beginPath();
  if (look === 'unsettled') {
    const tooth = Math.min(w / 2, h / 4);
    context.moveTo(x, y);
    for (let step = 0; step <= 4; step++) context.lineTo(x + w - (step % 2) * tooth, y + (step * h) / 4);
    context.lineTo(x, y + h);
    context.closePath();
    return;
  }
  if (look !== 'pending') {
    context.roundRect(x, y, w, h, h >= 12 ? 3 : 1.5);
    return;
  }
  const point = Math.min(w / 2, h / 2);
  context.moveTo(x, y);
  context.lineTo(x + w - point, y);
  context.lineTo(x + w, y + h / 2);
  context.lineTo(x + w - point, y + h);
  context.lineTo(x, y + h);
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
