import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Labels } from '../../../src/timeline/labels';
import { RowChains, type RowChain } from '../../../src/timeline/row-chains';

test('each chain holds its rows in the order in which they came, wherever they move', () => {
  const steps = fc.array(fc.tuple(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: 2 })), { maxLength: 300 });
  fc.assert(fc.property(steps, (moves) => {
    const links = new RowChains();
    const chains: RowChain[] = [0, 1, 2].map(() => ({ first: 0, last: 0 }));
    const rows: number[][] = [[], [], []];
    for (const [row, to] of moves) {
      const from = rows.findIndex((held) => held.includes(row));
      if (from >= 0) {
        links.remove(chains[from], row);
        rows[from] = rows[from].filter((held) => held !== row);
      }
      links.append(chains[to], row);
      rows[to].push(row);
      expect(chains.map((chain) => links.rows(chain))).toEqual(rows);
    }
  }));
});

test('labels come back as they were, indices and texts alike', () => {
  fc.assert(fc.property(fc.array(fc.tuple(fc.integer({ min: 1, max: 50 }), fc.oneof(fc.nat().map(String), fc.string(), fc.constantFrom('007', '1e3', '-1', ''))), { maxLength: 100 }), (given) => {
    const labels = new Labels();
    const expected = new Map<number, string>();
    for (const [id, label] of given) {
      labels.set(id, label);
      expected.set(id, label);
    }
    for (let id = 0; id < 60; id++) expect(labels.get(id)).toBe(expected.get(id));
    expect([...labels.ids()]).toEqual([...expected.keys()].sort((a, b) => a - b));
  }));
});
