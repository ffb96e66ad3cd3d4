/**
 * Turns what either backend's hooks say into facts. This is the hot path: it runs several times for each promise of
 * somebody else's program, so it keeps to numbers, and tells the host of a promise only once that may matter.
 *
 * Who owns what. Code of an async function runs either on top of its caller, until its first `await`, or in a reaction
 * of its own. In a reaction the promise that the hook names leads to its owner. On top of a caller only the stack can
 * tell; where there is no token left to look at it, `open` guesses: functions entered and not yet seen to await.
 */
import { Fact, RootKind } from '../model/facts';
import type { CallStacks } from './call-stacks';
import type { FactWriter } from './fact-writer';
import type { Guard } from './hooks';
import type { Outcomes } from './outcomes';
import { Flag, PromiseRing } from './promise-ring';

const MAX_DEPTH = 4096;
const MAX_FUNCTIONS = 1 << 16;

export class Observer {
  private readonly ring = new PromiseRing();
  /** The promise whose reaction runs, and the async function whose code that is. */
  private context = 0;
  private contextOwner = 0;
  private adopting = false;
  private readonly outer = new Uint32Array(MAX_DEPTH * 3);
  private depth = 0;
  private tick = 1;
  private readonly open: number[] = [];
  /** Per function number: the promise of its latest call in this tick. */
  private readonly latestCall = new Uint32Array(MAX_FUNCTIONS);
  private readonly latestTick = new Uint32Array(MAX_FUNCTIONS);
  /** The combinator that is taking its elements, and how many it has. */
  private combinator = 0;
  private combinatorKind = 0;
  private elements = 0;
  /** The latest root, while nothing else has happened; told apart whether its stack was looked at. */
  private lastRoot = 0;
  private lastRootSeen = false;
  /** A derived promise that may be the wrapping of a value by `await`: it is if it settles at once. */
  private maybeValue = 0;
  private maybeValueOf = 0;

  constructor(
    private readonly writer: FactWriter,
    private readonly stacks: CallStacks,
    private readonly outcomes: Outcomes,
    private readonly now: () => number,
    private readonly guard: Guard,
  ) {}

  /** @param parent 0 for a promise that nothing else led to @returns the promise's owner, for the backend to keep with it */
  init(id: number, parent: number, parentPromise: Promise<unknown> | undefined): number {
    if (this.maybeValue !== 0) this.consumeMaybeValue();
    return parent === 0 ? this.initRoot(id) : this.initDerived(id, parent, parentPromise);
  }

  /** A reaction begins. @param owner what `init` returned for the promise */
  before(id: number, owner: number): void {
    if (this.maybeValue !== 0) this.consumeMaybeValue();
    const top = this.depth * 3;
    if (this.depth < MAX_DEPTH) {
      this.outer[top] = this.context;
      this.outer[top + 1] = this.contextOwner;
      this.outer[top + 2] = this.adopting ? 1 : 0;
    }
    this.depth++;
    const slot = this.ring.find(id);
    const flags = slot < 0 ? 0 : this.ring.flags[slot];
    this.context = id;
    this.adopting = (flags & (Flag.root | Flag.entered)) !== 0;
    this.contextOwner = (flags & Flag.root) !== 0 ? id : owner;
    if (slot >= 0) this.ring.flags[slot] = flags | Flag.entered;
    this.nextTick();
  }

  after(): void {
    if (this.maybeValue !== 0) this.consumeMaybeValue();
    if (this.depth > 0) this.depth--;
    const top = this.depth * 3;
    const known = this.depth < MAX_DEPTH;
    this.context = known ? this.outer[top] : 0;
    this.contextOwner = known ? this.outer[top + 1] : 0;
    this.adopting = known && this.outer[top + 2] === 1;
    this.nextTick();
  }

  settled(id: number, promise: Promise<unknown> | undefined): void {
    const { ring } = this;
    if (this.maybeValue === id) {
      const slot = ring.find(id);
      if (slot >= 0) ring.flags[slot] |= Flag.value | Flag.settled;
      this.maybeValue = 0;
      return;
    }
    if (this.maybeValue !== 0) this.consumeMaybeValue();
    const slot = ring.find(id);
    const { open } = this;
    if (open.length > 0) {
      const at = open.lastIndexOf(id);
      if (at >= 0) open.length = at;
    }
    if (slot < 0) {
      this.tellSettled(id, this.now());
      return;
    }
    const flags = ring.flags[slot];
    if ((flags & (Flag.settled | Flag.inner)) !== 0) return;
    ring.flags[slot] = flags | Flag.settled;
    const time = this.now();
    ring.ended[slot] = time;
    if ((flags & Flag.told) !== 0) {
      this.tellSettled(id, time);
      if ((flags & Flag.consumed) !== 0 && promise !== undefined) this.outcomes.add(id, promise);
    }
  }

  private initRoot(id: number): number {
    const time = this.now();
    const { open, stacks } = this;
    let owner = open.length > 0 ? open[open.length - 1] : this.contextOwner;
    let kind: number = RootKind.unknown;
    let stack = 0;
    let fn = 0;
    if (stacks.mayLook(time)) {
      ({ stack, kind, fn } = stacks.capture(this.guard.hook));
      if (stack !== 0) owner = this.ownerFromFrames(fn !== 0 ? 1 : 0, owner);
    }
    const seen = stack !== 0;
    const isCombinator = kind >= RootKind.all && kind <= RootKind.any;
    // Taking values, a combinator wraps each in a promise of its own; they carry the combinator's stack.
    const isWrapped = isCombinator && this.combinator !== 0 && this.lastRoot === 0 && kind === this.combinatorKind;
    const flags = Flag.root | (isWrapped ? Flag.value : isCombinator ? Flag.combinator : 0);
    const slot = this.ring.add(id, flags, 0, owner, time);
    if (seen && !isWrapped) {
      this.writer.record(Fact.root, kind, id, stack, owner, time, this.tick, this.context);
      this.ring.flags[slot] |= Flag.told;
    }
    if (isCombinator && !isWrapped) this.beginCombinator(id, kind);
    if (seen ? fn !== 0 : !isWrapped) {
      open.push(id);
      if (fn > 0 && fn < MAX_FUNCTIONS) {
        this.latestCall[fn] = id;
        this.latestTick[fn] = this.tick;
      }
    }
    this.lastRoot = id;
    this.lastRootSeen = seen;
    return owner;
  }

  private initDerived(id: number, parent: number, parentPromise: Promise<unknown> | undefined): number {
    const { open, ring } = this;
    if (this.takeElement(id, parent, parentPromise)) return this.contextOwner;
    const first = this.lastRoot;
    this.lastRoot = 0;
    const parentSlot = ring.find(parent);
    if (this.adopting && open.length === 0 && parent !== this.contextOwner) {
      // V8 takes the result of the promise that ours was resolved with: the outer one adopts the inner one.
      this.adopting = false;
      this.tell(parent);
      this.tell(this.context);
      this.writer.record(Fact.adopted, 0, this.context, parent, 0, this.now(), this.tick, 0);
      this.markConsumed(parent, parentPromise);
      ring.add(id, Flag.inner, parent, this.contextOwner, 0);
      return this.contextOwner;
    }
    if (parentSlot >= 0 && (ring.flags[parentSlot] & (Flag.value | Flag.root)) === Flag.value) {
      // The continuation of an `await` on a value: nothing was waited for, but we learn who awaits.
      const owner = ring.owners[parentSlot];
      const at = open.lastIndexOf(owner);
      if (at >= 0) open.length = at;
      ring.add(id, 0, parent, owner, 0);
      return owner;
    }
    const inBody = open.length > 0 ? parent === open[open.length - 1] : parent === this.contextOwner;
    if (inBody) {
      ring.add(id, 0, parent, parent, first === parent ? this.now() : 0);
      this.maybeValue = id;
      this.maybeValueOf = parent;
      return parent;
    }
    return this.consume(id, parent, parentPromise);
  }

  /** A consumption taken for the wrapping of a value did not settle at once, so it is one after all. */
  private consumeMaybeValue(): void {
    const id = this.maybeValue;
    this.maybeValue = 0;
    this.consume(id, this.maybeValueOf, undefined);
  }

  private consume(id: number, parent: number, parentPromise: Promise<unknown> | undefined): number {
    const { open, ring } = this;
    this.leave(parent);
    const time = this.now();
    const onTop = open.length > 0;
    const suspends = onTop && !(this.stacks.mayTell(time) && this.stacks.isThen(this.guard.hook));
    const owner = onTop ? open[open.length - 1] : this.contextOwner;
    if (suspends) open.length--;
    const slot = ring.find(parent);
    const told = slot < 0 || (ring.flags[slot] & Flag.told) !== 0;
    const pending = slot >= 0 && (ring.flags[slot] & Flag.settled) === 0;
    if (told || pending) {
      this.tell(parent);
      this.writer.record(Fact.consumed, 0, parent, owner, id, time, this.tick, 0);
    }
    this.markConsumed(parent, parentPromise);
    ring.suspends[ring.add(id, 0, parent, owner, time)] = suspends ? this.tick : 0;
    return owner;
  }

  /**
   * Somebody consumes a promise made in this run of code: the function it is the call of no longer runs. And if it came of
   * `then`, then its making was no `await`, which nobody could consume: its owner, taken for suspended, runs on.
   */
  private leave(id: number): void {
    const { open, ring } = this;
    const at = open.lastIndexOf(id);
    if (at >= 0) open.length = at;
    const slot = ring.find(id);
    if (slot < 0 || ring.suspends[slot] !== this.tick) return;
    ring.suspends[slot] = 0;
    open.push(ring.owners[slot]);
  }

  /** @returns whether the derived promise is how a combinator listens to an element of its. */
  private takeElement(id: number, parent: number, parentPromise: Promise<unknown> | undefined): boolean {
    if (this.combinator === 0) {
      // A root nobody looked at, and at once somebody else's promise is consumed: that is how a combinator begins.
      if (this.lastRoot === 0 || this.lastRootSeen || parent === this.lastRoot || !this.stacks.mayCheck(this.now())) return false;
      const kind = this.stacks.combinatorAbove(this.guard.hook);
      if (kind === 0) return false;
      const slot = this.ring.find(this.lastRoot);
      const owner = this.ring.owners[slot];
      this.ring.flags[slot] |= Flag.told | Flag.combinator;
      const at = this.open.lastIndexOf(this.lastRoot);
      if (at >= 0) this.open.length = at;
      this.writer.record(Fact.root, kind, this.lastRoot, 0, owner, this.ring.made[slot], this.tick, this.context);
      this.beginCombinator(this.lastRoot, kind);
    } else if (parent === this.combinator) {
      this.endCombinator();
      return false;
    } else if (this.stacks.mayVerify(this.now()) && this.stacks.combinatorAbove(this.guard.hook) === 0) {
      this.endCombinator();
      return false;
    }
    const { ring } = this;
    const slot = ring.find(parent);
    this.leave(parent);
    const index = this.elements++;
    // A pool by hand races the same promises again and again: each is told of once.
    const known = this.combinatorKind === RootKind.race && slot >= 0 && (ring.flags[slot] & Flag.raced) !== 0;
    if (!known) {
      this.tell(parent);
      this.writer.record(Fact.element, 0, this.combinator, parent, index, 0, 0, 0);
      this.markConsumed(parent, parentPromise);
      if (slot >= 0 && this.combinatorKind === RootKind.race) ring.flags[slot] |= Flag.raced;
    }
    ring.add(id, Flag.inner, parent, this.contextOwner, 0);
    this.lastRoot = 0;
    return true;
  }

  private beginCombinator(id: number, kind: number): void {
    if (this.combinator !== 0) this.endCombinator();
    this.combinator = id;
    this.combinatorKind = kind;
    this.elements = 0;
  }

  private endCombinator(): void {
    this.writer.record(Fact.gathered, 0, this.combinator, this.elements, 0, 0, 0, 0);
    this.combinator = 0;
  }

  /** Tells the host of a promise it has not heard of, late but with its own times. */
  private tell(id: number): void {
    const { ring } = this;
    const slot = ring.find(id);
    if (slot < 0) return;
    const flags = ring.flags[slot];
    if ((flags & Flag.told) !== 0) return;
    ring.flags[slot] = flags | Flag.told;
    const owner = ring.owners[slot];
    if ((flags & Flag.root) !== 0) this.writer.record(Fact.root, (flags & Flag.value) !== 0 ? RootKind.value : RootKind.unknown, id, 0, owner, ring.made[slot], this.tick, this.context);
    else {
      this.tell(ring.parents[slot]);
      this.writer.record(Fact.derived, 0, id, ring.parents[slot], owner, ring.made[slot], 0, 0);
    }
    if ((flags & Flag.settled) !== 0) this.writer.record(Fact.settled, 0, id, 0, 0, ring.ended[slot], this.tick, 0);
  }

  private markConsumed(id: number, promise: Promise<unknown> | undefined): void {
    const slot = this.ring.find(id);
    if (slot < 0) return;
    const flags = this.ring.flags[slot];
    this.ring.flags[slot] = flags | Flag.consumed;
    const settledBefore = (flags & (Flag.settled | Flag.consumed)) === Flag.settled;
    if (settledBefore && promise !== undefined && (this.ring.flags[slot] & Flag.told) !== 0) this.outcomes.add(id, promise);
  }

  private tellSettled(id: number, time: number): void {
    const { open } = this;
    const by = open.length > 0 ? open[open.length - 1] : this.contextOwner;
    this.writer.record(Fact.settled, 0, id, by, this.context, time, this.tick, 0);
  }

  /** Who runs, by the stack just captured. @param from frames to leave out: a function's own, when it is being entered */
  private ownerFromFrames(from: number, guess: number): number {
    const { stacks, open } = this;
    for (let i = from; i < stacks.frameCount; i++) {
      const fn = stacks.frameFunctions[i];
      if (fn === 0 || fn >= MAX_FUNCTIONS || this.latestTick[fn] !== this.tick) continue;
      const owner = this.latestCall[fn];
      const at = open.lastIndexOf(owner);
      if (at >= 0) open.length = at + 1;
      else { open.length = 0; open.push(owner); }
      return owner;
    }
    if (!stacks.reachedBase) return guess;
    open.length = 0;
    return this.contextOwner;
  }

  private nextTick(): void {
    this.tick = (this.tick + 1) >>> 0;
    this.open.length = 0;
    if (this.combinator !== 0) this.endCombinator();
    this.lastRoot = 0;
  }
}
