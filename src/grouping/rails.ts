/** Hands out rails: the longest-free one first, a new one where none is free. */
export class Rails {
  private readonly free: number[] = [];
  private head = 0;
  private count = 0;

  /** @returns a 1-based rail. */
  take(): number {
    if (this.head === this.free.length) return ++this.count;
    const rail = this.free[this.head++];
    if (this.head > 1024 && this.head * 2 > this.free.length) { this.free.splice(0, this.head); this.head = 0; }
    return rail;
  }

  release(rail: number): void { this.free.push(rail); }
}
