/** Pixels of a canvas in memory: rows of colours are filled in, then all of it is put on the canvas at once. */
export class PixelBuffer {
  private image: ImageData;
  private words: Uint32Array;

  /** @param width @param height device pixels */
  constructor(readonly width: number, readonly height: number) {
    this.image = new ImageData(width, height);
    this.words = new Uint32Array(this.image.data.buffer);
  }

  clear(): void { this.words.fill(0); }

  /** Puts a row of colours over rows `top` to `bottom`; what is 0 in it leaves what is there. */
  fillRow(top: number, bottom: number, colors: Uint32Array): void {
    const { words, width } = this;
    for (let y = Math.max(0, top); y < Math.min(this.height, bottom); y++) {
      const at = y * width;
      for (let x = 0; x < width; x++) {
        const color = colors[x];
        if (color !== 0) words[at + x] = color;
      }
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
