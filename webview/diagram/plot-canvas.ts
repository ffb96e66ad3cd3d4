/**
 * The canvas of one plot. It is never much higher than the panel: of a plot with hundreds of lanes it covers what is in
 * sight and follows the scrolling.
 */
import { makeBrush, type Brush } from './brush';
import type { Palette } from './palette';

/** Drawn above and below what is in sight, so that scrolling shows no blank. */
const OVERSCAN = 300;

export class PlotCanvas {
  readonly element = document.createElement('canvas');
  /** CSS pixels of the plot above the canvas. */
  offset = 0;
  height = 0;
  private width = 0;
  private plotHeight = 0;
  private ratio = 0;
  private isBlank = true;
  private palette: Palette | undefined;
  private brush: Brush | undefined;

  constructor() { this.element.setAttribute('aria-hidden', 'true'); }

  /**
   * Fits the canvas to the plot's size and to what of it is in sight.
   * @param plotHeight of the whole plot @param seenFrom @param seenTo part of the plot in sight
   * @returns true where everything has to be drawn anew
   */
  place(width: number, plotHeight: number, seenFrom: number, seenTo: number, palette: Palette): boolean {
    const from = Math.max(0, seenFrom);
    const to = Math.min(plotHeight, seenTo);
    const sameShape = width === this.width && plotHeight === this.plotHeight && devicePixelRatio === this.ratio && palette === this.palette;
    if (sameShape && from >= this.offset && to <= this.offset + this.height) return false;
    const offset = Math.max(0, Math.floor(from - OVERSCAN));
    const height = Math.max(1, Math.min(plotHeight, Math.ceil(to + OVERSCAN)) - offset);
    this.plotHeight = plotHeight;
    this.offset = offset;
    if (width !== this.width || height !== this.height || devicePixelRatio !== this.ratio || palette !== this.palette) {
      Object.assign(this, { width, height, palette, ratio: devicePixelRatio });
      this.element.width = Math.round(width * this.ratio);
      this.element.height = Math.round(height * this.ratio);
      this.element.style.width = `${width}px`;
      this.element.style.height = `${height}px`;
      // One that was given its size is empty.
      this.isBlank = true;
      this.brush = makeBrush(this.element, palette, this.ratio);
    }
    this.element.style.top = `${offset}px`;
    return true;
  }

  /** Clears the canvas and sets it up in the plot's coordinates. */
  begin(): Brush | undefined {
    const { brush } = this;
    brush?.context.setTransform(this.ratio, 0, 0, this.ratio, 0, -this.offset * this.ratio);
    if (!this.isBlank) brush?.context.clearRect(0, this.offset, this.width, this.height);
    this.isBlank = false;
    return brush;
  }

  /** Gives its memory back while out of sight. */
  release(): void {
    this.element.width = this.element.height = 0;
    this.width = this.height = 0;
    this.brush = undefined;
  }
}
