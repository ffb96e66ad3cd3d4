/** What the host hears of promises: of each only once it may matter, late but with its own times, and after what led to it. */
import { Fact, NANOSECONDS, RootKind } from '../../model/facts';
import type { FactWriter } from '../fact-writer';
import type { Outcomes } from './outcomes';
import { Flag, KIND_MASK, kindFlags, kindOf, type PromiseRing } from './promise-ring';
import type { Reactions } from './reactions';
import type { Runs } from './runs';

/** A call of an async function that has settled before anybody heard of it. */
const QUICK = Flag.root | Flag.settled | kindFlags(RootKind.asyncFunction);
const QUICK_MASK = Flag.root | Flag.settled | Flag.told | kindFlags(KIND_MASK);
const MAX_U32 = 2 ** 32 - 1;

export class Teller {
  constructor(private readonly ring: PromiseRing, private readonly writer: FactWriter, private readonly outcomes: Outcomes, private readonly reactions: Reactions, private readonly runs: Runs) {}

  /** Tells of a promise that the host has not heard of. */
  tell(id: number): void {
    if (!this.begin(id)) return;
    const first = this.beginBefore(id);
    if (first === 0) { this.finish(id); return; }
    // Chains of who made whom may be longer than the stack has room for.
    const begun = [id, first];
    while (begun.length > 0) {
      const latest = begun[begun.length - 1];
      const before = this.beginBefore(latest);
      if (before !== 0) begun.push(before);
      else {
        begun.pop();
        this.finish(latest);
      }
    }
  }

  /** Tells that somebody takes a promise. @param derived what goes on behind it */
  tellTaken(promise: number, owner: number, derived: number): void {
    this.tell(promise);
    this.writer.record(Fact.consumed, 0, promise, owner, derived, 0, 0, 0);
  }

  /** @returns whether a promise is to be told of, which is begun with this */
  private begin(id: number): boolean {
    const slot = this.ring.find(id);
    if (slot < 0 || (this.ring.flags[slot] & Flag.told) !== 0) return false;
    this.ring.flags[slot] |= Flag.told;
    return true;
  }

  /** Whose code it was made by comes first, and what it was derived from: what a promise is hangs on that. @returns the next of these to be told of; 0 for none */
  private beginBefore(id: number): number {
    const { ring } = this;
    const slot = ring.find(id);
    const owner = ring.owners[slot];
    if (owner !== 0 && this.begin(owner)) return owner;
    return (ring.flags[slot] & Flag.root) === 0 && this.begin(ring.parents[slot]) ? ring.parents[slot] : 0;
  }

  private finish(id: number): void {
    const { ring } = this;
    const slot = ring.find(id);
    const flags = ring.flags[slot];
    if ((flags & Flag.root) !== 0) this.root(slot, id, kindOf(flags));
    else this.writer.record(Fact.derived, 0, id, ring.parents[slot], ring.owners[slot], ring.made[slot], 0, 0);
    if ((flags & Flag.settled) !== 0) this.writer.record(Fact.settled, 0, id, 0, 0, ring.ended[slot], this.runs.tick, 0);
  }

  /**
   * Tells of an element of a combinator, and of the promise that it is.
   * @param call the combinator, which was told of in this run of code @param index 0-based
   */
  tellElement(call: number, index: number, id: number): void {
    const { ring } = this;
    const slot = ring.find(id);
    const callSlot = ring.find(call);
    if (slot >= 0 && callSlot >= 0 && (ring.flags[slot] & QUICK_MASK) === QUICK && ring.owners[slot] === ring.owners[callSlot]) {
      const made = ring.made[slot];
      const took = Math.round((ring.ended[slot] - made) * NANOSECONDS);
      if (took <= MAX_U32) {
        ring.flags[slot] |= Flag.told;
        this.writer.record(Fact.quick, 0, id, call, ring.stacks[slot], made, index, took);
        return;
      }
    }
    this.tell(id);
    this.writer.record(Fact.element, 0, call, id, index, 0, 0, 0);
  }

  /** Tells of a call of a combinator. @param kind `RootKind` @param stack where it is called; 0 where nobody looked */
  tellCombinator(id: number, kind: number, stack: number): void {
    const slot = this.ring.find(id);
    if (slot < 0) return;
    this.tell(this.ring.owners[slot]);
    this.ring.flags[slot] |= Flag.told | Flag.combinator;
    this.ring.stacks[slot] = stack;
    this.root(slot, id, kind);
  }

  /** Tells of what `then` made of a promise that may have been there before: then a chain begins with it. @param stack where `then` was called */
  tellLink(slot: number, id: number, stack: number): void {
    this.tell(this.ring.owners[slot]);
    this.ring.flags[slot] |= Flag.told;
    this.ring.stacks[slot] = stack;
    this.root(slot, id, RootKind.link);
  }

  /** @param running the async function that settled it @param byTimer a timer did, without any code of the program's */
  tellSettled(id: number, time: number, running: number, byTimer = false): void {
    this.writer.record(Fact.settled, byTimer ? 1 : 0, id, running, this.reactions.promise, time, this.runs.tick, 0);
  }

  /** Somebody took the promise's result, so how it fared may be asked. */
  consumed(id: number, promise: Promise<unknown> | undefined): void {
    const slot = this.ring.find(id);
    if (slot < 0) return;
    const flags = this.ring.flags[slot];
    this.ring.flags[slot] = flags | Flag.consumed;
    const settledBefore = (flags & (Flag.settled | Flag.consumed)) === Flag.settled;
    if (settledBefore && promise !== undefined && (flags & Flag.told) !== 0) this.ask(id, flags, promise);
  }

  /** A reaction begins of what was derived from a promise: where that has settled, it is to that. */
  handled(id: number): void {
    const { ring } = this;
    const slot = ring.find(id);
    const flags = slot < 0 ? Flag.handled : ring.flags[slot];
    if ((flags & (Flag.settled | Flag.handled)) !== Flag.settled) return;
    ring.flags[slot] = flags | Flag.handled;
    // Its elements are held until it answers.
    if ((flags & Flag.combinator) !== 0) this.outcomes.ask();
  }

  /** Asks how a promise fared. @param promise settled, and consumed by somebody else */
  ask(id: number, flags: number, promise: Promise<unknown>): void {
    if ((flags & Flag.combinator) !== 0) this.outcomes.addCall(id, promise);
    else this.outcomes.add(id, promise);
  }

  private root(slot: number, id: number, kind: number): void {
    const { ring } = this;
    this.writer.record(Fact.root, kind, id, ring.stacks[slot], ring.owners[slot], ring.made[slot], this.runs.tick, this.reactions.promise);
  }
}
