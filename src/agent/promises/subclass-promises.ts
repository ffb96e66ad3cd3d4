/**
 * Promises of a subclass, as where a program puts one of its own in the place of the global, or a library's can be cancelled. V8 makes what `then` derives
 * there by the class itself, and does not say of what: that is inferred from which promises of the kind nobody is known to have taken yet, and where
 * they were made. What nothing tells of stays a promise that nothing led to.
 */
import { Flag, type PromiseRing } from './promise-ring';

/** The latest that are remembered. */
const KEPT = 1 << 12;

/** Where a promise is made, or taken. */
export interface Maker {
  /** A number for the place in the code; 0 where that is not known. */
  readonly place: number;
  /** Whether that is in the executor of another promise. */
  readonly isInExecutor: boolean;
}

export class SubclassPromises {
  /** Numbers of those that nobody is known to have taken, in a ring in the order in which they were made; 0 for others. */
  private readonly ids = new Uint32Array(KEPT);
  private readonly places = new Uint32Array(KEPT);
  private readonly inExecutor = new Uint8Array(KEPT);
  private readonly ticks = new Uint32Array(KEPT);
  /** The async function, and the promise whose reaction it was, that they were made in. */
  private readonly owners = new Uint32Array(KEPT);
  private readonly contexts = new Uint32Array(KEPT);
  private count = 0;
  /** By what a function wraps one in that it awaits: that one. */
  private readonly awaited = new Map<number, number>();

  constructor(private readonly ring: PromiseRing) {}

  /** Whether there was one so far. */
  get isAny(): boolean { return this.count > 0; }

  /** Whether one was made lately, and nobody is known to have taken it. */
  has(id: number): boolean { return this.ids.includes(id); }

  /** One is made. @param tick in which run of code @param owner by which async function @param context in the reaction of which promise; 0 for none */
  add(id: number, { place, isInExecutor }: Maker, tick: number, owner: number, context: number): void {
    const at = this.count++ % KEPT;
    this.ids[at] = id;
    this.places[at] = place;
    this.inExecutor[at] = isInExecutor ? 1 : 0;
    this.ticks[at] = tick;
    this.owners[at] = owner;
    this.contexts[at] = context;
  }

  /** Code calls `then`, or awaits: most likely what was made last in the same run, or else the only one there is. @returns number of the promise; 0 for none */
  take(tick: number, isInExecutor: boolean): number {
    let only = -1;
    let fallback = -1;
    let others = 0;
    for (let i = this.count - 1; i >= this.oldest; i--) {
      const at = i % KEPT;
      if (this.ids[at] === 0) continue;
      if (this.ticks[at] === tick) {
        if (isInExecutor || this.inExecutor[at] === 0) return this.takeAt(at);
        if (fallback < 0) fallback = at;
      } else if (++others === 1) only = at;
      // Those of the same run are the latest.
      else break;
    }
    if (fallback >= 0) return this.takeAt(fallback);
    return others === 1 ? this.takeAt(only) : 0;
  }

  /** A function awaits something. @param wrapping what it wraps it in @returns whether that is one of them */
  await(wrapping: number, tick: number): boolean {
    const taken = this.take(tick, false);
    if (taken !== 0) this.isWrappedIn(wrapping, taken);
    return taken !== 0;
  }

  isWrappedIn(wrapping: number, inner: number): void {
    if (this.awaited.size === KEPT) for (const [oldest] of this.awaited) { this.awaited.delete(oldest); break; }
    this.awaited.set(wrapping, inner);
  }

  /** @param outer takes the result of what it was resolved with @returns number of that; 0 where it is not known */
  takeFor(outer: number): number {
    const awaited = this.awaited.get(outer);
    if (awaited !== undefined) {
      this.awaited.delete(outer);
      return awaited;
    }
    for (let i = this.count - 1; i >= this.oldest; i--) {
      const at = i % KEPT;
      if (this.ids[at] !== 0 && (this.owners[at] === outer || this.contexts[at] === outer)) return this.takeAt(at);
    }
    return 0;
  }

  /**
   * A combinator has taken elements: those that were made last, all at one place where there are enough of them.
   * @param combinator its own promise @returns their numbers, in the order in which they were made
   */
  takeElements(count: number, combinator: number, isRace: boolean): number[] {
    const free: number[] = [];
    for (let i = this.count - 1; i >= this.oldest; i--) {
      const at = i % KEPT;
      const slot = this.ring.find(this.ids[at]);
      if (slot < 0 || this.ids[at] === combinator) continue;
      const flags = this.ring.flags[slot];
      // What has won a race is taken out of what is raced again.
      if ((flags & Flag.settled) === 0 || (!isRace && (flags & Flag.raced) === 0)) free.push(at);
    }
    const chosen = this.likeliest(free, count).reverse();
    // What was raced may be so again.
    return chosen.map((at) => (isRace ? this.ids[at] : this.takeAt(at)));
  }

  /** @param free newest first */
  private likeliest(free: readonly number[], count: number): number[] {
    const byPlace = new Map<number, number[]>();
    for (const at of free) {
      const key = this.places[at] * 2 + this.inExecutor[at];
      const others = byPlace.get(key);
      if (others) others.push(at); else byPlace.set(key, [at]);
    }
    const enough = [...byPlace.values()].filter((all) => all.length >= count);
    enough.sort((a, b) => this.inExecutor[a[0]] - this.inExecutor[b[0]] || Number(a.length > count) - Number(b.length > count));
    return (enough.length > 0 ? enough[0] : free).slice(0, count);
  }

  private get oldest(): number { return Math.max(0, this.count - KEPT); }

  private takeAt(at: number): number {
    const id = this.ids[at];
    this.ids[at] = 0;
    return id;
  }
}
