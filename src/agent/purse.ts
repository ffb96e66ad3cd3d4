/** What something that was saved counts, in tokens. */
const SAVED = 1 / 16;

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

  /** A quarter is spent: time to save. */
  get isLow(): boolean { return this.tokens * 4 < this.full * 3; }

  /** Something was done without a token that would have been worth one: where that is so often, it stays time to save. */
  save(): void { if (this.tokens * 2 > this.full) this.tokens -= SAVED; }

  /** All is spent. */
  get isEmpty(): boolean { return this.tokens < 1; }

  /** Takes out what something has cost, be there as much or not. */
  spend(tokens: number): void { this.tokens -= tokens; }

  /** @returns whether there was a token */
  take(): boolean {
    if (this.isEmpty) return false;
    this.tokens--;
    return true;
  }
}
