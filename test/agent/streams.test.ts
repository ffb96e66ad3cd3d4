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

describe.each(['v8', 'async_hooks'] as const)('web streams, %s', (backend) => {
  const SLEEP = 'const sleep = (ms) => new Promise((r) => setTimeout(r, ms));\n';

  test('a stage with room for three, what its branches are written to, and no pool of those who wait for room', async () => {
    const { groups } = await observe(`${SLEEP}function several(limit, fn) {
  let active = 0, wake;
  const changed = () => new Promise((resolve) => { wake = resolve; });
  return new TransformStream({
    async transform(item, controller) {
      active++;
      fn(item).then((result) => controller.enqueue(result)).finally(() => { active--; wake?.(); });
      while (active >= limit) await changed();
    },
    async flush() { while (active > 0) await changed(); },
  });
}
const scale = async (i) => { await sleep(15 + i * 7 % 20); return i; };
const upload = async (i) => { await sleep(15 + i * 5 % 20); return i; };
const page = async (n) => { await sleep(5); return n < 3 ? [1, 2, 3].map((i) => n * 3 + i) : []; }; let n = 0;
const pages = new ReadableStream({ async pull(items) {
  const list = await page(n++);
  for (const item of list) items.enqueue(item);
  if (list.length === 0) items.close();
} });
const [a, b] = pages.pipeThrough(several(3, scale)).tee();
const uploaded = a.pipeThrough(several(2, upload)).pipeTo(new WritableStream());
await b.pipeTo(new WritableStream({
  async write(i) { await sleep(8 + i % 3); } }));
await uploaded;`, { backend, as: 'a.mjs' });
    expect(groups.map(({ kind, taskCount, peak, site, taskSite }) => `${kind} ${taskCount} ${peak} at ${site?.line}: ${taskSite?.function}`).sort()).toEqual([
      'pool 9 2 at 8: upload', 'pool 9 3 at 8: scale', 'sequential 4 1 at 18: page', 'sequential 9 1 at 25: write',
    ]);
  });

  test('to tell iterators that nothing more is wanted is no work', async () => {
    const { groups } = await observe(`${SLEEP}async function* items() { try { for (let i = 0; ; i++) { await sleep(5); yield i; } } finally { await sleep(2); } }
const open = [items(), items(), items(), items()];
for (const one of open) { const { value } = await one.next(); if (value > 9) break; }
for (const one of open) await one.return();`, { backend, as: 'a.mjs' });
    expect(groups).toEqual([]);
  });
});
