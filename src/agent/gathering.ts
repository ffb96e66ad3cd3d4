/**
 * How a combinator takes its elements: it makes its own promise and listens at once to one element after the other. Of
 * values it makes promises first.
 */
import { Fact, isCombinator, RootKind } from '../model/facts';
import type { CallStacks } from './call-stacks';
import type { FactWriter } from './fact-writer';
import type { Guard } from './hooks';
import type { OpenCalls } from './open-calls';
import type { Outcomes } from './outcomes';
import { Flag, type PromiseRing } from './promise-ring';
import type { Teller } from './teller';

export class Gathering {
  /** The combinator that is taking its elements, and how many it has. */
  private combinator = 0;
  private kind = 0;
  private elements = 0;
  /** The latest root, while nothing else has happened; told apart whether it may be a combinator's. */
  private lastRoot = 0;
  private lastRootKnown = false;

  constructor(
    private readonly ring: PromiseRing,
    private readonly open: OpenCalls,
    private readonly teller: Teller,
    private readonly writer: FactWriter,
    private readonly stacks: CallStacks,
    private readonly outcomes: Outcomes,
    private readonly guard: Guard,
  ) {}

  /**
   * Whether a root of a combinator's stack is what the combinator wraps a value in, and not a call of its own: another call
   * may follow at once, of a combinator over what functions return that end with one.
   */
  wraps(kind: number, stack: number): boolean {
    const { combinator, lastRoot, ring } = this;
    if (combinator === 0 || (lastRoot !== 0 && lastRoot !== combinator) || kind !== this.kind || !isCombinator(kind)) return false;
    const slot = ring.find(combinator);
    const own = slot < 0 ? 0 : ring.stacks[slot];
    // As a first element it follows the combinator's own promise, which with no elements at all would have settled at once.
    return lastRoot === 0 ? own === 0 || stack === own : own !== 0 && stack === own && (ring.flags[slot] & Flag.settled) === 0;
  }

  /** A root was made. @param known it is no combinator's: its stack was looked at, or Node's code made it for its own */
  follow(root: number, known: boolean): void {
    this.lastRoot = root;
    this.lastRootKnown = known;
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
  }

  end(): void {
    if (this.combinator === 0) return;
    this.writer.record(Fact.gathered, 0, this.combinator, this.elements, 0, 0, 0, 0);
    this.combinator = 0;
  }

  /**
   * @param parent what a promise was just derived from
   * @returns whether that is how a combinator listens to an element of its
   */
  takes(parent: number, parentPromise: Promise<unknown> | undefined): boolean {
    if (this.combinator === 0) {
      if (!this.begins(parent)) return false;
    } else if (parent === this.combinator || (this.stacks.mayVerify() && this.stacks.combinatorAbove(this.guard.hook) === 0)) {
      this.end();
      return false;
    }
    this.take(parent, parentPromise);
    this.lastRoot = 0;
    return true;
  }

  /** A root nobody looked at, and at once somebody else's promise is consumed: that is how a combinator begins. */
  private begins(parent: number): boolean {
    const root = this.lastRoot;
    if (root === 0 || this.lastRootKnown || parent === root || !this.stacks.mayCheck(this.isUntaken(parent))) return false;
    const { kind, stack } = this.stacks.combinatorCall(this.guard.hook);
    if (kind === 0) return false;
    this.open.close(root);
    this.teller.tellCombinator(root, kind, stack);
    this.begin(root, kind);
    return true;
  }

  /** Whether nobody has taken a promise's result, as far as that is remembered. */
  private isUntaken(id: number): boolean {
    const slot = this.ring.find(id);
    return slot >= 0 && (this.ring.flags[slot] & Flag.consumed) === 0;
  }

  private take(element: number, promise: Promise<unknown> | undefined): void {
    const { ring } = this;
    const index = this.elements++;
    const slot = ring.find(element);
    const raced = this.kind === RootKind.race && slot >= 0;
    // A pool by hand races the same promises again and again: each is told of once.
    if (raced && (ring.flags[slot] & Flag.raced) !== 0) return;
    this.teller.tellElement(this.combinator, index, element);
    if (this.kind === RootKind.all && slot >= 0 && promise !== undefined) {
      const flags = ring.flags[slot];
      ring.flags[slot] = flags | Flag.held | Flag.consumed;
      ring.calls[slot] = this.combinator;
      if ((flags & Flag.settled) !== 0) this.outcomes.addElement(this.combinator, element, promise);
    } else this.teller.consumed(element, promise);
    if (raced) ring.flags[slot] |= Flag.raced;
  }
}
