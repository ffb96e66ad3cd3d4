/** What is known of the latest 262,144 promises, in columns; what fell out of the ring was told to the host or is not worth it. */
import { RootKind } from '../../model/facts';

const SIZE = 1 << 18;
const MASK = SIZE - 1;

export const Flag = {
  root: 1,
  /** Told to the host. */
  told: 2,
  settled: 4,
  /** Somebody took its result: `await`, `then` or a combinator. */
  consumed: 8,
  /** Its reaction ran once already: a second run means that it adopts another promise. */
  entered: 16,
  /** The wrapping of something that is no promise: by `await` (no root) or as an element of a combinator (a root). */
  value: 32,
  combinator: 64,
  /** Made by V8 to listen to an element or to adopt: no code ever holds it. */
  inner: 128,
  /** Told as an element of a `race`. */
  raced: 256,
  /** Its outcome follows from that of the `Promise.all` it is an element of. */
  held: 512,
  /** Made by Node's own code for its own code. */
  nodes: 1024,
  /** The call of an async function of Node's own. */
  api: 1 << 14,
  /** A reaction to it has run, or a combinator listens: somebody handles it for certain, which `consumed` alone may be a guess. */
  handled: 1 << 15,
} as const;

const KIND_SHIFT = 11;
export const KIND_MASK = 7;
/** `RootKind` of a root, kept above its flags. */
export const kindFlags = (kind: number): number => kind << KIND_SHIFT;
/** @returns `RootKind` */
export const kindOf = (flags: number): number => (flags >> KIND_SHIFT) & KIND_MASK;

/** What a function wraps a thenable in that it awaits. */
const THENABLE = Flag.root | kindFlags(RootKind.value);
const THENABLE_MASK = Flag.root | Flag.value | kindFlags(KIND_MASK);

const UNTAKEN_MASK = Flag.root | Flag.value | Flag.consumed | Flag.inner | Flag.nodes;
/** So far back is looked for what a combinator may have been handed. */
const MAX_BETWEEN = 1 << 14;

export class PromiseRing {
  private readonly ids = new Uint32Array(SIZE);
  readonly flags = new Uint16Array(SIZE);
  /** Promise it was derived from; 0 for a root. */
  readonly parents = new Uint32Array(SIZE);
  readonly owners = new Uint32Array(SIZE);
  /** The `Promise.all` it is an element of, where `Flag.held`; of a wrapping that is pending, what its function goes on in. */
  readonly calls = new Uint32Array(SIZE);
  /** Stack a root was made at; 0 where nobody looked. */
  readonly stacks = new Uint32Array(SIZE);
  /** The tick in which making it was taken for its owner's `await`. */
  readonly suspends = new Uint32Array(SIZE);
  /** Of a derived one, where in a run of code it was made: as `Origins.place`. */
  readonly places = new Uint32Array(SIZE);
  /** Step of Node's own code that goes on in its reaction; 0 where other code does. */
  readonly steps = new Uint16Array(SIZE);
  /** Milliseconds of the thread's clock. */
  readonly made = new Float64Array(SIZE);
  readonly ended = new Float64Array(SIZE);

  /** @returns the slot of a new promise. */
  add(id: number, flags: number, parent: number, owner: number, time: number): number {
    const slot = id & MASK;
    this.ids[slot] = id;
    this.flags[slot] = flags;
    this.parents[slot] = parent;
    this.owners[slot] = owner;
    this.made[slot] = time;
    this.suspends[slot] = 0;
    this.steps[slot] = 0;
    return slot;
  }

  /** @returns the slot, or −1 where the promise has fallen out. */
  find(id: number): number {
    const slot = id & MASK;
    return id !== 0 && this.ids[slot] === id ? slot : -1;
  }

  /** Where in a run of code a derived promise was made; 0 for others. */
  placeOf(id: number): number {
    const slot = this.find(id);
    return slot < 0 || (this.flags[slot] & Flag.root) !== 0 ? 0 : this.places[slot];
  }

  /** Whether somebody handles a promise for certain. */
  isHandled(id: number): boolean { return this.has(id, Flag.handled); }

  /** @returns the slot of a promise that wraps another one for a function that awaits that; −1 where it does not */
  wrappingOf(id: number): number {
    const slot = this.find(id);
    return slot >= 0 && (this.flags[slot] & (Flag.value | Flag.root | Flag.settled)) === Flag.value ? slot : -1;
  }

  /** Whether a promise is what a combinator wraps a thenable in. */
  isPendingWrapping(id: number): boolean {
    const slot = this.find(id);
    return slot >= 0 && (this.flags[slot] & (Flag.root | Flag.value | Flag.settled)) === (Flag.root | Flag.value);
  }

  /** @returns of what the code made that made a promise, the latest before that which nobody has taken, so many at most, in the order in which they were made */
  untakenBefore(id: number, count: number): number[] {
    const owner = this.owners[this.find(id)];
    const found: number[] = [];
    for (let at = id - 1; at > 0 && id - at < MAX_BETWEEN && found.length < count; at--) {
      const slot = this.find(at);
      if (slot >= 0 && this.owners[slot] === owner && (this.flags[slot] & UNTAKEN_MASK) === Flag.root) found.push(at);
    }
    return found.reverse();
  }

  /** Whether a promise was told of as an element of a `race`. */
  wasRaced(id: number): boolean { return this.has(id, Flag.raced); }

  /** Whether nobody has taken a promise's result, as far as that is remembered. */
  isUntaken(id: number): boolean {
    const slot = this.find(id);
    return slot >= 0 && (this.flags[slot] & Flag.consumed) === 0;
  }

  /** Whether a promise was made by Node's own code for its own code, or is the call of an async function of Node's own. */
  isNodes(id: number): boolean { return this.has(id, Flag.nodes | Flag.api); }

  /** Whether a promise is what a function wraps a thenable in that it awaits. */
  isThenable(id: number): boolean {
    const slot = this.find(id);
    return slot >= 0 && (this.flags[slot] & THENABLE_MASK) === THENABLE;
  }

  /** Whether a promise is a call of a combinator. */
  isCombinator(id: number): boolean { return this.has(id, Flag.combinator); }

  /**
   * Whether something may still become of a promise: it is pending, or nobody has taken its result.
   * @param isOld thousands were made since: what a reaction gave, and `await` makes one each time, is not expected to be taken any more
   */
  matters(id: number, isOld = false): boolean {
    const slot = this.find(id);
    if (slot < 0) return true;
    const flags = this.flags[slot];
    if ((flags & (Flag.nodes | Flag.root | Flag.told)) === Flag.nodes) return false;
    if (isOld && (flags & (Flag.root | Flag.entered | Flag.settled)) === (Flag.entered | Flag.settled)) return false;
    // A combinator's wrapping of a value has settled; that of a thenable has yet to.
    if ((flags & Flag.value) !== 0) return (flags & (Flag.inner | Flag.settled)) === 0;
    return (flags & Flag.inner) === 0 && (flags & (Flag.settled | Flag.consumed)) !== (Flag.settled | Flag.consumed);
  }

  private has(id: number, flag: number): boolean {
    const slot = this.find(id);
    return slot >= 0 && (this.flags[slot] & flag) !== 0;
  }
}
