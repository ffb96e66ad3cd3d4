/**
 * Calls of async functions that have settled with nothing in between. Where they were only expected, because always such a call came there before, that
 * may as well be something else: `finally` makes a promise of its own behind what it was called for, in whose place a queue's next job began so far.
 */
import { RootKind } from '../../model/facts';
import type { Guard } from '../hooks';
import { NONE, type CallStacks } from '../stacks/call-stacks';
import { SURE } from './habits';
import type { Origins } from './origins';
import { Flag, KIND_MASK, kindFlags, type PromiseRing } from './promise-ring';

/** A call of an async function that the host has not heard of: nobody has looked at it. */
const EXPECTED = Flag.root | kindFlags(RootKind.asyncFunction);
const EXPECTED_MASK = Flag.root | Flag.told | Flag.nodes | kindFlags(KIND_MASK);
const MAX_STACKS = 1 << 16;
/** Calls from a stack return at once, and something else was taken for one of them: each has to be looked at. */
const AMBIGUOUS = 255;

export class ReturnedAtOnce {
  /** By stack: how many calls from there were seen to return at once, up to `SURE`, from which on they are believed to. */
  private readonly seen = new Uint8Array(MAX_STACKS);

  constructor(private readonly ring: PromiseRing, private readonly stacks: CallStacks, private readonly origins: Origins, private readonly guard: Guard) {}

  /** To be called as the promise in a slot settles, with nothing in between since it was made. Where it turns out to be no call, it is none from then on. */
  check(slot: number): void {
    const { ring, seen, stacks } = this;
    const stack = ring.stacks[slot];
    if ((ring.flags[slot] & EXPECTED_MASK) !== EXPECTED || stack >= MAX_STACKS || seen[stack] === SURE) return;
    const mayLook = stacks.budget.mayGlance();
    if (!mayLook && seen[stack] !== AMBIGUOUS) return;
    if (mayLook && stacks.isRunning(stacks.functionEnteredAt(stacks.codeOf(stack)), this.guard.settledHook)) {
      if (seen[stack] !== AMBIGUOUS) seen[stack]++;
      return;
    }
    if (seen[stack] > 0) seen[stack] = AMBIGUOUS;
    const { stack: made, code, kind } = mayLook ? stacks.capture(this.guard.settledHook, this.origins.code) : NONE;
    ring.flags[slot] = Flag.root | kindFlags(made === 0 ? kind : RootKind.other);
    ring.stacks[slot] = made;
    this.origins.mistook(code);
  }
}
