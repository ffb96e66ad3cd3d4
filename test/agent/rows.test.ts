import { describe, expect, test } from 'vitest';
import { observe } from './observed';

const HEAD = `const sleep = (ms) => new Promise((r) => setTimeout(r, ms));
const chunksOf = (xs, n) => Array.from({ length: Math.ceil(xs.length / n) }, (_, i) => xs.slice(i * n, (i + 1) * n));
async function load(n, page) { await sleep(8 + (n * 7 + page * 11) % 20); return page; }
const items = [...Array(12).keys()];
`;

/** Tasks with a loop of their own over a few pages. */
const EVEN = 'async function copy(n) { for (const page of [0, 1, 2]) await load(n, page); }';
const UNEVEN = 'const copy = async (n) => { let page = 0; do await load(n, page); while (page++ < (n * 5) % 4); };';
const ASKED = `async function* pages(n) { for (let page = 0; page < 2; page++) { await sleep(8 + (n * 7 + page * 11) % 20); yield page; } }
async function copy(n) { let sum = 0; for await (const page of pages(n)) sum += page; return sum; }`;

const POOL = `const queue = [...items];
const worker = async () => { while (queue.length > 0) await copy(queue.shift()); };
await Promise.all([worker(), worker(), worker()]);`;
const CHUNKS = 'for (const some of chunksOf(items, 3)) await Promise.all(some.map((n) => copy(n)));';

describe.each(['v8', 'async_hooks'] as const)('what has rows of its own, %s', (backend) => {
  const drawn = async (source: string): Promise<readonly string[]> => {
    const { groups } = await observe(HEAD + source, { backend, as: 'a.mjs' });
    return groups.filter(({ parent }) => !parent).map(({ kind, taskCount, peak, taskSite }) => `${kind} ${taskCount} ${peak} ${taskSite?.function}`);
  };

  test.each([['as many rows each', EVEN], ['some more rows than others', UNEVEN], ['rows that a generator is asked for', ASKED]])('is a task of a chunk loop: %s', async (_, copy) => {
    expect(await drawn(`${copy}\n${CHUNKS}`)).toEqual(['chunk 12 3 copy']);
  });

  test.each([['some more rows than others', UNEVEN], ['rows that a generator is asked for', ASKED]])('is a task of one combinator: %s', async (_, copy) => {
    expect(await drawn(`${copy}\nawait Promise.all(items.map((n) => copy(n)));`)).toEqual(['all 12 12 copy']);
  });

  test.each([['as many rows each', EVEN], ['some more rows than others', UNEVEN], ['rows that a generator is asked for', ASKED]])('is a task of workers: %s', async (_, copy) => {
    expect(await drawn(`${copy}\n${POOL}`)).toEqual(['pool 12 3 copy']);
  });

  test('is a task of workers that only lets time go by, again and again: nobody passed there at once', async () => {
    expect(await drawn(`async function copy(n) { for (let step = 0; step < 3; step++) await sleep(5 + (n * 7 + step) % 12); }\n${POOL}`)).toEqual(['pool 12 3 copy']);
  });

  test('is a worker where the work was dealt out before, and stays one', async () => {
    expect(await drawn('const lane = async (from) => { for (let n = from; n < 12; n += 4) await load(n, 0); };\nawait Promise.all([0, 1, 2, 3].map(lane));')).toEqual(['pool 12 4 load']);
  });

  test('is a worker where rounds share a list, be they mapped to a list of numbers', async () => {
    expect(await drawn(`for (const round of [0, 1, 2]) {
  const queue = [...items];
  await Promise.all([1, 2, 3].map(async () => { while (queue.length > 0) await load(queue.shift() + round, round); }));
}`)).toEqual(['pool 12 3 load', 'pool 12 3 load', 'pool 12 3 load']);
  });

  test('has a time limit that the function which gives the task sets itself', async () => {
    expect(await drawn(`const copy = (n) => Promise.race([load(n, 0), new Promise((_, no) => setTimeout(no, 500, new Error('late')).unref())]).then((page) => page + 1);\n${POOL}`)).toEqual([expect.stringMatching(/^pool 12 3 /)]);
  });
});
