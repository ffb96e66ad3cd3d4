import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LoopEntries } from '../../../src/grouping/promises/loop-entries';
import { PromiseNode } from '../../../src/grouping/promises/promise-node';

const KEPT = 1024;

function settledAt(time: number, by?: PromiseNode): PromiseNode {
  const node = new PromiseNode(1);
  node.ended = time;
  node.settledBy = by;
  return node;
}

describe('when the event loop came in', () => {
  test('is told by what nobody settled, and says whether it did so between two moments', () => {
    fc.assert(fc.property(fc.array(fc.nat(3000), { maxLength: 2000 }), fc.nat(3000), fc.nat(3000), (times, after, until) => {
      times.sort((a, b) => a - b);
      const entries = new LoopEntries();
      for (const time of times) entries.settled(settledAt(time));
      const kept = [...new Set(times)].slice(-KEPT);
      const isForgotten = new Set(times).size > KEPT && kept[0] > after;
      expect(entries.hasComeBetween(after, until)).toBe(isForgotten || kept.some((time) => time > after && time <= until));
      expect(entries.latest).toBe(times.at(-1) ?? -Infinity);
    }));
  });

  test('is not told by what code settles', () => {
    const entries = new LoopEntries();
    entries.settled(settledAt(5, new PromiseNode(2)));
    const inReaction = settledAt(6);
    inReaction.settledIn = new PromiseNode(3);
    entries.settled(inReaction);
    expect(entries.latest).toBe(-Infinity);
    expect(entries.hasComeBetween(0, 10)).toBe(false);
  });
});
