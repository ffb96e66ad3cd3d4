/**
 * Programs make their promises in the same order again and again: a task, its sleep, a task, its sleep. Where looks grow
 * scarce and always the same came after the same, that is taken for granted and looked at only now and then: it is what
 * makes a million tasks affordable. A habit that breaks is forgotten at once.
 */

/** Looks in a row that must agree before one is saved. */
export const SURE = 8;
/** As many, where there would be means enough to look. */
export const VERY_SURE = 64;
/** Of what is taken for granted, one in this many is looked at all the same; the second, where it is very sure. */
const CHECK_EVERY = 16;
const CHECK_SURE_EVERY = 64;
const MAX_HABITS = 1 << 14;
/** Stack ids stay below it. */
const STACK_SPAN = 2 ** 20;
const MAX_STEPS = 3;
const KEY_SPAN = STACK_SPAN * (MAX_STEPS + 1);

interface Habit<T> { value: T; agreed: number; uses: number }

export class Habits<T> {
  private readonly habits = new Map<number, Habit<T>>();

  constructor(private readonly same: (a: T, b: T) => boolean) {}

  /** @param sure looks in a row that must have agreed @returns what comes next by habit; undefined where there is none. */
  expect(key: number, sure = SURE): T | undefined {
    const habit = this.habits.get(key);
    return habit === undefined || habit.agreed < sure ? undefined : habit.value;
  }

  /** Whether it is time to look whether a habit still holds. */
  isDue(key: number): boolean {
    const habit = this.habits.get(key);
    return habit === undefined || ++habit.uses % (habit.agreed < VERY_SURE ? CHECK_EVERY : CHECK_SURE_EVERY) === 0;
  }

  /** Notes what a look showed. */
  learn(key: number, value: T): void {
    const habit = this.habits.get(key);
    if (habit === undefined) {
      if (this.habits.size < MAX_HABITS) this.habits.set(key, { value, agreed: 1, uses: 0 });
    } else if (this.same(habit.value, value)) habit.agreed++;
    else { habit.value = value; habit.agreed = 0; }
  }

  /** Something came that is never taken for granted. */
  unlearn(key: number): void {
    const habit = this.habits.get(key);
    if (habit !== undefined) habit.agreed = 0;
  }
}

/** What came before in this run of code, how many promises were consumed since, and in whose code it happens, as one number. */
export const habitKey = (before: number, steps: number, owner: number): number => before * KEY_SPAN + Math.min(steps, MAX_STEPS) * STACK_SPAN + owner;
