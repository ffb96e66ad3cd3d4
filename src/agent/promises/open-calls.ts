const MAX_FUNCTIONS = 1 << 16;

/** Async functions that run on top of their callers, innermost last: entered and not yet seen to await. */
export class OpenCalls {
  private ids = new Uint32Array(64);
  private functions = new Uint32Array(64);
  /** The call of the same function that was the innermost one before. */
  private outer = new Uint32Array(64);
  /** Number of the function that called it; 0 where that was not seen. */
  private callers = new Uint32Array(64);
  private count = 0;
  /** Per function number: its innermost call in the run of code `runs`. */
  private readonly innermost = new Uint32Array(MAX_FUNCTIONS);
  private readonly runs = new Uint32Array(MAX_FUNCTIONS);
  private run = 1;

  get isEmpty(): boolean { return this.count === 0; }
  /** The innermost; 0 for none. */
  get top(): number { return this.count === 0 ? 0 : this.ids[this.count - 1]; }

  /** Number of its function; 0 where that is not known. */
  get topFunction(): number { return this.count === 0 ? 0 : this.functions[this.count - 1]; }

  /** Another run of code: whatever was called in this one is no longer on the stack. */
  beginRun(): void {
    this.count = 0;
    this.run = (this.run + 1) >>> 0;
  }

  clear(): void { this.count = 0; }
  pop(): void { if (this.count > 0) this.truncate(this.count - 1); }

  /** @param fn number of the function, 0 where it is not known @param caller that of the function that called it, likewise */
  push(id: number, fn: number, caller = 0): void {
    if (this.count === this.ids.length) {
      this.ids = grown(this.ids);
      this.functions = grown(this.functions);
      this.outer = grown(this.outer);
      this.callers = grown(this.callers);
    }
    const known = fn < MAX_FUNCTIONS ? fn : 0;
    this.ids[this.count] = id;
    this.functions[this.count] = known;
    this.callers[this.count] = caller;
    this.outer[this.count++] = this.innermostOf(known);
    if (known === 0) return;
    this.innermost[known] = id;
    this.runs[known] = this.run;
  }

  /** The call of a function in this run of code that is open, the innermost of several; else the latest one; 0 for none. */
  innermostOf(fn: number): number { return fn > 0 && fn < MAX_FUNCTIONS && this.runs[fn] === this.run ? this.innermost[fn] : 0; }

  /** Whether `closeReturned` would close the innermost. Parameters as there. */
  seemsReturned(functions: ArrayLike<number>, from: number, count: number): boolean {
    const caller = this.count === 0 ? 0 : this.callers[this.count - 1];
    for (let at = from; caller !== 0 && at < count; at++) if (functions[at] === caller) return true;
    return false;
  }

  /**
   * Closes calls that have returned unseen: of those whose caller's function is on the stack none is between that and its top.
   * @param functions numbers of the functions on the stack, innermost first, as far as was looked @param from the first of them that counts @param count how many there are
   */
  closeReturned(functions: ArrayLike<number>, from: number, count: number): void {
    for (let top = this.count - 1; top >= 0 && this.callers[top] !== 0; top--) {
      let at = from;
      while (at < count && functions[at] !== this.callers[top]) at++;
      if (at === count) return;
      this.truncate(top);
    }
  }

  /** Whether a call is taken to run. */
  has(id: number): boolean { return this.find(id) >= 0; }

  /** The call no longer runs, nor does what it called. @returns whether it was open */
  close(id: number): boolean {
    const at = this.find(id);
    if (at < 0) return false;
    this.truncate(at);
    return true;
  }

  /** The call of function `fn` runs: what was called from it does not. */
  resume(id: number, fn: number): void {
    const at = this.find(id);
    if (at < 0) this.push(id, fn);
    else this.truncate(at + 1);
  }

  /** What is not on the stack any more leaves its function to the call that is. */
  private truncate(count: number): void {
    while (this.count > count) {
      const at = --this.count;
      const fn = this.functions[at];
      const outer = this.outer[at];
      if (fn !== 0 && outer !== 0 && this.innermost[fn] === this.ids[at] && this.find(outer) >= 0) this.innermost[fn] = outer;
    }
  }

  private find(id: number): number {
    for (let i = this.count - 1; i >= 0; i--) if (this.ids[i] === id) return i;
    return -1;
  }
}

function grown(numbers: Uint32Array): Uint32Array<ArrayBuffer> {
  const twice = new Uint32Array(numbers.length * 2);
  twice.set(numbers);
  return twice;
}
