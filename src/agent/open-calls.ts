/** Async functions that run on top of their callers, innermost last: entered and not yet seen to await. */
export class OpenCalls {
  private ids = new Uint32Array(64);
  private count = 0;

  get isEmpty(): boolean { return this.count === 0; }
  /** The innermost; 0 for none. */
  get top(): number { return this.count === 0 ? 0 : this.ids[this.count - 1]; }

  clear(): void { this.count = 0; }
  pop(): void { if (this.count > 0) this.count--; }

  push(id: number): void {
    if (this.count === this.ids.length) {
      const grown = new Uint32Array(this.count * 2);
      grown.set(this.ids);
      this.ids = grown;
    }
    this.ids[this.count++] = id;
  }

  /** The call no longer runs, nor does what it called. @returns whether it was open */
  close(id: number): boolean {
    const at = this.find(id);
    if (at < 0) return false;
    this.count = at;
    return true;
  }

  /** The call runs: what was called from it does not. */
  resume(id: number): void {
    const at = this.find(id);
    this.count = at + 1;
    if (at < 0) this.push(id);
  }

  private find(id: number): number {
    for (let i = this.count - 1; i >= 0; i--) if (this.ids[i] === id) return i;
    return -1;
  }
}
