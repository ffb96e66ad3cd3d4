/** Draws bars that are on their way, wherever they are: shapes where they are few, pixels where they are many. */
import { drawBar } from '../diagram/bar-shape';
import { lookOf } from '../diagram/bars';
import type { Brush } from '../diagram/brush';
import { barTop, type Geometry } from '../diagram/geometry';
import type { Inks } from '../diagram/inks';
import type { PixelBuffer } from '../diagram/pixel-buffer';
import type { Viewport } from '../diagram/viewport';
import type { Layout } from './recorded';

/** @param origin milliseconds on the axis at which the group starts */
export function drawShapes(brush: Brush, layout: Layout, states: Uint8Array, geometry: Geometry, viewport: Viewport, origin: number): void {
  for (let row = 0; row < states.length; row++) {
    const x0 = viewport.x(layout.start[row] + origin);
    const x1 = viewport.x(layout.end[row] + origin);
    if (x1 < viewport.left || x0 > viewport.right) continue;
    const look = lookOf(states[row], true);
    drawBar(brush, look, brush.palette.bars[look], x0, barTop(geometry, layout.lane[row]), Math.max(1, x1 - x0), geometry.barHeight);
  }
}

/** @param ratio device pixels per CSS pixel @param offset CSS pixels of the plot above the buffer */
export function drawPixels(buffer: PixelBuffer, inks: Inks, layout: Layout, states: Uint8Array, geometry: Geometry, viewport: Viewport, origin: number, ratio: number, offset: number): void {
  const left = Math.round(viewport.left * ratio);
  const right = Math.round(viewport.right * ratio);
  buffer.clear();
  for (let row = 0; row < states.length; row++) {
    const x0 = Math.max(left, Math.round(viewport.x(layout.start[row] + origin) * ratio));
    const x1 = Math.min(right, Math.max(x0 + 1, Math.round(viewport.x(layout.end[row] + origin) * ratio)));
    const top = Math.round((barTop(geometry, layout.lane[row]) - offset) * ratio);
    buffer.fillRect(x0, x1 - x0 > 3 ? x1 - 1 : x1, top, top + Math.max(1, Math.round(geometry.barHeight * ratio)), inks.bars[lookOf(states[row], true)]);
  }
}
