/** Promises that somebody takes, by `then` or `await`: what is derived of one, and whose code does so. */
import { WATCHED, type InnerSteps } from './inner-steps';
import type { OpenCalls } from './open-calls';
import type { Origins } from './origins';
import { Flag, type PromiseRing } from './promise-ring';
import type { Reactions } from './reactions';
import type { Runs } from './runs';
import type { Teller } from './teller';

export class Consumptions {
  /** A derived promise that may be the wrapping of a value by `await`: it is if it settles at once. */
  maybeValue = 0;

  constructor(
    private readonly ring: PromiseRing,
    private readonly open: OpenCalls,
    private readonly origins: Origins,
    private readonly teller: Teller,
    private readonly reactions: Reactions,
    private readonly inner: InnerSteps,
    private readonly runs: Runs,
  ) {}

  /** @param id of a promise derived from the running function's own @returns its owner, as of now */
  add(id: number, parent: number): number {
    this.ring.add(id, 0, parent, parent, 0);
    this.maybeValue = id;
    return parent;
  }

  /**
   * What was taken for the wrapping of a value did not settle at once: it wraps a thenable, or is a consumption after all. Whose it
   * is stands in the ring.
   * @param isDerivedNext whether what comes next is a promise made by `then` or `await`, of which a look may tell whose it is
   */
  takeMaybeValue(isDerivedNext = false): void {
    const id = this.maybeValue;
    this.maybeValue = 0;
    this.take(id, this.ring.parents[this.ring.find(id)], undefined, isDerivedNext ? 'next' : 'later');
  }

  /**
   * @param id of what is derived from the promise taken
   * @param told when it is told of: as it is made, as the next promise is derived, where the code at work is whose that is, or later on
   * @returns whose code takes it
   */
  take(id: number, parent: number, parentPromise: Promise<unknown> | undefined, told: 'now' | 'next' | 'later' = 'now'): number {
    const { open, reactions, ring } = this;
    this.leave(parent);
    const onTop = !open.isEmpty;
    const owner = onTop ? open.top : reactions.owner;
    const isNodes = ring.isNodes(owner);
    const suspends = onTop && !(told === 'next' ? this.origins.isAtWork(open.topFunction) : this.origins.runsOn(open.topFunction, isNodes));
    if (suspends) open.pop();
    const slot = ring.find(parent);
    const nodes = slot >= 0 && (ring.flags[slot] & Flag.nodes) !== 0 && isNodes;
    const { step } = reactions;
    const runsInner = step !== 0 && !onTop;
    const isKnown = slot < 0 || (ring.flags[slot] & Flag.told) !== 0;
    const link = told !== 'now' || suspends || isNodes || runsInner || this.isFurtherLink(slot) ? 0 : this.origins.findThen()?.stack ?? 0;
    const pending = slot >= 0 && (ring.flags[slot] & Flag.settled) === 0;
    if (isKnown || link !== 0 || (pending && !nodes)) this.teller.tellTaken(parent, owner, id);
    this.teller.consumed(parent, parentPromise);
    const made = ring.add(id, nodes ? Flag.nodes : 0, parent, owner, this.runs.lateClock());
    ring.suspends[made] = suspends ? this.runs.tick : 0;
    this.origins.step();
    ring.places[made] = this.origins.place;
    if (link !== 0) this.teller.tellLink(made, id, link);
    if (nodes) ring.steps[made] = ring.steps[slot] === 0 ? 0 : this.inner.after(ring.steps[slot], ring.steps[slot]);
    else if (runsInner) ring.steps[made] = this.inner.after(step, WATCHED);
    return owner;
  }

  /** Whether what is derived from a promise is a further link of a chain of the code's own that nobody else has taken, and no begin of one. */
  private isFurtherLink(slot: number): boolean {
    const { ring } = this;
    return slot >= 0 && (ring.flags[slot] & (Flag.consumed | Flag.root)) === 0 && !this.runs.isFromBefore(ring.made[slot]);
  }

  /**
   * Somebody takes a promise made in this run of code: the function it is the call of no longer runs. And if it came of
   * `then`, then its making was no `await`, which nobody could take: its owner, taken for suspended, runs on.
   */
  leave(id: number): void {
    const { open, ring } = this;
    open.close(id);
    const slot = ring.find(id);
    if (slot < 0 || ring.suspends[slot] !== this.runs.tick) return;
    ring.suspends[slot] = 0;
    open.push(ring.owners[slot], 0);
  }
}
