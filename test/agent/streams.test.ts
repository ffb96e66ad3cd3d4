/** Operators of Node's streams: each call of one is a pool, or a loop, of its own, and stands where the program asks for what it gives. */
import { describe, expect, test, type TestContext } from 'vitest';
import { findNodes, NODE_MAJORS } from '../../scripts/tools.mjs';
import { needed } from '../support/needs';
import { observe } from './observed';

const nodes = findNodes();

const STREAMS = `import { Readable, Writable } from 'node:stream'; import { pipeline } from 'node:stream/promises';
const sleep = (ms) => new Promise((r) => setTimeout(r, ms));
const source = () => Readable.from([1, 2, 3, 4, 5, 6]);
async function load(i) { await sleep(10 + (i * 7) % 20); return i; }
async function save(i) { await sleep(10 + (i * 11) % 20); return i; }
`;
const line = (n: number): number => STREAMS.split('\n').length - 1 + n;
const runs = [...NODE_MAJORS.map((major) => ({ major, backend: 'v8' as const })), { major: NODE_MAJORS[0], backend: 'async_hooks' as const }];

describe.each(runs)('operators of streams, Node $major, $backend', ({ major, backend }) => {
  const of = async (context: TestContext, program: string): Promise<unknown[]> => {
    const node = needed(context, 'NODES', nodes.find((one) => one.major === major)).path;
    const { groups } = await observe(STREAMS + program, { node, backend, as: 'a.mjs' });
    return groups.map(({ kind, taskCount, peak, site, taskSite }) => [kind, site?.line, taskSite?.function, taskCount, peak]);
  };

  test('one after the other, inside of one another and at once', async (context) => {
    expect(await of(context, `await source().map(load, { concurrency: 3 }).toArray();
await sleep(10);
for await (const one of source().map(load, { concurrency: 2 })) void one;
await sleep(10);
await source().map(load, { concurrency: 2 }).map(save, { concurrency: 3 }).toArray();
await sleep(10);
await Promise.all([source().filter(load, { concurrency: 2 }).toArray(),
  source().map(save, { concurrency: 3 }).toArray()]);`)).toEqual([
      ['pool', line(1), 'load', 6, 3], ['pool', line(3), 'load', 6, 2], ['pool', line(5), 'load', 6, 2], ['pool', line(5), 'save', 6, 3], ['pool', line(7), 'load', 6, 2], ['pool', line(8), 'save', 6, 3],
    ]);
  });

  test('one at a time, in a pipeline, and in functions beside one another', async (context) => {
    expect(await of(context, `await source().forEach(load);
await sleep(10);
await pipeline(source().map(save, { concurrency: 2 }), new Writable({ objectMode: true, write(piece, encoding, done) { done(); } }));
await sleep(10);
async function drain(stream) { for await (const one of stream) void one; }
await Promise.all([drain(source().map(load, { concurrency: 2 })), drain(source().map(save, { concurrency: 2 }))]);`)).toEqual([
      ['sequential', line(1), 'load', 6, 1], ['pool', line(3), 'save', 6, 2], ['all', line(6), 'drain', 2, 2], ['pool', line(5), 'load', 6, 2], ['pool', line(5), 'save', 6, 2],
    ]);
  });

  test('a function of the program behind many calls of a function of Node\'s own at the same place', async (context) => {
    expect(await of(context, `await Readable.from([...Array(60).keys()]).filter(load, { concurrency: 20 }).toArray();
await sleep(10);
await source().flatMap(async (i) => { await sleep(10 + i); return [i, i]; }, { concurrency: 2 }).toArray();`)).toMatchObject([
      ['pool', line(1), 'load', 60, 20], ['pool', line(3), expect.anything(), 6, 2],
    ]);
  });
});
