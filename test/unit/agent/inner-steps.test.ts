import { describe, expect, test } from 'vitest';
import { InnerSteps, WATCHED } from '../../../src/agent/promises/inner-steps';

const AT = 1;
const PLACES = 70;

describe('steps of code of Node’s own', () => {
  test('need eight looks that agree before one is saved, and are looked at the less often the longer they hold', () => {
    const steps = new InnerSteps();
    const made = steps.learn(AT, PLACES);
    for (let look = 1; look < 8; look++) {
      expect(steps.expected(AT)).toBe(0);
      expect(steps.learn(AT, PLACES)).toBe(made);
    }
    const saved: number[] = [];
    for (let look = 0; look < 4; look++) {
      let count = 0;
      while (steps.expected(AT) === made) count++;
      saved.push(count);
      steps.learn(AT, PLACES);
    }
    expect(saved).toEqual([16, 16, 32, 64]);
  });

  test('are looked at again once something else came', () => {
    const steps = new InnerSteps();
    for (let look = 0; look < 8; look++) steps.learn(AT, PLACES);
    expect(steps.expected(AT)).toBeGreaterThan(0);
    steps.unlearn(AT);
    expect(steps.expected(AT)).toBe(0);
    for (let look = 0; look < 8; look++) steps.learn(AT, PLACES);
    steps.learn(AT, PLACES + 1);
    expect(steps.expected(AT)).toBe(0);
  });

  test('are told apart by what they follow, and by how often their reaction has run', () => {
    const steps = new InnerSteps();
    const made = steps.learn(AT, PLACES);
    const derived = steps.after(made, made);
    expect(steps.after(made, made)).toBe(derived);
    const first = steps.reaction(derived);
    const second = steps.reaction(first);
    expect(new Set([made, derived, steps.after(made, WATCHED), steps.after(made, derived), steps.learn(AT, PLACES + 1), first, second]).size).toBe(7);
    expect([steps.reaction(derived), steps.after(made, WATCHED)]).toEqual([first, steps.after(made, WATCHED)]);
  });

  test('come to an end where there are more than can be told apart', () => {
    const steps = new InnerSteps();
    const all = new Set<number>();
    for (let places = 1; places < 100_000; places++) all.add(steps.learn(AT, places));
    expect(all.has(0)).toBe(true);
    expect(Math.max(...all)).toBeLessThan(WATCHED);
    expect(steps.after(AT, AT)).toBe(0);
    expect(steps.reaction(AT)).toBe(AT);
  });
});
