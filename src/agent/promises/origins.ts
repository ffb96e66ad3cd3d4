/**
 * What promises come of: as a look at the stack shows, or as what came before in the same code lets expect. A run of code
 * makes its promises in the same order as the run of the same code before it, so what came before is the key of a habit.
 */
import { isCombinator } from '../../model/facts';
import { NOBODY, type CallStacks, type Captured, type SubclassMaker } from '../stacks/call-stacks';
import { CHECK_HANDED, CHECK_SELDOM, type Habit, habitKey, Habits, isDue, isSure, SURE, VERY_SURE } from './habits';
import type { Guard } from '../hooks';

/** What Node makes for itself is all one, as long as it is the same kind of thing. */
const isAlike = (a: Captured, b: Captured): boolean => (a.nodes && b.nodes ? (a.fn === 0) === (b.fn === 0) : a.code === b.code && a.fn === b.fn && a.kind === b.kind);

const isSame = (a: boolean, b: boolean): boolean => a === b;

const isSameMaker = (a: SubclassMaker, b: SubclassMaker): boolean => a.place === b.place && a.isThen === b.isThen && a.isCombinators === b.isCombinators && a.isInExecutor === b.isInExecutor;

/** Places of derived promises, in place of the stack of a root before: beyond any such. */
const PLACES = 2 ** 22;

export class Origins {
  private readonly roots = new Habits<Captured>(isAlike);
  private readonly thenables = new Habits<Captured>(isAlike);
  private readonly chains = new Habits<Captured>(isAlike);
  private readonly thens = new Habits(isSame);
  private readonly links = new Habits(isSame);
  private readonly waits = new Habits(isSame);
  private readonly goings = new Habits(isSame);
  private readonly makers = new Habits<SubclassMaker>(isSameMaker);
  /** Code of the latest root of this run, and how many promises were consumed since. */
  private trail = 0;
  private steps = 0;
  /** What tells the code that runs: where the function was entered whose reaction it is, as `Captured.code`; 0 for none. */
  code = 0;
  /** Whether `find` has looked, what it would have taken for granted, and the key of that. */
  looked = false;
  private expected: Captured | undefined;
  /** What came before the latest root, as `habitKey`. */
  key = 0;
  /** Promises of a subclass of which nobody knows what they come of. */
  missed = 0;

  constructor(private readonly stacks: CallStacks, private readonly guard: Guard) {}

  /** @param code as the field of that name @param place where in a run of code that was awaited, or `then` called, behind which it begins; 0 where that is not known */
  beginRun(code: number, place: number): void {
    this.trail = place === 0 ? 0 : PLACES + place;
    this.steps = 0;
    this.code = code;
  }

  /** Where in its run of code the derived promise being made is: what came before it, as a number. */
  get place(): number {
    const { trail, steps } = this;
    return (trail < PLACES ? trail * 4 + Math.min(steps, 3) : (trail - PLACES) * 31 + steps) & (PLACES - 1);
  }

  /** A promise was consumed. */
  step(): void { this.steps++; }

  /** @returns what the promise without a parent that is being made comes of; undefined where nobody can tell */
  find(): Captured | undefined {
    const { stacks } = this;
    this.key = habitKey(this.trail, this.steps, this.code);
    const habit = this.roots.find(this.key);
    this.expected = habit !== undefined && this.reliesOn(habit) ? habit.value : undefined;
    this.looked = false;
    if (habit !== undefined && this.expected !== undefined && !isDue(habit, habit.value.handed ? CHECK_HANDED : CHECK_SELDOM)) {
      stacks.budget.saveLook();
      // A combinator has still to show itself by taking its elements.
      return isCombinator(this.expected.kind) ? undefined : this.expected;
    }
    // Where nobody can look any more, what always came is still a better guess than none.
    if (!stacks.budget.mayLook()) return habit !== undefined && isSure(habit) && !isCombinator(habit.value.kind) ? habit.value : undefined;
    this.looked = true;
    return stacks.capture(this.guard.hook, this.code);
  }

  /** @returns where the running function awaits a thenable; undefined where nobody can tell */
  findAwait(): Captured | undefined { return this.findPlace(this.thenables, (above, base) => this.stacks.captureAwait(above, base)); }

  /** @returns where the program calls `then` for the derived promise being made; without a stack where nobody does; undefined where nobody can tell */
  findThen(): Captured | undefined { return this.findPlace(this.chains, (above, base) => this.stacks.captureThen(above, base)); }

  private findPlace(habits: Habits<Captured>, look: (above: (...args: never[]) => unknown, base: number) => Captured): Captured | undefined {
    const { budget } = this.stacks;
    const key = habitKey(this.trail, this.steps, this.code);
    const habit = habits.find(key);
    const isExpected = habit !== undefined && this.reliesOn(habit);
    if (isExpected && !isDue(habit, CHECK_SELDOM)) {
      budget.saveLook();
      return habit.value;
    }
    if (!budget.mayLook()) return habit !== undefined && isSure(habit) ? habit.value : undefined;
    const found = look(this.guard.hook, this.code);
    habits.learn(key, found, isExpected);
    return found;
  }

  /** Who makes the promise of a subclass that is being made; where nobody can tell, it is nobody who is known. */
  findMaker(): SubclassMaker {
    const { stacks } = this;
    const key = habitKey(this.trail, this.steps, this.code);
    const habit = this.makers.find(key);
    const isExpected = habit !== undefined && (habit.agreed >= VERY_SURE || (stacks.budget.mustSave && isSure(habit)));
    if (isExpected && !isDue(habit, CHECK_SELDOM)) {
      stacks.budget.saveLook();
      return habit.value;
    }
    if (!stacks.budget.mayLookAtSubclass()) {
      if (habit !== undefined && isSure(habit)) return habit.value;
      this.missed++;
      return NOBODY;
    }
    const found = stacks.makerOf(this.guard.hook);
    this.makers.learn(key, found, isExpected);
    return found;
  }

  /**
   * Notes what a look of `find` showed. Never taken for granted is what was made by other code than it seemed, but for Node's own; and a combinator
   * only where nothing else came: it ends a row of calls whose number may be another each time, and what comes behind it may be what it wraps values in.
   * @param isBySeeming whether it was made by the code that was taken to run
   */
  learn(found: Captured, isBySeeming: boolean): void {
    const { kind, code, internal } = found;
    const isOften = !isCombinator(kind) || (code !== this.trail && (this.roots.find(this.key)?.value.kind ?? kind) === kind);
    if (internal || (isBySeeming && isOften)) this.roots.learn(this.key, found, this.expected !== undefined);
    else if (isCombinator(kind)) this.roots.unlearn(this.key);
  }

  /** What was taken for granted of the latest promise without a parent has turned out to be wrong. @param code where it was made, as `Captured.code` */
  mistook(code: number): void {
    this.roots.forget(this.key);
    this.made(code);
  }

  /** @param code where the promise without a parent was made, as `Captured.code`; 0 where that is not known */
  made(code: number): void {
    this.trail = code;
    this.steps = 0;
  }

  /**
   * Whether the innermost function runs on behind the derived promise being made; where nobody can look, it is taken for its `await`'s.
   * @param fn number of that function @param isNodes whether it is Node's own
   */
  runsOn(fn: number, isNodes: boolean): boolean { return this.glance(this.thens, this.stacks.budget.mustSave || isNodes ? SURE : VERY_SURE, fn, false); }

  /** Whether the derived promise being made is how the innermost function awaits; where nobody can look, it is not. @param fn number of that function */
  awaits(fn: number): boolean { return !this.glance(this.waits, SURE, fn, true); }

  /** Whether it is a call of `then` that makes the derived promise being made; where nobody can look, it is. */
  isThen(): boolean { return this.glance(this.links, SURE, 0, true); }

  /**
   * Whether it is the innermost function's code, or a call of `then`, that makes the derived promise being made: it has not awaited the one before, as a
   * generator did that it had called. Where nobody can look, it has. @param fn number of that function
   */
  isAtWork(fn: number): boolean { return this.glance(this.goings, SURE, fn, false, true); }

  /**
   * Whether function `fn` runs on behind the derived promise being made; or, with `isOwn`, whether it makes it.
   * @param sure looks in a row that save the next @param otherwise where nobody can look
   */
  private glance(habits: Habits<boolean>, sure: number, fn: number, otherwise: boolean, isOwn = false): boolean {
    const { stacks } = this;
    const key = habitKey(this.trail, this.steps, this.code);
    const habit = habits.find(key);
    const isExpected = habit !== undefined && habit.agreed >= sure;
    if (isExpected && !isDue(habit, CHECK_SELDOM)) return habit.value;
    if (!stacks.budget.mayGlance()) return isExpected ? habit.value : otherwise;
    const seen = stacks.isMadeBy(fn, isOwn, this.guard.hook);
    habits.learn(key, seen, isExpected);
    return seen;
  }

  /**
   * Whether what always came next is taken for granted: earlier where looks are scarce, and with Node's own business. Never with Node's function where the
   * program's could be called as well: that one's work would be lost.
   */
  private reliesOn(habit: Habit<Captured>): boolean {
    const { agreed, value } = habit;
    if (value.nodes && value.handed) return false;
    return (agreed >= VERY_SURE && !value.handed) || (agreed >= SURE && (value.internal || value.nodes)) || (this.stacks.budget.mustSave && isSure(habit));
  }
}
