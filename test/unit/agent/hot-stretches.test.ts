import { beforeEach, describe, expect, test } from 'vitest';
import type { FactWriter } from '../../../src/agent/fact-writer';
import { HotStretches } from '../../../src/agent/promises/hot-stretches';
import { Fact } from '../../../src/model/facts';

describe('hot stretches', () => {
  let time = 0;
  let told: { ms: number; reactions: number }[] = [];
  let hot: HotStretches;
  let isBack = false;

  beforeEach(() => {
    time = 0;
    told = [];
    isBack = false;
    const writer: Pick<FactWriter, 'record' | 'flush'> = {
      record(type, _flags, _id, a, _b, _time, c) { if (type === Fact.gap) told.push({ ms: c / 1000, reactions: a }); },
      flush: () => { /* nothing is written */ },
    };
    hot = new HotStretches(writer as FactWriter, () => time, 'v8');
    hot.comesBack = () => { isBack = true; hot.comeBack(); };
  });

  /** @param perMs promises made a millisecond @returns how many until the agent is to step back, `count` where it is not */
  function make(count: number, perMs: number): number {
    for (let i = 0; i < count; i++) {
      time += 1 / perMs;
      hot.made();
      if (hot.isDue) return i;
    }
    return count;
  }

  function react(count: number, perMs: number): number {
    for (let i = 0; i < count; i++) {
      time += 1 / perMs;
      if (hot.isCalmAfter()) return i;
    }
    return count;
  }

  test('are those in which promises come by the million a second, for a while', () => {
    expect(make(1_000_000, 900)).toBe(1_000_000);
    expect(make(60_000, 4000)).toBe(60_000);
    expect(make(1_000_000, 4000)).toBeLessThan(100_000);
  });

  test('are none where bursts have calm between them', () => {
    for (let i = 0; i < 100; i++) expect([make(50_000, 4000), make(50_000, 200)]).toEqual([50_000, 50_000]);
  });

  test('are told of as one gap, however long, in pieces', () => {
    make(1_000_000, 4000);
    hot.stepBack();
    expect(react(2_000_000, 2000)).toBe(2_000_000);
    hot.comeBack();
    expect(told.length).toBeGreaterThan(5);
    expect(told.reduce((sum, { ms }) => sum + ms, 0)).toBeCloseTo(1000, 0);
    expect(told.reduce((sum, { reactions }) => sum + reactions, 0)).toBe(2_000_000);
    hot.comeBack();
    expect(told.reduce((sum, { reactions }) => sum + reactions, 0)).toBe(2_000_000);
  });

  test('are over once reactions come slowly, and not where the process was kept from running', () => {
    make(1_000_000, 4000);
    hot.stepBack();
    react(1000, 2000);
    time += 300;
    expect(react(100_000, 2000)).toBe(100_000);
    expect(react(1_000_000, 10)).toBeLessThan(2000);
  });

  test('are over once a timer has its turn, later and later where they go on', () => {
    make(1_000_000, 4000);
    hot.stepBack();
    hot.tick();
    expect(isBack).toBe(true);
    const pauses: number[] = [];
    for (let i = 0; i < 8; i++) {
      expect(make(1_000_000, 4000)).toBeLessThan(60_000);
      hot.stepBack();
      const since = time;
      for (isBack = false; !isBack; time += 5) hot.tick();
      pauses.push(time - since);
    }
    expect(pauses[0]).toBeLessThan(40);
    expect(pauses[7]).toBeGreaterThanOrEqual(400);
    expect(pauses[7]).toBeLessThan(410);
    // Once it was calm, the first pause is short again.
    make(500_000, 100);
    make(1_000_000, 4000);
    hot.stepBack();
    isBack = false;
    hot.tick();
    expect(isBack).toBe(true);
  });
});
