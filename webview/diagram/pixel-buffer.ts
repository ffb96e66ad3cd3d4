/** Pixels of a canvas in memory: rows of colours are filled in, then all of it is put on the canvas at once. */
export class PixelBuffer {
  private image: ImageData;
  private words: Uint32Array;
  /** Memory comes empty: filling five megabytes with what is in them takes a fifth of a frame. */
  private isBlank = true;

  /** @param width @param height device pixels */
  constructor(readonly width: number, readonly height: number) {
    this.image = new ImageData(width, height);
    this.words = new Uint32Array(this.image.data.buffer);
  }

  clear(): void {
    if (!this.isBlank) this.words.fill(0);
    this.isBlank = false;
  }

  /** Puts a row of colours over rows `top` to `bottom`; what is 0 in it leaves what is there. */
  fillRow(top: number, bottom: number, colors: Uint32Array): void {
    const { words, width } = this;
    let from = 0;
    let to = width;
    while (from < to && colors[from] === 0) from++;
    while (to > from && colors[to - 1] === 0) to--;
    // A lane without a gap, as a dense one is, goes in whole: several times as fast.
    const whole = colors.subarray(from, to);
    const isSolid = !whole.includes(0);
    for (let y = Math.max(0, top); y < Math.min(this.height, bottom); y++) {
      const at = y * width;
      if (isSolid) words.set(whole, at + from);
      else for (let x = from; x < to; x++) if (colors[x] !== 0) words[at + x] = colors[x];
    }
  }

  /** Rising lines over rows `top` to `bottom` where `isFree` is not 0. @param distance between two lines, along a row */
  hatch(top: number, bottom: number, color: number, isFree: Uint8Array, distance: number): void {
    const { words, width } = this;
    for (let y = Math.max(0, top); y < Math.min(this.height, bottom); y++) {
      for (let x = distance - 1 - (y % distance); x < width; x += distance) if (isFree[x] !== 0) words[y * width + x] = color;
    }
  }

  fillRect(x0: number, x1: number, y0: number, y1: number, color: number): void {
    for (let y = Math.max(0, y0); y < Math.min(this.height, y1); y++) this.words.fill(color, y * this.width + x0, y * this.width + Math.max(x0, x1));
  }

  put(context: CanvasRenderingContext2D): void { context.putImageData(this.image, 0, 0); }
}
