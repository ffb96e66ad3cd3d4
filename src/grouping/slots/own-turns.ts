/**
 * Whether tasks that ask for slots at one place, and that several running functions have handed in at once, ask for the same slots. Where each such function
 * has made a limiter of its own, what lets the next one in is always one of its own tasks:
 *
 *   export(a)  ▇▇▇▇ → ▇▇▇ → ▇▇▇▇▇        one limiter for both would have let in a task of b's by now
 *   export(b)  ▇▇ → ▇▇▇▇▇ → ▇▇
 */
import type { PromiseNode } from '../promises/promise-node';

/** Slots that went on from task to task of each of two running functions, before these are taken to have a limiter each. A guess: that many by chance are rare. */
const OWN_TURNS = 3;

/** Of more running functions nothing is told: each does too little. */
const MAX_AROUND = 64;

/** Running functions that had something of their own last. */
const MAX_OWN = 1024;

export class OwnTurns {
  /** By the running function that called those who ask: how many slots went on from one task of its to another. */
  private readonly within = new Map<PromiseNode, number>();
  private ripe = 0;
  private hasCrossed = false;

  /** Whether it may still turn out that each has slots of its own. */
  get isOpen(): boolean { return !this.hasCrossed; }

  /**
   * A slot went on to a task.
   * @param from the running function whose task gave it back @param to the one whose task it let in
   * @returns whether it is known now that each has slots of its own
   */
  pass(from: PromiseNode | undefined, to: PromiseNode | undefined): boolean {
    if (from !== to || !from || this.within.size > MAX_AROUND) {
      this.hasCrossed = true;
      this.within.clear();
    }
    if (this.hasCrossed || !from) return false;
    const turns = (this.within.get(from) ?? 0) + 1;
    this.within.set(from, turns);
    if (turns === OWN_TURNS) this.ripe++;
    return this.ripe > 1;
  }
}

/** What each running function has of its own, by that function. */
export class OwnOfEach<T> {
  private readonly own = new Map<PromiseNode | undefined, T>();

  /** @param open what makes it, where the function has none as yet */
  of(around: PromiseNode | undefined, open: () => T): T {
    let known = this.own.get(around);
    if (known) return known;
    if (this.own.size >= MAX_OWN) for (const oldest of this.own.keys()) { this.own.delete(oldest); break; }
    this.own.set(around, known = open());
    return known;
  }

  /** One of theirs turned out to be another one. */
  replace(given: T, kept: T): void { for (const [around, one] of this.own) if (one === given) this.own.set(around, kept); }
}
