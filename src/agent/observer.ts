/**
 * Turns what either backend's hooks say into facts. This is the hot path: it runs several times for each promise of
 * somebody else's program, so it keeps to numbers, and tells the host of a promise only once that may matter.
 *
 * Who owns what. Code of an async function runs either on top of its caller, until its first `await`, or in a reaction
 * of its own. In a reaction the promise that the hook names leads to its owner. On top of a caller only the stack can
 * tell; where there is no token left to look at it, `open` guesses: functions entered and not yet seen to await.
 */
import asyncHooks from 'node:async_hooks';
import { Fact, isCombinator, RootKind } from '../model/facts';
import { NONE, type CallStacks, type Captured, type Near } from './call-stacks';
import type { FactWriter } from './fact-writer';
import { Gathering } from './gathering';
import { type Habit, habitKey, Habits, isDue, SURE, VERY_SURE } from './habits';
import type { Guard } from './hooks';
import { ADOPTS, CALL, InnerSteps, WATCHED } from './inner-steps';
import { OpenCalls } from './open-calls';
import type { Outcomes } from './outcomes';
import { Flag, kindFlags, kindOf, PromiseRing } from './promise-ring';
import { Teller } from './teller';

const { executionAsyncId, executionAsyncResource } = asyncHooks;

/** Instead of a callback's number: the next one by `process.nextTick`, which Node keeps as an object with its arguments. */
const DEFERRED = -1;
const MAX_DEPTH = 4096;
/** What is kept of code that another one runs on top of. */
const OUTER = 4;
/** In the key of a habit, instead of the stack of the function whose reaction runs: this minus a step. */
const INNER_KEYS = 2 ** 20 - 1;

/** Instead of an owner: nothing that becomes of this promise matters, V8 alone holds it. */
export const UNWATCHED = -1;

/** What Node makes for itself is all one, as long as it is the same kind of thing. */
const isAlike = (a: Captured, b: Captured): boolean => (a.nodes && b.nodes ? (a.fn === 0) === (b.fn === 0) : a.stack === b.stack && a.fn === b.fn);

export class Observer {
  private readonly ring = new PromiseRing();
  private readonly teller: Teller;
  private readonly gathering: Gathering;
  /** The async function whose code runs in the reaction of `teller.context`. */
  private contextOwner = 0;
  private adopting = false;
  private readonly outer = new Uint32Array(MAX_DEPTH * OUTER);
  private depth = 0;
  private readonly open = new OpenCalls();
  /** A derived promise that may be the wrapping of a value by `await`: it is if it settles at once. */
  private maybeValue = 0;
  private maybeValueOf = 0;
  /** The latest promise that was settled outside of any reaction, and in which tick. */
  private byHand = 0;
  private byHandTick = 0;
  /** Stack of the latest root of this tick, and of the function whose reaction runs. */
  private trail = 0;
  /** How many promises were consumed since that root. */
  private steps = 0;
  private contextStack = 0;
  private readonly nextRoot = new Habits(isAlike);
  private readonly nextThen = new Habits<boolean>((a, b) => a === b);
  private readonly inner = new InnerSteps();
  /** How far Node's own code has come, where it runs; 0 elsewhere. */
  private step = 0;
  /** Step of the promise that `init` was told of, where nothing else is to be kept of it; 0 elsewhere. */
  madeStep = 0;
  /** Node's number of the callback that runs outside of any reaction. */
  private callback = 0;
  /** The clock as last read, and in which tick. */
  private clock = 0;
  private clockTick = 0;

  constructor(
    private readonly writer: FactWriter,
    private readonly stacks: CallStacks,
    private readonly outcomes: Outcomes,
    private readonly now: () => number,
    private readonly guard: Guard,
  ) {
    this.teller = new Teller(this.ring, writer, outcomes);
    this.gathering = new Gathering(this.ring, this.open, this.teller, writer, stacks, outcomes, guard);
  }

  /**
   * @param parent 0 for a promise that nothing else led to; of one that only a step is kept of, minus that step
   * @returns the promise's owner, for the backend to keep with it along with `madeStep`, or `UNWATCHED`
   */
  init(id: number, parent: number, parentPromise: Promise<unknown> | undefined): number {
    if (this.maybeValue !== 0) this.consumeMaybeValue();
    this.madeStep = 0;
    if (this.step !== 0 && this.open.isEmpty) {
      const next = parent === 0 ? this.inner.expected(this.step) : this.innerDerived(parent);
      if (next !== 0) return this.goOn(next);
    }
    if (parent === 0) return this.initRoot(id);
    if (parent > 0) return this.initDerived(id, parent, parentPromise);
    if (this.adopting && this.isNodes(this.teller.context)) {
      this.adopting = false;
      this.madeStep = ADOPTS;
      return this.contextOwner;
    }
    return this.initDerived(id, this.guard.takeOut(parentPromise), parentPromise);
  }

  /** A reaction begins. @param owner what `init` returned for the promise */
  before(id: number, owner: number): void {
    this.enter();
    const slot = this.ring.find(id);
    const flags = slot < 0 ? 0 : this.ring.flags[slot];
    this.teller.context = id;
    this.adopting = (flags & (Flag.root | Flag.entered)) !== 0;
    // What was said when it was made may have been corrected since.
    this.contextOwner = (flags & Flag.root) !== 0 ? id : slot < 0 ? owner : this.ring.owners[slot];
    this.step = 0;
    if (slot >= 0) {
      this.ring.flags[slot] = flags | Flag.entered;
      if (this.ring.steps[slot] !== 0) this.ring.steps[slot] = this.step = this.inner.reaction(this.ring.steps[slot]);
    }
    this.nextTick();
  }

  /**
   * A reaction begins of a promise that only a step is kept of: Node's own code goes on.
   * @param owner what `init` returned for the promise
   * @returns the step to keep of it from now on
   */
  beforeInner(step: number, owner: number): number {
    this.enter();
    this.teller.context = 0;
    this.contextOwner = owner;
    this.adopting = false;
    this.step = this.inner.reaction(step);
    this.nextTick();
    return this.step;
  }

  after(): void {
    if (this.maybeValue !== 0) this.consumeMaybeValue();
    if (this.depth > 0) this.depth--;
    const top = this.depth * OUTER;
    const known = this.depth < MAX_DEPTH;
    this.teller.context = known ? this.outer[top] : 0;
    this.contextOwner = known ? this.outer[top + 1] : 0;
    this.adopting = known && this.outer[top + 2] === 1;
    this.step = known ? this.outer[top + 3] : 0;
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
    if (this.depth === 0 && this.open.isEmpty) this.beginCallback();
    const slot = ring.find(id);
    this.open.close(id);
    if (slot < 0) {
      this.teller.tellSettled(id, this.now(), this.running);
      return;
    }
    const flags = ring.flags[slot];
    if ((flags & (Flag.settled | Flag.inner)) !== 0) return;
    ring.flags[slot] = flags | Flag.settled;
    const time = (flags & (Flag.nodes | Flag.told)) === Flag.nodes ? this.clock : this.readClock();
    ring.ended[slot] = time;
    if ((flags & Flag.told) !== 0) {
      const isPlain = kindOf(flags) === RootKind.other;
      const isByHand = this.depth === 0 && isPlain;
      const byTimer = isByHand && this.stacks.isSettledByTimer(ring.stacks[slot], this.guard.settledHook);
      if (isByHand) { this.byHand = id; this.byHandTick = this.tick; }
      // `work().then((value) => { resolve(value); … })`: what settles it tells whose result it is.
      else if (isPlain && (flags & Flag.nodes) === 0) this.tell(this.teller.context);
      this.teller.tellSettled(id, time, this.running, byTimer);
      if (promise === undefined) return;
      if ((flags & Flag.held) !== 0) this.outcomes.addElement(ring.calls[slot], id, promise);
      else if ((flags & Flag.consumed) !== 0) this.teller.ask(id, flags, promise);
    }
  }

  /** The promise that code outside of any reaction has settled in the run that goes on; 0 for none. It is said once. */
  takeSettled(): number {
    const id = this.byHandTick === this.tick ? this.byHand : 0;
    this.byHand = 0;
    return id;
  }

  /** Where the program is, and which async function runs (0 where that is not known): for what is told of no promise. */
  here(): { readonly stack: number; readonly owner: number; readonly near: Near | undefined } {
    this.readClock();
    const { stack, near } = this.stacks.mayLook() ? this.stacks.captureFar(Observer.prototype.here) : { stack: 0, near: undefined };
    return { stack, near, owner: stack === 0 ? this.running : this.ownerFromFrames(0, this.running) };
  }

  /** Code begins to run on top of no other, and in no reaction. @param isDeferred Node itself calls it only by `process.nextTick` */
  beginRun(isDeferred: boolean): void {
    if (this.maybeValue !== 0) this.consumeMaybeValue();
    this.callback = isDeferred ? DEFERRED : executionAsyncId();
    this.nextTick();
  }

  /** Which run of code it is, counted from 1. */
  get tick(): number { return this.teller.tick; }

  /** The promise made just before, with nothing in between; 0 for none. */
  get latestRoot(): number { return this.gathering.latestRoot; }

  /** The async function that runs, as far as is known without a look at the stack. */
  get running(): number { return this.open.isEmpty ? this.contextOwner : this.open.top; }

  /** Whether code runs as the reaction of a promise. */
  get isReacting(): boolean { return this.depth > 0; }

  /** Whether a promise is a call of `Promise.all`. */
  isCallOfAll(id: number): boolean {
    const slot = this.ring.find(id);
    return slot >= 0 && (this.ring.flags[slot] & Flag.combinator) !== 0;
  }

  /** Whether something may still become of a promise: it is pending, or nobody has taken its result. */
  matters(id: number): boolean {
    const slot = this.ring.find(id);
    if (slot < 0) return true;
    const flags = this.ring.flags[slot];
    if ((flags & (Flag.nodes | Flag.root | Flag.told)) === Flag.nodes) return false;
    // A combinator's wrapping of a value has settled; that of a thenable has yet to.
    if ((flags & Flag.value) !== 0) return (flags & (Flag.inner | Flag.settled)) === 0;
    return (flags & Flag.inner) === 0 && (flags & (Flag.settled | Flag.consumed)) !== (Flag.settled | Flag.consumed);
  }

  /** Tells the host of a promise it has not heard of. */
  tell(id: number): void { this.teller.tell(id); }

  private enter(): void {
    if (this.maybeValue !== 0) this.consumeMaybeValue();
    const top = this.depth * OUTER;
    if (this.depth < MAX_DEPTH) {
      this.outer[top] = this.teller.context;
      this.outer[top + 1] = this.contextOwner;
      this.outer[top + 2] = this.adopting ? 1 : 0;
      this.outer[top + 3] = this.step;
    }
    this.depth++;
  }

  /** Node's own code goes on by a promise that only its step is kept of. @returns its owner */
  private goOn(step: number): number {
    this.gathering.interrupt();
    this.step = this.madeStep = step;
    return this.contextOwner;
  }

  /** @param parent as for `init` @returns the step of what Node's own code derives from it; 0 where the parent is the program's business */
  private innerDerived(parent: number): number {
    if (parent < 0) return this.inner.after(this.step, -parent);
    return parent === this.contextOwner ? this.inner.after(this.step, CALL) : 0;
  }

  private initRoot(id: number): number {
    const { open } = this;
    if (this.depth === 0 && open.isEmpty) this.beginCallback();
    const runsInner = this.step !== 0 && open.isEmpty;
    let owner = open.isEmpty ? this.contextOwner : open.top;
    const key = habitKey(this.trail, this.steps, this.contextStack);
    const habit = this.nextRoot.find(key);
    const expected = habit !== undefined && this.reliesOn(habit) ? habit.value : undefined;
    let found = expected;
    const wants = habit === undefined || expected === undefined || isDue(habit);
    const looks = wants && this.stacks.mayLook();
    if (!wants) this.stacks.saveLook();
    if (looks) {
      found = this.stacks.capture(this.guard.hook);
      if (runsInner) {
        const next = found.inner !== 0 && !isCombinator(found.kind) ? this.inner.learn(this.step, found.inner) : 0;
        if (next !== 0) return this.goOn(next);
        this.inner.unlearn(this.step);
      }
      const seen = found.stack === 0 ? owner : this.ownerFromFrames(found.fn !== 0 ? 1 : 0, owner);
      // A combinator is never taken for granted, nor is what was made by other code than it seemed, but for Node's own.
      if (found.internal || (seen === owner && !isCombinator(found.kind))) this.nextRoot.learn(key, found, expected !== undefined);
      else if (isCombinator(found.kind)) this.nextRoot.unlearn(key);
      owner = seen;
    }
    const { stack, kind, fn, nodes, nodesFn } = found ?? NONE;
    this.trail = stack;
    this.steps = 0;
    const seen = stack !== 0 && looks;
    // Taking values, a combinator wraps each in a promise of its own; they carry the combinator's stack.
    const isWrapped = this.gathering.wraps(kind, stack);
    const calls = isCombinator(kind) && !isWrapped;
    // Nobody asks when Node made what it made for itself.
    const time = nodes ? this.clock : this.readClock();
    const slot = this.ring.add(id, Flag.root | (isWrapped ? Flag.value : calls ? Flag.combinator : 0) | (nodes ? Flag.nodes : 0) | (fn !== 0 && nodesFn !== 0 ? Flag.api : 0) | kindFlags(isWrapped ? RootKind.value : kind), 0, owner, time);
    this.ring.stacks[slot] = stack;
    if (nodes) this.ring.steps[slot] = this.inner.at(-stack);
    if (calls) this.gathering.begin(id, kind);
    // What was only expected is told when it comes to matter: until then it may turn out to be something else.
    if (seen && !isWrapped && !nodes) this.tell(id);
    if (stack !== 0 ? fn !== 0 : !isWrapped) open.push(id, fn);
    this.gathering.follow(id, seen || nodes, key);
    return owner;
  }

  /** Outside of reactions, Node calls one callback after the other: each is a run of code of its own. */
  private beginCallback(): void {
    const callback = executionAsyncId();
    if (callback === this.callback) return;
    const goesOn = this.callback === DEFERRED && 'args' in executionAsyncResource();
    this.callback = callback;
    if (!goesOn) this.nextTick();
  }

  /** Whether what always came next is taken for granted: earlier where looks are scarce, and with Node's own business. */
  private reliesOn({ agreed, value }: Habit<Captured>): boolean {
    return agreed >= VERY_SURE || (agreed >= SURE && (value.internal || value.nodes || this.stacks.mustSave));
  }

  private initDerived(id: number, parent: number, parentPromise: Promise<unknown> | undefined): number {
    const { open, ring } = this;
    if (this.gathering.takes(parent, parentPromise)) {
      this.leave(parent);
      return UNWATCHED;
    }
    this.gathering.interrupt();
    const parentSlot = ring.find(parent);
    if (this.adopting && open.isEmpty && parent !== this.contextOwner) {
      // V8 takes the result of the promise that ours was resolved with: the outer one adopts the inner one.
      this.adopting = false;
      // What goes on inside Node's own call is nobody's task.
      if (parentSlot < 0 || (ring.flags[parentSlot] & Flag.nodes) === 0) {
        this.tell(parent);
        this.tell(this.teller.context);
        this.writer.record(Fact.adopted, 0, this.teller.context, parent, 0, 0, 0, 0);
      }
      this.teller.consumed(parent, parentPromise);
      ring.add(id, Flag.inner, parent, this.contextOwner, 0);
      return this.contextOwner;
    }
    if (parentSlot >= 0 && (ring.flags[parentSlot] & (Flag.value | Flag.root)) === Flag.value) {
      // The continuation of an `await` on a value: nothing was waited for, but we learn who awaits.
      const owner = ring.owners[parentSlot];
      open.close(owner);
      ring.add(id, Flag.inner, parent, owner, 0);
      return owner;
    }
    const inBody = parent === (open.isEmpty ? this.contextOwner : open.top);
    if (inBody) {
      ring.add(id, 0, parent, parent, 0);
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
    // Its parent runs, so it has yet to settle: how it fares is asked then. And whose the new one is stands in the ring.
    this.consume(id, this.maybeValueOf, undefined);
  }

  private consume(id: number, parent: number, parentPromise: Promise<unknown> | undefined): number {
    const { open, ring } = this;
    this.leave(parent);
    const onTop = !open.isEmpty;
    const owner = onTop ? open.top : this.contextOwner;
    const suspends = onTop && !this.runsOn();
    if (suspends) open.pop();
    this.steps++;
    const slot = ring.find(parent);
    const nodes = slot >= 0 && (ring.flags[slot] & Flag.nodes) !== 0 && this.isNodes(owner);
    const runsInner = this.step !== 0 && !onTop;
    const told = slot < 0 || (ring.flags[slot] & Flag.told) !== 0;
    const pending = slot >= 0 && (ring.flags[slot] & Flag.settled) === 0;
    if (told || (pending && !nodes)) {
      this.tell(parent);
      this.writer.record(Fact.consumed, 0, parent, owner, id, 0, 0, 0);
    }
    this.teller.consumed(parent, parentPromise);
    const made = ring.add(id, nodes ? Flag.nodes : 0, parent, owner, this.lateClock());
    ring.suspends[made] = suspends ? this.teller.tick : 0;
    if (nodes) ring.steps[made] = ring.steps[slot] === 0 ? 0 : this.inner.after(ring.steps[slot], ring.steps[slot]);
    else if (runsInner) ring.steps[made] = this.inner.after(this.step, WATCHED);
    return owner;
  }

  /**
   * Somebody consumes a promise made in this run of code: the function it is the call of no longer runs. And if it came of
   * `then`, then its making was no `await`, which nobody could consume: its owner, taken for suspended, runs on.
   */
  private leave(id: number): void {
    const { open, ring } = this;
    open.close(id);
    const slot = ring.find(id);
    if (slot < 0 || ring.suspends[slot] !== this.teller.tick) return;
    ring.suspends[slot] = 0;
    open.push(ring.owners[slot], 0);
  }

  /** Whether the innermost function runs on behind the derived promise being made; where nobody can look, it is taken for its `await`'s. */
  private runsOn(): boolean {
    const key = habitKey(this.trail, this.steps, this.contextStack);
    const habit = this.nextThen.find(key);
    const expected = habit !== undefined && habit.agreed >= (this.stacks.mustSave || this.isNodes(this.open.top) ? SURE : VERY_SURE);
    if (expected && !isDue(habit)) return habit.value;
    if (!this.stacks.mayGlance()) return expected && habit.value;
    const seen = this.stacks.runsOn(this.open.topFunction, this.guard.hook);
    this.nextThen.learn(key, seen, expected);
    return seen;
  }

  /** Whether a promise was made by Node's own code for its own code, or is the call of an async function of Node's own. */
  private isNodes(id: number): boolean {
    const slot = this.ring.find(id);
    return slot >= 0 && (this.ring.flags[slot] & (Flag.nodes | Flag.api)) !== 0;
  }

  /** Who runs, by the stack just captured. @param from frames to leave out: a function's own, when it is being entered */
  private ownerFromFrames(from: number, guess: number): number {
    const { stacks, open } = this;
    for (let i = from; i < stacks.frameCount; i++) {
      const fn = stacks.frameFunctions[i];
      // At the base there is the function whose reaction runs, whatever call of the same function it has made since.
      if (fn !== 0 && stacks.reachedBase && i === stacks.frameCount - 1 && this.contextOwner !== 0 && stacks.functionEnteredAt(this.contextStack) === fn) {
        open.clear();
        return this.contextOwner;
      }
      const owner = open.innermostOf(fn);
      if (owner === 0) continue;
      open.resume(owner, fn);
      return owner;
    }
    if (!stacks.reachedBase) return guess;
    open.clear();
    return this.contextOwner;
  }

  private nextTick(): void {
    this.teller.tick = (this.teller.tick + 1) >>> 0;
    this.open.beginRun();
    this.gathering.beginRun();
    this.trail = 0;
    this.steps = 0;
    if (this.step !== 0) {
      this.contextStack = INNER_KEYS - this.step;
      return;
    }
    const slot = this.ring.find(this.contextOwner);
    this.contextStack = slot < 0 ? 0 : this.ring.stacks[slot];
  }

  private readClock(): number {
    this.clock = this.now();
    this.writer.flushIfDue(this.clock);
    if (this.clockTick !== this.teller.tick) this.stacks.refill(this.clock);
    this.clockTick = this.teller.tick;
    return this.clock;
  }

  /** The clock as last read in this tick: exact enough for what only tells the order. */
  private lateClock(): number { return this.clockTick === this.teller.tick ? this.clock : this.readClock(); }
}
