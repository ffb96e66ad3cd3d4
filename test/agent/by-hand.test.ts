import { describe, expect, test } from 'vitest';
import { observe } from './observed';

const SLEEP = 'const sleep = (ms) => new Promise((r) => setTimeout(r, ms));\n';

/** Pools as people write them whose tasks do nothing but wait: nothing else in them tells a task. */
const PUMPS = {
  'a function that starts the next one as the last thing it does': `${SLEEP}const queue = [...Array(10).keys()];
let active = 0;
function next() { while (active < 3 && queue.length) { active++; run(queue.shift()); } }
async function run(i) { try { await sleep(20 + 3 * i); } finally { active--; next(); } }
next();`,
  'a listener that starts the next one': `import { EventEmitter } from 'node:events';
${SLEEP}const bus = new EventEmitter();
const queue = [...Array(10).keys()];
async function run(i) { await sleep(20 + 3 * i); bus.emit('done'); }
bus.on('done', () => { if (queue.length) run(queue.shift()); });
for (let i = 0; i < 3; i++) run(queue.shift());`,
  'a class that gives a promise for each job': `${SLEEP}class Pool {
  queue = []; active = 0;
  add(job) { return new Promise((resolve, reject) => { this.queue.push({ job, resolve, reject }); this.next(); }); }
  next() { while (this.active < 3 && this.queue.length) this.run(this.queue.shift()); }
  async run({ job, resolve, reject }) { this.active++; try { resolve(await job()); } catch (e) { reject(e); } finally { this.active--; this.next(); } }
}
const pool = new Pool();
await Promise.all([...Array(10).keys()].map((i) => pool.add(() => sleep(20 + 3 * i))));`,
  'a class that resolves in a reaction to its job': `${SLEEP}class Limiter {
  waiting = []; active = 0;
  run(job) { return new Promise((resolve, reject) => { this.waiting.push({ job, resolve, reject }); this.drain(); }); }
  drain() {
    while (this.active < 3 && this.waiting.length) {
      const { job, resolve, reject } = this.waiting.shift();
      this.active++;
      job().then((value) => { this.active--; resolve(value); this.drain(); }, (error) => { this.active--; this.drain(); reject(error); });
    }
  }
}
const limiter = new Limiter();
await Promise.all([...Array(10).keys()].map((i) => limiter.run(() => sleep(20 + 3 * i)).catch(() => null)));`,
  'a scheduler whose jobs nobody awaits together': `const timeout = (ms) => new Promise((r) => setTimeout(r, ms));
class Scheduler {
  queue = []; running = 0;
  add(job) { return new Promise((resolve) => { job.resolve = resolve; if (this.running < 3) this.run(job); else this.queue.push(job); }); }
  run(job) { this.running++; job().then(job.resolve).finally(() => { this.running--; if (this.queue.length) this.run(this.queue.shift()); }); }
}
const scheduler = new Scheduler(), seen = [];
const addTask = (ms, i) => { scheduler.add(() => timeout(ms)).then(() => seen.push(i)); };
for (let i = 0; i < 10; i++) addTask(20 + 3 * i, i);`,
  'a pool that calls itself behind each race': `const timeout = (i) => new Promise((r) => setTimeout(r, 20 + 3 * i));
function asyncPool(limit, items, work) {
  let i = 0;
  const all = [], executing = [];
  const enqueue = () => {
    if (i === items.length) return Promise.resolve();
    const item = items[i++];
    const task = Promise.resolve().then(() => work(item));
    all.push(task);
    const done = task.then(() => executing.splice(executing.indexOf(done), 1));
    executing.push(done);
    return (executing.length >= limit ? Promise.race(executing) : Promise.resolve()).then(() => enqueue());
  };
  return enqueue().then(() => Promise.all(all));
}
await asyncPool(3, [...Array(10).keys()], timeout);`,
  'rails that let others go first': `const work = (i) => new Promise((r) => setTimeout(r, 20 + 3 * i));
const queue = [...Array(10).keys()];
const next = () => (queue.length ? work(queue.shift()).then(next, next) : undefined);
await Promise.all([1, 2, 3].map(() => Promise.resolve().then(next)));`,
  'a limiter that looks for room a microtask later': `import { AsyncResource } from 'node:async_hooks';
${SLEEP}function limiter(limit) {
  const queue = [];
  let active = 0;
  const run = async (job, resolve) => { active++; const result = (async () => job())(); resolve(result); try { await result; } catch {} active--; if (queue.length) queue.shift()(); };
  return (job) => new Promise((resolve) => {
    queue.push(AsyncResource.bind(run.bind(undefined, job, resolve)));
    (async () => { await Promise.resolve(); if (active < limit && queue.length) queue.shift()(); })();
  });
}
const limit = limiter(3), work = async (i) => { await sleep(20 + 3 * i); };
await Promise.all([...Array(10).keys()].map((i) => limit(() => work(i)).catch(() => null)));`,
};

/** What nothing of the program's own brings about. */
const OUTSIDE = {
  'the ticks of an interval': `${SLEEP}const tick = async () => { await sleep(4); };
let left = 5;
const timer = setInterval(() => { tick().catch(() => {}); if (--left === 0) clearInterval(timer); }, 15);`,
  'the beats of three intervals': `${SLEEP}const push = async () => { await sleep(3); };
let left = 15;
const timers = ['cpu', 'heap', 'loop'].map((name) => setInterval(() => { push(name); if (--left <= 0) timers.forEach(clearInterval); }, 12));`,
  'what an interval asks a loader for, which gathers the keys': `let held = [];
const load = (key) => new Promise((resolve) => {
  held.push(() => { resolve(key); });
  if (held.length === 5) { const batch = held; held = []; setTimeout(() => { for (const give of batch) give(); }, 22); }
});
let left = 25, seen = 0;
const traffic = setInterval(() => { for (const key of [1, 2]) load(key).then(() => { seen++; }); if (--left === 0) clearInterval(traffic); }, 6);`,
  'the requests of a server': `import { createServer } from 'node:http';
import { spawn } from 'node:child_process';
${SLEEP}const handle = async (res) => { await sleep(30); res.end(); };
const server = createServer((req, res) => { handle(res).catch(() => {}); });
server.listen(0, () => {
  const clients = 'Promise.all(' + JSON.stringify([0, 10, 20, 30, 40, 50]) + '.map((ms) => new Promise((r) => setTimeout(r, ms)).then(() => fetch("http://127.0.0.1:' + server.address().port + '"))))';
  spawn(process.execPath, ['-e', clients], { env: {} }).on('exit', () => { server.close(); server.closeAllConnections(); });
});`,
};

describe.each(['v8', 'async_hooks'] as const)('work scheduled by hand, %s', (backend) => {
  test.each(Object.entries(PUMPS))('%s is one pool of three rails', async (_name, program) => {
    const { groups } = await observe(program, { backend, as: 'a.mjs' });
    expect(groups).toMatchObject([{ kind: 'pool', taskCount: 10, lanes: 3, peak: 3, fulfilled: 10 }]);
  });

  test('several ways through the same work in one module are a group each', async () => {
    const { groups } = await observe(`${SLEEP}const look = async (i) => { await sleep(10 + i); };
const ids = [...Array(6).keys()];
for (let i = 0; i < 6; i += 3) await Promise.all(ids.slice(i, i + 3).map(look));
for (const i of ids) await look(i);
const running = new Set();
for (const i of ids) {
  const task = look(i).finally(() => running.delete(task));
  if (running.add(task).size >= 3) await Promise.race(running);
}
await Promise.all(running);`, { backend, as: 'a.mjs' });
    expect(groups.map(({ kind, taskCount, pending, site }) => ({ kind, taskCount, pending, line: site?.line }))).toEqual([
      { kind: 'chunk', taskCount: 6, pending: 0, line: 4 }, { kind: 'sequential', taskCount: 6, pending: 0, line: 5 }, { kind: 'pool', taskCount: 6, pending: 0, line: 9 },
    ]);
  });

  test('what a race has left over ends in the combinator that takes it next', async () => {
    const { groups } = await observe(`${SLEEP}const left = new Set();
for (const ms of [10, 30, 50]) { const task = sleep(ms).finally(() => left.delete(task)); left.add(task); }
await Promise.race(left);
await Promise.all(left);`, { backend, as: 'a.mjs' });
    expect(groups).toMatchObject([{ kind: 'all', taskCount: 2, fulfilled: 2, pending: 0 }]);
  });

  test('tasks that try again until they succeed are tasks, no workers', async () => {
    const { groups } = await observe(`${SLEEP}async function ask(i, attempt) { await sleep(10 + i); if (attempt < i % 3) throw new Error('again'); }
async function check(i) { for (let attempt = 0; ; attempt++) try { return await ask(i, attempt); } catch { await sleep(5); } }
await Promise.allSettled([...Array(7).keys()].map(check));`, { backend, as: 'a.mjs' });
    expect(groups[0]).toMatchObject({ kind: 'allSettled', taskCount: 7, fulfilled: 7 });
  });

  test.each(['sleep(8)', 'new Promise((go) => setTimeout(go, 8))'])('tasks one of which asks again, a moment later, for what was not ready are tasks, no workers: %s', async (pause) => {
    const { groups } = await observe(`${SLEEP}let busy = 1;
async function send(i) { await sleep(i === 0 ? 10 : 40 + i); return i === 0 && busy-- > 0 ? 502 : 200; }
async function request(i) {
  for (let attempt = 0; attempt < 3; attempt++) {
    const status = await send(i);
    if (status < 500) return status;
    await ${pause};
  }
}
async function loadPart(i) { const status = await request(i); return status; }
await Promise.all([0, 1, 2].map(loadPart));`, { backend, as: 'a.mjs' });
    expect(groups).toMatchObject([{ kind: 'all', taskCount: 3, peak: 3, taskSite: { function: 'loadPart' } }]);
  });

  test('a semaphore is seen behind the catch of each task', async () => {
    const { groups } = await observe(`${SLEEP}let free = 2;
const waiting = [];
const acquire = () => (free > 0 ? (free--, Promise.resolve()) : new Promise((r) => { waiting.push(r); }));
const release = () => { const next = waiting.pop(); if (next) next(); else free++; };
async function guarded(i) { await acquire(); try { await sleep(15 + 3 * i); } finally { release(); } }
await Promise.all([...Array(8).keys()].map((i) => guarded(i).catch(() => null)));`, { backend, as: 'a.mjs' });
    expect(groups).toMatchObject([{ kind: 'pool', taskCount: 8, fulfilled: 8 }]);
    expect(groups[0].peak).toBeLessThan(4);
  });

  test('a lock that is a chain of promises lets one at a time through, and its way there is no work', async () => {
    const { groups, timeline } = await observe(`${SLEEP}class Mutex {
  last = Promise.resolve(); locked = false;
  lock() {
    this.locked = true;
    let unlock;
    const will = new Promise((r) => { unlock = r; });
    will.then(() => { this.locked = false; });
    const mine = this.last.then(() => unlock);
    this.last = this.last.then(() => will);
    return mine;
  }
}
const mutex = new Mutex(), read = () => sleep(8), write = () => sleep(12);
async function withdraw(i) {
  const unlock = await mutex.lock();
  try { await read(); if (i === 2) throw new Error('insufficient funds'); await write(); } finally { unlock(); }
}
await Promise.all([...Array(6).keys()].map((i) => withdraw(i).catch((e) => e.message)));`, { backend, as: 'a.mjs' });
    expect(groups).toMatchObject([{ kind: 'pool', taskCount: 6, peak: 1, fulfilled: 5, rejected: 1 }]);
    const took = timeline.rowsOf(groups[0].id).map((row) => timeline.tasks.end[row] - timeline.tasks.start[row]);
    expect(took.filter((ms) => ms >= 18)).toHaveLength(5);
  });

  test('a lock each of whose holders made what the next one waits behind is a pool of one, beside the tasks that ask for it', async () => {
    const { groups } = await observe(`${SLEEP}class Mutex {
  tail = Promise.resolve();
  async lock() {
    let unlock;
    const mine = new Promise((r) => { unlock = r; });
    const before = this.tail;
    this.tail = before.then(() => mine);
    await before;
    return unlock;
  }
  async run(job) { const unlock = await this.lock(); try { return await job(); } finally { unlock(); } }
}
const mutex = new Mutex();
async function write() { await sleep(14); }
const append = (i) => mutex.run(() => write(i));
async function settle(i) { await sleep(15 + (i * 17) % 30); await append(i); }
const next = [...Array(10).keys()].values();
async function worker() { for (const i of next) await settle(i); }
await Promise.all([worker(), worker(), worker()]);`, { backend, as: 'a.mjs' });
    const settles = groups.find(({ taskSite }) => taskSite?.function === 'settle');
    expect(groups).toHaveLength(2);
    expect(settles).toMatchObject({ kind: 'pool', taskCount: 10, peak: 3, lanes: 3, fulfilled: 10 });
    expect(groups.find((group) => group !== settles)).toMatchObject({ kind: 'pool', taskCount: 10, peak: 1, fulfilled: 10, taskSite: { function: 'write' }, parent: undefined });
  });

  test('folders in folders keep a group each, inside of the task that opened them', async () => {
    const { groups } = await observe(`import { stat } from 'node:fs/promises';
${SLEEP}async function sizeOf(entry) { if (Array.isArray(entry)) return du(entry); await stat('.'); await sleep(entry); return 1; }
async function du(entries) { await stat('.'); return (await Promise.all(entries.map(sizeOf))).length; }
await du([20, [10, 15, [10, 20]], [15, 10]]);`, { backend, as: 'a.mjs' });
    expect(groups.map(({ kind, taskCount, parent }) => `${kind} ${taskCount} ${parent === undefined ? 'outermost' : 'inside'}`).sort()).toEqual(
      ['all 2 inside', 'all 2 inside', 'all 3 inside', 'all 3 outermost']);
  });

  test('what the first turn of a worker ran is inside of that turn', async () => {
    const { groups } = await observe(`${SLEEP}const pairs = [[1, 2], [3, 4], [5, 6], [7, 8]];
async function pair(two) { await Promise.all(two.map((i) => sleep(5 + i))); await sleep(5); }
async function worker() { while (pairs.length) await pair(pairs.shift()); }
await Promise.all([worker(), worker()]);`, { backend, as: 'a.mjs' });
    const pool = groups.find(({ kind }) => kind === 'pool');
    expect(groups.filter(({ kind }) => kind === 'all').map(({ parent }) => parent?.group)).toEqual([pool?.id, pool?.id, pool?.id, pool?.id]);
  });

  test('what tasks run beside one another is a group of each, also where the tasks of a later chunk run the same', async () => {
    const { groups } = await observe(`${SLEEP}const part = (i) => sleep(i === 1 ? 60 : 8);
async function page(i) { await Promise.all([1, 2].map(() => part(i))); }
for (const chunk of [[2, 3], [4, 5], [6, 7]]) await Promise.all(chunk.map(page));
const open = new Set();
for (let i = 1; i < 6; i++) { const run = page(i).then(() => open.delete(run)); open.add(run); if (open.size === 2) await Promise.race(open); }
await Promise.all(open);
for (let i = 2; i < 6; i++) await page(i);`, { backend, as: 'a.mjs' });
    expect(groups.map(({ kind, taskCount, chunks, parent }) => `${kind} ${taskCount} ${chunks ?? 0} ${parent ? 'inside' : 'outermost'}`).sort()).toEqual(
      [...Array.from({ length: 11 }, () => 'all 2 0 inside'), 'chunk 6 3 outermost', 'chunk 8 4 outermost', 'pool 5 0 outermost']);
  });

  test('steps of a chain of then are no tasks of their own, and finally is no work', async () => {
    const { groups } = await observe(`const load = (ms) => new Promise((r) => { setTimeout(r, ms); });
const save = (ms) => new Promise((r) => { setTimeout(r, ms); });
const times = [10, 20, 30, 15];
await Promise.all(times.map((ms) => load(ms).then(() => save(ms)).catch(() => null)));
await Promise.all(times.map((ms) => load(ms).then(() => load(ms))));
await Promise.all(times.map((ms) => load(ms).finally(() => { times.at(0); })));
const intime = (work) => { let late; return Promise.race([work, new Promise((_, no) => { late = setTimeout(no, 1000); })]).finally(() => { clearTimeout(late); }); };
await Promise.all(times.map((ms) => intime(load(ms))));`, { backend, as: 'a.mjs' });
    expect(groups.map(({ kind, taskCount }) => `${kind} ${taskCount}`)).toEqual(['all 4', 'all 4', 'all 4', 'all 4']);
    expect(groups.map(({ metrics }) => metrics.busyMs > 70)).toEqual([true, true, true, true]);
  });

  test('a queue that is a class is its tasks, wherever in the file their function begins', async () => {
    const { groups } = await observe(`async function work(ms) { await new Promise((r) => setTimeout(r, ms)); }
class Queue {
  #running = 0; #jobs = [];
  constructor(limit) { this.limit = limit; }
  add(fn) { return new Promise((ok, no) => { this.#jobs.push({ fn, ok, no }); this.#next(); }); }
  async #next() {
    if (this.#running >= this.limit) return;
    const job = this.#jobs.shift();
    if (!job) return;
    this.#running++;
    try { job.ok(await job.fn()); } catch (error) { job.no(error); }
    this.#running--;
    this.#next();
  }
}
const queue = new Queue(2);
await Promise.all([12, 15, 9, 20, 8, 14, 11, 16].map((ms) => queue.add(() => work(ms))));`, { backend, as: 'a.mjs' });
    expect(groups).toMatchObject([{ kind: 'pool', taskCount: 8, fulfilled: 8, peak: 2, taskSite: { function: 'work' } }]);
    expect(groups[0].metrics.busyMs).toBeGreaterThan(100);
  });

  test('who looks again and again whether there is room waits, and is at work once there is', async () => {
    const { groups } = await observe(`${SLEEP}let active = 0;
const work = async (ms) => { await sleep(ms); };
async function call(ms) { while (active >= 2) await sleep(4); active++; try { await work(ms); } finally { active--; } }
await Promise.all([30, 40, 25, 35, 45, 20, 30].map(call));`, { backend, as: 'a.mjs' });
    expect(groups).toMatchObject([{ kind: 'pool', taskCount: 7, fulfilled: 7, peak: 2 }]);
    expect(groups[0].metrics.busyMs).toBeLessThan(500);
  });

  test('a function that starts the next one behind a catch is lanes, and two steps in a race with a clock are one task', async () => {
    const { groups } = await observe(`const step = (ms) => new Promise((r) => { setTimeout(r, ms); });
const save = (ms) => new Promise((r) => { setTimeout(r, ms); });
async function lanes() {
  const queue = [12, 8, 15, 9, 11, 7];
  const next = () => (queue.length ? step(queue.shift()).catch(() => null).then(next) : undefined);
  await Promise.all([next(), next()]);
}
const intime = (work) => { let late; return Promise.race([work, new Promise((_, no) => { late = setTimeout(no, 1000); })]).finally(() => { clearTimeout(late); }); };
await lanes();
await Promise.all([10, 20, 30, 15].map((ms) => intime(step(ms).then(() => save(ms)))));
const both = () => Promise.all([10, 20, 30, 15].map((ms) => step(ms).then(() => save(ms)).catch(() => null)));
await both();
async function one() { await both(); }
await Promise.all([one(), one()]);`, { backend, as: 'a.mjs' });
    expect(groups.map(({ kind, taskCount }) => `${kind} ${taskCount}`).sort()).toEqual(['all 2', 'all 4', 'all 4', 'all 4', 'all 4', 'pool 6']);
  });

  test('a queue that looks for work by setImmediate is its tasks, and not those looks', async () => {
    const { groups } = await observe(`${SLEEP}class Queue {
  #waiting = []; #active = 0;
  add(job) { return new Promise((resolve, reject) => { this.#waiting.push({ job, resolve, reject }); setImmediate(() => this.#work()); }); }
  async #work() {
    const next = this.#active < 2 ? this.#waiting.shift() : undefined;
    if (!next) return;
    this.#active++;
    try { next.resolve(await next.job()); } catch (error) { next.reject(error); } finally { this.#active--; setImmediate(() => this.#work()); }
  }
}
const load = async (i) => { await sleep(8 + i % 3 * 4); if (i === 5) throw new Error('five'); };
const queue = new Queue();
await Promise.all([...Array(9).keys()].map((i) => queue.add(() => load(i)).then(() => {}).catch(() => {})));`, { backend, as: 'a.mjs' });
    expect(groups).toMatchObject([{ kind: 'pool', taskCount: 9, fulfilled: 8, rejected: 1, peak: 2, taskSite: { function: 'load' } }]);
  });

  test('a loop that asks for a slot for each thing it starts is the pool of those', async () => {
    const { groups } = await observe(`${SLEEP}const waiting = [];
let free = 3;
const acquire = () => (free > 0 ? (free--, Promise.resolve()) : new Promise((resolve) => waiting.push(resolve)));
const release = () => { const next = waiting.shift(); if (next) next(); else free++; };
const copy = async (i) => { await sleep(10 + i % 4 * 5); if (i === 4) throw new Error('four'); };
for (let i = 0; i < 12; i++) { await acquire(); copy(i).catch(() => {}).finally(release); }`, { backend, as: 'a.mjs' });
    expect(groups).toMatchObject([{ kind: 'pool', taskCount: 12, fulfilled: 11, rejected: 1, peak: 3, taskSite: { function: 'copy' } }]);
  });

  test('two limiters of one factory are two pools, should they run at once', async () => {
    const { groups } = await observe(`${SLEEP}const limiter = (max) => {
  let running = 0;
  const waiting = [];
  return async (fn, ...args) => {
    if (running >= max) await new Promise((resolve) => waiting.push(resolve));
    running++;
    try { return await fn(...args); } finally { running--; waiting.shift()?.(); }
  };
};
const load = async (i) => { await sleep(10 + i % 3 * 5); };
const pack = async (i) => { await sleep(8 + i % 4 * 4); };
const [net, disk] = [limiter(3), limiter(2)];
const loading = Promise.all([...Array(9).keys()].map((i) => net(load, i)));
const packing = Promise.all([...Array(7).keys()].map((i) => disk(pack, i)));
await loading;
await packing;`, { backend, as: 'a.mjs' });
    expect(groups).toMatchObject([{ kind: 'pool', taskCount: 9, peak: 3, taskSite: { function: 'load' } }, { kind: 'pool', taskCount: 7, peak: 2, taskSite: { function: 'pack' } }]);
  });

  test('a pool whose results are taken at the end, long after the first of them came, is one group', async () => {
    const { groups } = await observe(`${SLEEP}const work = async (i) => { await sleep(5 + i % 4 * 3); return i; };
async function pool(items, limit) {
  const results = [], running = new Set();
  for (const item of items) {
    const one = work(item).finally(() => running.delete(one));
    results.push(one);
    running.add(one);
    if (running.size >= limit) await Promise.race(running);
  }
  return Promise.all(results);
}
await pool([...Array(20).keys()], 4);`, { backend, as: 'a.mjs' });
    expect(groups).toMatchObject([{ kind: 'pool', taskCount: 20, peak: 4, taskSite: { function: 'work' } }]);
  });

  test('a function that leaves running what calls it again is a lane, and no task', async () => {
    const { groups } = await observe(`${SLEEP}const work = async (i) => { await sleep(12 + i * 7 % 20); };
function map(items, limit, fn) {
  return new Promise((resolve) => {
    let at = 0, through = 0;
    const next = async () => {
      if (at >= items.length) return;
      const item = await items[at++];
      (async () => { await fn(item); if (++through === items.length) resolve(); await next(); })();
    };
    (async () => { for (let i = 0; i < limit; i++) await next(); })();
  });
}
await map([0, 1, 2, 3, 4, 5, 6, 7, 8, 9], 3, (i) => work(i));`, { backend, as: 'a.mjs' });
    expect(groups).toMatchObject([{ kind: 'pool', taskCount: 10, peak: 3, taskSite: { function: 'work' } }]);
  });

  test('a pool that has a helper of its wait until one is through is one group, and to wait for the rest is none', async () => {
    const { groups } = await observe(`${SLEEP}const work = async (i) => { await sleep(12 + i * 7 % 20); };
class Pool {
  running = new Map(); tickets = 0;
  async free() { this.running.delete(await Promise.race(this.running.values())); }
  async run(fn) {
    while (this.running.size >= 3) await this.free();
    const ticket = this.tickets++;
    this.running.set(ticket, fn().then(() => ticket));
  }
  async drain() { while (this.running.size > 0) await this.free(); }
}
const pool = new Pool();
for (let i = 0; i < 10; i++) await pool.run(() => work(i));
await pool.drain();`, { backend, as: 'a.mjs' });
    expect(groups).toMatchObject([{ kind: 'pool', taskCount: 10, peak: 3, taskSite: { function: 'work' } }]);
  });

  test('a plain function whose chain ends in then(next) is lanes, and one that only tries again is none', async () => {
    const { groups } = await observe(`const load = (n) => new Promise((ok, no) => { setTimeout(n % 5 === 4 ? no : ok, 8 + n % 4 * 4); });
const queue = [...Array(16).keys()];
const next = () => (queue.length === 0 ? Promise.resolve() : load(queue.shift()).then(() => {}).catch(() => {}).then(next));
await Promise.all([next(), next(), next(), next()]);
await Promise.all([4, 9, 1, 2].map((n) => load(n).catch(() => load(n - 1))));`, { backend, as: 'a.mjs' });
    expect(groups).toMatchObject([{ kind: 'pool', taskCount: 16, fulfilled: 13, rejected: 3, peak: 4 }, { kind: 'all', taskCount: 4, fulfilled: 4 }]);
  });

  test('what is awaited line by line is no loop', async () => {
    const { groups } = await observe(`${SLEEP}async function dump(table) { await sleep(5); return table; }
async function main() { await dump('a'); await dump('b'); await dump('c'); await dump('d'); }
await main();`, { backend, as: 'a.mjs' });
    expect(groups).toEqual([]);
  });

  test('what a function has waited for before it runs some at once is none of these', async () => {
    const { groups } = await observe(`${SLEEP}const leaf = (i) => sleep(5 + i);
await sleep(5);
const open = new Set();
for (let i = 0; i < 6; i++) { const run = leaf(i).finally(() => open.delete(run)); open.add(run); if (open.size === 2) await Promise.race(open); }
await Promise.all(open);`, { backend, as: 'a.mjs' });
    expect(groups).toMatchObject([{ kind: 'pool', taskCount: 6, peak: 2 }]);
  });

  test('a helper that races is called for a race each time, and no chunks: these are tasks of the loop that calls it', async () => {
    const { groups } = await observe(`${SLEEP}async function ask(mirror, ms) { await sleep(ms); return mirror; }
async function fastest(times) { return await Promise.race(times.map((ms, i) => ask(i, ms))); }
for (const times of [[30, 10, 20], [15, 25, 5], [10, 30, 20]]) await fastest(times);`, { backend, as: 'a.mjs' });
    const loop = groups.filter(({ kind }) => kind === 'sequential');
    expect(loop).toMatchObject([{ taskCount: 3, peak: 1, taskSite: { function: 'fastest' } }]);
    expect(groups.filter((group) => group !== loop[0])).toMatchObject([1, 2, 3].map(() => ({ kind: 'race', taskCount: 3, site: { line: 3 }, parent: { group: loop[0]?.id } })));
  });

  test('the nodes of a graph wait for those that they need', async () => {
    const { groups, timeline } = await observe(`${SLEEP}const NEEDS = { install: [], lint: ['install'], types: ['install'], icons: [], bundle: ['types', 'icons'], zip: ['bundle', 'lint'] };
const started = new Map();
const step = async (target) => { await sleep(20 + 5 * target.length); };
function make(target) { if (!started.has(target)) started.set(target, build(target)); return started.get(target); }
async function build(target) { await Promise.all(NEEDS[target].map(make)); return step(target); }
await Promise.all(Object.keys(NEEDS).map(make));`, { backend, as: 'a.mjs' });
    expect(groups).toMatchObject([{ kind: 'all', taskCount: 6, fulfilled: 6, site: { line: 7 }, taskSite: { function: 'step' } }]);
    const waited = timeline.rowsOf(groups[0].id).map((row) => !Number.isNaN(timeline.tasks.queued[row]));
    expect(waited.filter((one) => one)).toHaveLength(4);
  });

  test.each([
    ['slots, of which a free one is had at once', 'const slots = { free: 2, line: [], take() { if (this.free > 0) { this.free--; return; } return new Promise((go) => this.line.push(go)); }, give() { if (this.line.length) this.line.shift()(); else this.free++; } };',
      'await slots.take(); try { return await step(target); } finally { slots.give(); }'],
    ['slots that an async function gives', 'const slots = { free: 2, line: [], async take() { if (this.free > 0) { this.free--; return; } await new Promise((go) => { this.line.push(go); }); }, give() { if (this.line.length) this.line.shift()(); else this.free++; } };',
      'await slots.take(); try { return await step(target); } finally { slots.give(); }'],
    ['a limiter', 'let active = 0; const line = []; const next = () => { while (active < 2 && line.length) { active++; const { job, ok, no } = line.shift(); job().then(ok, no).finally(() => { active--; next(); }); } }; const limit = (job) => new Promise((ok, no) => { line.push({ job, ok, no }); next(); });',
      'return limit(() => step(target));'],
  ])('the nodes of a graph wait for those that they need, and then for their turn: %s', async (_, slots, work) => {
    const { groups, timeline } = await observe(`${SLEEP}const NEEDS = { fonts: [], types: ['fonts'], icons: [], style: ['icons'], utils: ['types'], fetch: ['types', 'utils'], store: ['types', 'utils'], parts: ['style', 'utils'], pages: ['parts', 'store', 'fetch'], admin: ['parts', 'store'], texts: ['types'], words: [], bundle: ['pages', 'admin', 'words'] };
const names = Object.keys(NEEDS);
${slots}
async function step(target) { await sleep(20 + (names.indexOf(target) * 13) % 30); }
const made = {};
function build(target) { return (made[target] ??= (async () => { await Promise.all(NEEDS[target].map(build)); ${work} })()); }
await Promise.all(names.map(build));`, { backend, as: 'a.mjs' });
    expect(groups).toMatchObject([{ kind: 'pool', taskCount: 13, peak: 2, fulfilled: 13, site: { line: 8 }, taskSite: { function: 'step' } }]);
    const waited = timeline.rowsOf(groups[0].id).filter((row) => timeline.tasks.start[row] - timeline.tasks.queued[row] > 10);
    expect(waited.length).toBeGreaterThan(3);
  });

  test.each([[2, 4], [2, 3]])('workers that one of them hires join its pool, %i first and then %i', async (few, many) => {
    const { groups } = await observe(`${SLEEP}class Users {
  queue = [...Array(16).keys()]; alive = 0; done = 0;
  async user() {
    this.alive++;
    while (this.queue.length) { await hit(this.queue.shift()); this.answered(); }
    this.alive--;
  }
  answered() { if (++this.done === 5) this.grow(${many}); }
  grow(size) { while (this.alive < size) this.user(); }
}
async function hit(i) { await sleep(20 + (7 * i) % 11); }
new Users().grow(${few});`, { backend, as: 'a.mjs' });
    expect(groups).toMatchObject([{ kind: 'pool', taskCount: 16, lanes: many, peak: many, fulfilled: 16, taskSite: { function: 'hit' } }]);
  });

  test('workers that take from a channel by an async generator, which waits for it in a function of its own', async () => {
    const { groups } = await observe(`${SLEEP}async function load(i) { await sleep(10 + i); return i; }
class Channel {
  items = []; takers = []; closed = false;
  send(item) { const taker = this.takers.shift(); if (taker) taker(item); else this.items.push(item); }
  async recv() { return this.items.length > 0 ? this.items.shift() : this.closed ? undefined : new Promise((taker) => this.takers.push(taker)); }
  close() { this.closed = true; for (const taker of this.takers.splice(0)) taker(undefined); }
  async *range() { for (let item; (item = await this.recv()) !== undefined;) yield item; }
}
const go = (fn, ...args) => { fn(...args); };
const done = new Channel();
async function worker(jobs) { for await (const job of jobs.range()) { await load(job); done.send(job); } }
const jobs = new Channel();
for (let i = 0; i < 3; i++) go(worker, jobs);
for (let i = 1; i <= 9; i++) jobs.send(i);
jobs.close();
await sleep(150);`, { backend, as: 'a.mjs' });
    expect(groups).toMatchObject([{ kind: 'pool', taskCount: 9, peak: 3, lanes: 3, fulfilled: 9, taskSite: { line: 2, function: 'load' } }]);
  });

  test('an executor that comes when another one has gone home is a pool of its own, and to collect what they gave is no loop', async () => {
    const { groups } = await observe(`${SLEEP}const END = Symbol('end');
class Queue {
  items = []; takers = [];
  put(item) { const taker = this.takers.shift(); if (taker) taker(item); else this.items.push(item); }
  take() { return this.items.length > 0 ? Promise.resolve(this.items.shift()) : new Promise((taker) => this.takers.push(taker)); }
}
class Future {
  constructor() { this.done = new Promise((resolve, reject) => { this.complete = resolve; this.fail = reject; }); this.done.catch(() => {}); }
  async get() { try { return await this.done; } catch (error) { throw new Error('execution', { cause: error }); } }
}
class Executor {
  queue = new Queue(); threads = [];
  constructor(size) { for (let i = 0; i < size; i++) this.threads.push(this.work()); }
  async work() { for (;;) { const job = await this.queue.take(); if (job === END) return; try { job.future.complete(await job.call()); } catch (error) { job.future.fail(error); } } }
  submit(call) { const future = new Future(); this.queue.put({ call, future }); return future; }
  async shutdown() { for (const _ of this.threads) this.queue.put(END); await Promise.all(this.threads); }
}
async function render(i) { await sleep(15 + (i * 7) % 20); if (i === 4) throw new Error('no'); return i; }
async function mail(i) { await sleep(10 + i); return i; }
async function main() {
  const renderer = new Executor(3);
  const pages = [0, 1, 2, 3, 4, 5, 6, 7].map((i) => renderer.submit(() => render(i)));
  await sleep(150);
  for (const page of pages) { try { await page.get(); } catch {} }
  await renderer.shutdown();
  const mailer = new Executor(2);
  for (const letter of [0, 1, 2, 3, 4].map((i) => mailer.submit(() => mail(i)))) await letter.get();
  await mailer.shutdown();
}
await main();`, { backend, as: 'a.mjs' });
    expect(groups.map(({ kind, taskCount, peak, fulfilled, taskSite }) => [kind, taskCount, peak, fulfilled, taskSite?.function])).toEqual([['pool', 8, 3, 7, 'render'], ['pool', 5, 2, 5, 'mail']]);
  });

  test('a thousand workers that nobody waits for are one pool', async () => {
    const { groups } = await observe(`let left = 6000;
const job = () => new Promise(setImmediate);
async function worker() { while (left > 0) { left--; await job(); } }
for (let i = 0; i < 1000; i++) void worker();`, { backend, as: 'a.mjs' });
    expect(groups).toMatchObject([{ kind: 'pool', taskCount: 6000, fulfilled: 6000, lanes: 1000 }]);
  });

  test('a loop is drawn from where its calls begin to work, and keeps little of those that only handed something over', async () => {
    const { groups } = await observe(`${SLEEP}async function cached(i) { if (i >= 400) await sleep(5); return i; }
for (let i = 0; i < 405; i++) await cached(i);`, { backend, as: 'a.mjs' });
    expect(groups).toMatchObject([{ kind: 'sequential', pending: 0 }]);
    expect(groups[0].taskCount).toBeGreaterThanOrEqual(5);
    expect(groups[0].taskCount).toBeLessThan(100);
  });

  /** Semaphores as people write them, and how tasks use two of them. */
  const SEMAPHORES = {
    'use(task)': `class Slots { waiting = []; constructor(free) { this.free = free; }
  async use(task) { if (this.free > 0) this.free--; else await new Promise((r) => { this.waiting.push(r); });
    try { return await task(); } finally { const next = this.waiting.shift(); if (next) next(); else this.free++; } } }
const [net, db] = [new Slots(3), new Slots(2)];
async function item(i) { await net.use(() => load(i)); await db.use(() => save(i)); }`,
    'acquire() and release()': `class Slots { waiting = []; constructor(free) { this.free = free; }
  acquire() { return this.free > 0 ? (this.free--, Promise.resolve()) : new Promise((r) => { this.waiting.push(r); }); }
  release() { const next = this.waiting.shift(); if (next) next(); else this.free++; } }
const [net, db] = [new Slots(3), new Slots(2)];
async function item(i) { await net.acquire(); try { await load(i); } finally { net.release(); } await db.acquire(); try { await save(i); } finally { db.release(); } }`,
    'acquire().then(task).finally(release)': `class Slots { waiting = []; constructor(free) { this.free = free; }
  acquire() { return this.free > 0 ? (this.free--, Promise.resolve()) : new Promise((r) => { this.waiting.push(r); }); }
  release() { const next = this.waiting.shift(); if (next) next(); else this.free++; }
  run(task) { return this.acquire().then(task).finally(() => this.release()); } }
const [net, db] = [new Slots(3), new Slots(2)];
async function item(i) { await net.run(() => load(i)); await db.run(() => save(i)); }`,
  };

  test.each(Object.entries(SEMAPHORES))('two semaphores inside of tasks are a pool each: %s', async (_name, program) => {
    const { groups, timeline } = await observe(`${SLEEP}async function load(i) { await sleep(20 + 2 * i); }
async function save(i) { await sleep(25 + i); }
${program}
await Promise.all([...Array(8).keys()].map(item));`, { backend, as: 'a.mjs' });
    expect(groups.map(({ kind, taskCount, peak, parent, taskSite }) => ({ kind, taskCount, peak, parent, of: taskSite?.function }))).toEqual([
      { kind: 'all', taskCount: 8, peak: 8, parent: undefined, of: 'item' },
      { kind: 'pool', taskCount: 8, peak: 3, parent: undefined, of: 'load' },
      { kind: 'pool', taskCount: 8, peak: 2, parent: undefined, of: 'save' },
    ]);
    const waited = groups.slice(1).map(({ id }) => timeline.rowsOf(id).filter((row) => !Number.isNaN(timeline.tasks.queued[row])).length);
    expect(waited[0]).toBe(5);
    expect(waited[1]).toBeGreaterThan(3);
  });

  test('a task that does nothing but what it does behind a limiter is drawn once', async () => {
    const { groups } = await observe(`${SLEEP}let free = 2;
const waiting = [];
async function use(task) { if (free > 0) free--; else await new Promise((r) => { waiting.push(r); });
  try { return await task(); } finally { const next = waiting.shift(); if (next) next(); else free++; } }
const out = [];
await Promise.all([...Array(6).keys()].map(async (i) => { out.push(await use(() => sleep(20 + 3 * i))); }));`, { backend, as: 'a.mjs' });
    expect(groups).toMatchObject([{ kind: 'pool', taskCount: 6, peak: 2, combinator: 'all' }]);
  });

  test('a closure that gives a promise for each job is a pool of its own inside of tasks, and all there is where they do nothing else', async () => {
    const limiter = `${SLEEP}async function load(i) { await sleep(20 + 3 * i); }
let active = 0;
const queue = [];
const next = () => {
  if (active >= 2 || queue.length === 0) return;
  active++;
  const { job, resolve } = queue.shift();
  job().then(resolve).finally(() => { active--; next(); });
};
const limit = (job) => new Promise((resolve) => { queue.push({ job, resolve }); next(); });
const out = [];
`;
    const drawn = async (task: string): Promise<unknown> => {
      const { groups } = await observe(`${limiter}await Promise.all([...Array(7).keys()].map(async (i) => { ${task} }));\nawait sleep(5);`, { backend, as: 'a.mjs' });
      return groups.map(({ kind, taskCount, peak, lanes }) => ({ kind, taskCount, peak, lanes }));
    };
    const pool = { kind: 'pool', taskCount: 7, peak: 2, lanes: 2 };
    expect(await drawn('out.push(await limit(() => load(i)));')).toEqual([pool]);
    expect(await drawn('await sleep(5 + i); await limit(() => load(i)); await sleep(5);')).toEqual([{ kind: 'all', taskCount: 7, peak: 7, lanes: 7 }, pool]);
  });

  test('queries that a batch sends at once are drawn though each has a reaction of its own', async () => {
    const { groups } = await observe(`${SLEEP}async function query(keys) { await sleep(20 + keys[0]); return keys; }
let waiting = [];
const load = (key) => new Promise((resolve) => { if (waiting.push({ key, resolve }) === 1) setTimeout(send, 5); });
function send() {
  while (waiting.length > 0) {
    const part = waiting.splice(0, 3);
    query(part.map(({ key }) => key)).then((rows) => part.forEach(({ resolve }, i) => resolve(rows[i])));
  }
}
for (let i = 0; i < 9; i++) load(i);`, { backend, as: 'a.mjs' });
    expect(groups).toMatchObject([{ kind: 'all', taskCount: 3, peak: 3, taskSite: { function: 'query' } }]);
  });

  test('a batch filled one by one is one chunk loop with what is left behind it, and two lines of batches are two groups', async () => {
    const { groups } = await observe(`${SLEEP}const work = async (i) => { await sleep(10 + i); };
const load = (i) => work(i).then(() => i);
let batch = [];
for (let i = 0; i < 8; i++) { batch.push(load(i)); if (batch.length === 3) { await Promise.all(batch); batch = []; } }
await Promise.all(batch);
await Promise.all([1, 2, 3].map(load));
await Promise.all([4, 5, 6].map(load));`, { backend, as: 'a.mjs' });
    expect(groups.map(({ kind, taskCount, chunks, site }) => `${kind} ${taskCount} ${chunks ?? 0} ${site?.line}`)).toEqual(['chunk 8 3 5', 'all 3 0 7', 'all 3 0 8']);
  });

  test.each([['await sleep(8);', ''], ['', 'await sleep(8);']])('each level of a tree that is walked one by one is a loop of its own (%j, %j)', async (first, last) => {
    const { groups } = await observe(`${SLEEP}async function walk(kids) { ${first} for (const kid of kids) await walk(kid); ${last} }
await walk([[[], [], []], [], [[]], []]);`, { backend, as: 'a.mjs' });
    expect(groups.map(({ kind, taskCount, peak, parent }) => `${kind} ${taskCount} ${peak} ${parent ? 'inside' : 'outermost'}`).sort()).toEqual(['sequential 3 1 inside', 'sequential 4 1 outermost']);
  });

  test.each(Object.entries(OUTSIDE))('%s come from outside, and are no group', async (_name, program) => {
    expect((await observe(program, { backend, as: 'a.mjs' })).groups).toEqual([]);
  });

  test.each([
    ['a Writable with async functions', `const { flush, held } = batches();
await pipeline(numbers, new Writable({ objectMode: true, async write(doc, _, done) { held.push(doc); if (held.length === 3) await flush(); done(); }, async final(done) { await flush(); done(); } }));`],
    ['a Transform with callbacks', `let held = [];
await pipeline(numbers, new Transform({ objectMode: true,
  transform(doc, _, done) { held.push(doc); if (held.length < 3) return done(); const docs = held; held = []; Promise.all(docs.map(insert)).then(() => done(), done); },
  flush(done) { Promise.all(held.map(insert)).then(() => done(), done); } }));`],
    ['a TransformStream', `const { flush, held } = batches();
await ReadableStream.from(numbers).pipeThrough(new TransformStream({ async transform(doc) { held.push(doc); if (held.length === 3) await flush(); }, async flush() { await flush(); } })).pipeTo(new WritableStream());`],
  ])('batches that a stream holds back and hands on together are one chunk loop, the rest at its end too: %s', async (_, source) => {
    const { groups } = await observe(`import { Readable, Transform, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
const insert = async (doc) => { await new Promise((r) => setTimeout(r, 5 + doc)); };
const batches = () => { const held = []; return { held, flush: async () => { const docs = held.splice(0); await Promise.all(docs.map(insert)); } }; };
const numbers = Readable.from([...Array(10).keys()]);
${source}`);
    expect(groups).toMatchObject([{ kind: 'chunk', combinator: 'all', taskCount: 10, chunks: 4, lanes: 3, taskSite: { function: 'insert' } }]);
  });

  test('a writer that flushes what it was given is one chunk loop, whoever asks it to', async () => {
    const { groups } = await observe(`${SLEEP}class Writer {
  buffer = [];
  async add(doc) { this.buffer.push(doc); if (this.buffer.length >= 3) await this.flush(); }
  async flush() { const docs = this.buffer.splice(0); if (docs.length > 0) await Promise.all(docs.map((doc) => write(doc))); }
  close() { return this.flush(); }
}
async function write(n) { await sleep(8 + n); }
const writer = new Writer();
for (let n = 0; n < 8; n++) await writer.add(n);
await writer.close();`, { backend, as: 'a.mjs' });
    expect(groups).toMatchObject([{ kind: 'chunk', taskCount: 8, chunks: 3, taskSite: { function: 'write' } }]);
  });

  test('what an interval takes, batch after batch, is one chunk loop, though it comes while one is at work', async () => {
    const { groups } = await observe(`${SLEEP}const jobs = [1, 2, 3, 4, 5, 6, 7]; let busy = false;
async function handle(n) { await sleep(15 + n); }
async function tick() {
  if (busy || jobs.length === 0) return;
  busy = true;
  await Promise.all(jobs.splice(0, 3).map((n) => handle(n)));
  busy = false;
}
const interval = setInterval(() => tick(), 5);
await sleep(150);
clearInterval(interval);`, { backend, as: 'a.mjs' });
    expect(groups).toMatchObject([{ kind: 'chunk', taskCount: 7, chunks: 3, taskSite: { function: 'handle' } }]);
  });

  test('races in a loop are a race each, also where those that lost go on', async () => {
    const { groups } = await observe(`${SLEEP}async function ask(ms) { await sleep(ms); return ms; }
for (const round of [0, 1, 2]) await Promise.race([ask(12 + round), ask(30), ask(45)]);`, { backend, as: 'a.mjs' });
    expect(groups).toMatchObject([0, 1, 2].map(() => ({ kind: 'race', taskCount: 3 })));
  });

  test('a pump that an interval drives is a pool, and a list gone through at each tick one chunk a tick', async () => {
    const { groups } = await observe(`${SLEEP}const queue = [...Array(9).keys()];
let active = 0;
const run = async (i) => { await sleep(20 + 3 * i); };
const pump = setInterval(() => { while (active < 3 && queue.length) { active++; run(queue.shift()).finally(() => { active--; }); } if (!queue.length) clearInterval(pump); }, 5);
let ticks = 0;
const check = setInterval(() => { [1, 2, 3].forEach(async (i) => { await sleep(i); }); if (++ticks === 3) clearInterval(check); }, 60);`, { backend, as: 'a.mjs' });
    expect(groups.map(({ kind, taskCount, peak, chunks, site }) => `${kind} ${taskCount} ${peak} ${chunks ?? 0} ${site?.line}`)).toEqual(['pool 9 3 0 5', 'chunk 9 3 3 7']);
  });
});

test('a bounded channel between stages makes who puts something in wait, and that is no work', async () => {
  const { groups } = await observe(`const sleep = (ms) => new Promise((r) => setTimeout(r, ms));
class Channel {
  constructor(size) { this.size = size; this.items = []; this.takers = []; this.putters = []; }
  async put(item) {
    const taker = this.takers.shift(); if (taker) { taker(item); return; }
    if (this.items.length >= this.size) await new Promise((go) => this.putters.push(go));
    this.items.push(item); if (this.takers.length) this.takers.shift()(this.items.shift());
  }
  take() { if (this.items.length) { const item = this.items.shift(); this.putters.shift()?.(); return Promise.resolve(item); } return new Promise((got) => this.takers.push(got)); }
}
const download = async (i) => { await sleep(8 + i % 3); return i; }, store = async (i) => { await sleep(10 + i % 4); };
const sources = new Channel(2), pages = new Channel(2);
const feed = async () => { for (let i = 0; i < 12; i++) await sources.put(i); };
async function crew(size, from, work, to) {
  let left = 12;
  const worker = async () => { while (left-- > 0) { const got = await work(await from.take()); if (to) await to.put(got); } };
  await Promise.all(Array.from({ length: size }, worker));
}
feed(); (async () => { await Promise.all([crew(2, sources, download, pages), crew(3, pages, store)]); })();`);
  expect(groups.map(({ kind, taskCount, lanes, taskSite }) => ({ kind, taskCount, lanes, line: taskSite?.line }))).toEqual([
    { kind: 'all', taskCount: 2, lanes: 2, line: 14 }, { kind: 'pool', taskCount: 12, lanes: 2, line: 11 }, { kind: 'pool', taskCount: 12, lanes: 3, line: 11 },
  ]);
});

test('who need not wait begins where its own work does, behind what the others wait for', async () => {
  const { groups, timeline } = await observe(`const sleep = (ms) => new Promise((r) => setTimeout(r, ms)), spin = (ms) => { const end = Date.now() + ms; while (Date.now() < end); };
let free = 2; const line = [], began = [];
const acquire = () => { if (free > 0) { free--; return Promise.resolve(); } return new Promise((go) => line.push(go)); };
const release = () => { const next = line.shift(); if (next) next(); else free++; };
const check = (i) => { began.push(performance.now()); return sleep(20 + i); };
const limited = async (i) => { await acquire(); try { return await check(i); } finally { release(); } };
(async () => { await Promise.all([0, 1, 2, 3, 4].map((i) => { spin(4); return limited(i); })); console.log(JSON.stringify(began)); })();`);
  expect(groups).toMatchObject([{ kind: 'pool', taskCount: 5, peak: 2 }]);
  expect(timeline.rowsOf(groups[0].id).filter((row) => !(timeline.tasks.queued[row] > 0))).toHaveLength(2);
  // All five are called before the first of them goes on.
  const starts = timeline.rowsOf(groups[0].id).map((row) => timeline.tasks.start[row]).sort((a, b) => a - b);
  expect(starts[1] - starts[0]).toBeLessThan(3);
});
