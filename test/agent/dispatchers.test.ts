/** Jobs of several functions that one place begins: when they are one pool, and when each function has slots of its own. */
import { describe, expect, test } from 'vitest';
import { observe } from './observed';

const SLEEP = 'const sleep = (ms) => new Promise((r) => setTimeout(r, ms));\n';

describe.each(['v8', 'async_hooks'] as const)('jobs of several functions, %s', (backend) => {
  test('jobs of several functions that one place of a scheduler begins are one pool', async () => {
    const { groups } = await observe(`${SLEEP}const jobs = []; let running = 0;
const rebuild = (n) => async () => { await sleep(18 + n % 3 * 6); };
const expire = (n) => async () => { await sleep(14 + n % 2 * 8); };
for (let n = 0; n < 7; n++) jobs.push(rebuild(n), expire(n));
jobs.unshift(rebuild(9), rebuild(10), rebuild(11));
await new Promise((idle) => {
  const tick = () => {
    while (running < 3 && jobs.length > 0) { running++; jobs.shift()().then(() => { running--; }); }
    if (running === 0) { clearInterval(timer); idle(); }
  };
  const timer = setInterval(tick, 7);
});`, { backend, as: 'a.mjs' });
    expect(groups).toMatchObject([{ kind: 'pool', taskCount: 17, peak: 3, site: { function: 'tick' } }]);
  });

  test('an async function and a plain one that makes a promise', async () => {
    const { groups } = await observe(`${SLEEP}const pending = []; let active = 0, scheduled = false, over;
const handlers = { publish: async (n) => { await sleep(30 + n * 7); }, sign: (n) => new Promise((r) => { setTimeout(r, 15 + n * 5); }) };
const schedule = () => { if (scheduled) return; scheduled = true; process.nextTick(() => { scheduled = false; drain(); }); };
function drain() {
  while (active < 4 && pending.length > 0) { const { kind, n } = pending.shift(); active++; handlers[kind](n).then(() => { active--; schedule(); }); }
  if (active === 0) over();
}
for (let n = 0; n < 6; n++) { pending.push({ kind: 'publish', n }, { kind: 'sign', n }); schedule(); }
await new Promise((end) => { over = end; });`, { backend, as: 'a.mjs' });
    expect(groups).toMatchObject([{ kind: 'pool', taskCount: 12, peak: 4, site: { function: 'drain' } }]);
  });

  test('a scheduler that begins several jobs in one go, and others as these end', async () => {
    const { groups } = await observe(`${SLEEP}const ready = []; let running = 0, left = 12, over;
const ping = async (n) => { await sleep(14 + n); }, sync = async (n) => { await sleep(18 + n); }, clean = async (n) => { await sleep(11 + n); }, mail = async (n) => { await sleep(16 + n); };
function dispatch() {
  while (running < 3 && ready.length > 0) {
    const { job, n } = ready.shift(); running++;
    job(n).then(() => { running--; dispatch(); if (--left === 0) over(); });
  }
}
setTimeout(() => { for (const n of [0, 1, 2]) for (const job of [ping, sync, clean, mail]) { ready.push({ job, n }); dispatch(); } }, 5);
await new Promise((end) => { over = end; });`, { backend, as: 'a.mjs' });
    expect(groups).toMatchObject([{ kind: 'pool', taskCount: 12, peak: 3, site: { function: 'dispatch' } }]);
  });

  test('a queue whose jobs came from several places, each of which begins the next one', async () => {
    const { groups } = await observe(`${SLEEP}const handlers = { mail: async (n) => { await sleep(15 + n); if (n === 4) throw new Error('bounced'); }, invoice: async (n) => { await sleep(22 + 2 * n); } };
class Queue {
  waiting = []; running = 0;
  add(job) { this.waiting.push(job); this.pump(); }
  pump() { while (this.running < 3 && this.waiting.length > 0) { this.running++; this.run(this.waiting.shift()); } }
  async run({ kind, n }) {
    try { await handlers[kind](n); } catch { /* it is counted elsewhere */ }
    this.running--;
    this.pump();
  }
}
const queue = new Queue();
for (let n = 0; n < 6; n++) {
  queue.add({ kind: 'mail', n });
  queue.add({ kind: 'invoice', n });
}`, { backend, as: 'a.mjs' });
    expect(groups).toMatchObject([{ kind: 'pool', taskCount: 12, peak: 3, fulfilled: 11, rejected: 1, site: { function: 'run' } }]);
  });

  test('the steps of each of several orders, one after the other, three orders at once', async () => {
    const { groups } = await observe(`${SLEEP}const place = async (n) => { await sleep(15 + n); }, pay = async (n) => { await sleep(20 + n); }, ship = async (n) => { await sleep(12 + n); };
const line = [1, 2, 3, 4, 5].map((n) => ({ n, steps: [place, pay, ship] })); let running = 0;
function turn() { while (running < 3 && line.length > 0) step(line.shift()); }
async function step(order) {
  running++;
  await order.steps.shift()(order.n);
  running--;
  if (order.steps.length > 0) line.push(order);
  turn();
}
turn();`, { backend, as: 'a.mjs' });
    expect(groups).toMatchObject([{ kind: 'pool', taskCount: 15, peak: 3, site: { function: 'step' } }]);
  });

  test('jobs of two kinds, each kind with a limit of its own, which the end of any job begins', async () => {
    const { groups } = await observe(`${SLEEP}const ready = { load: [], build: [] }, limits = { load: 3, build: 2 }, running = { load: 0, build: 0 };
const load = (n) => async () => { await sleep(18 + 3 * n); }, build = (n) => async () => { await sleep(30 + n); };
const begin = (entry) => {
  running[entry.kind]++;
  entry.work().then(() => { running[entry.kind]--; if (entry.next) ready.build.push(entry.next); dispatch(); });
};
const dispatch = () => { for (const kind of ['load', 'build']) while (running[kind] < limits[kind] && ready[kind].length > 0) begin(ready[kind].shift()); };
for (let n = 0; n < 7; n++) ready.load.push({ kind: 'load', work: load(n), next: { kind: 'build', work: build(n) } });
dispatch();`, { backend, as: 'a.mjs' });
    expect(groups).toMatchObject([{ kind: 'pool', taskCount: 7, peak: 3 }, { kind: 'pool', taskCount: 7, peak: 2 }]);
  });

  test('two queues of one class, each with jobs of its own, stay two', async () => {
    const { groups } = await observe(`${SLEEP}class Queue {
  waiting = []; running = 0;
  constructor(limit) { this.limit = limit; }
  add(job) { this.waiting.push(job); this.pump(); }
  pump() { while (this.running < this.limit && this.waiting.length > 0) { this.running++; this.run(this.waiting.shift()); } }
  async run(job) { await job(); this.running--; this.pump(); }
}
const reads = new Queue(3), writes = new Queue(2);
const read = (n) => async () => { await sleep(15 + 2 * n); }, write = (n) => async () => { await sleep(25 + n); };
for (let n = 0; n < 7; n++) { reads.add(read(n)); writes.add(write(n)); }`, { backend, as: 'a.mjs' });
    expect(groups).toMatchObject([{ kind: 'pool', taskCount: 7, peak: 3 }, { kind: 'pool', taskCount: 7, peak: 2 }]);
  });

  test('what a task hands to those who run it is beside it, and not inside, from the first one on', async () => {
    const { groups } = await observe(`${SLEEP}const links = { a: ['b', 'c', 'd'], b: ['e', 'f'], c: ['g'] };
const waiting = []; let active = 0;
function spawn(job, ...args) { waiting.push(() => job(...args)); pump(); }
function pump() { while (active < 3 && waiting.length > 0) { active++; child(waiting.shift()); } }
async function child(begin) { try { await begin(); } finally { active--; pump(); } }
async function visit(page) {
  await sleep(20 + page.charCodeAt(0) % 7);
  for (const link of links[page] ?? []) spawn(visit, link);
}
spawn(visit, 'a');`, { backend, as: 'a.mjs' });
    expect(groups).toMatchObject([{ kind: 'pool', taskCount: 7, peak: 3, site: { function: 'child' }, taskSite: { function: 'visit' } }]);
  });
});
