/**
 * How a combinator takes its elements: it makes its own promise and listens at once to one element after the other. Of
 * values it makes promises first.
 */
import { Fact, isCombinator, RootKind } from '../../model/facts';
import type { CallStacks } from '../stacks/call-stacks';
import type { FactWriter } from '../fact-writer';
import { CHECK_SELDOM, Habits, isDue, SURE } from './habits';
import type { Guard } from '../hooks';
import type { OpenCalls } from './open-calls';
import type { Outcomes } from './outcomes';
import { Flag, type PromiseRing } from './promise-ring';
import type { SubclassPromises } from './subclass-promises';
import type { Teller } from './teller';

/** More places of combinators than that are not told apart: their elements are looked at as long as there are means. */
const MAX_PLACES = 1 << 14;

/** A call of a combinator: `RootKind`, and where it is called; both 0 for none. */
interface Call { readonly kind: number; readonly stack: number }

const NO_CALL: Call = { kind: 0, stack: 0 };

export class Gathering {
  /** The combinator that is taking its elements, and how many it has. */
  private combinator = 0;
  private kind = 0;
  private elements = 0;
  /** The latest root, while nothing else has happened; told apart whether it may be a combinator's. */
  private lastRoot = 0;
  private lastRootKnown = false;
  /** What came before the latest root, as `habitKey`. */
  private lastKey = 0;
  /** The first root of this run of code. */
  private firstRoot = 0;
  /** By what came before a root that turned out to be a combinator's: which. */
  private readonly beginnings = new Habits<Call>((a, b) => a.kind === b.kind && this.stacks.codeOf(a.stack) === this.stacks.codeOf(b.stack));
  /**
   * By the combinator's code, how many elements its calls had at least: of the next call so many are taken for granted. Only what
   * comes behind them may be a promise that other code derives at once.
   */
  private readonly sizes = new Map<number, number>();
  /** Of the combinator that is taking its elements: how many are taken for granted, and how many of the first are granted or were looked at. */
  private granted = 0;
  private sure = 0;
  /**
   * Elements that are promises of a subclass, or that a combinator of the other kind wraps: which ones these are is inferred once all are taken. What they are
   * wrapped in, or 0.
   */
  private readonly unknown: number[] = [];
  /** Whether the element taken last had been raced before: nothing was told of it. */
  isRacedAgain = false;

  constructor(
    private readonly ring: PromiseRing,
    private readonly open: OpenCalls,
    private readonly teller: Teller,
    private readonly writer: FactWriter,
    private readonly stacks: CallStacks,
    private readonly outcomes: Outcomes,
    private readonly guard: Guard,
    private readonly subclass: SubclassPromises,
  ) {}

  /**
   * Whether a root of a combinator's stack is what the combinator wraps a value in, and not a call of its own: another call
   * may follow at once, of a combinator over what functions return that end with one.
   */
  wraps(kind: number, stack: number): boolean {
    const { combinator, lastRoot, ring } = this;
    if (combinator === 0 || (lastRoot !== 0 && lastRoot !== combinator) || kind !== this.kind || !isCombinator(kind)) return false;
    const own = this.stackOf(combinator);
    // As a first element it follows the combinator's own promise, which with no elements at all would have settled at once.
    return lastRoot === 0 ? own === 0 || stack === own : own !== 0 && stack === own && (ring.flags[ring.find(combinator)] & Flag.settled) === 0;
  }

  /** Another run of code begins. */
  beginRun(): void {
    this.end();
    this.lastRoot = this.firstRoot = 0;
  }

  /** A root was made. @param known it is no combinator's: its stack was looked at, or Node's code made it for its own @param key `habitKey` of what came before */
  follow(root: number, known: boolean, key: number): void {
    this.lastRoot = root;
    this.lastRootKnown = known;
    this.lastKey = key;
    if (this.firstRoot === 0) this.firstRoot = root;
  }

  /** Something else happened than that a combinator takes elements. */
  interrupt(): void { this.lastRoot = 0; }

  /** The latest root, as long as nothing else happened; 0 for none. */
  get latestRoot(): number { return this.lastRoot; }

  begin(id: number, kind: number): void {
    this.end();
    this.combinator = id;
    this.kind = kind;
    this.elements = 0;
    this.granted = this.sure = this.sizes.get(this.codeOf(id)) ?? 0;
  }

  end(): void {
    if (this.combinator === 0) return;
    if (this.unknown.length > 0) this.takeUnknown();
    this.learnSize();
    this.writer.record(Fact.gathered, 0, this.combinator, this.elements, 0, 0, 0, 0);
    this.combinator = 0;
  }

  /** A combinator listens to an element that is a promise of a subclass. @returns whether it is known which combinator that is */
  listens(): boolean {
    const root = this.lastRoot;
    if (this.combinator === 0 && root !== 0 && !this.lastRootKnown) this.beginAs(root, this.stacks.combinatorCall(this.guard.hook));
    if (this.combinator === 0) return false;
    this.unknown.push(this.wrappingMadeLast());
    this.lastRoot = 0;
    return true;
  }

  /** What the combinator has just made of its next element; 0 where it takes that as it is. */
  private wrappingMadeLast(): number {
    const { lastRoot, ring } = this;
    return lastRoot !== this.combinator && ring.isPendingWrapping(lastRoot) ? lastRoot : 0;
  }

  private takeUnknown(): void {
    const { combinator, kind, subclass } = this;
    const unknown = this.unknown.splice(0);
    const isOfSubclass = subclass.has(combinator);
    const wrapped = unknown.filter((wrapping) => wrapping !== 0);
    const isRace = kind === RootKind.race;
    const elements = isOfSubclass ? subclass.takeElements(unknown.length - wrapped.length, combinator, isRace) : [];
    const inside = isOfSubclass ? this.ring.untakenBefore(combinator, wrapped.length) : subclass.takeElements(wrapped.length, combinator, isRace);
    // The latest are known rather than the first.
    let ofThem = unknown.length - wrapped.length - elements.length;
    let ofWrapped = wrapped.length - inside.length;
    for (const wrapping of unknown) {
      if (wrapping === 0) {
        const element = ofThem-- > 0 ? 0 : elements.shift() ?? 0;
        if (element === 0) this.elements++; else this.take(element, undefined);
        continue;
      }
      const element = ofWrapped-- > 0 ? 0 : inside.shift() ?? 0;
      if (element !== 0 && !isOfSubclass) subclass.isWrappedIn(wrapping, element);
      this.take(element === 0 ? wrapping : element, undefined);
    }
  }

  /**
   * @param parent what a promise was just derived from
   * @returns whether that is how a combinator listens to an element of its
   */
  takes(parent: number, parentPromise: Promise<unknown> | undefined): boolean {
    if (this.combinator === 0) {
      if (!this.begins(parent)) return false;
    } else if (parent === this.combinator || !this.isElement()) {
      this.end();
      return false;
    }
    if (this.subclass.isAny && this.ring.isPendingWrapping(parent)) this.unknown.push(parent); else this.take(parent, parentPromise);
    this.lastRoot = 0;
    return true;
  }

  /** Whether the promise being made is the combinator's own; taken for granted where nobody can look. */
  private isElement(): boolean {
    if (this.elements < this.granted || !this.stacks.budget.mayVerify()) return true;
    if (this.stacks.combinatorAbove(this.guard.hook) === 0) return false;
    if (this.sure === this.elements) this.sure++;
    return true;
  }

  /** A call has all its elements. Where means ran out, more are taken for granted the next time: it comes to looking at each once. */
  private learnSize(): void {
    const code = this.codeOf(this.combinator);
    const known = this.sizes.get(code);
    if (code === 0 || (known === undefined && this.sizes.size === MAX_PLACES)) return;
    const size = known ?? this.sure;
    this.sizes.set(code, this.sure < this.elements ? Math.max(size, this.sure) : Math.min(size, this.elements));
  }

  private stackOf(id: number): number {
    const slot = this.ring.find(id);
    return slot < 0 ? 0 : this.ring.stacks[slot];
  }

  /** What tells its calls of one place from those of another: as `Captured.code`. */
  private codeOf(id: number): number { return this.stacks.codeOf(this.stackOf(id)); }

  /** A root nobody looked at, and at once somebody else's promise is consumed: that is how a combinator begins. */
  private begins(parent: number): boolean {
    const root = this.lastRoot;
    if (root === 0 || this.lastRootKnown || parent === root) return false;
    if (!this.beginAs(root, this.callAt(parent))) return false;
    this.sure = Math.max(this.sure, 1);
    return true;
  }

  private beginAs(root: number, { kind, stack }: Call): boolean {
    if (kind === 0) return false;
    this.open.close(root);
    this.teller.tellCombinator(root, kind, stack);
    this.begin(root, kind);
    return true;
  }

  /**
   * The combinator that may be taking its first element. Where the same one always was, in `Promise.all(items.map(work))` time after
   * time, that is taken for granted: its first element is the first call that this run of code has made, or one that is raced again.
   */
  private callAt(element: number): Call {
    const habit = this.beginnings.find(this.lastKey);
    const isExpected = habit !== undefined && habit.agreed >= SURE && (element === this.firstRoot || (habit.value.kind === RootKind.race && this.ring.wasRaced(element)));
    if (isExpected && !isDue(habit, CHECK_SELDOM)) return habit.value;
    if (!this.stacks.budget.mayCheck(this.ring.isUntaken(element))) return isExpected ? habit.value : NO_CALL;
    const call = this.stacks.combinatorCall(this.guard.hook);
    this.beginnings.learn(this.lastKey, call, isExpected);
    return call;
  }

  private take(element: number, promise: Promise<unknown> | undefined): void {
    const { ring } = this;
    const index = this.elements++;
    const slot = ring.find(element);
    const raced = this.kind === RootKind.race && slot >= 0;
    // A pool by hand races the same promises again and again: each is told of once.
    this.isRacedAgain = raced && (ring.flags[slot] & Flag.raced) !== 0;
    if (this.isRacedAgain) return;
    this.teller.tellElement(this.combinator, index, element);
    if (this.kind === RootKind.all && slot >= 0 && promise !== undefined) {
      const flags = ring.flags[slot];
      ring.flags[slot] = flags | Flag.held | Flag.consumed;
      ring.calls[slot] = this.combinator;
      if ((flags & Flag.settled) !== 0) this.outcomes.addElement(this.combinator, element, promise);
    } else this.teller.consumed(element, promise);
    if (slot >= 0) ring.flags[slot] |= raced ? Flag.raced | Flag.handled : Flag.handled;
  }
}
