/** How many looks at the stack may be taken, and how much time they may take: for each purpose a purse of its own. */
import { Purse } from '../purse';

/**
 * How many milliseconds looks may take: at once, and of each that passes. They never take as much, unless each is slow: V8 follows a
 * pending chain of `then`, which a capture adds no frame of, to its end (`reduce((before, id) => before.then(…))` makes long ones).
 */
const LOOKING_MS = 400;
const LOOKING_SHARE = 0.1;
/** Milliseconds that a look takes until others are known, and how many times as long as lately one may take: what took longer was interrupted, as on a busy machine. */
const USUAL_MS = 0.05;
const INTERRUPTED = 8;
/** Of what looks took lately, the share of the latest. */
const LATEST = 1 / 16;
/** Milliseconds: purses are refilled no more often. */
const REFILL_MS = 1;

export class LookBudget {
  private readonly looks = new Purse(4_000, 2);
  /** For telling what makes promises of a subclass: each is looked at, its elements' listeners too. */
  private readonly subclassLooks = new Purse(8_000, 5);
  /** Milliseconds that may be spent on any of them. */
  private readonly time = new Purse(LOOKING_MS, LOOKING_SHARE);
  /** Milliseconds that a look took lately. */
  private usual = USUAL_MS;
  /** For telling where a combinator begins whose stack nobody looked at. */
  private readonly checks = new Purse(10_000, 10);
  /** For telling its elements from other promises: there may be many to a task. */
  private readonly tails = new Purse(500, 0.5);
  /** For telling `then` from `await` where a function still runs on top of its caller. */
  private readonly glances = new Purse(4_000, 2);
  /** Milliseconds of the thread's clock: when they were last refilled. */
  private refilled = 0;

  /** @param stack what is looked at: not at all once that is broken */
  constructor(private readonly stack: { readonly isBroken: boolean }) {}

  /** A look has taken so many milliseconds. */
  pay(ms: number): void {
    const cost = Math.min(ms, INTERRUPTED * this.usual);
    this.usual += (cost - this.usual) * LATEST;
    this.time.spend(cost);
  }

  /** @param time milliseconds of the thread's clock */
  refill(time: number): void {
    // Asked in every run of code; in less than that no purse earns what would be worth the while.
    if (time - this.refilled < REFILL_MS) return;
    this.refilled = time;
    this.time.refill(time);
    this.looks.refill(time);
    this.subclassLooks.refill(time);
    this.checks.refill(time);
    this.tails.refill(time);
    this.glances.refill(time);
  }

  /** Whether looks have grown scarce, so that habits have to do. */
  get mustSave(): boolean { return this.looks.isLow || this.glances.isLow || this.time.isLow; }

  /** Whether one more stack may be captured. */
  mayLook(): boolean { return this.canLook && this.looks.take(); }

  /** Whether one more `makerOf` may be asked. */
  mayLookAtSubclass(): boolean { return this.canLook && this.subclassLooks.take(); }

  /** A look that habit made needless. */
  saveLook(): void { this.looks.save(); }

  /**
   * Whether one more `combinatorCall` may be asked of what may be a combinator's first element.
   * @param isLikely false where it is rather what many functions wait for
   */
  mayCheck(isLikely: boolean): boolean { return this.canLook && (isLikely || !this.checks.isLow) && this.checks.take(); }

  /** Whether one more `combinatorAbove` may be asked of what is taken for one more element. */
  mayVerify(): boolean { return this.canLook && this.tails.take(); }

  /** Whether one more `isMadeBy` or `isRunning` may be asked. */
  mayGlance(): boolean { return this.canLook && this.glances.take(); }

  private get canLook(): boolean { return !this.stack.isBroken && !this.time.isEmpty; }
}
