/**
 * Turns what either backend's hooks say into facts. This is the hot path: it runs several times for each promise of
 * somebody else's program, so it keeps to numbers, and tells the host of a promise only once that may matter.
 *
 * Who owns what. Code of an async function runs either on top of its caller, until its first `await`, or in a reaction
 * of its own. In a reaction the promise that the hook names leads to its owner. On top of a caller only the stack can
 * tell; where there is no token left to look at it, `open` guesses: functions entered and not yet seen to await.
 */
import { isCombinator, RootKind } from '../../model/facts';
import { NONE, type CallStacks, type Near } from '../stacks/call-stacks';
import { Adoptions } from './adoptions';
import { Consumptions } from './consumptions';
import { Endings } from './endings';
import type { FactWriter } from '../fact-writer';
import { Gathering } from './gathering';
import type { Guard } from '../hooks';
import type { HotStretches } from './hot-stretches';
import { ADOPTS, CALL, InnerSteps } from './inner-steps';
import { OpenCalls } from './open-calls';
import { Origins } from './origins';
import { Owners } from './owners';
import type { Outcomes } from './outcomes';
import { Flag, kindFlags, PromiseRing } from './promise-ring';
import { Reactions } from './reactions';
import { ReturnedAtOnce } from './returned-at-once';
import { Runs } from './runs';
import { SubclassPromises } from './subclass-promises';
import { Teller } from './teller';
import { Wrappings } from './wrappings';

/** What tells Node's own code that runs, instead of the stack of the function whose reaction does: this minus a step. */
const INNER_CODE = 2 ** 20 - 1;

/** Instead of an owner: nothing that becomes of this promise matters, V8 alone holds it. */
export const UNWATCHED = -1;

export class Observer {
  readonly ring = new PromiseRing();
  private readonly runs: Runs;
  private readonly teller: Teller;
  readonly endings: Endings;
  private readonly gathering: Gathering;
  private readonly origins: Origins;
  private readonly reactions = new Reactions();
  private readonly adoptions: Adoptions;
  private readonly open = new OpenCalls();
  private readonly owners: Owners;
  private readonly returnedAtOnce: ReturnedAtOnce;
  private readonly wrappings: Wrappings;
  private readonly consumptions: Consumptions;
  /** The latest wrapping of a value by `await`: settled, and to be awaited at once. */
  private value = 0;
  private readonly inner = new InnerSteps();
  private readonly subclass = new SubclassPromises(this.ring);
  /** Whether a run of code has begun of which nothing was to be kept so far: Node's own code runs thousands of them. */
  private isNewRun = false;
  /** Step of the promise that `init` was told of, where nothing else is to be kept of it; 0 elsewhere. */
  madeStep = 0;

  constructor(
    writer: FactWriter,
    private readonly stacks: CallStacks,
    outcomes: Outcomes,
    now: () => number,
    private readonly guard: Guard,
    private readonly hot: HotStretches,
  ) {
    this.runs = new Runs(now, writer, stacks);
    this.teller = new Teller(this.ring, writer, outcomes, this.reactions, this.runs);
    this.adoptions = new Adoptions(this.ring, this.reactions, this.teller, writer);
    this.endings = new Endings(this.ring, this.teller, outcomes, stacks, guard, this.reactions, this.runs);
    this.origins = new Origins(stacks, guard);
    this.owners = new Owners(stacks, this.open, this.reactions, this.origins);
    this.returnedAtOnce = new ReturnedAtOnce(this.ring, stacks, this.origins, guard);
    this.gathering = new Gathering(this.ring, this.open, this.teller, writer, stacks, outcomes, guard, this.subclass);
    this.consumptions = new Consumptions(this.ring, this.open, this.origins, this.teller, this.reactions, this.inner, this.runs);
    this.wrappings = new Wrappings(this.ring, this.open, this.origins, this.gathering, stacks, this.subclass, this.runs);
  }

  /**
   * @param parent 0 for a promise that nothing else led to; of one that only a step is kept of, minus that step
   * @returns the promise's owner, for the backend to keep with it along with `madeStep`, or `UNWATCHED`
   */
  init(id: number, parent: number, parentPromise: Promise<unknown> | undefined): number {
    const { consumptions } = this;
    if (consumptions.maybeValue !== 0) {
      // What is awaited at once wraps a thenable: its function goes on being the one that runs.
      if (consumptions.maybeValue === parent && this.origins.awaits(this.open.topFunction)) {
        consumptions.maybeValue = 0;
        this.wrappings.ofThenable(parent);
      } else consumptions.takeMaybeValue(parent !== 0);
    } else if (parent === id - 1 && this.wrappings.isOfBody(parent)) this.wrappings.ofThenable(parent);
    this.madeStep = 0;
    if (parent !== 0 && parent === this.value) return this.wrappings.awaited(id, parent);
    const { step } = this.reactions;
    if (step !== 0 && (this.isNewRun || this.open.isEmpty)) {
      const next = parent === 0 ? this.inner.expected(step) : this.innerDerived(parent);
      if (next !== 0) return this.goOn(next);
    }
    this.begin();
    if (parent === 0) return this.initRoot(id);
    if (parent > 0) return this.initDerived(id, parent, parentPromise);
    const { reactions } = this;
    if (reactions.adopting && this.ring.isNodes(reactions.promise)) {
      reactions.adopting = false;
      this.madeStep = ADOPTS;
      return reactions.owner;
    }
    return this.initDerived(id, this.guard.takeOut(parentPromise), parentPromise);
  }

  /** A promise of a subclass is made, of which V8 tells no parent. @returns as `init` does */
  initOfSubclass(id: number): number {
    const { gathering, reactions, stacks, subclass } = this;
    stacks.makesSubclass = true;
    try {
      const maker = this.origins.findMaker();
      if (maker.isThen && maker.isCombinators && gathering.listens()) return UNWATCHED;
      // What a combinator wraps elements in comes between them.
      if (!maker.isCombinators) gathering.end();
      this.begin();
      this.beginCallback();
      let parent = 0;
      if (maker.isThen) parent = reactions.adopting && this.open.isEmpty ? subclass.takeFor(reactions.promise) : subclass.take(this.runs.tick, maker.isInExecutor);
      const owner = this.init(id, parent, undefined);
      if (owner !== UNWATCHED) subclass.add(id, maker, this.runs.tick, this.running, reactions.promise);
      return owner;
    } finally { stacks.makesSubclass = false; }
  }

  /** Whether a promise just told to `init` may be the wrapping of a value by `await`. */
  mayBeValue(id: number): boolean { return this.consumptions.maybeValue === id; }

  /** A reaction begins. @param owner what `init` returned for the promise */
  before(id: number, owner: number): void {
    if (this.consumptions.maybeValue !== 0) this.consumptions.takeMaybeValue();
    const { ring } = this;
    const slot = ring.find(id);
    const flags = slot < 0 ? 0 : ring.flags[slot];
    let step = 0;
    if (slot >= 0) {
      ring.flags[slot] = flags | Flag.entered;
      if ((flags & Flag.root) === 0) this.teller.handled(ring.parents[slot]);
      if (ring.steps[slot] !== 0) ring.steps[slot] = step = this.inner.reaction(ring.steps[slot]);
    }
    // What was said when it was made may have been corrected since.
    const runs = (flags & Flag.root) !== 0 ? id : slot < 0 ? owner : ring.owners[slot];
    this.reactions.enter(id, runs, (flags & (Flag.root | Flag.entered)) !== 0, step);
    this.turn();
  }

  /**
   * A reaction begins of a promise that only a step is kept of: Node's own code goes on.
   * @param owner what `init` returned for the promise
   * @returns the step to keep of it from now on
   */
  beforeInner(step: number, owner: number): number {
    if (this.consumptions.maybeValue !== 0) this.consumptions.takeMaybeValue();
    const next = this.inner.reaction(step);
    this.reactions.enter(0, owner, false, next);
    this.turn();
    return next;
  }

  /** A reaction begins of a promise that nobody has looked at. */
  beforeStrange(): void {
    if (this.consumptions.maybeValue !== 0) this.consumptions.takeMaybeValue();
    this.reactions.enter(0, 0, false, 0);
    this.turn();
  }

  after(): void {
    if (this.consumptions.maybeValue !== 0) this.consumptions.takeMaybeValue();
    if (this.adoptions.isOpen) this.adoptions.end();
    this.reactions.leave();
    this.turn();
  }

  settled(id: number, promise: Promise<unknown> | undefined): void {
    const { ring } = this;
    if (this.consumptions.maybeValue === id) {
      ring.flags[ring.find(id)] |= Flag.value | Flag.settled;
      this.value = id;
      this.consumptions.maybeValue = 0;
      return;
    }
    if (this.consumptions.maybeValue !== 0) this.consumptions.takeMaybeValue();
    this.begin();
    this.beginCallback();
    const slot = ring.find(id);
    this.open.close(id);
    if (slot < 0) {
      this.teller.tellSettled(id, this.runs.now(), this.running);
      return;
    }
    if (this.gathering.latestRoot === id) this.returnedAtOnce.check(slot);
    const flags = ring.flags[slot];
    if ((flags & (Flag.settled | Flag.inner)) !== 0) return;
    ring.flags[slot] = flags | Flag.settled;
    const time = (flags & (Flag.nodes | Flag.told)) === Flag.nodes ? this.runs.clock : this.runs.readClock();
    ring.ended[slot] = time;
    if ((flags & Flag.told) !== 0) this.endings.tell(id, slot, time, this.running, promise);
  }

  /** The promise that code outside of any reaction has settled in the run that goes on; 0 for none. It is said once. */
  takeSettled(): number {
    this.begin();
    return this.endings.takeByHand();
  }

  /** Where the program is, and which async function runs (0 where that is not known): for what is told of no promise. */
  here(): { readonly stack: number; readonly owner: number; readonly near: Near | undefined } {
    this.begin();
    this.runs.readClock();
    const { stack, near } = this.stacks.budget.mayLook() ? this.stacks.captureFar(Observer.prototype.here, this.origins.code) : { stack: 0, near: undefined };
    return { stack, near, owner: stack === 0 ? this.running : this.owners.fromFrames(0, this.running) };
  }

  /** A message is going to be handled, on top of no other code and in no reaction. @param isDeferred Node itself calls it only by `process.nextTick` */
  beginMessage(isDeferred: boolean): void {
    if (this.consumptions.maybeValue !== 0) this.consumptions.takeMaybeValue();
    this.nextTick();
    this.runs.handlesMessage(isDeferred);
  }

  /** Promises of which it could not be told what they come of. */
  get missed(): number { return this.origins.missed; }

  /** Which run of code it is, counted from 1. */
  get tick(): number {
    this.begin();
    return this.runs.tick;
  }

  /** The promise made just before, with nothing in between; 0 for none. */
  get latestRoot(): number { return this.isNewRun ? 0 : this.gathering.latestRoot; }

  /** The async function that runs, as far as is known without a look at the stack. */
  get running(): number { return this.isNewRun || this.open.isEmpty ? this.reactions.owner : this.open.top; }

  /** The promise whose reaction runs; 0 for none, and for one of Node's own code. */
  get context(): number { return this.reactions.promise; }

  /** What tells the run of code that goes on, and what it belongs to. */
  get origin(): { readonly tick: number; readonly promise: number } {
    this.begin();
    this.beginCallback();
    return { tick: this.runs.tick, promise: this.running || this.context };
  }

  /** Whether no code runs, as far as is known. */
  get isAtRest(): boolean { return !this.reactions.isAny && (this.isNewRun || this.open.isEmpty); }

  /** Whether code runs as the reaction of a promise, which it is taken to while nobody looks. */
  get isReacting(): boolean { return this.reactions.isAny || this.hot.isSteppedBack; }

  /** Whether the reaction that runs is one of Node's own code, as a stream's that reads on: what that calls is nothing that the promise would tell of. */
  get isNodesReaction(): boolean { return this.reactions.step !== 0 || this.ring.isNodes(this.reactions.owner); }

  /** A promise that is not V8's was resolved with another one. @param listener number of what the outer one will settle in the reaction of */
  adopted(outer: number, inner: number, listener: number): void {
    this.begin();
    this.adoptions.tell(outer, inner);
    this.teller.consumed(inner, undefined);
    this.ring.add(listener, Flag.inner, inner, this.ring.owners[this.ring.find(outer)] ?? 0, 0);
  }

  /** A call that runs on top of its caller waits for something that no promise is known of. */
  suspended(call: number): void {
    this.begin();
    this.open.close(call);
  }

  /** Tells the host of a promise it has not heard of. */
  tell(id: number): void {
    this.begin();
    this.teller.tell(id);
  }

  /** Node's own code goes on by a promise that only its step is kept of. @returns its owner */
  private goOn(step: number): number {
    this.gathering.interrupt();
    this.reactions.step = this.madeStep = step;
    return this.reactions.owner;
  }

  /** @param parent as for `init` @returns the step of what Node's own code derives from it; 0 where the parent is the program's business */
  private innerDerived(parent: number): number {
    const { step, owner } = this.reactions;
    if (parent < 0) return this.inner.after(step, -parent);
    return parent === owner ? this.inner.after(step, CALL) : 0;
  }

  private initRoot(id: number): number {
    const { open, origins, reactions } = this;
    this.beginCallback();
    // V8 takes the result of another promise first of all: it is the thenable's own `then` that is at work.
    if (reactions.adopting && this.ring.isThenable(reactions.promise)) reactions.adopting = false;
    const runsInner = reactions.step !== 0 && open.isEmpty;
    let owner = this.running;
    const found = origins.find();
    if (origins.looked && found) {
      if (runsInner) {
        const next = found.inner !== 0 && !isCombinator(found.kind) ? this.inner.learn(reactions.step, found.inner) : 0;
        if (next !== 0) return this.goOn(next);
        this.inner.unlearn(reactions.step);
      }
      const seen = found.stack === 0 && found.kind !== RootKind.value ? owner : this.owners.fromFrames(found.fn !== 0 ? 1 : 0, owner);
      origins.learn(found, seen === owner);
      owner = seen;
    }
    const { stack, code, kind, fn, nodes, nodesFn } = found ?? NONE;
    if (kind === RootKind.value) return this.wrappings.compiled(id, owner);
    origins.made(code);
    const seen = stack !== 0 && origins.looked;
    // Taking values, a combinator wraps each in a promise of its own; they carry the combinator's stack.
    const isWrapped = this.gathering.wraps(kind, stack);
    const calls = isCombinator(kind) && !isWrapped;
    // Nobody asks when Node made what it made for itself.
    const time = nodes ? this.runs.clock : this.runs.readClock();
    const slot = this.ring.add(id, Flag.root | (isWrapped ? Flag.value : calls ? Flag.combinator : 0) | (nodes ? Flag.nodes : 0) | (fn !== 0 && nodesFn !== 0 ? Flag.api : 0) | kindFlags(isWrapped ? RootKind.value : kind), 0, owner, time);
    this.ring.stacks[slot] = stack;
    if (nodes) this.ring.steps[slot] = this.inner.at(-stack);
    if (calls) this.gathering.begin(id, kind);
    // What was only expected is told when it comes to matter: until then it may turn out to be something else.
    if (seen && !isWrapped && !nodes) this.tell(id);
    if (stack !== 0 ? fn !== 0 : !isWrapped) open.push(id, fn, seen ? this.stacks.callerFunction : 0);
    this.gathering.follow(id, seen || nodes, origins.key);
    return owner;
  }

  private initDerived(id: number, parent: number, parentPromise: Promise<unknown> | undefined): number {
    const { open, reactions, ring } = this;
    if (this.gathering.takes(parent, parentPromise)) {
      if (this.gathering.isRacedAgain) this.hot.spare();
      this.consumptions.leave(parent);
      return UNWATCHED;
    }
    this.gathering.interrupt();
    const parentSlot = ring.find(parent);
    if (reactions.adopting && open.isEmpty && parent !== reactions.owner) return this.adoptions.take(id, parent, parentPromise);
    if (parentSlot >= 0 && (ring.flags[parentSlot] & (Flag.value | Flag.root)) === Flag.value) {
      // It was a promise that was wrapped, which is to be taken yet: then we learn which.
      if ((ring.flags[parentSlot] & Flag.settled) === 0) {
        ring.flags[parentSlot] |= Flag.entered;
        ring.calls[parentSlot] = id;
      }
      return this.wrappings.awaited(id, parent);
    }
    const inBody = parent === this.running;
    return inBody ? this.consumptions.add(id, parent) : this.consumptions.take(id, parent, parentPromise);
  }

  /** Another run of code begins: that is noted once there is something to be kept of it. */
  private turn(): void {
    this.isNewRun = true;
    this.gathering.end();
  }

  /** There is something to be kept of the run that goes on. */
  private begin(): void { if (this.isNewRun) this.nextTick(); }

  /** Outside of reactions, each callback that Node calls is a run of code. */
  private beginCallback(): void { if (!this.reactions.isAny && this.open.isEmpty && this.runs.hasCallbackBegun()) this.nextTick(); }

  private nextTick(): void {
    this.isNewRun = false;
    this.runs.begin();
    this.open.beginRun();
    this.gathering.beginRun();
    const { step, owner, promise } = this.reactions;
    const slot = step === 0 ? this.ring.find(owner) : -1;
    this.origins.beginRun(step !== 0 ? INNER_CODE - step : slot < 0 ? 0 : this.stacks.codeOf(this.ring.stacks[slot]), step === 0 ? this.ring.placeOf(promise) : 0);
  }
}
