/**
 * Whether tasks that ask for slots at one place, and that several running functions have handed in at once, ask for the same slots. Where each such function
 * has made a limiter of its own, what lets the next one in is always one of its own tasks:
 *
 *   export(a)  ▇▇▇▇ → ▇▇▇ → ▇▇▇▇▇        one limiter for both would have let in a task of b's by now
 *   export(b)  ▇▇ → ▇▇▇▇▇ → ▇▇
 */
import { functionKeyOf, type PromiseNode } from '../promises/promise-node';
import { aroundBoth, innermost, isWithin } from '../promises/scopes';

/** Slots that went on from task to task of each of two running functions, before these are taken to have a limiter each. A guess: that many by chance are rare. */
const OWN_TURNS = 3;

/** Of more running functions nothing is told: each does too little. */
const MAX_AROUND = 64;

/** Running functions that had something of their own last. */
const MAX_OWN = 1024;

export class OwnTurns {
  /** By the innermost running function around who gave a slot back and who got it: how many slots went on so. */
  private readonly within = new Map<PromiseNode, number>();
  private ripe = 0;
  private hasCrossed = false;
  private fn = '';

  /** Whether it may still turn out that each has slots of its own. */
  get isOpen(): boolean { return !this.hasCrossed; }

  /**
   * A slot went on.
   * @param from who called, or waited for, what gave it back @param to who did so for what it let in
   * @returns whether it is known now that running functions around them have slots of their own
   */
  pass(from: PromiseNode | undefined, to: PromiseNode | undefined): boolean {
    if (!this.hasCrossed) this.count(aroundBoth(from, to), 1);
    return this.ripe > 1;
  }

  /** What asks for another one's slots asks for the same. */
  join({ within, hasCrossed }: OwnTurns): void {
    if (hasCrossed) this.cross();
    else for (const [around, turns] of within) this.count(around, turns);
  }

  private count(common: PromiseNode | undefined, more: number): void {
    const around = common && (innermost(common, (at) => this.within.has(at)) ?? common);
    if (!around || this.within.size > MAX_AROUND || functionKeyOf(around) !== (this.fn ||= functionKeyOf(around)) || [...this.within.keys()].some((known) => known !== around && isWithin(known, around))) {
      this.cross();
      return;
    }
    const turns = this.within.get(around) ?? 0;
    this.within.set(around, turns + more);
    if (turns < OWN_TURNS && turns + more >= OWN_TURNS) this.ripe++;
  }

  private cross(): void {
    this.hasCrossed = true;
    this.ripe = 0;
    this.within.clear();
  }

  /** The running function around a call that has slots of its own, once that is known; undefined for none. */
  homeOf(call: PromiseNode | undefined): PromiseNode | undefined {
    return innermost(call, (at) => functionKeyOf(at) === this.fn);
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

  /** Whether one of them has one that is wanted. */
  some(isIt: (one: T) => boolean): boolean { return [...this.own.values()].some(isIt); }

  /** One of theirs turned out to be another one. */
  replace(given: T, kept: T): void { for (const [around, one] of this.own) if (one === given) this.own.set(around, kept); }
}
