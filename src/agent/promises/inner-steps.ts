/**
 * What Node's own code does inside of its calls (the `open`, the `read` and the `close` of a `readFile`) is nobody's task, and
 * hardly ever anything else than the last time. So of the promises that it makes nothing is kept but a step: a number for how
 * far it has come. After the same step comes the same again, as looks at the stack have shown; what does not is looked at.
 */

/** Looks in a row that must agree before the next is saved. */
const SURE = 8;
/** Of what comes as expected, one in as many is looked at all the same: at first, and in the end; each look that agrees doubles it. */
const CHECK_EVERY = 16;
const CHECK_SELDOM = 1024;
/** More steps than that are not told apart: what would be one more is watched as what the program makes. */
const SIZE = 1 << 16;
const MAX_STEPS = SIZE - 5;

/** Instead of a parent's step: one that is watched. */
export const WATCHED = SIZE - 1;
/** The same: the call that Node's code is at work for. */
export const CALL = SIZE - 2;
/** Instead of a step: it takes the result of another promise, and no code runs behind it. */
export const ADOPTS = SIZE - 3;
/** The same: nobody is to hear what becomes of it. */
export const UNHEARD = SIZE - 4;

export class InnerSteps {
  /** By step: that of the promise without a parent which was made next, how many looks agreed on it, and how many more are saved. */
  private readonly roots = new Uint16Array(SIZE);
  private readonly agreed = new Uint16Array(SIZE);
  private readonly saved = new Uint16Array(SIZE);
  /** By step: that of the promise with a parent which was made next, and of that parent; what else came next in `others`. */
  private readonly derived = new Uint16Array(SIZE);
  private readonly parents = new Uint16Array(SIZE);
  private readonly others = new Map<number, number>();
  /** By step of a promise: that of its reaction. */
  private readonly reactions = new Uint16Array(SIZE);
  private readonly byPlaces = new Map<number, number>();
  private count = 0;

  /** @returns the step of the promise without a parent that is made behind step `at`; 0 where that is worth a look */
  expected(at: number): number {
    const left = this.saved[at];
    if (left === 0) return 0;
    this.saved[at] = left - 1;
    return this.roots[at];
  }

  /** A look has shown that behind `at` Node's code makes a promise. @param places where @returns its step; 0 where there are too many */
  learn(at: number, places: number): number {
    const step = this.at(places);
    if (step !== this.roots[at]) {
      this.roots[at] = step;
      this.agreed[at] = 1;
    } else if (this.agreed[at] < SURE) this.agreed[at]++;
    else this.agreed[at] = Math.min(this.agreed[at] * 2, CHECK_SELDOM);
    this.saved[at] = step === 0 || this.agreed[at] < SURE ? 0 : Math.max(this.agreed[at], CHECK_EVERY);
    return step;
  }

  /** A look has shown that behind `at` comes something else. */
  unlearn(at: number): void { this.agreed[at] = this.saved[at] = this.roots[at] = 0; }

  /** @returns the step of a promise that Node's code makes without a parent; 0 where there are too many */
  at(places: number): number {
    let step = this.byPlaces.get(places);
    if (step === undefined && places !== 0) this.byPlaces.set(places, (step = this.another()));
    return step ?? 0;
  }

  /** @returns the step at which the reaction of a promise begins: another one each time, as with a promise that adopts another */
  reaction(step: number): number { return this.reactions[step] || (this.reactions[step] = this.another()) || step; }

  /** @param parent step @returns the step of what is derived from it behind step `at`; 0 where there are too many */
  after(at: number, parent: number): number {
    if (this.parents[at] === parent) return this.derived[at];
    const isFirst = this.parents[at] === 0;
    const key = at * SIZE + parent;
    let step = isFirst ? undefined : this.others.get(key);
    if (step !== undefined) return step;
    step = this.another();
    if (isFirst) {
      this.parents[at] = parent;
      this.derived[at] = step;
    } else if (step !== 0) this.others.set(key, step);
    return step;
  }

  private another(): number { return this.count < MAX_STEPS - 1 ? ++this.count : 0; }
}
