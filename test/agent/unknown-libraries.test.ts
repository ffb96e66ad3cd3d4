/** Pools of libraries that no adapter knows: what hooks and the stack tell of them has to do. */
import { describe, expect, test } from 'vitest';
import { observe } from './observed';

const SLEEP = 'const sleep = (ms) => new Promise((r) => setTimeout(r, ms));\n';
const library = (source: string): Readonly<Record<string, string>> => ({
  'node_modules/tiny-lib/package.json': '{ "name": "tiny-lib", "version": "1.0.0", "main": "index.js" }', 'node_modules/tiny-lib/index.js': source,
});

/** Begins what there is room for at once, and goes on in a function of its own for each. */
const EXECUTOR = `exports.each = (items, limit, fn) => new Promise((yes) => {
  let next = 0, active = 0;
  const begin = () => { while (active < limit && next < items.length) run(fn(items[next++])); };
  const run = (promise) => { active++; (async () => { try { await promise; } finally { active--; if (next === items.length && active === 0) yes(); else begin(); } })(); };
  begin();
});`;

/** Begins each job in a chain of its own, behind a promise of its item. */
const CHAINED = `exports.pool = (items, limit, fn) => new Promise((resolve, reject) => {
  let next = 0, active = 0, done = 0;
  const begin = () => { while (active < limit && next < items.length) { active++; Promise.resolve(items[next++]).then(fn).then(() => { active--; if (++done === items.length) resolve(); else begin(); }, reject); } };
  begin();
});`;

/** Rejects with the first error, while others are at work. */
const HASTY = `exports.pool = async (items, limit, fn) => {
  let active = 0, wake = () => {}, failed;
  const done = new Promise((yes, no) => { failed = no; }); done.catch(() => {});
  for (const item of items) {
    if (active >= limit) await Promise.race([new Promise((r) => { wake = r; }), done]);
    active++; fn(item).then(() => { active--; wake(); }, failed);
  }
};`;

/** Begins who waits in the \`finally\` of who was through, by a chain that nobody waits for. */
const BULKHEAD = `exports.Bulkhead = class {
  constructor(limit) { this.limit = limit; this.active = 0; this.line = []; }
  async execute(fn) {
    if (this.active < this.limit) { this.active++; try { return await fn(); } finally { this.active--; this.next(); } }
    return new Promise((resolve, reject) => { this.line.push({ fn, resolve, reject }); });
  }
  next() { const item = this.line.shift(); if (item) Promise.resolve().then(() => this.execute(item.fn)).then(item.resolve).catch(item.reject); }
};`;

/** Works off batches in one chain of its own. */
const BATCHES = `exports.batches = (size, items, fn) => items.filter((_, i) => i % size === 0).map((_, i) => items.slice(i * size, i * size + size))
  .reduce((chain, batch) => chain.then((all) => Promise.all(batch.map(fn)).then((some) => all.concat(some))), Promise.resolve([]));`;

/** Gives a slot back in a chain behind the job, and only then passes on what that gave. */
const SLOTS = `exports.Slots = class {
  constructor(free) { this.free = free; this.line = []; }
  next() { if (this.free > 0 && this.line.length > 0) { this.free--; this.line.shift()(); } }
  acquire() { return new Promise((enter) => { this.line.push(() => enter(() => { this.free++; this.next(); })); process.nextTick(() => this.next()); }); }
  use(fn) { return this.acquire().then((leave) => fn().then((value) => { leave(); return value; }).catch((error) => { leave(); throw error; })); }
};`;

/** Threads that are talked to by channels of the library's own, handed over when they say that they are there. */
const THREADS = `const { Worker, MessageChannel, parentPort, isMainThread } = require('node:worker_threads');
exports.serve = (fn) => parentPort.once('message', ({ port }) => {
  port.on('message', async ({ id, value }) => { port.postMessage({ id, result: await fn(value) }); });
});
exports.Threads = class {
  constructor(file, size) {
    this.jobs = []; this.waiting = new Map(); this.id = 0;
    this.free = Array.from({ length: size }, () => {
      const worker = new Worker(file), { port1, port2 } = new MessageChannel(), thread = { worker, port: port1 };
      port1.on('message', ({ id, result }) => { this.waiting.get(id)(result); this.free.push(thread); this.next(); });
      worker.postMessage({ port: port2 }, [port2]);
      return thread;
    });
    this.all = [...this.free];
  }
  run(value) { return new Promise((resolve) => { const id = ++this.id; this.waiting.set(id, resolve); this.jobs.push({ id, value }); this.next(); }); }
  next() { if (this.free.length > 0 && this.jobs.length > 0) this.free.shift().port.postMessage(this.jobs.shift()); }
  close() { return Promise.all(this.all.map(({ worker }) => worker.terminate())); }
};`;

/** Calls its job whenever a timer says so, several functions deep. */
const CRON = `const run = (job) => guard(job), guard = (job) => invoke(job), invoke = (job) => job();
exports.every = (ms, job) => { let busy = false; const timer = setInterval(() => { if (busy) return; busy = true; run(job).then((more) => { busy = false; if (!more) clearInterval(timer); }); }, ms); };`;

/** Runs jobs of callbacks, so many at once, the next in the callback of one that is through, or a tick later. */
const CALLBACKS = `exports.eachLimit = (items, limit, fn, done, defer = (go) => go()) => {
  let next = 0, active = 0;
  const begin = () => { while (active < limit && next < items.length) { active++; fn(items[next++], () => { active--; if (next === items.length && active === 0) done(); else defer(begin); }); } };
  begin();
};`;

describe.each(['v8', 'async_hooks'] as const)('%s', (backend) => {
  test.for([['at once', '(go) => go()', 3, 'pool'], ['a tick later', 'setImmediate', 3, 'pool'], ['one by one', '(go) => go()', 1, 'sequential']] as const)('jobs of callbacks that a library runs are its: %s', async ([, defer, limit, kind]) => {
    const { groups } = await observe(`const { eachLimit } = require('tiny-lib');
const resize = (n, done) => { setTimeout(done, 12 + n * 7 % 20); };
eachLimit([0, 1, 2, 3, 4, 5, 6, 7], ${limit}, resize, () => {}, ${defer});`, { backend, as: 'a.cjs', files: library(CALLBACKS) });
    expect(groups).toMatchObject([{ kind, library: 'tiny-lib', taskCount: 8, peak: limit, site: { line: 3 }, taskSite: { line: 2, function: 'resize' } }]);
  });

  test.for(['async function save(n) { await sleep(20 + n); }\nawait each([1, 2, 3], save);', '\nawait each([1, 2, 3], async (n) => { await sleep(20 + n); });'])('what a library calls for each item, in one go, is one combinator where the program called the library: %#', async (main) => {
    const { groups } = await observe(`import { each } from 'tiny-lib';\n${SLEEP}${main}`, { backend, as: 'a.mjs', files: library('exports.each = async (items, fn) => { await Promise.all(items.map(fn)); };') });
    expect(groups).toMatchObject([{ kind: 'all', taskCount: 3, site: { line: 4 } }]);
  });

  test('what a library begins on top of the program and goes on with by itself is one pool, where the program called it', async () => {
    const { groups } = await observe(`const { each } = require('tiny-lib'); ${SLEEP}const render = async (i) => { await sleep(8 + 3 * (i % 4)); };
async function renderAll() { await each([...Array(12).keys()], 4, (i) => render(i)); }
renderAll();`, { backend, as: 'a.cjs', files: library(EXECUTOR) });
    expect(groups).toMatchObject([{ kind: 'pool', library: 'tiny-lib', taskCount: 12, peak: 4, fulfilled: 12, site: { line: 3 }, taskSite: { function: 'render' } }]);
  });

  test('what a library has called in one go, and loops, is a task of its, and no worker', async () => {
    const { groups } = await observe(`const { each } = require('tiny-lib'); ${SLEEP}const step = async (ms) => { await sleep(ms); };
async function sync(n) { for (const part of [1, 2, 3]) await step(8 + (n + part) * 7 % 15); }
each([...Array(11).keys()], 4, (n) => sync(n));`, { backend, as: 'a.cjs', files: library(EXECUTOR) });
    expect(groups[0]).toMatchObject({ kind: 'pool', taskCount: 11, peak: 4, fulfilled: 11, taskSite: { function: 'sync' } });
    expect(groups.slice(1)).toMatchObject(Array.from({ length: 11 }, () => ({ kind: 'sequential', taskCount: 3, parent: { group: groups[0].id } })));
  });

  test('who is let in by what one of the others begins in its finally has waited for that, and none of the others fails with it', async () => {
    const { groups, timeline } = await observe(`const { Bulkhead } = require('tiny-lib'); ${SLEEP}const bulkhead = new Bulkhead(2);
const charge = async (i) => { await sleep(10 + 4 * (i % 3)); if (i === 3) throw new Error('no'); };
(async () => { await Promise.allSettled([0, 1, 2, 3, 4, 5, 6].map((i) => bulkhead.execute(() => charge(i)))); })();`, { backend, as: 'a.cjs', files: library(BULKHEAD) });
    expect(groups).toMatchObject([{ kind: 'pool', taskCount: 7, peak: 2, lanes: 2, fulfilled: 6, rejected: 1, taskSite: { line: 3 } }]);
    expect(timeline.rowsOf(groups[0].id).filter((row) => timeline.tasks.queued[row] > 0)).toHaveLength(5);
  });

  test('what a library does in one go behind its last wait is no more work, however long it takes', async () => {
    const slowly = BULKHEAD.replace('this.active--;', 'this.active--; const until = performance.now() + 2; while (performance.now() < until);');
    const { groups, timeline } = await observe(`const { Bulkhead } = require('tiny-lib'); ${SLEEP}const bulkhead = new Bulkhead(2);
const charge = async (i) => { await sleep(10 + 4 * (i % 3)); if (i === 3) throw new Error('no'); };
(async () => { await Promise.allSettled([0, 1, 2, 3, 4, 5, 6].map((i) => bulkhead.execute(() => charge(i)))); })();`, { backend, as: 'a.cjs', files: library(slowly) });
    expect(groups).toMatchObject([{ kind: 'pool', taskCount: 7, peak: 2, lanes: 2, fulfilled: 6, rejected: 1, taskSite: { line: 3 } }]);
    expect(timeline.rowsOf(groups[0].id).filter((row) => timeline.tasks.queued[row] > 0)).toHaveLength(5);
  });

  test('quick jobs of which each is begun in a chain of its own are as many as there are, and hardly one is taken for the other kind', async () => {
    const { groups, dropped } = await observe(`const { pool } = require('tiny-lib'); const items = Array.from({ length: 2000 }, (_, i) => i);
async function parse(i) { await new Promise((r) => setImmediate(r)); return i; }
async function store(i) { await new Promise((r) => setImmediate(r)); return i; }
(async () => { for (const job of [parse, store]) await pool(items, 4, job); })();`, { backend, as: 'a.cjs', files: library(CHAINED) });
    expect(dropped).toBe(0);
    expect(groups.map(({ kind, peak, taskSite }) => [kind, peak, taskSite?.function])).toEqual([['pool', 4, 'parse'], ['pool', 4, 'store']]);
    expect(groups[0].taskCount + groups[1].taskCount).toBe(4000);
    // One look in 32 at the least tells that it is another function now, in each of the two ways in which chains come to run.
    expect(Math.abs(groups[0].taskCount - 2000)).toBeLessThanOrEqual(64);
  });

  test('chunks of what a library calls in one chain of its own stand where the program called it', async () => {
    const { groups } = await observe(`const { batches } = require('tiny-lib'); ${SLEEP}const load = (n) => new Promise((r) => { setTimeout(r, 12 + n * 7 % 20); });
batches(4, [0, 1, 2, 3, 4, 5, 6, 7, 8], load)
  .then(() => {});`, { backend, as: 'a.cjs', files: library(BATCHES) });
    expect(groups).toMatchObject([{ kind: 'chunk', taskCount: 9, chunks: 3, peak: 4, site: { line: 3 }, taskSite: { line: 2 } }]);
  });

  test('a task is over as its slot is given back, whatever the next one does at once', async () => {
    const { groups } = await observe(`const { Slots } = require('tiny-lib'); ${SLEEP}const slots = new Slots(2);
async function convert(n) { const until = performance.now() + 6; while (performance.now() < until); await Promise.resolve(n); await sleep(20 + n * 7 % 30); }
Promise.all([0, 1, 2, 3, 4, 5].map((n) => slots.use(() => convert(n))));`, { backend, as: 'a.cjs', files: library(SLOTS) });
    expect(groups).toMatchObject([{ kind: 'pool', taskCount: 6, peak: 2, fulfilled: 6, taskSite: { function: 'convert' } }]);
  });

  test('what threads answer by channels of a library is tasks on their lanes', async () => {
    const { groups, timeline } = await observe(`const { Threads, serve } = require('tiny-lib'), { isMainThread } = require('node:worker_threads'); ${SLEEP}
if (!isMainThread) serve(async (ms) => { await sleep(ms); return ms; });
else {
  const pool = new Threads(__filename, 2);
  const hash = async (ms) => { await pool.run(ms); };
  Promise.all([20, 35, 25, 40, 30, 22, 28].map(hash)).then(() => pool.close());
}`, { backend, as: 'a.cjs', files: library(THREADS) });
    expect(groups).toMatchObject([{ kind: 'pool', taskCount: 7, fulfilled: 7, peak: 2, lanes: 2, taskSite: { function: 'hash' } }]);
    expect(Math.max(...timeline.rowsOf(groups[0].id).map((row) => timeline.tasks.end[row] - timeline.tasks.start[row]))).toBeLessThan(60);
  });

  test('what a library has called by a timer, however deep in it, goes on with its chunks', async () => {
    const { groups } = await observe(`const { every } = require('tiny-lib'); ${SLEEP}const outbox = [...Array(8).keys()]; const send = async (i) => { await sleep(5 + i); };
every(10, async () => { const batch = outbox.splice(0, 3); await Promise.all(batch.map((i) => send(i))); return outbox.length > 0; });`, { backend, as: 'a.cjs', files: library(CRON) });
    expect(groups).toMatchObject([{ kind: 'chunk', taskCount: 8, chunks: 3, peak: 3, site: { line: 3 } }]);
  });

  test('tasks go on where the function of the library that called them all has failed', async () => {
    const { groups, timeline } = await observe(`const { pool } = require('tiny-lib'); ${SLEEP}const ends = [10, 20, 60, 60];
const migrate = async (i) => { await sleep(ends[i]); if (i === 1) throw new Error('no'); };
pool([0, 1, 2, 3], 3, migrate).catch(() => {});`, { backend, as: 'a.cjs', files: library(HASTY) });
    expect(groups).toMatchObject([{ kind: 'pool', taskCount: 4, fulfilled: 3, rejected: 1 }]);
    const { start, end } = timeline.tasks;
    expect(timeline.rowsOf(groups[0].id).filter((row) => end[row] - start[row] > 50).length).toBe(2);
  });
});

test.each(Object.entries({
  'itself from then on': ['setTimeout(tick, 5)', 'tick()'],
  'by functions without a name, one for the first time and another from then on': ['setTimeout(() => tick(), 5)', 'setTimeout(() => tick(), 1)'],
}))('what a timer calls again and again with an async function of its own is one chunk loop: %s', async (_, [again, first]) => {
  const { groups } = await observe(`${SLEEP}const outbox = [...Array(8).keys()]; const send = async (i) => { await sleep(5 + i); };
async function tick() { const batch = outbox.splice(0, 3); if (batch.length === 0) return; await Promise.all(batch.map(send)); ${again}; }
${first};`);
  expect(groups).toMatchObject([{ kind: 'chunk', taskCount: 8, chunks: 3, lanes: 3 }]);
});
