/** Workers: functions that loop, and the turns that these take. */
import { describe, expect, test } from 'vitest';
import { IGNORED } from '../../src/model/timeline';
import { observe } from './observed';

const SLEEP = 'const sleep = (ms) => new Promise((r) => setTimeout(r, ms));\n';

describe.each(['v8', 'async_hooks'] as const)('workers, %s', (backend) => {
  test('what a worker makes itself, and no function for it, is its turn', async () => {
    const { groups } = await observe(`const queue = [30, 50, 15, 40, 20, 35];
const worker = async () => { while (queue.length > 0) { const ms = queue.shift(); await new Promise((r) => setTimeout(r, ms)); } };
await Promise.all([worker(), worker(), worker()]);`, { backend, as: 'a.mjs' });
    expect(groups).toMatchObject([{ kind: 'pool', taskCount: 6, lanes: 3, peak: 3, site: { line: 3 } }]);
  });

  test('what a worker waits for before each turn, as a rate gate that is open at times, is no part of the turn before', async () => {
    const { groups: [pool], timeline } = await observe(`${SLEEP}let free = 0;
const gate = { async pass() { const now = performance.now(), at = Math.max(now, free); free = at + 25; if (at > now) await sleep(at - now); } };
const queue = [...Array(10).keys()];
async function deliver(i) { await sleep(30 + i % 3 * 4); }
async function courier() { for (let i; (i = queue.shift()) !== undefined;) { await gate.pass(); try { await deliver(i); } catch {} } }
await Promise.all([courier(), courier(), courier()]);`, { backend, as: 'a.mjs' });
    expect(pool).toMatchObject({ kind: 'pool', taskCount: 10, lanes: 3, taskSite: { function: 'deliver' } });
    // A turn with the gate behind it would take 75 ms.
    for (const row of timeline.rowsOf(pool.id)) expect(timeline.tasks.end[row] - timeline.tasks.start[row]).toBeLessThan(60);
  });

  test('a function without a name that workers were handed is the task, be it one that only waits', async () => {
    for (const job of ['(ms) => new Promise((r) => setTimeout(r, ms))', '(ms) => sleep(ms)', 'async (ms) => { await sleep(ms); }']) {
      const { groups } = await observe(`${SLEEP}const pool = (items, fn) => Promise.all([1, 2].map(async () => { while (items.length > 0) await fn(items.shift()); }));
await pool([30, 15, 25, 20, 35],
  ${job});`, { backend, as: 'a.mjs' });
      expect(groups).toMatchObject([{ kind: 'pool', taskCount: 5, lanes: 2, taskSite: { line: 4 } }]);
    }
  });

  test('rounds of workers, of which the first has too little to do for a second turn, are a pool each', async () => {
    const { groups } = await observe(`${SLEEP}const links = { a: 'defg', d: 'hijklmn' };
const visit = async (page) => { await sleep(10 + page.charCodeAt(0) * 7 % 30); return [...links[page] ?? '']; };
async function level(pages) {
  const found = [], left = pages.values();
  const runner = async () => { for (const page of left) found.push(...await visit(page)); };
  await Promise.all([runner(), runner(), runner()]);
  return found;
}
for (let pages = [...'abc']; pages.length > 0;) pages = await level(pages);`, { backend, as: 'a.mjs' });
    expect(groups.filter(({ kind }) => kind === 'pool')).toMatchObject([3, 4, 7].map((taskCount) => ({ kind: 'pool', taskCount, lanes: 3, declared: 3, peak: 3, site: { line: 7 }, taskSite: { line: 3, function: 'visit' } })));
  });

  test('chunks stay chunks where tasks of one take several steps', async () => {
    const { groups: [chunk] } = await observe(`${SLEEP}const files = [1, 1, 1, 2, 1, 1, 1, 1, 1, 2, 2, 2];
const upload = async (mb, i) => { for (let sent = 0; sent < mb; sent++) await new Promise((r) => setTimeout(r, 15 + i)); };
for (let i = 0; i < 12; i += 3) await Promise.all(files.slice(i, i + 3).map(upload));`, { backend, as: 'a.mjs' });
    expect(chunk).toMatchObject({ kind: 'chunk', taskCount: 12, chunks: 4, taskSite: { function: 'upload' } });
  });

  test('chunks stay chunks where tasks of one go on to further pages', async () => {
    const { groups } = await observe(`${SLEEP}const pages = [1, 1, 1, 2, 3, 1, 1, 1, 1];
const page = async (item, n) => { await sleep(10 + (item + n) * 7 % 15); };
async function load(item) { for (let n = 0; n < pages[item]; n++) await page(item, n); }
for (let i = 0; i < 9; i += 3) await Promise.all([load(i), load(i + 1), load(i + 2)]);`, { backend, as: 'a.mjs' });
    expect(groups[0]).toMatchObject({ kind: 'chunk', taskCount: 9, chunks: 3, taskSite: { function: 'load' } });
  });

  test('where a worker only rests by a timer of its own, its turns are its work', async () => {
    const { groups } = await observe(`${SLEEP}const queue = [1, 2, 3, 4, 5, 6];
const save = async (n) => { await sleep(10 + n); };
const worker = async () => { while (queue.length > 0) { const n = queue.shift(); await new Promise((r) => setTimeout(r, 4)); await save(n); } };
await Promise.all([worker(), worker()]);`, { backend, as: 'a.mjs' });
    expect(groups).toMatchObject([{ kind: 'pool', taskCount: 6, lanes: 2, taskSite: { line: 3 } }]);
  });

  test.for(['shift(who).then(() => { if (--left === 0) close(); });', 'shift(who).finally(() => { left--; });', 'shift(who).catch(console.error);', 'crew.push(shift(who));'])('workers that no combinator waits for, but who began them is told of their ends: %s', async (hire) => {
    const { groups } = await observe(`${SLEEP}const parcels = [...Array(16).keys()];
async function sort(parcel) { await sleep(10 + parcel * 7 % 25); }
async function shift(who) { for (;;) { const parcel = parcels.shift(); if (parcel === undefined) return; await sort(parcel, who); } }
let left = 4, close; const closed = new Promise((resolve) => { close = resolve; }); const crew = [];
for (const who of 'abcd') { ${hire} }
for (const one of crew) await one;
if (left === 0) await closed;`, { backend, as: 'a.mjs' });
    expect(groups).toMatchObject([{ kind: 'pool', taskCount: 16, peak: 4, taskSite: { function: 'sort' } }]);
  });

  test('jobs that begin with a loop are the turns of those who call for one after the other, however often they fail', async () => {
    const { groups } = await observe(`${SLEEP}const jobs = [1, 2, 3, 4, 5, 6, 7];
const page = async (n) => { await sleep(4 + n % 3); };
async function load(job) { for (let n = 0; n < 3; n++) await page(job + n); if (job === 4) throw new Error('no'); }
const worker = async () => { while (jobs.length > 0) await load(jobs.shift()).catch(() => {}); };
await Promise.all([worker(), worker()]);`, { backend, as: 'a.mjs' });
    expect(groups.filter(({ parent }) => !parent)).toMatchObject([{ kind: 'pool', taskCount: 7, peak: 2, rejected: 1, taskSite: { function: 'load' } }]);
    expect(groups.filter(({ parent }) => parent)).toMatchObject(Array.from({ length: 7 }, () => ({ kind: 'sequential', taskCount: 3, taskSite: { function: 'page' } })));
  });

  const HIRED = `${SLEEP}const ms = (n) => 20 + n * 37 % 45, sort = async (n) => { await sleep(ms(n)); };
const list = []; let working = 0, max = 3;
function push(n) { list.push(n); if (working < max) { working++; work(); } }
async function work() { for (let n = list.shift(); n !== undefined; n = list.shift()) await sort(n); working--; }
`;
  test('workers that are hired as work comes, and go home as it runs out, on the rails of those who went home before', async () => {
    const { groups } = await observe(`${HIRED}for (let n = 0; n < 12; n++) { push(n); await sleep(7); }
await sleep(300);
for (let n = 0; n < 10; n++) { push(n); await sleep(5); }`, { backend, as: 'a.mjs' });
    expect(groups).toMatchObject([{ kind: 'pool', taskCount: 22, peak: 3, lanes: 3, site: { function: 'push' }, taskSite: { function: 'sort' } }]);
  });

  test('two workers that are hired as work comes', async () => {
    // An odd number: where each had as many, on a busy machine, it might be work of their own.
    const { groups } = await observe(`${HIRED}max = 2;
for (let n = 0; n < 11; n++) setTimeout(push, n * 9, n);`, { backend, as: 'a.mjs' });
    expect(groups).toMatchObject([{ kind: 'pool', taskCount: 11, peak: 2 }]);
  });

  test('workers that leave where no work came for a while, and are called again', async () => {
    const { groups } = await observe(`${SLEEP}const backlog = [], idle = []; let size = 0, closing;
const deliver = async (n) => { await sleep(25 + n * 37 % 40); };
function push(n) { const waiter = idle.shift(); if (waiter) return waiter(n); backlog.push(n); if (size < 3) hire(); }
function hire() { size++; work(); }
async function work() { for (let n; (n = backlog.shift() ?? (await next())) !== undefined;) await deliver(n); if (closing && size === 0) closing(); }
function next() {
  if (closing) { size--; return undefined; }
  return new Promise((resolve) => {
    const waiter = (n) => { clearTimeout(timer); if (n === undefined) size--; resolve(n); };
    const timer = setTimeout(() => { if (size > 1) { idle.splice(idle.indexOf(waiter), 1); waiter(); } }, 40);
    idle.push(waiter);
  });
}
let n = 0;
for (const [count, pause] of [[6, 60], [2, 180], [6, 30]]) { for (let k = 0; k < count; k++) push(n++); await sleep(pause); }
await new Promise((resolve) => { closing = resolve; for (const waiter of idle.splice(0)) waiter(); });`, { backend, as: 'a.mjs' });
    expect(groups).toMatchObject([{ kind: 'pool', taskCount: 14, peak: 3, lanes: 3, taskSite: { function: 'deliver' } }]);
  });

  test('workers of which each that fails is replaced', async () => {
    const { groups } = await observe(`${SLEEP}const files = [...Array(13).keys()]; let staff = 0, over;
async function load(n) { await sleep(25 + n * 37 % 45); if (n === 2 || n === 6 || n === 7) throw new Error('broken'); }
async function work() { while (files.length > 0) await load(files.shift()); }
function hire() { staff++; work().then(leave, () => { if (files.length > 0) hire(); leave(); }); }
function leave() { if (--staff === 0) over(); }
await new Promise((resolve) => { over = resolve; for (let n = 0; n < 3; n++) hire(); });`, { backend, as: 'a.mjs' });
    expect(groups).toMatchObject([{ kind: 'pool', taskCount: 13, peak: 3, rejected: 3, taskSite: { function: 'load' } }]);
  });

  test('functions that a plain one begins, each with a loop over its own: as one is through, others go on', async () => {
    const { groups } = await observe(`${SLEEP}const sort = async (n) => { await sleep(20 + n * 37 % 45); };
async function handle(list) { for (const n of list) await sort(n); }
function submit(list) { handle(list); }
for (let n = 0; n < 4; n++) { submit([n, n + 1, n + 2, n + 3].slice(0, 3 + n % 2)); await sleep(25); }`, { backend, as: 'a.mjs' });
    expect(groups.map(({ kind, taskCount }) => [kind, taskCount])).toEqual([['sequential', 3], ['sequential', 4], ['sequential', 3], ['sequential', 4]]);
  });

  test('lanes that are hired in the midst of others, as long as answers are good: each has the tasks that it called', async () => {
    const { groups } = await observe(`${SLEEP}const todo = [...Array(24).keys()]; let lanes = 0, target = 2, streak = 0, finish;
async function refresh(id) { await sleep(12 + id * 7 % 20); if (id === 13) throw new Error('429'); return id; }
async function lane() {
  while (todo.length > 0 && lanes <= target) {
    try { await refresh(todo.shift()); if (++streak >= target && target < 5) { streak = 0; target++; spawn(); } } catch { target = 3; }
  }
  if (--lanes === 0) finish();
}
function spawn() { while (lanes < target && todo.length > 0) { lanes++; lane().catch(console.error); } }
await new Promise((resolve) => { finish = resolve; spawn(); });`, { backend, as: 'a.mjs' });
    expect(groups).toMatchObject([{ kind: 'pool', taskCount: 24, peak: 5, rejected: 1, taskSite: { function: 'refresh' } }]);
  });

  test('a loop that asks for messages and works on them elsewhere is no loop of asking', async () => {
    const { groups } = await observe(`${SLEEP}const inbox = [1, 2, 3, 4, 5, 6, 7];
const receive = async () => { await sleep(2); return inbox.shift(); };
const handle = async (n) => { await sleep(15 + n); };
const active = new Set();
(async () => {
  for (let n; (n = await receive()) !== undefined;) {
    const run = handle(n).finally(() => active.delete(run));
    active.add(run);
    if (active.size >= 3) await Promise.race(active);
  }
  await Promise.all(active);
})();`, { backend, as: 'a.mjs' });
    expect(groups).toMatchObject([{ kind: 'pool', taskCount: 7, peak: 3, taskSite: { line: 4 } }]);
  });

  test('waves that each wait for all of theirs, with other work in between, are a pool each', async () => {
    const { groups } = await observe(`${SLEEP}const work = async (n) => { await sleep(10 + n * 3); };
const merge = async () => { await sleep(8); };
(async () => {
  for (const wave of [[1, 2, 3, 4], [5, 1, 4], [2, 3, 1, 4]]) {
    const queue = [...wave], open = new Set();
    while (queue.length > 0 || open.size > 0) {
      while (queue.length > 0 && open.size < 2) { const run = work(queue.shift()).finally(() => open.delete(run)); open.add(run); }
      if (open.size > 0) await Promise.race(open);
    }
    await merge();
  }
})();`, { backend, as: 'a.mjs' });
    expect(groups.filter(({ kind }) => kind === 'pool').map(({ taskCount, peak }) => [taskCount, peak])).toEqual([[4, 2], [3, 2], [4, 2]]);
  });

  test('what is left of a race, raced again and again, is waited for: nothing of it is ignored', async () => {
    const { groups, timeline } = await observe(`${SLEEP}const work = async (n) => { await sleep(10 + n * 5); return n; };
const main = async () => {
  const open = new Map([0, 1, 2, 3].map((n) => [n, work(n)]));
  while (open.size > 0) open.delete(await Promise.race(open.values()));
};
await main();`, { backend, as: 'a.mjs' });
    expect(groups).toMatchObject([{ kind: 'all', taskCount: 4, fulfilled: 4 }]);
    expect(timeline.rowsOf(groups[0].id).filter((row) => (timeline.tasks.state[row] & IGNORED) !== 0)).toEqual([]);
  });

  test('workers that go home and are called again with the next task are one pool of what is handed to them', async () => {
    const { groups } = await observe(`${SLEEP}class FileQueue {
  #queue = []; #workers = 0;
  run(job) { return new Promise((resolve, reject) => { this.#queue.push({ job, resolve, reject }); void this.#work(); }); }
  async #work() {
    if (this.#workers >= 3) return;
    this.#workers++;
    let entry;
    while ((entry = this.#queue.shift())) try { entry.resolve(await entry.job()); } catch (error) { entry.reject(error); }
    this.#workers--;
  }
}
const imports = { a: 'bcd', b: 'ef', c: 'g', d: 'hi', e: '', f: 'j', g: '', h: 'k', i: '', j: '', k: '' };
const files = new FileQueue(), seen = new Set(); let open = 0, done; const all = new Promise((resolve) => { done = resolve; });
async function load(name) { await sleep(15 + name.charCodeAt(0) * 7 % 20); return imports[name]; }
function add(name) {
  if (seen.has(name)) return;
  seen.add(name); open++;
  files.run(() => load(name)).then((found) => { for (const one of found) add(one); }).then(() => { if (--open === 0) done(); });
}
add('a');
await all;`, { backend, as: 'a.mjs' });
    expect(groups).toMatchObject([{ kind: 'pool', taskCount: 11, fulfilled: 11, peak: 3, taskSite: { function: 'load' } }]);
  });

  test('what a worker holds together by a combinator is a group inside of each of its turns', async () => {
    const { groups } = await observe(`${SLEEP}async function get(part) { await sleep(5 + part * 3); }
async function page(id) { await sleep(6 + id % 3 * 4); return id; }
const ids = [...Array(9).keys()];
const worker = async () => { while (ids.length > 0) { const id = await page(ids.shift()); await Promise.all([id % 2, 2, 3].map(get)); } };
await Promise.all([worker(), worker(), worker()]);`, { backend, as: 'a.mjs' });
    const [pool, ...inner] = groups.filter(({ kind }) => kind === 'pool').concat(groups.filter(({ kind }) => kind !== 'pool'));
    expect(pool).toMatchObject({ taskCount: 9, lanes: 3, taskSite: { function: 'page' } });
    expect(inner).toMatchObject(Array.from({ length: 9 }, () => ({ kind: 'all', taskCount: 3, taskSite: { function: 'get' }, parent: { group: pool.id } })));
    expect(new Set(inner.map(({ parent }) => parent?.task)).size).toBe(9);
  });

  test.each([
    ['functions that only wait for them', 'await Promise.all([0, 1, 2].map(async (slot) => { await loop(slot); }));', 10, 0],
    ['methods with something before and behind them', `class Worker { async start() { await sleep(2); await loop(); await this.close(); } async close() { await sleep(1); } }
await Promise.all(Array.from({ length: 3 }, () => new Worker().start()));`, 10, 0],
    ['supervisors, who call them again where they died', `const supervise = async () => { for (;;) try { return await loop(); } catch {} };
poison = 4;
await Promise.all([supervise(), supervise(), supervise()]);`, 10, 2],
  ])('workers are the calls of elements which are %s', async (_name, source, taskCount, rejected) => {
    const { groups, timeline } = await observe(`${SLEEP}const jobs = [...Array(10).keys()]; let poison;
async function pack(i) { await sleep(12 + i * 7 % 20); if (i % poison === 3) throw new Error('poison'); }
async function loop() { while (jobs.length > 0) await pack(jobs.shift()); }
${source}`, { backend, as: 'a.mjs' });
    expect(groups).toMatchObject([{ kind: 'pool', combinator: 'all', peak: 3, lanes: 3, declared: 3, taskCount, rejected, taskSite: { function: 'pack' } }]);
    expect(timeline.rowsOf(groups[0].id)).toHaveLength(taskCount);
  });

  test('a worker that is refused what it asks for before its next turn has not failed in the last one', async () => {
    const { groups } = await observe(`${SLEEP}const ids = [...Array(12).keys()];
let stop; const stopped = new Promise((resolve, reject) => { stop = () => reject(new Error('late')); }); stopped.catch(() => {});
const take = () => Promise.race([sleep(6), stopped]);
async function send(id) { await sleep(15); if (id === 2) throw new Error('500'); return id; }
async function lane() { while (ids.length > 0) { await take(); try { await send(ids.shift()); } catch {} } }
setTimeout(stop, 70);
await Promise.allSettled([lane(), lane(), lane()]);`, { backend, as: 'a.mjs' });
    const pool = groups.find(({ kind }) => kind === 'pool');
    expect(pool).toMatchObject({ lanes: 3, rejected: 1, taskSite: { function: 'send' } });
  });

  test.each([['who set timers again and again, of a list of their own, are tasks', 'for (let k = 0; k < 3; k++) await new Promise((go) => setTimeout(go, 8 + i * 9));', ['all', 4, 'probe']],
    ['who do so as long as there is something in a list are workers', 'while (left.length > 0) { const ms = left.shift(); await new Promise((go) => setTimeout(go, ms)); }', ['pool', 9, 'probe']],
  ])('%s', async (_name, loop, [kind, count, name]) => {
    const { groups } = await observe(`const left = [20, 35, 28, 22, 40, 31, 26, 24, 30];
async function probe(i) { ${loop} }
await Promise.all([0, 1, 2, 3].map(probe));`, { backend, as: 'a.mjs' });
    expect(groups.map(({ kind, taskCount, taskSite }) => [kind, taskCount, taskSite?.function])).toEqual([[kind, count, name]]);
  });

  test('who were workers are so again where there is next to nothing to do', async () => {
    const { groups } = await observe(`${SLEEP}const publish = async (row) => { await sleep(12 + row % 4 * 7); };
async function drain(rows) { await Promise.all([1, 2, 3].map(async () => { for (let row = rows.shift(); row !== undefined; row = rows.shift()) await publish(row); })); }
for (const rows of [[1, 2, 3, 4, 5, 6, 7, 8], [9, 10], []]) await drain(rows);`, { backend, as: 'a.mjs' });
    expect(groups.map(({ kind, taskCount, peak, taskSite }) => `${kind} ${taskCount} ${peak} ${taskSite?.function}`)).toEqual(['pool 8 3 publish', 'pool 2 2 publish']);
  });

  test('tasks that only let time go by, again and again, are no workers: the next is begun behind the chain of one that is through', async () => {
    const { groups } = await observe(`import { setTimeout as sleep } from 'node:timers/promises';
const active = new Map(), waiting = [];
function submit(id, passes) { waiting.push({ id, passes }); fill(); }
function fill() {
  while (active.size < 3 && waiting.length > 0) {
    const { id, passes } = waiting.shift();
    active.set(id, transcode(id, passes).catch(() => {}).then(() => { active.delete(id); fill(); }));
  }
}
async function transcode(id, passes) { for (let pass = 1; pass <= passes; pass++) await sleep(20); if (id === 4) throw new Error('cancelled'); }
[2, 3, 1, 4, 4, 2, 3, 3, 1, 2, 4, 2].forEach((passes, id) => submit(id, passes));`, { backend, as: 'a.mjs' });
    expect(groups).toMatchObject([{ kind: 'pool', taskCount: 12, peak: 3, fulfilled: 11, rejected: 1, taskSite: { function: 'transcode' } }]);
  });

  test('who fills a buffer between two semaphores waits for those who empty it: that is no loop of work', async () => {
    const { groups } = await observe(`${SLEEP}class Semaphore {
  line = [];
  constructor(free) { this.free = free; }
  down() { if (this.free > 0) { this.free--; return Promise.resolve(); } return new Promise((wake) => this.line.push(wake)); }
  up() { const wake = this.line.shift(); if (wake) wake(); else this.free++; }
}
class Buffer {
  items = []; full = new Semaphore(0);
  constructor(size) { this.empty = new Semaphore(size); }
  async put(item) { await this.empty.down(); this.items.push(item); this.full.up(); }
  async take() { await this.full.down(); const item = this.items.shift(); this.empty.up(); return item; }
}
const buffer = new Buffer(4), lines = async function* () { for (let n = 0; n < 15; n++) { await null; yield n; } };
async function load(line) { await sleep(20 + line * 7 % 30); }
async function producer() { for await (const line of lines()) await buffer.put(line); for (let i = 0; i < 3; i++) await buffer.put(undefined); }
async function consumer() { for (let line; (line = await buffer.take()) !== undefined;) await load(line); }
await Promise.all([producer(), consumer(), consumer(), consumer()]);`, { backend, as: 'a.mjs' });
    expect(groups.map(({ kind, taskCount, peak, taskSite }) => `${kind} ${taskCount} ${peak} ${taskSite?.function}`)).toEqual(['pool 15 3 load']);
  });

  test('letters that actors wait for are no slots, and what they do with them is work', async () => {
    const { groups } = await observe(`${SLEEP}class Mailbox {
  letters = []; reader = null;
  put(letter) { if (this.reader) { const read = this.reader; this.reader = null; read(letter); } else this.letters.push(letter); }
  take() { return this.letters.length > 0 ? Promise.resolve(this.letters.shift()) : new Promise((r) => { this.reader = r; }); }
}
class Actor {
  box = new Mailbox(); busy = false;
  constructor(receive) { this.receive = receive; this.loop(); }
  get load() { return this.box.letters.length + (this.busy ? 1 : 0); }
  tell(message) { this.box.put({ message, resolve() {} }); }
  ask(message) { return new Promise((resolve) => this.box.put({ message, resolve })); }
  async loop() { for (;;) { const { message, resolve } = await this.box.take(); this.busy = true; resolve(await this.receive(message)); this.busy = false; } }
}
const ledger = new Actor(async function enter(n) { await sleep(12); return n; });
const actors = [1, 2, 3, 4].map(() => new Actor(async function quote(n) { await sleep(20 + n); ledger.tell(n); return n; }));
const ask = (n) => actors.reduce((best, actor) => (actor.load < best.load ? actor : best)).ask(n);
await Promise.all([...Array(14).keys()].map((n) => ask(n)));
await sleep(120);`, { backend, as: 'a.mjs' });
    expect(groups.map(({ kind, taskCount, peak, taskSite }) => `${kind} ${taskCount} ${peak} ${taskSite?.function}`)).toEqual(['pool 14 4 quote', 'sequential 14 1 enter']);
  });
});
