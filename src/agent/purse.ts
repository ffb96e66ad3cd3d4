/** A token bucket: `full` tokens at once, `perMs` a millisecond. */
export class Purse {
  private tokens: number;
  private lastTime = 0;

  constructor(private readonly full: number, private readonly perMs: number) { this.tokens = full; }

  /** Puts in what was earned. @param time milliseconds, never going back */
  refill(time: number): void {
    const earned = (time - this.lastTime) * this.perMs;
    if (earned < 1) return;
    this.tokens = Math.min(this.full, this.tokens + earned);
    this.lastTime = time;
  }

  /** Less than half is left: time to save. */
  get isLow(): boolean { return this.tokens * 2 < this.full; }

  /** @returns whether there was a token */
  take(): boolean {
    if (this.tokens < 1) return false;
    this.tokens--;
    return true;
  }
}
