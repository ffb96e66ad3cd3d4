import { describe, expect, it } from 'vitest';
import { pairsOf, savingOf, stackOrder } from '../../../webview/diagram/compare';
import { makeGroup } from './group';

const chunk = makeGroup({ id: 1, kind: 'chunk', start: 0, makespanMs: 39_400, taskCount: 1000 });
const pool = makeGroup({ id: 2, kind: 'pool', start: 40_000, makespanMs: 26_400, taskCount: 1000 });

describe('groups are compared', () => {
  it('when a chunk and a pool group hold as many tasks', () => {
    expect(pairsOf([chunk, pool], true, 70_000)).toEqual([{ chunk: 1, pool: 2, settled: true }]);
    expect(pairsOf([pool, chunk], true, 70_000)).toHaveLength(1);
  });

  it('not when they hold different numbers of tasks and the run is over', () => {
    expect(pairsOf([chunk, { ...pool, taskCount: 999 }], true, 70_000)).toEqual([]);
  });

  it('not when both are of one kind, or either is a lone call', () => {
    expect(pairsOf([chunk, { ...pool, kind: 'chunk' }], true, 70_000)).toEqual([]);
    expect(pairsOf([{ ...chunk, kind: 'all' }, pool], true, 70_000)).toEqual([]);
  });

  it('not when one of them runs inside a task', () => {
    expect(pairsOf([chunk, { ...pool, parent: { group: 1, task: 3 } }], true, 70_000)).toEqual([]);
  });

  it('on trust while the later one still runs, and its difference is not said yet', () => {
    const running = { ...pool, taskCount: 60, end: undefined };
    expect(pairsOf([chunk, running], false, 42_000)).toEqual([{ chunk: 1, pool: 2, settled: false }]);
    expect(pairsOf([chunk, { ...running, taskCount: 1001 }], false, 42_000)).toEqual([]);
    expect(pairsOf([{ ...chunk, end: undefined }, running], false, 42_000)).toEqual([]);
  });

  it('over the moment in which a pool has no task, but not for good', () => {
    const between = { ...pool, taskCount: 60, end: 42_000 };
    expect(pairsOf([chunk, between], false, 42_100)).toHaveLength(1);
    expect(pairsOf([chunk, between], false, 43_000)).toEqual([]);
    expect(pairsOf([chunk, between], true, 42_100)).toEqual([]);
  });

  it('each at most once: the same task function first, then the nearest', () => {
    const site = { file: 'a.mjs', line: 7, column: 1, function: 'work' };
    const near = makeGroup({ id: 3, kind: 'pool', start: 41_000, taskCount: 1000 });
    const far = makeGroup({ id: 4, kind: 'pool', start: 90_000, taskCount: 1000, taskSite: site });
    expect(pairsOf([chunk, far, near], true, 1e6)).toEqual([{ chunk: 1, pool: 3, settled: true }]);
    expect(pairsOf([{ ...chunk, taskSite: site }, far, near], true, 1e6)).toEqual([{ chunk: 1, pool: 4, settled: true }]);
    const second = makeGroup({ id: 5, kind: 'chunk', start: 80_000, taskCount: 1000 });
    expect(pairsOf([chunk, second, near], true, 1e6)).toHaveLength(1);
  });
});

it('the time saved is what the shorter took less, by the host’s own figures', () => {
  const saving = savingOf(chunk, pool);
  expect(saving).toMatchObject({ longer: 1, shorter: 2, savedMs: 13_000 });
  expect(saving.change).toBeCloseTo(-0.33, 2);
  expect(savingOf(pool, chunk)).toEqual(saving);
  expect(savingOf({ ...chunk, metrics: { ...chunk.metrics, makespanMs: 0 } }, { ...pool, metrics: { ...pool.metrics, makespanMs: 0 } }).change).toBe(0);
});

it('groups stand in the order they started, but a pair stands together', () => {
  const between = makeGroup({ id: 3, kind: 'all', start: 20 });
  expect(stackOrder([pool, between, chunk], [{ chunk: 1, pool: 2, settled: true }]).map((group) => group.id)).toEqual([1, 2, 3]);
  expect(stackOrder([pool, between, chunk], []).map((group) => group.id)).toEqual([1, 3, 2]);
});
