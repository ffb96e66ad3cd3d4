import { describe, expect, test } from 'vitest';
import { observe } from './observed';

const SLEEP = 'const sleep = (ms) => new Promise((r) => setTimeout(r, ms));\n';
const LOAD = `${SLEEP}async function load(i) { await sleep(10 + i); return i; }\n`;

describe.each(['v8', 'async_hooks'] as const)('what waits for its turn, %s', (backend) => {
  test('a combinator over functions that end with one is a call of its own', async () => {
    const { groups } = await observe(`${LOAD}async function half(i) { return Promise.all([load(i), load(i + 1)]); }
Promise.all([half(1), half(3)]);`, { backend, as: 'a.mjs' });
    expect(groups.map(({ kind, taskCount, site }) => [kind, taskCount, site?.line])).toEqual([['all', 2, 4], ['all', 2, 3], ['all', 2, 3]]);
  });

  test('two combinators behind one limiter are one pool, behind one each they are two', async () => {
    const limiter = `${LOAD}function limiter(free) {
  const waiting = [];
  const next = () => { free++; waiting.shift()?.(); };
  return (i) => new Promise((resolve) => {
    const run = () => { free--; load(i).then(resolve).finally(next); };
    if (free > 0) run(); else waiting.push(run);
  });
}
async function many(limit, n) { const all = await Promise.all([...Array(n).keys()].map((i) => limit(i))); return all.length; }
`;
    const pools = async (main: string): Promise<number[]> => {
      const { groups } = await observe(limiter + main, { backend, as: 'a.mjs' });
      return groups.filter(({ kind }) => kind === 'pool').map(({ taskCount }) => taskCount).sort((a, b) => a - b);
    };
    expect(await pools('const limit = limiter(3);\nawait Promise.all([many(limit, 6), many(limit, 6)]);')).toEqual([12]);
    expect(await pools('await Promise.all([many(limiter(3), 6), many(limiter(2), 5)]);')).toEqual([5, 6]);
  });

  test('a limiter that is handed a function calls it in one of its own, which is no task beside it, also where the caller handles failures', async () => {
    const { groups } = await observe(`${LOAD}function limiter(max) {
  const waiting = []; let active = 0;
  const run = async (fn, args, settle) => {
    active++;
    const result = (async () => fn(...args))();
    settle(result);
    try { await result; } catch {}
    active--; waiting.shift()?.();
  };
  return (fn, ...args) => new Promise((settle) => { if (active < max) run(fn, args, settle); else waiting.push(() => run(fn, args, settle)); });
}
const limit = limiter(2);
await Promise.all([0, 1, 2, 3, 4, 5].map((i) => limit(load, i).catch(() => null)));`, { backend, as: 'a.mjs' });
    expect(groups).toMatchObject([{ kind: 'pool', taskCount: 6, peak: 2, site: { line: 15 }, taskSite: { line: 2, function: 'load' } }]);
  });

  test('an async acquire() that only waits is no work', async () => {
    const { groups } = await observe(`${SLEEP}let free = 2;
const waiting = [];
async function acquire() { if (free > 0) free--; else await new Promise((go) => waiting.push(go)); }
function release() { const next = waiting.shift(); if (next) next(); else free++; }
async function save(i) { await acquire(); try { await sleep(10 + i); } finally { release(); } }
async function main() { await Promise.all([0, 1, 2, 3, 4, 5].map(save)); }
main();`, { backend, as: 'a.mjs' });
    expect(groups).toMatchObject([{ kind: 'pool', taskCount: 6, lanes: 2, peak: 2 }]);
  });

  test('what is called off while it waits is no task, also where the combinator comes late', async () => {
    const dispatcher = `${LOAD}class Dispatcher {
  #running = 0; #waiting = [];
  submit(job, signal) {
    let resolve, reject;
    const promise = new Promise((good, bad) => { resolve = good; reject = bad; });
    promise.catch(() => {});
    const entry = { job, resolve, reject };
    signal?.addEventListener('abort', () => { const at = this.#waiting.indexOf(entry); if (at >= 0) { this.#waiting.splice(at, 1); reject(signal.reason); } });
    this.#waiting.push(entry);
    this.#next();
    return promise;
  }
  #next() {
    while (this.#running < 2 && this.#waiting.length > 0) {
      const { job, resolve, reject } = this.#waiting.shift();
      this.#running++;
      job().then(resolve, reject).finally(() => { this.#running--; this.#next(); });
    }
  }
}
const dispatcher = new Dispatcher(), off = new AbortController();
const all = [1, 2, 3, 4, 5, 6, 7].map((i) => dispatcher.submit(() => load(i), i === 7 ? off.signal : undefined));
await sleep(5);
off.abort();
`;
    for (const main of ['await Promise.allSettled(all);', 'await sleep(20);\nawait Promise.allSettled(all);']) {
      const { groups } = await observe(dispatcher + main, { backend, as: 'a.mjs' });
      expect(groups.filter(({ taskCount }) => taskCount > 0)).toMatchObject([{ kind: 'pool', peak: 2, taskCount: 6, fulfilled: 6 }]);
    }
  });

  test('where the first pass at once and the others one by one, they wait for tokens', async () => {
    const { groups, timeline } = await observe(`${LOAD}let tokens = 2;
const waiting = [];
const drain = () => { while (tokens > 0 && waiting.length > 0) { tokens--; waiting.shift()(); } };
const refill = setInterval(() => { tokens++; drain(); }, 40);
const take = () => new Promise((go) => { waiting.push(go); drain(); });
async function limited(i) { await take(); return load(i); }
async function main() { await Promise.all([0, 1, 2, 3, 4, 5].map(limited)); clearInterval(refill); }
main();`, { backend, as: 'a.mjs' });
    expect(groups).toMatchObject([{ kind: 'pool', taskCount: 6 }]);
    expect(timeline.rowsOf(groups[0].id).filter((row) => !Number.isNaN(timeline.tasks.queued[row]))).toHaveLength(4);
  });
});
