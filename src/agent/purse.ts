/** A token bucket: `full` tokens at once, `perMs` a millisecond. */
export class Purse {
  private tokens: number;
  private lastTime = 0;

  constructor(private readonly full: number, private readonly perMs: number) { this.tokens = full; }

  /** @param time milliseconds, never going back @returns whether there was a token */
  take(time: number): boolean {
    const earned = (time - this.lastTime) * this.perMs;
    if (earned >= 1) {
      this.tokens = Math.min(this.full, this.tokens + earned);
      this.lastTime = time;
    }
    if (this.tokens < 1) return false;
    this.tokens--;
    return true;
  }
}
