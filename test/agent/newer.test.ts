/** What the language and Node have had only for a while: nothing of it is a library, and V8 or Node itself calls the program's functions. */
import { describe, expect, test } from 'vitest';
import { NODE_MAJORS, findNodes } from '../../scripts/tools.mjs';
import { needed } from '../support/needs';
import { observe } from './observed';

const nodes = findNodes();
const SLEEP = 'const sleep = (ms) => new Promise((r) => setTimeout(r, ms));\n';

/** Every Node since one, with either backend. */
const since = (first: number) => NODE_MAJORS.filter((major) => major >= first).flatMap((major) => (['v8', 'async_hooks'] as const).map((backend) => ({ major, backend })));

describe.each(since(22))('Node $major, $backend', ({ major, backend }) => {
  test('what Array.fromAsync calls for each item is a loop, and the batches of a generator that it collects are one chunk loop', async (context) => {
    const node = needed(context, 'NODES', nodes.find((found) => found.major === major)).path;
    const { groups } = await observe(`${SLEEP}async function load(i) { await sleep(4 + i); return i; }
async function* inBatches(items, size) {
  for (let i = 0; i < items.length; i += size) yield* await Promise.all(items.slice(i, i + size).map(load));
}
await Array.fromAsync([1, 2, 3, 4, 5], async (i) => {
  await sleep(4);
});
await Array.fromAsync(inBatches([...Array(10).keys()], 3));`, { node, backend, as: 'a.mjs' });
    expect(groups).toMatchObject([
      { kind: 'sequential', taskCount: 5, peak: 1, site: { line: 6 }, taskSite: { line: 6 } },
      { kind: 'chunk', taskCount: 10, chunks: 4, lanes: 3, site: { line: 4 }, taskSite: { function: 'load' } },
    ]);
  });
});

describe.each(since(24))('Node $major, $backend', ({ major, backend }) => {
  test('work begun by Promise.try is known behind the chain that a race and the last Promise.all take', async (context) => {
    const node = needed(context, 'NODES', nodes.find((found) => found.major === major)).path;
    const { groups } = await observe(`${SLEEP}const charge = (i) => sleep(5 + 3 * (i % 4)).then(() => i);
const inFlight = new Set();
for (let i = 0; i < 11; i++) {
  const p = Promise.try(charge, i).catch(() => undefined).finally(() => inFlight.delete(p));
  inFlight.add(p);
  if (inFlight.size >= 3) await Promise.race(inFlight);
}
await Promise.all(inFlight);`, { node, backend, as: 'a.mjs' });
    expect(groups).toMatchObject([{ kind: 'pool', taskCount: 11, peak: 3, fulfilled: 11, site: { line: 7 } }]);
  });

  test('what await using gives back is free once the task is through that had it', async (context) => {
    const node = needed(context, 'NODES', nodes.find((found) => found.major === major)).path;
    const { groups } = await observe(`${SLEEP}const free = [1, 2, 3], line = [];
async function take() {
  const seat = free.shift() ?? await new Promise((r) => line.push(r));
  return { async [Symbol.asyncDispose]() { const next = line.shift(); if (next) next(seat); else free.push(seat); } };
}
async function query(i) { await sleep(5 + 3 * (i % 4)); return i; }
async function select(i) {
  await using seat = await take();
  return await query(i);
}
await Promise.all([...Array(10).keys()].map(select));`, { node, backend, as: 'a.mjs' });
    expect(groups).toMatchObject([{ kind: 'pool', taskCount: 10, peak: 3, lanes: 3, fulfilled: 10 }]);
  });
});
