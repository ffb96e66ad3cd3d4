import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { NODE_MAJORS, findNodes } from '../../scripts/tools.mjs';
import { ABORTED, TaskState, TIMED_OUT } from '../../src/model/timeline';
import { needed } from '../support/needs';
import { observe } from './observed';

const nodes = findNodes();
const ownMajor = Number(process.versions.node.split('.')[0]);
const poolEntry = createRequire(import.meta.url).resolve('@supercharge/promise-pool');

const SLEEP = 'const sleep = (ms) => new Promise((r) => setTimeout(r, ms));\n';
const CHUNKS = `${SLEEP}async function look(i) { await sleep(5 + i); return i; }
async function main() { for (let i = 0; i < 10; i += 4) await Promise.all([0, 1, 2, 3].slice(0, 10 - i).map((k) => look(i + k))); }
main();`;
const WORKERS = `${SLEEP}const queue = [...Array(9).keys()];
async function job(i) { await sleep(5 + i); }
async function main() { await Promise.all([1, 2, 3].map(async () => { while (queue.length) await job(queue.shift()); })); }
main();`;
const POOL = (load: string): string => `${load}${SLEEP}async function main() {
  await PromisePool.for([...Array(9).keys()]).withConcurrency(3).process(async (i) => { await sleep(5 + i); });
}
main();`;

const runs = [
  ...NODE_MAJORS.flatMap((major) => [{ major, backend: 'v8' as const, as: 'a.mjs' }, { major, backend: 'v8' as const, as: 'a.cjs' }]),
  { major: ownMajor, backend: 'async_hooks' as const, as: 'a.mjs' },
  { major: ownMajor, backend: 'async_hooks' as const, as: 'a.cjs' },
];

describe.each(runs)('Node $major, $backend, $as', ({ major, backend, as }) => {
  test('a loop over Promise.all is one group of chunks', async (context) => {
    const node = needed(context, 'NODES', nodes.find((found) => found.major === major)).path;
    const { groups } = await observe(CHUNKS, { node, backend, as });
    expect(groups).toMatchObject([{ kind: 'chunk', combinator: 'all', taskCount: 10, lanes: 4, chunks: 3, peak: 4, fulfilled: 10, status: 'fulfilled' }]);
    expect(groups[0].site).toMatchObject({ line: 3, function: 'main' });
    expect(groups[0].taskSite).toMatchObject({ line: 2, function: 'look' });
  });

  test('workers that take from one queue are the rails of a pool', async (context) => {
    const node = needed(context, 'NODES', nodes.find((found) => found.major === major)).path;
    const { groups } = await observe(WORKERS, { node, backend, as });
    expect(groups).toMatchObject([{ kind: 'pool', taskCount: 9, lanes: 3, peak: 3, fulfilled: 9 }]);
    expect(groups[0].taskSite).toMatchObject({ line: 3, function: 'job' });
  });

  test('@supercharge/promise-pool is a pool under its name', async (context) => {
    const node = needed(context, 'NODES', nodes.find((found) => found.major === major)).path;
    const load = as.endsWith('.cjs') ? `const { PromisePool } = require(${JSON.stringify(poolEntry)});\n`
      : `import pool from ${JSON.stringify(pathToFileURL(poolEntry).href)};\nconst { PromisePool } = pool;\n`;
    const { groups } = await observe(POOL(load), { node, backend, as });
    expect(groups).toMatchObject([{ kind: 'pool', library: '@supercharge/promise-pool', taskCount: 9, lanes: 3, peak: 3, fulfilled: 9 }]);
  });
});

describe.each(['v8', 'async_hooks'] as const)('what becomes of tasks, %s', (backend) => {
  test('what was called off, and what took too long, is told from other failures', async () => {
    const { groups, timeline, err } = await observe(`import { setTimeout as nap } from 'node:timers/promises';
${SLEEP}const stop = new AbortController();
const late = (ms) => new Promise((_, no) => setTimeout(() => no(new Error('too late')), ms));
class TaskTimeoutError extends Error {}
const ends = [
  async () => { await nap(500, 0, { signal: stop.signal }); },
  async () => { await new Promise((_, no) => stop.signal.addEventListener('abort', () => no(stop.signal.reason))); },
  async () => { await nap(500, 0, { signal: AbortSignal.timeout(10) }).catch((e) => { throw e.cause; }); },
  async () => { await Promise.race([sleep(80), late(10)]); },
  async () => { await sleep(5); throw new TaskTimeoutError('by its class'); },
  async () => { await sleep(5); throw new Error('plain'); },
  async () => { await sleep(5); throw new Proxy(new Error('hidden'), { get() { console.log('looked at'); } , getPrototypeOf() { console.log('looked at'); return null; } }); },
  async () => { await sleep(5); throw null; },
];
const task = async (end) => { await end(); };
setTimeout(() => stop.abort(), 8);
await Promise.allSettled(ends.map((end) => task(end)));
process.exit();`, { backend });
    expect(err).toBe('');
    expect(groups).toMatchObject([{ kind: 'allSettled', rejected: 8 }]);
    const { rejected } = TaskState;
    expect([...timeline.tasks.state.subarray(0, 8)]).toEqual([
      rejected | ABORTED, rejected | ABORTED, rejected | TIMED_OUT, rejected | TIMED_OUT, rejected | TIMED_OUT, rejected, rejected, rejected,
    ]);
  });

  test.each([['and it went on', 'await sleep(60);'], ['and it ended at once', 'process.exit();']])('what errors say is told, without a look at getters, %s', async (_how, end) => {
    const { groups, timeline, out } = await observe(`${SLEEP}class NoSeatError extends Error {}
const quiet = Object.defineProperties(new Error('x'), { message: { get() { console.log('looked at'); } }, name: { get() { console.log('looked at'); } } });
const fails = [() => { throw new NoSeatError('seat 4 is taken'); }, () => { throw new DOMException('gone', 'AbortError'); }, () => 1, () => { throw new TypeError('no function'); }, () => { throw quiet; }];
const task = async (i) => { await sleep(5 * i); fails[i](); };
await Promise.allSettled([0, 1, 2, 3, 4].map(task)); ${end}`, { backend });
    expect(groups).toMatchObject([{ kind: 'allSettled', rejected: 4 }]);
    expect([1, 2, 3, 4].map((id) => timeline.errorOf(id))).toEqual([expect.stringMatching(/^(?:NoSeat)?Error: seat 4 is taken$/u), 'AbortError: gone', undefined, 'TypeError: no function']);
    if (end.startsWith('await')) expect(out).toBe('');
  });

  test('allSettled keeps rejected and fulfilled apart', async () => {
    const { groups } = await observe(`${SLEEP}const one = async (i) => { await sleep(5); if (i % 3 === 1) throw new Error('no'); };
      await Promise.allSettled([0, 1, 2, 3, 4].map(one));`, { backend });
    expect(groups).toMatchObject([{ kind: 'allSettled', taskCount: 5, fulfilled: 3, rejected: 2, status: 'fulfilled' }]);
  });

  test('what was begun long before allSettled took it, and was over in part, is told apart as well', async () => {
    const { groups } = await observe(`${SLEEP}const one = async (i) => { await sleep(10 + i * 15); if (i % 3 === 1) throw new Error('no'); };
      process.on('unhandledRejection', () => {});
      const begun = [0, 1, 2, 3, 4].map(one); await sleep(45); await Promise.allSettled(begun);`, { backend });
    expect(groups).toMatchObject([{ kind: 'allSettled', combinator: 'allSettled', taskCount: 5, fulfilled: 3, rejected: 2 }]);
  });

  test('what goes on after Promise.all has rejected is ignored, and drawn to its end', async () => {
    const { groups, timeline } = await observe(`${SLEEP}const one = async (i) => { await sleep(10 * i); if (i === 2) throw new Error('no'); };
      await Promise.all([1, 2, 3, 4].map(one)).catch(() => {}); await sleep(60);`, { backend });
    expect(groups).toMatchObject([{ kind: 'all', fulfilled: 3, rejected: 1, pending: 0, status: 'rejected' }]);
    const states = timeline.rowsOf(groups[0].id).map((row) => timeline.tasks.state[row]);
    expect(states.toSorted((a, b) => a - b)).toEqual([1, 2, 5, 5]);
  });

  test('the winner of a race is read, the others are ignored', async () => {
    const { groups, timeline } = await observe(`${SLEEP}const one = async (i) => { await sleep(15 * i); return i; };
      await Promise.race([1, 2, 3].map(one)); await sleep(60);`, { backend });
    expect(groups).toMatchObject([{ kind: 'race', taskCount: 3, fulfilled: 3 }]);
    expect(timeline.rowsOf(groups[0].id).filter((row) => (timeline.tasks.state[row] & 4) !== 0)).toHaveLength(2);
  });

  test('an alarm clock among several that are raced is none of them, whether it goes off or not', async () => {
    const race = async (ms: number): Promise<unknown> => (await observe(`${SLEEP}const ask = async (i) => { await sleep(20 + i * 9); return i; };
      const deadline = (ms) => new Promise((_, no) => { setTimeout(no, ms, new Error('late')).unref(); });
      await Promise.race([...[3, 1, 2, 4].map(ask), deadline(${ms})]).catch((error) => error.message);`, { backend })).groups;
    expect(await race(500)).toMatchObject([{ kind: 'race', taskCount: 4, fulfilled: 4, rejected: 0, status: 'fulfilled', taskSite: { function: 'ask' } }]);
    expect(await race(10)).toMatchObject([{ kind: 'race', taskCount: 4, peak: 4, status: 'rejected' }]);
  });

  test('a task that never settles stays pending', async () => {
    const { groups, code } = await observe(`${SLEEP}const one = async (i) => { await (i === 1 ? new Promise(() => {}) : sleep(5)); };
      await Promise.all([0, 1, 2].map(one));`, { backend });
    expect(code).toBe(13);
    expect(groups).toMatchObject([{ kind: 'all', fulfilled: 2, pending: 1, status: 'pending', end: undefined }]);
  });

  test('a task that had failed as its worker ended the process has failed', async () => {
    const { groups } = await observe(`const sleep = (ms) => new Promise((r) => setTimeout(r, ms));
const links = [...Array(12).keys()];
async function check(i) { await sleep(20 + 5 * i); if (i === 5) throw new Error('gone'); }
async function worker() { for (let i; (i = links.shift()) !== undefined;) await check(i).catch(() => process.exit(2)); }
await Promise.all([worker(), worker(), worker()]);`, { backend });
    expect(groups).toMatchObject([{ kind: 'pool', taskCount: 8, fulfilled: 5, rejected: 1, pending: 2 }]);
  });

  test('nothing is lost on process.exit, and tasks that ran stay open', async () => {
    const { groups, code, dropped } = await observe(`const one = async (i) => { await null; if (i === 19999) setImmediate(() => setImmediate(() => process.exit(7))); await new Promise(i % 2 ? () => {} : setImmediate); };
      Promise.all(Array.from({ length: 20000 }, (_, i) => one(i)));`, { backend, as: 'a.cjs' });
    expect(code).toBe(7);
    expect(dropped).toBe(0);
    expect(groups).toMatchObject([{ kind: 'all', taskCount: 20_000, fulfilled: 10_000, pending: 10_000 }]);
  });

  test('an uncaught exception ends the program as it would, and what was captured is there', async () => {
    const { groups, code, err } = await observe(`${SLEEP}setTimeout(() => { throw new Error('boom'); }, 30);
      await Promise.all([10, 20, 100].map(async (ms) => { await sleep(ms); }));`, { backend });
    expect(code).toBe(1);
    expect(err).toContain('boom');
    expect(groups).toMatchObject([{ kind: 'all', fulfilled: 2, pending: 1 }]);
  });

  test('a loop that awaits one task at a time is sequential; a loop that only pauses is nothing', async () => {
    const { groups } = await observe(`${SLEEP}async function step(i) { await sleep(5); return i; }
      for (let i = 0; i < 4; i++) await step(i);
      for (let i = 0; i < 4; i++) await sleep(3);`, { backend });
    expect(groups).toMatchObject([{ kind: 'sequential', taskCount: 4, lanes: 1, peak: 1 }]);
  });

  test('a step between chunks that only lets time go by is no loop of its own, one that works is', async () => {
    const groups = async (step: string): Promise<unknown[]> => (await observe(`${SLEEP}const save = async (i) => { await sleep(15 + i % 3 * 4); };
      const write = (ms) => new Promise((done) => { const clock = setInterval(() => { clearInterval(clock); done(); }, ms); });
      class Job {
        async after() { ${step} }
        async run(rows) { for (let at = 0; at < rows.length; at += 4) { await Promise.all(rows.slice(at, at + 4).map(save)); await this.after(); } }
      }
      await new Job().run([...Array(14).keys()]);`, { backend })).groups.map(({ kind, taskCount }) => [kind, taskCount]);
    expect(await groups('await sleep(12);')).toEqual([['chunk', 14]]);
    expect(await groups('await write(12); await write(3);')).toEqual([['chunk', 14], ['sequential', 4]]);
  });
});

test('TypeScript is captured where Node runs it', async (context) => {
  const node = needed(context, 'NODES', nodes.find((found) => found.major >= 24)).path;
  const { groups } = await observe(`const sleep = (ms: number): Promise<void> => new Promise((r) => setTimeout(r, ms));
async function one(i: number): Promise<number> { await sleep(5); return i; }
await Promise.all([1, 2, 3].map(one));`, { node, as: 'a.mts' });
  expect(groups).toMatchObject([{ kind: 'all', taskCount: 3, site: { line: 3 }, taskSite: { line: 2, function: 'one' } }]);
});

test('a hundred thousand quick tasks are grouped by habit where looking at each would cost too much', async () => {
  // As quick as they can be without coming too fast to be watched.
  const { groups, dropped } = await observe(`async function t(i) { const begun = performance.now(); while (performance.now() - begun < 0.006); return i; }
    async function main() { for (let i = 0; i < 100000; i += 1000) await Promise.all(Array.from({ length: 1000 }, (_, k) => t(i + k))); }
    main();`, { as: 'a.cjs' });
  expect(dropped).toBe(0);
  expect(groups).toMatchObject([{ kind: 'chunk', taskCount: 100_000, chunks: 100, lanes: 1000 }]);
});

describe.each(['v8', 'async_hooks'] as const)('what Node does inside its own calls, %s', (backend) => {
  test('is not told, but the calls are, and so is the program code that Node calls', async () => {
    const { groups } = await observe(`import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
${SLEEP}const files = Array.from({ length: 60 }, () => process.argv[1]);
async function read(file) { return (await readFile(file)).length; }
async function send(n) { await sleep(3); return n; }
for (let i = 0; i < 60; i += 10) await Promise.all(files.slice(i, i + 10).map(read));
for (let i = 0; i < 60; i += 10) await Promise.all(files.slice(i, i + 10).map((file) => readFile(file)));
await Readable.from([...Array(30).keys()]).map(send, { concurrency: 3 }).toArray();`, { backend });
    expect(groups).toMatchObject([
      { kind: 'chunk', taskCount: 60, lanes: 10, chunks: 6, fulfilled: 60, taskSite: { function: 'read' } },
      { kind: 'chunk', taskCount: 60, lanes: 10, chunks: 6, fulfilled: 60 },
      { kind: 'pool', taskCount: 30, lanes: 3, fulfilled: 30, taskSite: { function: 'send' } },
    ]);
  });
});

test('a helper is known again as what a loop calls where nobody looks at its calls any more', async () => {
  const { groups } = await observe(`const quick = async (x) => x; const items = Array.from({ length: 100 }, (_, i) => i);
    async function all() { await Promise.all(items.map(quick)); }
    for (let i = 0; i < 300; i++) await all();`);
  expect(groups).toMatchObject([{ kind: 'chunk', taskCount: 30_000, chunks: 300 }]);
});

test('a helper with a helper inside that the program calls from two places is two chunk loops', async () => {
  const { groups } = await observe(`${SLEEP}async function eachBatch(items, n, fn) {
  let buffer = [];
  const flush = async () => { const batch = buffer; buffer = []; await Promise.all(batch.map(fn)); };
  for (const item of items) { buffer.push(item); if (buffer.length >= n) await flush(); }
  if (buffer.length > 0) await flush();
}
async function count(n) { await sleep(15 + n); }
await eachBatch([1, 2, 3, 4, 5, 6, 7, 8], 3, count);
await eachBatch([1, 2, 3, 4, 5, 6, 7], 3, count);`, { as: 'a.mjs' });
  expect(groups).toMatchObject([{ kind: 'chunk', taskCount: 8, chunks: 3 }, { kind: 'chunk', taskCount: 7, chunks: 3 }]);
});

test.for([['await dump(table); ', ['sequential 3', 'chunk 6', 'chunk 6', 'chunk 6']], ['', ['chunk 6', 'chunk 6', 'chunk 6']]] as const)('a loop over calls that run a chunk loop each is drawn around these where they do more: "%s"', async ([more, expected]) => {
  const { groups } = await observe(`${SLEEP}async function dump() { await sleep(12); }
async function insert(n) { await sleep(15 + n * 3); }
async function copy(table) { ${more}for (let i = 0; i < 6; i += 3) await Promise.all([i, i + 1, i + 2].map(insert)); }
async function main() { for (const table of ['a', 'b', 'c']) await copy(table); }
await main();`, { as: 'a.mjs' });
  expect(groups.map(({ kind, taskCount }) => `${kind} ${taskCount}`).sort((a, b) => b.localeCompare(a))).toEqual([...expected]);
});

test('what has failed in a chunk and is tried again by the helper that ran it belongs to the same chunk loop', async () => {
  const { groups } = await observe(`const sleep = (ms) => new Promise((r) => setTimeout(r, ms)); const tries = new Map();
    async function deliver(n) { await sleep(8 + n); tries.set(n, (tries.get(n) ?? 0) + 1); if (tries.get(n) <= ({ 2: 1, 3: 1, 6: 2 })[n]) throw new Error('busy'); }
    async function deliverBatch(batch) {
      for (let pending = batch, turn = 0; pending.length > 0 && turn < 3; turn++) {
        const results = await Promise.allSettled(pending.map(deliver));
        pending = pending.filter((_, i) => results[i].status === 'rejected');
      }
    }
    for (let i = 0; i < 10; i += 4) await deliverBatch([0, 1, 2, 3, 4, 5, 6, 7, 8, 9].slice(i, i + 4));
    async function sync(list) { for (let i = 0; i < list.length; i += 2) await Promise.all(list.slice(i, i + 2).map(deliver)); }
    for (const user of [10, 20]) await sync([user, user + 1, user + 2, user + 3]);`, { as: 'a.mjs' });
  expect(groups.map(({ taskCount, chunks, rejected }) => [taskCount, chunks, rejected])).toEqual([[14, 6, 4], [4, 2, 0], [4, 2, 0]]);
});
