import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isBystander } from '../../../src/agent/process/bystander';
import { CallStacks } from '../../../src/agent/stacks/call-stacks';
import { FactWriter } from '../../../src/agent/fact-writer';
import { habitKey, Habits, isDue, VERY_SURE } from '../../../src/agent/promises/habits';
import { OpenCalls } from '../../../src/agent/promises/open-calls';
import { Flag, PromiseRing } from '../../../src/agent/promises/promise-ring';
import { Purse } from '../../../src/agent/purse';
import { Fact, MAX_TEXT_BYTES, RECORD_BYTES, TextKind } from '../../../src/model/facts';

describe('a purse', () => {
  test('gives what is in it and no more', () => {
    const purse = new Purse(3, 1);
    expect([purse.take(), purse.take(), purse.take(), purse.take()]).toEqual([true, true, true, false]);
  });

  test('earns with time, up to what it holds', () => {
    const purse = new Purse(3, 2);
    while (purse.take());
    purse.refill(1);
    expect([purse.take(), purse.take(), purse.take()]).toEqual([true, true, false]);
    purse.refill(1000);
    expect([purse.take(), purse.take(), purse.take(), purse.take()]).toEqual([true, true, true, false]);
  });

  test('is low once a quarter is spent', () => {
    const purse = new Purse(4, 1);
    purse.take();
    expect(purse.isLow).toBe(false);
    purse.take();
    expect(purse.isLow).toBe(true);
  });

  test('is empty for as long as more was spent than it has earned since', () => {
    const purse = new Purse(4, 1);
    purse.spend(10);
    expect([purse.isEmpty, purse.take()]).toEqual([true, false]);
    purse.refill(6);
    expect(purse.isEmpty).toBe(true);
    purse.refill(8);
    expect([purse.isEmpty, purse.take()]).toEqual([false, true]);
  });

  test('stays low where much is saved, but with half of it left to spend', () => {
    const purse = new Purse(4, 1);
    for (let i = 0; i < 100; i++) purse.save();
    expect(purse.isLow).toBe(true);
    expect([purse.take(), purse.take(), purse.take()]).toEqual([true, true, false]);
  });
});

describe('habits', () => {
  const same = (a: string, b: string): boolean => a === b;

  test('say what always came next, and in how many looks in a row', () => {
    const habits = new Habits<string>(same);
    expect(habits.find(1)).toBeUndefined();
    for (let i = 0; i < 8; i++) habits.learn(1, 'sleep', false);
    expect(habits.find(1)).toMatchObject({ value: 'sleep', agreed: 8 });
  });

  test('are forgotten the moment they break', () => {
    const habits = new Habits<string>(same);
    for (let i = 0; i < 20; i++) habits.learn(1, 'sleep', false);
    habits.learn(1, 'all', false);
    expect(habits.find(1)).toMatchObject({ value: 'all', agreed: 0 });
  });

  test.each([[1, 128], [VERY_SURE, 32], [256, 8], [5000, 2]])('after %i looks that agreed are looked after %i times in 2,048', (looks, times) => {
    const habits = new Habits<string>(same);
    for (let i = 0; i < looks; i++) habits.learn(1, 'sleep', false);
    const habit = habits.find(1);
    if (habit === undefined) throw new Error('no habit');
    expect(Array.from({ length: 2048 }, () => isDue(habit, 1024)).filter(Boolean)).toHaveLength(times);
  });

  test('are half as sure where something came that is never taken for granted', () => {
    const habits = new Habits<string>(same);
    for (let i = 0; i < 20; i++) habits.learn(1, 'sleep', false);
    habits.unlearn(1);
    expect(habits.find(1)?.agreed).toBe(10);
  });

  test('of different code have different keys', () => {
    expect(new Set([habitKey(0, 0, 1), habitKey(1, 0, 0), habitKey(1, 0, 1), habitKey(1, 1, 1), habitKey(2 ** 20 - 1, 3, 2 ** 20 - 1)]).size).toBe(5);
  });
});

describe('open calls', () => {
  test('closing one closes what it called, and resuming one ends what it called', () => {
    const open = new OpenCalls();
    for (const id of [1, 2, 3, 4]) open.push(id, id);
    expect(open.close(3)).toBe(true);
    expect(open.top).toBe(2);
    expect(open.close(9)).toBe(false);
    open.push(5, 5);
    open.resume(1, 1);
    expect(open.top).toBe(1);
    open.resume(7, 7);
    expect(open.top).toBe(7);
    open.clear();
    expect(open.isEmpty).toBe(true);
    expect(open.top).toBe(0);
  });

  test('of one function are told apart: once the inner one awaits, the outer one is the one on the stack', () => {
    const open = new OpenCalls();
    open.push(1, 7);
    open.push(2, 8);
    open.push(3, 7);
    expect(open.innermostOf(7)).toBe(3);
    open.pop();
    expect(open.innermostOf(7)).toBe(1);
    open.pop();
    open.pop();
    // None is open any more: a function that is on the stack all the same is taken for its latest known call.
    expect(open.innermostOf(7)).toBe(1);
    open.beginRun();
    expect(open.innermostOf(7)).toBe(0);
  });

  test('hold as many as there are', () => {
    const open = new OpenCalls();
    for (let id = 1; id <= 1000; id++) open.push(id, 0);
    expect(open.top).toBe(1000);
    open.close(1);
    expect(open.isEmpty).toBe(true);
  });
});

test('a promise that fell out of the ring is not taken for the one in its place', () => {
  const ring = new PromiseRing();
  ring.add(5, Flag.root, 0, 0, 1);
  expect(ring.find(5)).toBeGreaterThanOrEqual(0);
  ring.add(5 + (1 << 18), Flag.root, 0, 0, 2);
  expect(ring.find(5)).toBe(-1);
  expect(ring.find(0)).toBe(-1);
});

describe('a fact writer', () => {
  function written(work: (writer: FactWriter) => void, maxBytes?: number): Buffer {
    const dir = mkdtempSync(join(tmpdir(), 'async-lanes-writer-'));
    try {
      const file = join(dir, 'a.facts');
      const writer = new FactWriter(file, maxBytes);
      work(writer);
      writer.close();
      return readFileSync(file);
    } finally {
      rmSync(dir, { recursive: true });
    }
  }

  test('writes every record, in order, over many batches', () => {
    const bytes = written((writer) => { for (let i = 1; i <= 10_000; i++) writer.record(Fact.settled, 0, i, 0, 0, i / 2, 0, 0); });
    expect(bytes.length).toBe(10_000 * RECORD_BYTES);
    expect(bytes.readUInt32LE(9_999 * RECORD_BYTES + 4)).toBe(10_000);
    expect(bytes.readDoubleLE(9_999 * RECORD_BYTES + 16)).toBe(5_000);
  });

  test('pads a text to whole records, wherever in the batch it falls, and cuts one that is too long', () => {
    const bytes = written((writer) => {
      for (let i = 0; i < 2_047; i++) writer.record(Fact.rejected, 0, 1, 0, 0, 0, 0, 0);
      writer.text(TextKind.string, 1, 'ünder');
      writer.text(TextKind.string, 2, 'x'.repeat(MAX_TEXT_BYTES + 10));
      writer.record(Fact.rejected, 0, 3, 0, 0, 0, 0, 0);
    });
    const text = 2_047 * RECORD_BYTES;
    expect(bytes.readUInt32LE(text + 8)).toBe(6);
    expect(bytes.toString('utf8', text + RECORD_BYTES, text + RECORD_BYTES + 6)).toBe('ünder');
    expect(bytes.readUInt32LE(text + 2 * RECORD_BYTES + 8)).toBe(MAX_TEXT_BYTES);
    expect(bytes.length % RECORD_BYTES).toBe(0);
    expect(bytes.readUInt32LE(bytes.length - RECORD_BYTES + 4)).toBe(3);
  });

  test('fills no disk: past what a file may take it counts, and says at the end how many are missing', () => {
    const most = 3_000;
    const all = 20_000;
    const bytes = written((writer) => {
      for (let i = 1; i <= all; i++) writer.record(Fact.settled, 0, i, 0, 0, i / 2, 0, 0);
      writer.goDirect();
      writer.record(Fact.end, 0, 0, 1, 0, 0, 0, 0);
    }, most * RECORD_BYTES);
    const types = Array.from({ length: bytes.length / RECORD_BYTES }, (_, i) => bytes[i * RECORD_BYTES]);
    const settled = types.filter((type) => type === Fact.settled).length;
    const dropped = bytes.readUInt32LE(types.indexOf(Fact.dropped) * RECORD_BYTES + 8);
    expect(settled + dropped).toBe(all);
    expect(settled).toBeLessThanOrEqual(most + 2 * (1 << 16) / RECORD_BYTES);
    expect(types.at(-1)).toBe(Fact.end);
  });

  test('writes at once when told that nobody will flush any more', () => {
    const dir = mkdtempSync(join(tmpdir(), 'async-lanes-writer-'));
    const file = join(dir, 'a.facts');
    const writer = new FactWriter(file);
    writer.goDirect();
    writer.record(Fact.rejected, 0, 1, 0, 0, 0, 0, 0);
    writer.text(TextKind.string, 1, 'last words');
    expect(readFileSync(file).length).toBe(3 * RECORD_BYTES);
    writer.close();
    rmSync(dir, { recursive: true });
  });
});

test('our own programs are nobody’s to watch, and others of their name are', () => {
  const dir = mkdtempSync(join(tmpdir(), 'async-lanes-ours-'));
  try {
    const programs = ['launcher.js', 'cli.js', 'other.js'].map((name) => ['node', join(dir, name)]);
    expect(programs.map(isBystander)).toEqual([false, false, false]);
    writeFileSync(join(dir, 'agent.cjs'), '');
    expect(programs.map(isBystander)).toEqual([true, true, false]);
  } finally {
    rmSync(dir, { recursive: true });
  }
});

describe('looks at stacks', () => {
  test('stop where each takes long, and go on when there is time for them again', () => {
    const folder = mkdtempSync(join(tmpdir(), 'async-lanes-test-'));
    try {
      let time = 0;
      // Every reading of the clock is 25 ms after the one before: so long takes a look, and as long to find out what it shows.
      const stacks = new CallStacks(new FactWriter(join(folder, 'a.facts')), () => (time += 25));
      const look = (): boolean => {
        const may = stacks.budget.mayLook();
        if (may) stacks.capture(look, 0);
        return may;
      };
      let looks = 0;
      while (looks < 100 && look()) looks++;
      // 400 ms are eight of them; the first few are not paid for whole, until it is known that each takes so long.
      expect(looks).toBeGreaterThanOrEqual(8);
      expect(looks).toBeLessThan(16);
      expect([stacks.budget.mayGlance(), stacks.budget.mayVerify(), stacks.budget.mayCheck(true), stacks.budget.mustSave]).toEqual([false, false, false, true]);
      stacks.budget.refill(1000);
      expect(look()).toBe(true);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test('go on where the machine did something else during some of them', () => {
    const folder = mkdtempSync(join(tmpdir(), 'async-lanes-test-'));
    try {
      let time = 0;
      let readings = 0;
      // One reading in a hundred comes 30 ms late: of a thousand looks that would be more than all the time there is.
      const stacks = new CallStacks(new FactWriter(join(folder, 'a.facts')), () => (time += ++readings % 100 === 0 ? 30 : 0.01));
      const look = (): boolean => {
        const may = stacks.budget.mayLook();
        if (may) stacks.capture(look, 0);
        return may;
      };
      for (let looks = 0; looks < 1000; looks++) expect(look()).toBe(true);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
