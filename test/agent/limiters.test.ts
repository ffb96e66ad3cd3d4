import { describe, expect, test } from 'vitest';
import { observe } from './observed';

const SLEEP = 'const sleep = (ms) => new Promise((r) => setTimeout(r, ms));\n';
const LOAD = `${SLEEP}async function load(i) { await sleep(10 + i); return i; }\n`;
const BURN = 'const burn = (ms) => { const until = performance.now() + ms; while (performance.now() < until); };\n';

describe.each(['v8', 'async_hooks'] as const)('what waits for its turn, %s', (backend) => {
  test('a combinator over functions that end with one is a call of its own', async () => {
    const { groups } = await observe(`${LOAD}async function half(i) { return Promise.all([load(i), load(i + 1)]); }
Promise.all([half(1), half(3)]);`, { backend, as: 'a.mjs' });
    expect(groups.map(({ kind, taskCount, site }) => [kind, taskCount, site?.line])).toEqual([['all', 2, 4], ['all', 2, 3], ['all', 2, 3]]);
  });

  test.each(['Promise.race(pending)', 'Promise.race(pending).catch(() => {})'])('a wrapper that waits for room by %s, and gives what it has begun when that is over', async (race) => {
    const { groups } = await observe(`${LOAD}const limit = (fn, max) => {
  let pending = [];
  return async function limited(...args) {
    while (pending.length >= max) await ${race};
    const one = fn(...args);
    pending.push(one);
    await one.catch(() => {});
    pending = pending.filter((other) => other !== one);
    return one;
  };
};
const limited = limit(async (i) => { await load(10 + (i * 7) % 20); }, 3);
await Promise.allSettled([...Array(10).keys()].map((i) => limited(i)));`, { backend, as: 'a.mjs' });
    expect(groups.map(({ kind, taskCount, peak }) => [kind, taskCount, peak])).toEqual([['pool', 10, 3]]);
  });

  test('who gets a slot at once is at work when he goes on, behind those that begin their work before', async () => {
    const { timeline, groups } = await observe(`${LOAD}${BURN}class Semaphore {
  waiting = []; constructor(free) { this.free = free; }
  acquire() { return new Promise((resolve) => { const grant = () => resolve(() => { const next = this.waiting.shift(); if (next) next(); else this.free++; }); if (this.free > 0) { this.free--; grant(); } else this.waiting.push(grant); }); }
}
const network = new Semaphore(3), cpu = new Semaphore(2);
async function download(i) { burn(8); await sleep(40 + (i * 7) % 20); }
async function transcode(i) { await sleep(20 + (i * 5) % 20); }
async function clip(i) {
  let release = await network.acquire();
  try { await download(i); } finally { release(); }
  release = await cpu.acquire();
  try { await transcode(i); } finally { release(); }
}
await Promise.all([...Array(8).keys()].map(clip));`, { backend, as: 'a.mjs' });
    const downloads = groups.find(({ taskSite }) => taskSite?.function === 'download');
    expect(downloads).toMatchObject({ kind: 'pool', taskCount: 8, peak: 3 });
    const [first, second, third] = timeline.rowsOf(downloads?.id ?? 0).map((row) => timeline.tasks.start[row]).sort((a, b) => a - b);
    expect(second - first).toBeGreaterThan(7);
    expect(third - second).toBeGreaterThan(7);
  });

  test('calls that were through together by chance are a pool where room made later is filled call by call', async () => {
    const { groups } = await observe(`${LOAD}const queue = [30, 30, 30, 30, 50, 62, 30, 80, 40, 60, 40]; let running = 0;
(function fill() {
  if (queue.length === 0 || running === 3) return;
  for (const ms of queue.splice(0, 3 - running)) { running++; load(ms).then(() => {}).then(() => { setTimeout(fill, 25); running--; }); }
})();`, { backend, as: 'a.mjs' });
    expect(groups.map(({ kind, taskCount, peak }) => [kind, taskCount, peak])).toEqual([['pool', 11, 3]]);
  });

  test('limiters one behind the other are a pool each, also where tasks of several end at one moment', async () => {
    const { groups } = await observe(`${LOAD}function limiter(n) {
  let active = 0; const waiting = [];
  const next = () => {
    if (active >= n || waiting.length === 0) return;
    active++;
    const { fn, resolve, reject } = waiting.shift();
    fn().then(resolve, reject).finally(() => { active--; next(); });
  };
  return (fn) => new Promise((resolve, reject) => { waiting.push({ fn, resolve, reject }); next(); });
}
const [reading, resizing, uploading] = [4, 2, 3].map(limiter);
async function read() { await sleep(20); }
async function resize() { await sleep(20); }
async function upload() { await sleep(40); }
async function image() { await reading(() => read()); await resizing(() => resize()); await uploading(() => upload()); }
await Promise.all([...Array(10)].map(image));`, { backend, as: 'a.mjs' });
    expect(groups.map(({ kind, taskCount, peak, taskSite }) => `${kind} ${taskCount} ${peak} ${taskSite?.function}`)).toEqual(['all 10 10 image', 'pool 10 4 read', 'pool 10 2 resize', 'pool 10 3 upload']);
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

  test('a limiter that runs the first at once, and the next in the code of the one before, never lets in more than it may', async () => {
    const run = async (max: number): Promise<unknown> => (await observe(`${LOAD}const limiter = (max) => {
  let running = 0; const parked = [];
  return (fn) => {
    const run = async () => { running++; try { return await fn(); } finally { running--; parked.shift()?.(); const until = performance.now() + 3; while (performance.now() < until); } };
    return running < max ? run() : new Promise((resolve, reject) => parked.push(() => run().then(resolve, reject)));
  };
};
const limit = limiter(${max});
await Promise.all([0, 1, 2, 3, 4, 5, 6, 7].map((i) => limit(() => load(i))));`, { backend, as: 'a.mjs' })).groups;
    expect(await run(3)).toMatchObject([{ kind: 'pool', taskCount: 8, peak: 3, lanes: 3, fulfilled: 8, site: { line: 11 }, taskSite: { line: 2, function: 'load' } }]);
    expect(await run(1)).toMatchObject([{ kind: 'pool', taskCount: 8, peak: 1, lanes: 1, fulfilled: 8, site: { line: 11 }, taskSite: { line: 2, function: 'load' } }]);
  });

  test('a task is over where its chain is, though its limiter takes its time to let the next one in before it tells of that', async () => {
    const { groups } = await observe(`${SLEEP}${BURN}function limiter(max) {
  let active = 0; const backlog = [];
  const done = () => { active--; if (backlog.length > 0) backlog.shift()(); burn(3); };
  return (fn) => new Promise((resolve, reject) => {
    const start = () => { active++; fn().then((value) => { done(); resolve(value); }, (error) => { done(); reject(error); }); };
    if (active < max) start(); else backlog.push(start);
  });
}
function put(i) { return sleep(20 + i * 7 % 30).then(() => i); }
function upload(i) { return put(i).catch(() => put(i)).then((tag) => tag + 1); }
const limit = limiter(3);
Promise.all([0, 1, 2, 3, 4, 5, 6, 7].map((i) => limit(() => upload(i))));`, { backend, as: 'a.mjs' });
    expect(groups).toMatchObject([{ kind: 'pool', taskCount: 8, peak: 3, fulfilled: 8 }]);
  });

  test('work behind a limiter that is tried again where it fails has not failed, unless the last try has', async () => {
    const { groups } = await observe(`${SLEEP}const failures = new Map([[1, 1], [3, 9]]);
async function send(i) { await sleep(10 + i); const left = failures.get(i) ?? 0; failures.set(i, left - 1); if (left > 0) throw new Error('503'); return i; }
const retrying = (tries) => (i) => send(i).catch((error) => tries > 1 ? sleep(5).then(() => retrying(tries - 1)(i)) : Promise.reject(error));
const limiter = (free) => {
  const queue = [];
  const pump = () => {
    if (free === 0 || queue.length === 0) return;
    free--;
    const [job, resolve, reject] = queue.shift();
    const settle = (by) => (value) => { free++; by(value); pump(); };
    job().then(settle(resolve), settle(reject));
  };
  return (fn) => (i) => new Promise((resolve, reject) => { queue.push([() => fn(i), resolve, reject]); pump(); });
};
const report = (i) => retrying(3)(i).then((at) => at * 2, (error) => Promise.reject(error));
await Promise.allSettled([0, 1, 2, 3, 4, 5].map(limiter(2)(report)));`, { backend, as: 'a.mjs' });
    expect(groups).toMatchObject([{ kind: 'pool', taskCount: 6, peak: 2, fulfilled: 5, rejected: 1 }]);
  });

  test('a function that swallows what fails while it holds a slot has failed as a task, also where all is read only at the end', async () => {
    const { groups } = await observe(`${SLEEP}let free = 2; const line = [];
const acquire = () => free > 0 ? (free--, Promise.resolve()) : new Promise((turn) => line.push(turn));
const release = () => { const turn = line.shift(); if (turn) turn(); else free++; };
async function select(i) { await sleep(10 + i); if (i === 4) throw new Error('deadlock'); return i; }
async function use(fn) { await acquire(); try { return { value: await fn() }; } catch (error) { return { error }; } finally { release(); } }
await Promise.all([0, 1, 2, 3, 4, 5].map((i) => use(() => select(i))));`, { backend, as: 'a.mjs' });
    expect(groups).toMatchObject([{ kind: 'pool', taskCount: 6, lanes: 2, fulfilled: 5, rejected: 1 }]);
  });

  test('what is called with a slot and swallows what fails in it has failed as a task', async () => {
    const { groups } = await observe(`${SLEEP}let free = 2; const line = [];
const acquire = () => free > 0 ? (free--, Promise.resolve()) : new Promise((turn) => line.push(turn));
const release = () => { const turn = line.shift(); if (turn) turn(); else free++; };
async function query(i) { await sleep(10 + i); if (i === 4) throw new Error('no such table'); return [i]; }
async function use(fn) { await acquire(); try { return await fn(); } finally { release(); } }
const select = (i) => use(async () => { try { return await query(i); } catch { return []; } });
await Promise.all([0, 1, 2, 3, 4, 5].map(select));`, { backend, as: 'a.mjs' });
    expect(groups).toMatchObject([{ kind: 'pool', taskCount: 6, lanes: 2, fulfilled: 5, rejected: 1 }]);
  });

  test('slots that are asked for at several places are one pool once they go from one to the other, and those of two semaphores two', async () => {
    const code = (orders: string): string => `${SLEEP}const semaphore = (free) => {
  const line = [];
  const acquire = () => free > 0 ? (free--, Promise.resolve()) : new Promise((turn) => line.push(turn));
  const release = () => { const turn = line.shift(); if (turn) turn(); else free++; };
  return { async use(sql) { await acquire(); try { return await run(sql); } finally { release(); } } };
};
const db = semaphore(2), other = semaphore(2);
async function run(sql) { await sleep(15 + sql.length); return []; }
async function user(id) { await sleep(id % 3); return db.use('user ' + id); }
async function orders(id) { await sleep(id % 4); return ${orders}.use('orders ' + id); }
async function page(id) { await user(id); await sleep(2); return orders(id); }
const ids = [...Array(10).keys()];
await Promise.all([1, 2, 3, 4].map(async () => { while (ids.length > 0) await page(ids.shift()); }));`;
    const drawn = async (name: string): Promise<unknown[]> => {
      const { groups } = await observe(code(name), { backend, as: 'a.mjs' });
      return groups.filter(({ taskSite }) => taskSite?.function === 'run').map(({ taskCount, peak }) => [taskCount, peak]);
    };
    expect(await drawn('db')).toEqual([[20, 2]]);
    // Where nobody has to wait, nothing tells of the second.
    expect(await drawn('other')).toContainEqual([10, 2]);
  });

  test('tokens that a clock hands out are asked for, and no loop beside what they let begin', async () => {
    const { groups } = await observe(`${LOAD}let tokens = 3; const line = [];
const clock = setInterval(() => { if (line.length > 0) line.shift()(); else tokens = Math.min(3, tokens + 1); }, 12);
const bucket = { take() { if (tokens > 0) { tokens--; return; } return new Promise((go) => line.push(go)); } };
const all = [];
for (let i = 0; i < 12; i++) { await bucket.take(); all.push(load(i)); }
await Promise.all(all); clearInterval(clock);`, { backend, as: 'a.mjs' });
    expect(groups.map(({ taskCount, taskSite }) => [taskCount, taskSite?.function])).toEqual([[12, 'load']]);
  });

  test('whoever is let in begins when the one before is through, however long that takes once it has given its slot back', async () => {
    const { groups } = await observe(`${SLEEP}${BURN}let free = 2; const line = [];
const acquire = () => free > 0 ? (free--, Promise.resolve()) : new Promise((turn) => line.push(turn));
const release = () => { const turn = line.shift(); if (turn) turn(); else free++; };
async function use(sql) { await acquire(); try { return await run(sql); } finally { release(); burn(4); } }
async function run(sql) { await sleep(15 + sql.length); return []; }
async function page(id) { await use('user ' + id); await sleep(2); return use('orders ' + id); }
const ids = [...Array(10).keys()];
await Promise.all([1, 2, 3, 4].map(async () => { while (ids.length > 0) await page(ids.shift()); }));`, { backend, as: 'a.mjs' });
    expect(groups.filter(({ taskSite }) => taskSite?.function !== 'page')).toMatchObject([{ kind: 'pool', taskCount: 20, peak: 2 }]);
  });

  test('a semaphore that several functions ask themselves is one pool, and two of one class are two, also one inside of the other', async () => {
    const semaphore = `${SLEEP}class Semaphore {
  line = [];
  constructor(free) { this.free = free; }
  acquire() { return this.free > 0 ? (this.free--, Promise.resolve()) : new Promise((turn) => this.line.push(turn)); }
  release() { const turn = this.line.shift(); if (turn) turn(); else this.free++; }
}
const db = new Semaphore(2), other = new Semaphore(2);
async function run(sql) { await sleep(15 + sql.length); return []; }
`;
    const pools = async (code: string): Promise<unknown[]> => {
      const { groups } = await observe(semaphore + code, { backend, as: 'a.mjs' });
      return groups.filter(({ taskSite }) => !['page', 'work'].includes(taskSite?.function ?? '')).map(({ taskCount, peak }) => [taskCount, peak]);
    };
    const pages = (orders: string): string => `async function user(id) { await sleep(id % 3); await db.acquire(); const rows = await run('user ' + id); db.release(); await sleep(2); return rows; }
async function orders(id) { await sleep(id % 4); await ${orders}.acquire(); try { return await run('orders ' + id); } finally { ${orders}.release(); } }
async function page(id) { await user(id); await sleep(2); return orders(id); }
const ids = [...Array(12).keys()];
await Promise.all([1, 2, 3, 4, 5, 6].map(async () => { while (ids.length > 0) await page(ids.shift()); }));`;
    expect(await pools(pages('db'))).toEqual([[24, 2]]);
    expect(await pools(pages('other'))).toEqual([[12, 2], [12, 2]]);
    expect(await pools(`const jobs = new Semaphore(3);
async function work(id) { await sleep(id % 3); await jobs.acquire(); await run('load'); await db.acquire(); await run('save' + id); db.release(); await sleep(3); jobs.release(); await sleep(2); }
await Promise.all([...Array(12).keys()].map(work));`)).toEqual([[12, 3], [12, 2]]);
  });

  test('a limiter that tasks hand jobs to at several places is one pool, and two of one maker are two', async () => {
    const code = (orders: string): string => `${SLEEP}const makeLimit = (max) => {
  let active = 0; const queue = [];
  const next = () => {
    if (active >= max || queue.length === 0) return;
    active++;
    const { fn, resolve, reject } = queue.shift();
    fn().then(resolve, reject).finally(() => { active--; next(); });
  };
  return (fn) => new Promise((resolve, reject) => { queue.push({ fn, resolve, reject }); next(); });
};
const limit = makeLimit(2), other = makeLimit(2);
async function user(id) { await sleep(15 + id); return id; }
async function orders(id) { await sleep(20 + id); return [id]; }
async function page(id) { await sleep(id % 3); const u = await limit(() => user(id)); await sleep(2); return [u, await ${orders}(() => orders(id))]; }
const ids = [...Array(10).keys()];
await Promise.all([1, 2, 3, 4].map(async () => { while (ids.length > 0) await page(ids.shift()); }));`;
    const drawn = async (name: string): Promise<unknown[]> => {
      const { groups } = await observe(code(name), { backend, as: 'a.mjs' });
      return groups.filter(({ taskSite }) => taskSite?.function !== 'page').map(({ taskCount, peak }) => [taskCount, peak]);
    };
    expect(await drawn('limit')).toEqual([[20, 2]]);
    expect(await drawn('other')).toContainEqual([10, 2]);
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

  test('who is refused a slot, as by a timeout or an abort, is no task: whether it is asked for at first, in a function around the work, or on the way', async () => {
    const semaphore = `${LOAD}let free = 2; const line = []; const closed = new AbortController();
function acquire() {
  if (free > 0) { free--; return Promise.resolve(); }
  return new Promise((resolve, reject) => {
    const leave = () => { const at = line.indexOf(waiter); if (at >= 0) { line.splice(at, 1); reject(new Error('no slot')); } };
    const waiter = { resolve, timer: setTimeout(leave, 50) };
    line.push(waiter);
    closed.signal.addEventListener('abort', leave);
  });
}
function release() { const waiter = line.shift(); if (waiter) { clearTimeout(waiter.timer); waiter.resolve(); } else free++; }
let done = 0;
async function work(i) { await load(20 + i); if (++done === 4) closed.abort(); }
`;
    const main = {
      first: `async function handle(i) { await acquire(); try { await work(i); } finally { release(); } }
await Promise.allSettled([0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map(handle));`,
      around: `async function use(task) { await acquire(); try { return await task(); } finally { release(); } }
async function request(i) { try { await use(() => work(i)); } catch {} }
await new Promise((over) => { let n = 0; const coming = setInterval(() => { if (n < 10) request(n++); else { clearInterval(coming); setTimeout(over, 120); } }, 5); });`,
      onTheWay: `async function handle(i) { await sleep(i % 3 * 2); await acquire(); try { await work(i); } finally { release(); } await sleep(3); }
await Promise.allSettled([0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map(handle));`,
    };
    for (const source of Object.values(main)) {
      const { groups } = await observe(semaphore + source, { backend, as: 'a.mjs' });
      const pools = groups.filter(({ kind }) => kind === 'pool');
      expect(pools, source).toMatchObject([{ peak: 2, rejected: 0 }]);
      expect(pools[0].taskCount, source).toBeLessThan(8);
    }
  });

  test('a nameless function that only pauses is the task that a limiter calls', async () => {
    const { groups } = await observe(`const timeout = (ms) => new Promise((r) => setTimeout(r, ms));
let count = 0; const queue = [];
async function add(fn) {
  if (count >= 2) await new Promise((resolve) => queue.push(resolve)); else count++;
  try { return await fn(); } finally { if (queue.length > 0) queue.shift()(); else count--; }
}
const pending = [];
for (const ms of [30, 15, 12, 22, 18, 25]) {
  const one = add(() => {
    return timeout(ms).then(() => ms);
  });
  pending.push(one.then(() => {}));
}
await Promise.all(pending);`, { backend, as: 'a.mjs' });
    expect(groups).toMatchObject([{ kind: 'pool', taskCount: 6, peak: 2, taskSite: { function: '', line: 9 } }]);
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

  const RACE_GATE = `${LOAD}const plain = (i) => new Promise((r) => setTimeout(r, 10 + i));
const gate = (limit) => {
  const open = new Set();
  return async (fn) => {
    while (open.size >= limit) await Promise.race(open);
    const work = fn();
    open.add(work);
    const free = () => open.delete(work);
    work.then(free, free);
    return work;
  };
};
const run = gate(3);
`;

  test.each(Object.entries({
    'tasks that are async functions': 'await Promise.all([...Array(9).keys()].map((i) => run(() => load(i))));',
    'tasks that are plain functions': 'await Promise.all([...Array(9).keys()].map((i) => run(() => plain(i))));',
    'tasks collected one by one': 'const all = []; for (let i = 0; i < 9; i++) all.push(run(() => load(i))); await Promise.allSettled(all);',
  }))('callers that race what others have begun until there is room are a pool: %s', async (_, code) => {
    const { groups, timeline } = await observe(RACE_GATE + code, { backend, as: 'a.mjs' });
    expect(groups).toMatchObject([{ kind: 'pool', taskCount: 9, peak: 3, site: { line: 16 } }]);
    expect(timeline.rowsOf(groups[0].id).filter((row) => timeline.tasks.queued[row] > 0)).toHaveLength(6);
  });

  test('two combinators behind one gate that races are one pool', async () => {
    const { groups } = await observe(`${RACE_GATE}const many = (from) => Promise.all([0, 1, 2, 3, 4].map((i) => run(() => load(from + i))));
await Promise.all([many(10), many(20)]);`, { backend, as: 'a.mjs' });
    expect(groups.map(({ kind, taskCount, peak }) => [kind, taskCount, peak]).sort()).toEqual([['all', 2, 2], ['pool', 10, 3]]);
  });

  test('a scheduler that parks who is to wait is a pool where a script calls it by and by, outside of any function', async () => {
    const { groups } = await observe(`${SLEEP}class Scheduler {
  busy = 0; parked = [];
  async add(job) {
    if (this.busy >= 2) await new Promise((wake) => this.parked.push(wake));
    this.busy++;
    const value = await job();
    this.busy--;
    this.parked.shift()?.();
    return value;
  }
}
const scheduler = new Scheduler();
const assign = (i) => { scheduler.add(() => sleep(20 + (i * 17) % 30)).then(() => {}); };
for (let i = 0; i < 4; i++) assign(i);
setTimeout(() => { for (let i = 4; i < 7; i++) assign(i); }, 30);`, { backend, as: 'a.cjs' });
    expect(groups).toMatchObject([{ kind: 'pool', taskCount: 7, peak: 2 }]);
  });

  test('readers whom a writer lets in together have waited for that, by whichever method they came', async () => {
    const { groups, timeline } = await observe(`${LOAD}class Lock {
  readers = 0; writing = false; line = [];
  read(fn) { return this.enter('r', fn); }
  write(fn) { return this.enter('w', fn); }
  async enter(mode, fn) {
    await new Promise((admit) => { this.line.push({ mode, admit }); this.advance(); });
    try { return await fn(); } finally { if (mode === 'r') this.readers--; else this.writing = false; this.advance(); }
  }
  advance() {
    while (this.line.length > 0 && !this.writing) {
      const [{ mode, admit }] = this.line;
      if (mode === 'w' && this.readers > 0) return;
      this.line.shift();
      if (mode === 'r') this.readers++; else this.writing = true;
      admit();
    }
  }
}
const lock = new Lock();
await Promise.all([...'rrwrrrw'].map((mode, i) => (mode === 'r' ? lock.read(() => load(i)) : lock.write(() => load(i)))));`, { backend, as: 'a.mjs' });
    expect(groups).toMatchObject([{ kind: 'pool', taskCount: 7, peak: 3 }]);
    expect(timeline.rowsOf(groups[0].id).filter((row) => timeline.tasks.queued[row] > 0)).toHaveLength(5);
  });

  test('what several ask for and is done once for all of them is one task', async () => {
    const { groups } = await observe(`${LOAD}const waiting = new Map(), ready = []; let free = 2;
const ask = (key) => new Promise((resolve) => {
  if (waiting.has(key)) { waiting.get(key).push(resolve); return; }
  waiting.set(key, [resolve]);
  ready.push(key);
  queueMicrotask(drain);
});
function drain() {
  while (free > 0 && ready.length > 0) {
    const key = ready.shift();
    free--;
    load(key).then((value) => { for (const resolve of waiting.get(key)) resolve(value); }).finally(() => { free++; drain(); });
  }
}
await Promise.all([1, 2, 3, 4, 5, 6, 4, 5].map(ask));`, { backend, as: 'a.mjs' });
    expect(groups).toMatchObject([{ kind: 'pool', taskCount: 6, peak: 2 }]);
  });

  test('a chain that lets one task begin after the other has them begin where it does', async () => {
    const { groups, timeline } = await observe(`${LOAD}const slowly = (fn, gap) => {
  let gate = Promise.resolve();
  return (...args) => {
    const mine = gate.then(() => fn(...args));
    gate = gate.then(() => sleep(gap));
    return mine;
  };
};
const gently = slowly((i) => load(40 + i), 25);
await Promise.all([0, 1, 2, 3, 4].map((i) => gently(i)));`, { backend, as: 'a.mjs' });
    expect(groups).toMatchObject([{ kind: 'pool', taskCount: 5, taskSite: { line: 2 } }]);
    const starts = timeline.rowsOf(groups[0].id).map((row) => timeline.tasks.start[row]).sort((a, b) => a - b);
    for (let i = 1; i < starts.length; i++) expect(starts[i] - starts[i - 1]).toBeGreaterThan(20);
  });

  const POLLED = (wait: string): string => `${LOAD}let active = 0;
const run = async (job) => { while (active >= 2) await new Promise((go) => ${wait}); active++; try { return await job(); } finally { active--; } };
`;

  test.each(Object.entries({
    'async tasks': '(i) => run(() => load(20 + i))',
    'tasks that only wait': '(i) => run(() => sleep(20 + i))',
  }))('who looks for room by a timer with no name waits for it: %s', async (_, item) => {
    const { groups, timeline } = await observe(`${POLLED('setTimeout(go, 5)')}await Promise.all([0, 1, 2, 3, 4, 5].map(${item}));`, { backend, as: 'a.mjs' });
    expect(groups).toMatchObject([{ kind: 'pool', taskCount: 6, peak: 2 }]);
    expect(timeline.rowsOf(groups[0].id).filter((row) => timeline.tasks.queued[row] > 0)).toHaveLength(4);
  });

  test.each(Object.entries({
    'in one go': '[0, 1, 2, 3, 4, 5].forEach((i) => { run(() => load(20 + i)); });',
    'as timers have it': 'for (let i = 0; i < 6; i++) setTimeout(() => { run(() => load(20 + i)); }, 4 * i);',
  }))('who looks for room waits for it where nobody waits for all, %s', async (_, code) => {
    const { groups, timeline } = await observe(POLLED('setTimeout(go, 5)') + code, { backend, as: 'a.mjs' });
    expect(groups).toMatchObject([{ kind: 'pool', taskCount: 6, peak: 2, taskSite: { line: 2 } }]);
    expect(timeline.rowsOf(groups[0].id).filter((row) => timeline.tasks.queued[row] > 0)).toHaveLength(4);
  });

  test('a limiter of the same maker inside of each task, over plain functions that begin with what Node is asked for', async () => {
    const { groups, timeline } = await observe(`import { stat } from 'node:fs/promises';
${SLEEP}const limiter = (free) => {
  const line = [];
  const drain = () => { while (free > 0 && line.length > 0) { const { fn, resolve, reject } = line.shift(); free--; fn().then(resolve, reject).then(() => { free++; drain(); }); } };
  return (fn) => new Promise((resolve, reject) => { line.push({ fn, resolve, reject }); drain(); });
};
const file = (repo, i) => stat('.').then(() => sleep(8 + (repo + i) * 7 % 15)).then(() => i);
const pack = (repo) => {
  const limit = limiter(2);
  return Promise.all([1, 2, 3, 4, 5].map((i) => limit(() => file(repo, i)))).then((sizes) => sizes.length);
};
const limit = limiter(2);
await Promise.all([1, 2, 3, 4].map((repo) => limit(() => pack(repo))));`, { backend, as: 'a.mjs' });
    const [outer, ...inner] = [...groups].sort((a, b) => Number(a.parent !== undefined) - Number(b.parent !== undefined));
    expect(outer).toMatchObject({ kind: 'pool', taskCount: 4, peak: 2, taskSite: { function: 'pack' } });
    expect(inner).toMatchObject(Array.from({ length: 4 }, () => ({ kind: 'pool', taskCount: 5, peak: 2, taskSite: { function: 'file' } })));
    expect(inner.map(({ parent }) => timeline.tasks.ordinal[(parent?.task ?? 0) - 1]).sort()).toEqual([1, 2, 3, 4]);
  });

  test.for([
    ['by hand, in a loop', 'for (let tries = 0; ; tries++) try { return await limited(() => send(i)); } catch (error) { if (tries === 2) throw error; await sleep(4); }'],
    ['by hand, by a call of itself', 'try { return await limited(() => send(i)); } catch (error) { if (tries === 2) throw error; await sleep(4); return attempt(i, tries + 1); }'],
  ])('tries that each take a place of the limiter anew are its tasks, and nothing is around them: %s', async ([, body]) => {
    const { groups } = await observe(`${SLEEP}const asked = new Map(); let free = 2; const line = [];
async function limited(fn) {
  if (free > 0) free--; else await new Promise((turn) => line.push(turn));
  try { return await fn(); } finally { const next = line.shift(); if (next) next(); else free++; }
}
const send = async (i) => { await sleep(10 + i * 7 % 12); const n = (asked.get(i) ?? 0) + 1; asked.set(i, n); if (i % 3 === 1 && n === 1) throw new Error('503'); return i; };
async function attempt(i, tries = 0) { ${body} }
await Promise.all([0, 1, 2, 3, 4, 5, 6, 7].map((i) => attempt(i)));`, { backend, as: 'a.mjs' });
    expect(groups).toMatchObject([{ kind: 'pool', taskCount: 11, peak: 2, fulfilled: 8, rejected: 3, taskSite: { function: 'send' } }]);
  });

  test('tasks that begin with a timer of their own do not wait for room', async () => {
    const { groups } = await observe(`${LOAD}const poll = async (i) => { for (let n = 0; n < 3; n++) await new Promise((go) => setTimeout(go, 4 + i)); return load(i); };
await Promise.all([0, 1, 2, 3].map(poll));`, { backend, as: 'a.mjs' });
    expect(groups).toMatchObject([{ kind: 'all', taskCount: 4, peak: 4 }]);
  });

  test('a function that lends something waits for it, whoever finds that it is free', async () => {
    const { groups } = await observe(`${LOAD}const idle = []; let made = 0;
const lease = async () => {
  if (idle.length > 0) return idle.pop();
  if (made < 2) { made++; await sleep(5); return { no: made }; }
  return new Promise((resolve) => { const look = setInterval(() => { if (idle.length > 0) { clearInterval(look); resolve(idle.pop()); } }, 3); });
};
await Promise.all([0, 1, 2, 3, 4, 5].map(async (i) => { const engine = await lease(); try { await load(20 + i); } finally { idle.push(engine); } }));`, { backend, as: 'a.mjs' });
    expect(groups).toMatchObject([{ kind: 'pool', taskCount: 6, peak: 2, taskSite: { line: 2 } }]);
  });

  test('the first at a gate that is a chain is free to pass, however long the code takes that lets it', async () => {
    const { groups, timeline } = await observe(`${LOAD}${BURN}let tokens = 1, line = Promise.resolve();
const take = () => { const turn = async () => { if (tokens > 0) { tokens--; burn(3); return; } await sleep(15); }; line = line.then(turn, turn); return line; };
await Promise.all([0, 1, 2, 3].map(async (i) => { await take(); await load(30 + i); }));`, { backend, as: 'a.mjs' });
    expect(groups).toMatchObject([{ taskCount: 4 }]);
    const starts = timeline.rowsOf(groups[0].id).map((row) => timeline.tasks.start[row]).sort((a, b) => a - b);
    for (let i = 1; i < starts.length; i++) expect(starts[i] - starts[i - 1]).toBeGreaterThan(10);
  });

  test.each(Object.entries({
    'in a then': 'const use = (f) => acquire().then((release) => f().then((value) => { release(); burn(0.4); return value; }));',
    'in a then of what failed': 'const use = (f) => acquire().then((release) => f().then(() => { throw new Error("no"); }).catch((error) => { release(); burn(0.4); throw error; })).catch(() => 0);',
  }))('a place that is freed %s is free for the next, though what comes of the task takes a moment more', async (_, use) => {
    const { groups } = await observe(`${LOAD}${BURN}let free = 3; const line = [];
const acquire = () => new Promise((go) => { const take = () => { free--; go(() => { free++; line.shift()?.(); }); }; if (free > 0) take(); else line.push(take); });
${use}
await Promise.all([...Array(9).keys()].map((i) => use(() => load(i % 4))));`, { backend, as: 'a.mjs' });
    expect(groups).toMatchObject([{ kind: 'pool', taskCount: 9, peak: 3, lanes: 3 }]);
  });

  test('a bucket of tokens that is a chain lets one in after the other', async () => {
    const { groups, timeline } = await observe(`${LOAD}let tokens = 2, line = Promise.resolve();
const take = () => { const turn = async () => { if (tokens > 0) { tokens--; return; } await sleep(15); }; line = line.then(turn, turn); return line; };
await Promise.all([0, 1, 2, 3, 4].map(async (i) => { await take(); await load(30 + i); }));`, { backend, as: 'a.mjs' });
    expect(groups).toMatchObject([{ taskCount: 5 }]);
    const starts = timeline.rowsOf(groups[0].id).map((row) => timeline.tasks.start[row]).sort((a, b) => a - b);
    for (let i = 3; i < starts.length; i++) expect(starts[i] - starts[i - 1]).toBeGreaterThan(10);
  });

  test.each([
    ['that nobody waits for', 'for (let i = 0; i < 9; i++) void handle(i);'],
    ['that an emitter calls', "const { EventEmitter } = await import('node:events'); const bus = new EventEmitter();\nbus.on('one', async (i) => { await handle(i); });\nfor (let i = 0; i < 9; i++) bus.emit('one', i);"],
  ])('a lock that gives what unlocks it, behind a promise of whoever has it, is a pool of what is done with it, in functions %s', async (_name, source) => {
    const { groups } = await observe(`const sleep = (ms) => new Promise((r) => setTimeout(r, ms));
const tails = new Map();
function lock(key) {
  const previous = tails.get(key) ?? Promise.resolve();
  let unlock; const held = new Promise((resolve) => { unlock = resolve; });
  tails.set(key, previous.then(() => held));
  return previous.then(() => unlock);
}
async function post(i) { await sleep(10 + i * 7 % 15); return i; }
async function handle(i) { const unlock = await lock(i % 2); try { return await post(i); } finally { unlock(); } }
${source}`, { backend, as: 'a.mjs' });
    expect(groups.find(({ taskSite }) => taskSite?.function === 'post')).toMatchObject({ kind: 'pool', peak: 2, taskCount: 9, fulfilled: 9 });
  });

  test('whoever waits for the promise of the one before is behind that one', async () => {
    const { groups, timeline } = await observe(`const sleep = (ms) => new Promise((r) => setTimeout(r, ms)); const entries = [];
function wait() {
  const before = entries.length > 0 ? entries.at(-1).promise : Promise.resolve();
  let resolve; const promise = new Promise((r) => { resolve = r; });
  entries.push({ promise, resolve });
  return before;
}
async function send(n) { await sleep(10 + n * 7 % 15); if (n === 4) throw new Error('403'); return n; }
async function push(n) { await wait(); try { return await send(n); } finally { entries.shift().resolve(); } }
for (let n = 0; n < 8; n++) push(n).catch(() => {});`, { backend, as: 'a.mjs' });
    expect(groups).toMatchObject([{ peak: 1, taskCount: 8, rejected: 1, taskSite: { function: 'send' } }]);
    const { start, queued } = timeline.tasks;
    expect(timeline.rowsOf(groups[0].id).filter((row) => queued[row] < start[row]).length).toBeGreaterThanOrEqual(6);
  });

  test('who is let in at once does his own work, and what waits in a queue is done for others, who get but the result', async () => {
    const { groups, timeline } = await observe(`${SLEEP}class Bulkhead {
  active = 0; queue = [];
  async execute(fn) {
    if (this.active < 3) { this.active++; try { return await fn(); } finally { this.active--; this.dequeue(); } }
    return new Promise((resolve, reject) => { this.queue.push({ fn, resolve, reject }); });
  }
  dequeue() { const next = this.queue.shift(); if (next) Promise.resolve().then(() => this.execute(next.fn)).then(next.resolve).catch(next.reject); }
}
const gateway = new Bulkhead();
async function charge(n) { await sleep(15 + n * 7 % 25); if (n === 5) throw new Error('declined'); await sleep(10 + n * 5 % 20); return n; }
async function pay(n) { try { return await gateway.execute(() => charge(n)); } catch { return 0; } }
await Promise.all([0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map(pay));`, { backend, as: 'a.mjs' });
    expect(groups).toMatchObject([{ kind: 'pool', taskCount: 10, peak: 3, fulfilled: 9, rejected: 1, site: { line: 13 } }]);
    for (const row of timeline.rowsOf(groups[0].id)) expect(timeline.tasks.end[row] - timeline.tasks.start[row]).toBeGreaterThan(10);
  });

  const SEATS = `${SLEEP}function makeLimit(seats) {
  const line = []; let taken = 0;
  const sit = (guest) => { taken++; const meal = new Promise((r) => r(guest.fn())); guest.serve(meal); meal.catch(() => {}).then(() => { taken--; if (line.length) sit(line.shift()); }); };
  return (fn) => new Promise((serve) => { const guest = { fn, serve }; if (taken < seats) sit(guest); else line.push(guest); });
}
async function get(n) { await sleep(30 + n * 7 % 30); return n; }
async function save(n) { await sleep(15 + n * 5 % 20); }
const apiLimit = makeLimit(4), diskLimit = makeLimit(2), items = [...Array(12).keys()];\n`;
  test('what goes on behind a limiter is none of its tasks: it may be behind another one', async () => {
    const { groups } = await observe(`${SEATS}await Promise.all(items.map((n) => apiLimit(() => get(n)).then((bytes) => diskLimit(() => save(bytes)))));`, { backend, as: 'a.mjs' });
    expect(groups).toMatchObject([
      { kind: 'pool', taskCount: 12, peak: 4, fulfilled: 12, taskSite: { function: 'get' } },
      { kind: 'pool', taskCount: 12, peak: 2, fulfilled: 12, taskSite: { function: 'save' } },
    ]);
  });

  test.for(['.then(save)', '.then((n) => save(n)).then(() => {})'])('what goes on behind a limiter, and waits for nobody, is no pool: %s', async (then) => {
    const { groups } = await observe(`${SEATS}await Promise.all(items.map((n) => apiLimit(() => get(n))${then}));`, { backend, as: 'a.mjs' });
    expect(groups).toMatchObject([{ kind: 'pool', taskCount: 12, peak: 4, taskSite: { function: 'get' } }]);
  });

  test.for([['plainly', '(resolve, reject) => {', ''], ['in an async function', 'async (resolve, reject) => {', 'await null;']] as const)('what a queue runs for who waits, and tells of it, is drawn once: handed in %s', async ([, executor, pause]) => {
    const { groups } = await observe(`${SLEEP}class Scheduler {
  queue = []; running = 0;
  schedule(job) {
    return new Promise(${executor}
      this.queue.push({ run: async () => { try { resolve(await job()); } catch (error) { reject(error); } } });
      ${pause} this.drain();
    });
  }
  async drain() {
    while (this.running < 3 && this.queue.length > 0) { this.running++; this.queue.shift().run().then(() => { this.running--; this.drain(); }); }
  }
}
async function quote(n) { await sleep(20 + n * 7 % 30); if (n === 8) throw new Error('no'); return n; }
const scheduler = new Scheduler();
await Promise.all([...Array(10).keys()].map((n) => scheduler.schedule(() => quote(n)).catch((error) => error.message)));`, { backend, as: 'a.mjs' });
    expect(groups).toMatchObject([{ kind: 'pool', taskCount: 10, peak: 3, fulfilled: 9, rejected: 1, site: { line: 16 }, taskSite: { function: 'quote' } }]);
  });
});
