/**
 * Programs make their promises in the same order again and again: a task, its sleep, a task, its sleep. Where looks grow
 * scarce and always the same came after the same, that is taken for granted and looked at only now and then: it is what
 * makes a million tasks affordable. A habit that breaks is forgotten at once.
 */

/** Looks in a row that must agree before one is saved. */
export const SURE = 8;
/** As many, where there would be means enough to look. */
export const VERY_SURE = 64;
/** Of what is taken for granted, one in as many is looked at all the same as looks have agreed before, within these bounds; each that agrees doubles it. */
const CHECK_EVERY = 16;
export const CHECK_SELDOM = 1024;
/** The same as the latter, of functions that somebody was handed: the next one may be another. */
export const CHECK_HANDED = 32;
const MAX_HABITS = 1 << 14;
/** Stack ids stay below it. */
const STACK_SPAN = 2 ** 20;
const MAX_STEPS = 3;
const KEY_SPAN = STACK_SPAN * (MAX_STEPS + 1);

/** What comes next, in how many looks in a row it did, how often that was relied on since the last of them, and how often something else had come. */
export interface Habit<T> { value: T; agreed: number; uses: number; breaks: number }

export class Habits<T> {
  private readonly habits = new Map<number, Habit<T>>();

  constructor(private readonly same: (a: T, b: T) => boolean) {}

  /** @returns what came after `key` so far; undefined where nothing was learnt */
  find(key: number): Habit<T> | undefined { return this.habits.get(key); }

  /** Notes what a look showed. @param isRelied whether it was taken for granted before: then it holds for all that was saved as well */
  learn(key: number, value: T, isRelied: boolean): void {
    const habit = this.habits.get(key);
    if (habit === undefined) {
      if (this.habits.size < MAX_HABITS) this.habits.set(key, { value, agreed: 1, uses: 0, breaks: 0 });
    } else if (this.same(habit.value, value)) habit.agreed = isRelied ? Math.min(habit.agreed * 2, CHECK_SELDOM) : habit.agreed + 1;
    else { habit.value = value; habit.agreed = 0; habit.breaks++; }
  }

  /** Something came that is never taken for granted, as the end of many alike: the fewer they were, the less is left of the habit. */
  unlearn(key: number): void {
    const habit = this.habits.get(key);
    if (habit !== undefined) habit.agreed >>= 1;
  }

  /** Something else came where nobody looked. */
  forget(key: number): void { this.habits.delete(key); }
}

/** Whether a habit holds as well as can be told by few looks: the more often it was broken, the more of them have to agree. */
export const isSure = ({ agreed, breaks }: Habit<unknown>): boolean => agreed >= SURE << Math.min(breaks, 4);

/** Whether it is time to look whether a habit that is relied on still holds. @param seldom uses after which it is at the latest */
export function isDue(habit: Habit<unknown>, seldom: number): boolean {
  if (++habit.uses < Math.min(Math.max(habit.agreed, CHECK_EVERY), seldom)) return false;
  habit.uses = 0;
  return true;
}

/** What came before in this run of code, how many promises were consumed since, and in whose code it happens, as one number. */
export const habitKey = (before: number, steps: number, owner: number): number => before * KEY_SPAN + Math.min(steps, MAX_STEPS) * STACK_SPAN + owner;
