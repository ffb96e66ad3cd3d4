import { describe, expect, test } from 'vitest';
import type { Group } from '../../src/model/timeline';
import { observe } from './observed';

const GET = `const sleep = (ms) => new Promise((r) => setTimeout(r, ms));
async function get(n) { await sleep(8 + (n * 7) % 20); return n; }
`;

/** Limiters as programs have them: each makes of a number a function that runs what it is given, so many at once. */
const LIMITERS = {
  'runs each by an async function that adopts what it gives': `const makeLimit = (max) => { const queue = []; let active = 0;
  const next = () => { active--; if (queue.length) queue.shift()(); };
  const run = async (fn, resolve, args) => { active++; const result = (async () => fn(...args))(); resolve(result); try { await result; } catch {} next(); };
  const enqueue = (fn, resolve, args) => { queue.push(() => run(fn, resolve, args)); (async () => { await null; if (active < max && queue.length) queue.shift()(); })(); };
  return (fn, ...args) => new Promise((resolve) => enqueue(fn, resolve, args)); };`,
  'runs each by an async function that runs the next one last': `const makeLimit = (max) => { const waiting = []; let active = 0;
  async function run(job) { active++; try { job.resolve(await job.fn()); } catch (e) { job.reject(e); } finally { active--; if (waiting.length) run(waiting.shift()); } }
  return (fn) => new Promise((resolve, reject) => { const job = { fn, resolve, reject }; if (active < max) run(job); else waiting.push(job); }); };`,
  'wraps what each gives in a promise of its own': `const makeLimit = (seats) => { let free = seats; const guests = [];
  const sit = (guest) => { free--; const meal = new Promise((r) => r(guest.fn())); guest.resolve(meal); meal.then(leave, leave); };
  const leave = () => { free++; const guest = guests.shift(); if (guest) sit(guest); };
  return (fn) => new Promise((resolve) => { const guest = { fn, resolve }; if (free > 0) sit(guest); else guests.push(guest); }); };`,
  'goes on in a chain': `const makeLimit = (max) => { let active = 0; const pending = [];
  const pump = () => { while (active < max && pending.length > 0) { const { job, resolve, reject } = pending.shift(); active++; job().then(resolve, reject).finally(() => { active--; pump(); }); } };
  return (job) => new Promise((resolve, reject) => { pending.push({ job, resolve, reject }); pump(); }); };`,
  'is a class whose method calls itself': `class Queue { active = 0; jobs = []; constructor(max) { this.max = max; }
  push(fn) { return new Promise((resolve, reject) => { this.jobs.push({ fn, resolve, reject }); this.next(); }); }
  async next() { if (this.active >= this.max || this.jobs.length === 0) return; this.active++; const job = this.jobs.shift(); try { job.resolve(await job.fn()); } catch (e) { job.reject(e); } this.active--; this.next(); } }
const makeLimit = (max) => { const queue = new Queue(max); return (fn) => queue.push(fn); };`,
  'starts workers as long as there is room': `const makeLimit = (max) => { const jobs = []; let busy = 0;
  const work = async () => { while (jobs.length) { const { fn, resolve, reject } = jobs.shift(); try { resolve(await fn()); } catch (e) { reject(e); } } busy--; };
  return (fn) => new Promise((resolve, reject) => { jobs.push({ fn, resolve, reject }); if (busy < max) { busy++; work(); } }); };`,
  'is a semaphore around what it is given': `const makeLimit = (max) => { let free = max; const waiters = [];
  const acquire = () => (free > 0 ? (free--, Promise.resolve()) : new Promise((r) => waiters.push(r)));
  const release = () => { const next = waiters.shift(); if (next) next(); else free++; };
  return async (fn) => { await acquire(); try { return await fn(); } finally { release(); } }; };`,
};

/** How a program asks it, by what it says of itself; the group that the limiter's pool is in, where the askers are tasks as well. */
const ASKERS = {
  'functions that wait': ['const pay = async (n) => await limit(() => get(n)); await Promise.all(items.map(pay));', false],
  'functions that give its promise': ['async function pay(n) { return limit(() => get(n)); } await Promise.all(items.map(pay));', false],
  'functions that swallow errors, and hand on what they got': ['async function pay(n) { try { const got = await limit(() => get(n)); return { got }; } catch (error) { return { error }; } } await Promise.allSettled(items.map((n) => pay(n)));', false],
  'functions that nobody waits for': ['let open = items.length; const done = new Promise((r) => { globalThis.count = () => { if (--open === 0) r(); }; }); async function pay(n) { const got = await limit(() => get(n)); count(got); } for (const n of items) pay(n); await done;', false],
  'functions that go on behind it': ['async function save(n) { await sleep(8 + n % 5); } async function pay(n) { const got = await limit(() => get(n)); await save(got); } await Promise.all(items.map(pay));', true],
} as const;

const pools = (groups: readonly Group[]): unknown[] => groups.filter(({ kind }) => kind === 'pool').map(({ taskCount, peak, taskSite, site }) => [taskCount, peak, taskSite?.function, site?.line]);

describe.each(['v8', 'async_hooks'] as const)('a limiter that functions ask, %s', (backend) => {
  // Functions that nobody waits for, and that go on with each other's guests in their chains, look like workers.
  const known = Object.entries(LIMITERS).flatMap(([what, limiter]) => Object.entries(ASKERS).map(([how, [asks, doMore]]) => ({ what, limiter, how, asks, doMore })))
    .filter(({ limiter, how }) => !(limiter.includes('guests') && how.includes('nobody')));
  test.each(known)('which $what, asked by $how', async ({ limiter, asks, doMore }) => {
    const source = `${GET}${limiter}
const limit = makeLimit(4), items = [...Array(13).keys()];
${asks}`;
    const { groups, timeline } = await observe(source, { backend, as: 'a.mjs' });
    const [pool] = groups.filter(({ kind }) => kind === 'pool');
    expect(pools(groups)).toEqual([[13, 4, 'get', source.split('\n').length]]);
    expect(timeline.rowsOf(pool.id).filter((row) => timeline.tasks.queued[row] < timeline.tasks.start[row]).length).toBeGreaterThanOrEqual(9);
    expect(groups.filter(({ kind }) => kind !== 'pool').map(({ kind, taskCount }) => [kind, taskCount])).toEqual(doMore ? [['all', 13]] : []);
  });

  test('where only one had to wait', async () => {
    const { groups } = await observe(`${GET}${LIMITERS['runs each by an async function that runs the next one last']}
const limit = makeLimit(4), pay = async (n) => await limit(() => get(n));
await Promise.all([0, 1, 2, 3, 4].map(pay));`, { backend, as: 'a.mjs' });
    expect(pools(groups)).toEqual([[5, 4, 'get', 7]]);
  });

  test('which only runs one behind the other, in a chain, and gives the step', async () => {
    const { groups } = await observe(`${GET}class Lane { tail = Promise.resolve(); run(fn) { const step = this.tail.then(() => fn()); this.tail = step.catch(() => {}); return step; } }
const lanes = [new Lane(), new Lane(), new Lane()];
const pay = async (n) => { await lanes[n % 3].run(() => get(n)); };
await Promise.all([...Array(12).keys()].map(pay));`, { backend, as: 'a.mjs' });
    expect(groups.map(({ kind, taskCount, peak, taskSite }) => [kind, taskCount, peak, taskSite?.function])).toEqual([['pool', 12, 3, 'get']]);
  });

  test('steps of a chain behind which functions do other work are their first steps, and those are the tasks', async () => {
    const { groups } = await observe(`${GET}let tail = Promise.resolve();
const locked = (fn) => { const step = tail.then(() => fn()); tail = step.catch(() => {}); return step; };
const pay = async (n) => { await locked(() => sleep(2)); await get(n); };
await Promise.all([...Array(6).keys()].map(pay));`, { backend, as: 'a.mjs' });
    expect(groups.find(({ kind }) => kind === 'all')).toMatchObject({ taskCount: 6, peak: 6, taskSite: { function: 'pay' } });
  });

  test('fed by a loop, be there enough to wait or not, is one pool', async () => {
    const { groups } = await observe(`${GET}${LIMITERS['is a semaphore around what it is given']}
const limit = makeLimit(3); let n = 0;
for (const count of [9, 2, 4, 1]) await Promise.all(Array.from({ length: count }, () => { const id = n++; return limit(() => get(id)); }));`, { backend, as: 'a.mjs' });
    expect(pools(groups)).toEqual([[16, 3, 'get', 8]]);
    expect(groups).toHaveLength(1);
  });

  test('fed page by page, where a combinator takes all that it gave in the end, is one pool', async () => {
    const { groups } = await observe(`${GET}${LIMITERS['is a semaphore around what it is given']}
const limit = makeLimit(3), pending = [];
async function page(at) { await sleep(12); return Array.from({ length: 5 }, (_, i) => at * 5 + i); }
for (let at = 0; at < 4; at++) for (const id of await page(at)) pending.push(limit(() => get(id)));
await Promise.all(pending);`, { backend, as: 'a.mjs' });
    expect(pools(groups)).toEqual([[20, 3, 'get', 10]]);
    expect(groups.map(({ kind }) => kind).sort()).toEqual(['pool', 'sequential']);
  });

  test('whose slots are free at once lets work begin only when all have asked', async () => {
    const { groups, timeline } = await observe(`${GET}${LIMITERS['is a semaphore around what it is given']}
const limit = makeLimit(3), burn = (ms) => { const until = performance.now() + ms; while (performance.now() < until); };
const pay = async (n) => { const got = limit(() => get(n)); burn(3); await got; };
await Promise.all([...Array(8).keys()].map(pay));`, { backend, as: 'a.mjs' });
    const [pool] = groups.filter(({ kind }) => kind === 'pool');
    const starts = timeline.rowsOf(pool.id).map((row) => timeline.tasks.start[row]);
    const asked = timeline.rowsOf(pool.id).map((row) => timeline.tasks.queued[row]).filter((time) => !Number.isNaN(time));
    expect(Math.min(...starts)).toBeGreaterThan(Math.max(...asked));
  });

  test.each([LIMITERS['runs each by an async function that runs the next one last'], LIMITERS['is a semaphore around what it is given']])('made by a helper for each of its calls is a pool for each, one after the other: %s', async (limiter) => {
    const { groups } = await observe(`${GET}${limiter}
async function each(xs, n, fn) { const limit = makeLimit(n); const one = async (x) => { const got = await limit(() => fn(x)); return got; }; return await Promise.all(xs.map(one)); }
const items = [...Array(11).keys()];
for (const n of [3, 4]) await each(items, n, get);`, { backend, as: 'a.mjs' });
    expect(pools(groups).map((pool) => (pool as unknown[]).slice(0, 3))).toEqual([[11, 3, 'get'], [11, 4, 'get']]);
    expect(groups).toHaveLength(2);
  });

  test('of its own in each call of a plain helper is a pool for each', async () => {
    const { groups } = await observe(`${GET}${LIMITERS['goes on in a chain']}
const each = (xs, n, fn) => { const limit = makeLimit(n); return Promise.all(xs.map((x) => limit(() => fn(x)))); };
const items = [...Array(11).keys()];
await each(items, 3, get); await each(items, 4, get);`, { backend, as: 'a.mjs' });
    expect(pools(groups).map((pool) => (pool as unknown[]).slice(0, 3))).toEqual([[11, 3, 'get'], [11, 4, 'get']]);
  });
});
