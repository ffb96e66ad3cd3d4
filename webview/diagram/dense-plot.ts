/** Draws a group as pixels on its canvas, and keeps what that takes from one picture to the next. */
import type { GroupTasks } from '../store/group-tasks';
import { makeInks, type Inks } from './inks';
import type { Palette } from './palette';
import { PixelBuffer } from './pixel-buffer';
import { rasterise, type RasterView } from './raster';

export class DensePlot {
  private buffer: PixelBuffer | undefined;
  private inks: Inks | undefined;
  private palette: Palette | undefined;

  /** Draws over all that is on the canvas. @param visible tasks in view */
  draw(context: CanvasRenderingContext2D, group: GroupTasks, palette: Palette, view: RasterView, visible: number): void {
    const { width, height } = context.canvas;
    if (palette !== this.palette) this.inks = makeInks(palette);
    this.palette = palette;
    if (!this.inks) return;
    if (this.buffer?.width !== width || this.buffer.height !== height) this.buffer = new PixelBuffer(width, height);
    rasterise(this.buffer, this.inks, group, view, visible);
    this.buffer.put(context);
  }

  /** Gives the memory back. */
  release(): void { this.buffer = undefined; }
}
