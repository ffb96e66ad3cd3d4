/** Hands out rails: the longest-free one first, a new one where none is free. */
import { Queue } from './queue';

export class Rails {
  private readonly free = new Queue<number>();
  private count = 0;

  /** How many were taken at once at most. */
  get most(): number { return this.count; }

  /** @returns a 1-based rail. */
  take(): number { return this.free.length > 0 ? this.free.shift() : ++this.count; }

  release(rail: number): void { this.free.push(rail); }
}
