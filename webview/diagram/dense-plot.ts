/** A plot drawn as pixels: keeps what that takes from one picture to the next. */
import { DIMMED } from './bars';
import { makeInks, type Inks } from './inks';
import type { Palette } from './palette';
import { PixelBuffer } from './pixel-buffer';

export interface DenseInks extends Inks {
  /** Of what stands back. */
  readonly dim: Inks;
}

export class DensePlot {
  private buffer: PixelBuffer | undefined;
  private inks: DenseInks | undefined;
  private palette: Palette | undefined;

  /** Draws over all that is on the canvas. @param fill fills the buffer, of the canvas's size */
  draw(context: CanvasRenderingContext2D, palette: Palette, fill: (buffer: PixelBuffer, inks: DenseInks) => void): void {
    const { width, height } = context.canvas;
    if (palette !== this.palette) this.inks = inksOf(palette);
    this.palette = palette;
    if (!this.inks) return;
    if (this.buffer?.width !== width || this.buffer.height !== height) this.buffer = new PixelBuffer(width, height);
    fill(this.buffer, this.inks);
    this.buffer.put(context);
  }

  /** Gives the memory back. */
  release(): void { this.buffer = undefined; }
}

function inksOf(palette: Palette): DenseInks | undefined {
  const inks = makeInks(palette, 1);
  const dim = makeInks(palette, DIMMED);
  return inks && dim && { ...inks, dim };
}
