/** What ordinary programs do around their tasks: try again, wait for a clock or for room, go through steps. */
import { describe, expect, test } from 'vitest';
import { observe } from './observed';

const SLEEP = 'const sleep = (ms) => new Promise((r) => setTimeout(r, ms));\n';

describe.each(['v8', 'async_hooks'] as const)('with %s', (backend) => {
  const groupsOf = async (program: string) => (await observe(SLEEP + program, { backend, as: 'a.mjs' })).groups;

  test('tasks one of which tries again while the others still try for the first time are tasks, and their loop goes on', async () => {
    const groups = await groupsOf(`const fails = { 1: 1, 4: 2 };
async function put(i) { await sleep(i === 1 ? 10 : 30 + i); if (fails[i]-- > 0) throw new Error('503'); }
async function save(i) { for (let attempt = 1; ; attempt++) try { return await put(i); } catch (e) { if (attempt === 3) throw e; await sleep(5); } }
for (const ids of [[0, 1, 2], [3, 4, 5], [6, 7]]) await Promise.all(ids.map((i) => save(i).catch(() => null)));`);
    expect(groups).toMatchObject([{ kind: 'chunk', chunks: 3, taskCount: 8, fulfilled: 8, taskSite: { function: 'save' } }]);
  });

  test('workers whose turns fail are workers, should their calls be all but one the same', async () => {
    const groups = await groupsOf(`const ids = [...Array(9).keys()];
async function put(i) { await sleep(8 + i % 3 * 4); if (i % 4 !== 3) throw new Error('down'); }
async function worker() { while (ids.length) { try { await put(ids.shift()); } catch {} } }
await Promise.all([worker(), worker(), worker()]);`);
    expect(groups).toMatchObject([{ kind: 'pool', declared: 3, taskCount: 9, taskSite: { function: 'put' } }]);
  });

  test('a limiter that wraps its job in an async function ends each task with the job', async () => {
    const groups = await groupsOf(`function limiter(limit) {
  const queue = []; let active = 0;
  const next = () => { active--; queue.shift()?.(); };
  const run = async (fn, resolve, args) => { active++; const result = (async () => fn(...args))(); resolve(result); try { await result; } catch {} next(); };
  return (fn, ...args) => new Promise((resolve) => { const start = () => run(fn, resolve, args); if (active < limit) start(); else queue.push(start); });
}
async function clone(i) { await sleep(10 + i % 3 * 6); if (i === 5) throw new Error('gone'); }
const limit = limiter(3);
await Promise.allSettled([...Array(9).keys()].map((i) => limit(clone, i)));`);
    expect(groups).toMatchObject([{ kind: 'pool', taskCount: 9, fulfilled: 8, rejected: 1, peak: 3, taskSite: { function: 'clone' } }]);
  });

  test('a limiter whose jobs are no async functions and may throw is a pool of them', async () => {
    const groups = await groupsOf(`class Limiter {
  active = 0; queue = [];
  run(fn) { return new Promise((resolve, reject) => { this.queue.push({ fn, resolve, reject }); this.next(); }); }
  next() {
    if (this.active >= 3 || this.queue.length === 0) return;
    const { fn, resolve, reject } = this.queue.shift();
    this.active++;
    Promise.resolve().then(fn).then(resolve, reject).finally(() => { this.active--; this.next(); });
  }
}
function parse(i) { if (i === 7) throw new SyntaxError('line 7'); return sleep(15 + i % 3 * 6).then(() => i); }
const limiter = new Limiter();
await Promise.allSettled([...Array(10).keys()].map((i) => limiter.run(() => parse(i))));`);
    expect(groups).toMatchObject([{ kind: 'pool', taskCount: 10, fulfilled: 9, rejected: 1, lanes: 3 }]);
  });

  test('consumers that share an async generator are its workers, and nothing besides', async () => {
    const groups = await groupsOf(`async function* receive() { for (let n = 0; n < 10; n++) { await sleep(2); yield n; } }
async function handle(n) { await sleep(20 + n % 4 * 6); }
const messages = receive();
async function consume() { for await (const message of messages) await handle(message); }
await Promise.all([consume(), consume(), consume()]);`);
    expect(groups).toMatchObject([{ kind: 'pool', declared: 3, taskCount: 10, fulfilled: 10 }]);
  });

  test('what an event begins where one has ended is a pool, though nobody awaits it', async () => {
    const groups = await groupsOf(`import { EventEmitter } from 'node:events';
class Printer extends EventEmitter { async run(i) { await sleep(15 + i % 3 * 7); setImmediate(() => this.emit('idle')); } }
const jobs = [...Array(10).keys()];
const printers = [new Printer(), new Printer(), new Printer()];
for (const printer of printers) printer.on('idle', () => { if (jobs.length) printer.run(jobs.shift()); });
printers.forEach((printer) => printer.emit('idle'));`);
    expect(groups).toMatchObject([{ kind: 'pool', taskCount: 10, fulfilled: 10, peak: 3 }]);
  });

  test('what a clock begins whenever there is room is a pool, though nobody awaits it', async () => {
    const groups = await groupsOf(`const table = [40, 25, 61, 33, 54, 28, 47, 36].map((ms) => ({ ms, state: 'queued' }));
const count = (state) => table.filter((job) => job.state === state).length;
async function execute(job) { job.state = 'running'; await sleep(job.ms); job.state = 'done'; }
const timer = setInterval(() => {
  for (const job of table) { if (count('running') >= 2) break; if (job.state === 'queued') execute(job); }
  if (count('done') === table.length) clearInterval(timer);
}, 10);`);
    expect(groups).toMatchObject([{ kind: 'pool', taskCount: 8, fulfilled: 8, peak: 2 }]);
  });

  test('a task that pauses for a while of its own first begins with its work, and is held back by nobody', async () => {
    const groups = await groupsOf(`async function load(i) { await sleep(40); }
await Promise.all([0, 1, 2, 3, 4].map((i) => sleep(i * 25).then(() => load(i))));`);
    expect(groups).toMatchObject([{ kind: 'all', taskCount: 5, fulfilled: 5, taskSite: { function: 'load' } }]);
    expect(groups[0].metrics.busyMs).toBeLessThan(300);
  });

  test('an element whose slot was free begins where it goes on, as those that had to wait do', async () => {
    const { groups, timeline, origin, out } = await observe(`${SLEEP}let free = 3; const waiting = [];
async function acquire() { if (free > 0) free--; else await new Promise((r) => waiting.push(r)); }
function release() { const next = waiting.shift(); if (next) next(); else free++; }
const query = async (i) => { await sleep(20 + i % 3 * 5); };
async function use(i) { await acquire(); try { return await query(i); } finally { release(); } }
function slowly(i) { const until = performance.now() + 4; while (performance.now() < until); return use(i); }
const asked = [...Array(9).keys()].map(slowly); console.log(performance.timeOrigin + performance.now());
await Promise.all(asked);`, { backend, as: 'a.mjs' });
    expect(groups).toMatchObject([{ kind: 'pool', taskCount: 9, peak: 3 }]);
    const starts = timeline.rowsOf(groups[0].id).map((row) => origin + timeline.tasks.start[row]);
    // All nine had asked by then, 4 ms each.
    expect(Math.min(...starts) - Number(out)).toBeGreaterThan(-1);
  });

  test('who frees a slot has made room by then, however long the next one takes to begin in the same go', async () => {
    const { groups } = await observe(`${SLEEP}let free = 2; const waiting = [];
const acquire = () => free > 0 ? (free--, Promise.resolve()) : new Promise((r) => waiting.push(r));
const release = async () => { const next = waiting.shift(); if (next) next(); else free++; };
function slowly() { const until = performance.now() + 3; while (performance.now() < until); }
async function probe(i) { try { slowly(); await sleep(20 + i % 3 * 5); } finally { await release(); } }
for (let i = 0; i < 8; i++) { await acquire(); void probe(i); }`, { backend, as: 'a.mjs' });
    expect(groups).toMatchObject([{ kind: 'pool', taskCount: 8, peak: 2, taskSite: { function: 'probe' } }]);
  });

  test('three limiters inside of tasks that finish their jobs in a chain of then are a pool each', async () => {
    const groups = await groupsOf(`function limiter(n) {
  let active = 0; const waiting = [];
  const next = () => {
    if (active >= n || waiting.length === 0) return;
    active++;
    const { fn, resolve, reject } = waiting.shift();
    fn().then(resolve, reject).finally(() => { active--; next(); });
  };
  return (fn) => new Promise((resolve, reject) => { waiting.push({ fn, resolve, reject }); next(); });
}
const reads = limiter(4), resizes = limiter(2), uploads = limiter(3);
async function read(i) { await sleep(20 + i % 3 * 8); } async function resize(i) { await sleep(20 + i % 4 * 5); } async function upload(i) { await sleep(30 + i % 2 * 12); }
async function image(i) { await reads(() => read(i)); await resizes(() => resize(i)); return await uploads(() => upload(i)); }
await Promise.all([0, 1, 2, 3, 4, 5, 6, 7].map(image));`);
    expect(groups.map(({ kind, taskCount, peak, taskSite }) => `${kind} ${taskCount} ${peak} ${taskSite?.function}`)).toEqual(
      ['all 8 8 image', 'pool 8 4 read', 'pool 8 2 resize', 'pool 8 3 upload']);
  });

  test('what is begun until it is full, and raced, is a pool also where all of it is through at once', async () => {
    const groups = await groupsOf(`let asked = []; const clock = setInterval(() => { for (const answer of asked.splice(0)) answer(); }, 20);
async function row(i) { await new Promise((answer) => asked.push(answer)); await new Promise((answer) => asked.push(answer)); }
async function main() {
  const open = new Set();
  for (let i = 0; i < 16; i++) { const one = row(i).then(() => open.delete(one)); open.add(one); if (open.size >= 4) await Promise.race(open); }
  await Promise.all(open); clearInterval(clock);
}
await main();`);
    expect(groups).toMatchObject([{ kind: 'pool', taskCount: 16, peak: 4, fulfilled: 16, taskSite: { function: 'row' } }]);
  });

  test('chains that are raced in one round after the other are a race in each, also where the losers are through before the next', async () => {
    const groups = await groupsOf(`async function ask(mirror) { await sleep(10 + mirror * 5); return mirror; }
for (let i = 0; i < 3; i++) { await Promise.race([0, 1, 2].map((mirror) => ask(mirror).then((one) => one + 1))); await sleep(30); }`);
    expect(groups).toMatchObject(Array.from({ length: 3 }, () => ({ kind: 'race', taskCount: 3, fulfilled: 3, taskSite: { function: 'ask' } })));
  });

  test.each([['', 'await shipper.flush(i)'], ['async write(i) { await this.flush(i); }', 'await shipper.write(i)']])('what a method leaves running, and races when there is no more room, is a pool (%s)', async (method, call) => {
    const groups = await groupsOf(`class Shipper {
  open = new Set();
  async flush(i) {
    while (this.open.size >= 2) await Promise.race(this.open);
    const job = this.upload(i).then(() => {}).finally(() => this.open.delete(job));
    this.open.add(job);
  }
  ${method}
  async upload(i) { await sleep(20 + i % 3 * 9); }
  async close() { await Promise.all(this.open); }
}
const shipper = new Shipper();
for (let i = 0; i < 9; i++) ${call};
await shipper.close();`);
    expect(groups).toMatchObject([{ kind: 'pool', taskCount: 9, fulfilled: 9, peak: 2, taskSite: { function: 'upload' } }]);
  });

  test('what a helper does for two callers is a group for each, and what it does in a loop is one of chunks', async () => {
    const helper = `const part = async (i) => { await sleep(10 + i); };
const page = (ids) => Promise.all(ids.map(part)).then((parts) => parts.length);
`;
    expect(await groupsOf(`${helper}async function main() { await page([1, 2, 3]); await sleep(5); await page([4, 5, 6]); }
await main();`)).toMatchObject([{ kind: 'all', taskCount: 3 }, { kind: 'all', taskCount: 3 }]);
    expect(await groupsOf(`${helper}async function main() { for (const ids of [[1, 2, 3], [4, 5, 6]]) await page(ids); await page([7, 8]); }
await main();`)).toMatchObject([{ kind: 'chunk', taskCount: 8, chunks: 3 }]);
  });

  test('what a worker waits for by a timer behind its task is a pause by any name; the task is where its function begins', async () => {
    const groups = await groupsOf(`import http from 'node:http';
const server = http.createServer((_, response) => setTimeout(() => response.end(), 15)).listen(0, '127.0.0.1'); await new Promise((r) => server.once('listening', r));
const think = (ms) => new Promise((r) => setTimeout(r, ms));
function hit() { return new Promise((done) => http.get({ port: server.address().port, host: '127.0.0.1' }, (r) => r.resume().on('end', done))); }
async function user() { for (let n = 0; n < 4; n++) { await hit(); await think(40); } }
await Promise.all([user(), user(), user()]);
server.close(); server.closeAllConnections();`);
    expect(groups).toMatchObject([{ kind: 'pool', declared: 3, taskCount: 12, taskSite: { function: 'hit' } }]);
    expect(groups[0].metrics.busyMs).toBeLessThan(12 * 40);
  });

  test('a plain function that waits by the help of one which only does that is the task', async () => {
    const groups = await groupsOf(`function locate(i) { return sleep(10 + i).then(() => i); }
for (const ids of [[1, 2, 3], [4, 5, 6]]) await Promise.all(ids.map(locate));`);
    expect(groups).toMatchObject([{ kind: 'chunk', taskCount: 6, taskSite: { function: 'locate' } }]);
  });

  test('a function that only hands on what a module calls it for is no place of a loop', async () => {
    const groups = await groupsOf(`class Api { async load(id) { await sleep(5 + id); } }
const api = new Api();
const load = (id) => api.load(id);
for (const id of [1, 2, 3, 4]) {
  await load(id);
}`);
    expect(groups).toMatchObject([{ kind: 'sequential', taskCount: 4, taskSite: { function: 'load' } }]);
    expect(groups[0].site?.line).toBe(groups[0].taskSite?.line === undefined ? 0 : groups[0].taskSite.line + 4);
  });

  test('layers of middleware around what a module calls again and again are no place of a loop', async () => {
    const groups = await groupsOf(`const compose = (...layers) => (ctx, core) => { const dispatch = (i) => (i === layers.length ? core(ctx) : layers[i](ctx, () => dispatch(i + 1))); return dispatch(0); };
async function timed(ctx, next) { await next(); }
const run = compose(timed, (ctx, next) => next());
async function execute({ id }) { await sleep(5 + id); }
for (const id of [1, 2, 3, 4]) {
  await run({ id }, execute);
}`);
    expect(groups).toMatchObject([{ kind: 'sequential', taskCount: 4, taskSite: { function: 'timed' } }]);
    expect(groups[0].site?.line).toBe(groups[0].taskSite?.line === undefined ? 0 : groups[0].taskSite.line + 4);
  });

  test('steps of a list are a loop, whichever functions they are; those written line by line are none', async () => {
    const steps = `async function clean() { await sleep(10); } async function compile() { await sleep(20); }
async function bundle() { await sleep(15); } async function report() { await sleep(10); }\n`;
    const loop = { kind: 'sequential', taskCount: 4, fulfilled: 4, peak: 1, taskSite: { function: 'clean' } };
    expect(await groupsOf(`${steps}for (const step of [clean, compile, bundle, report]) await step();`)).toMatchObject([loop]);
    expect(await groupsOf(`${steps}async function run(list) { for (const step of list) await step(); }\nawait run([clean, compile, bundle, report]);`)).toMatchObject([loop]);
    expect(await groupsOf(`${steps}await [clean, compile, bundle, report].reduce((before, step) => before.then(() => step()), Promise.resolve());`)).toMatchObject([loop]);
    expect(await groupsOf(`${steps}const timed = (step) => step();\nawait timed(clean);\nawait timed(compile);\nawait timed(bundle);\nawait timed(report);`)).toEqual([]);
  });

  test('steps of a list are a loop also where they are plain functions, in a loop that awaits, in a chain of then, and by way of others', async () => {
    const steps = `const load = (at) => sleep(12).then(() => at + 1), check = (at) => new Promise((done) => setTimeout(done, 15, at + 1));
const store = (at) => sleep(11).then(() => at + 1), tell = async (at) => { await sleep(13); return at + 1; };\n`;
    const loop = { kind: 'sequential', taskCount: 4, fulfilled: 4, peak: 1, taskSite: { function: 'load' } };
    expect(await groupsOf(`${steps}let at = 0;\nfor (const step of [load, check, store, tell]) at = await step(at);`)).toMatchObject([loop]);
    expect(await groupsOf(`${steps}let chain = Promise.resolve(0);\n[load, check, store, tell].forEach((step) => { chain = chain.then((at) => step(at)); });\nawait chain;`)).toMatchObject([loop]);
    expect(await groupsOf(`${steps}const named = { load, check, store, tell };\nconst perform = (name, at) => named[name](at);
await Object.keys(named).reduce((before, name) => before.then((at) => perform(name, at)), Promise.resolve(0));`)).toMatchObject([loop]);
    // Written line by line, in a chain as well, they are none, however few lines hand them on.
    expect(await groupsOf(`${steps}const run = (step) => step(1);\nawait run(load);\nawait run(check);\nawait run(store);`)).toEqual([]);
    expect(await groupsOf(`${steps}const run = (step) => step(1);\nawait Promise.resolve().then(() => run(load)).then(() => run(check)).then(() => run(store));`)).toEqual([]);
  });

  test('requests by several functions, which others hand on, are steps of one loop', async () => {
    const groups = await groupsOf(`import http from 'node:http';
const server = http.createServer((request, response) => setTimeout(() => response.end('[]'), 20));
await new Promise((ready) => server.listen(0, ready));
const ask = (path) => \`http://localhost:\${server.address().port}/\${path}\`;
const api = { users: () => fetch(ask('users')).then((answer) => answer.json()), orders: () => fetch(ask('orders')).then((answer) => answer.json()),
  prices: () => fetch(ask('prices')).then((answer) => answer.json()) };
const get = (what) => api[what]();
for (const what of ['users', 'orders', 'prices']) await get(what);
server.close();
server.closeAllConnections();`);
    expect(groups).toMatchObject([{ kind: 'sequential', taskCount: 3, fulfilled: 3, taskSite: { function: 'users' } }]);
    expect(groups[0].site?.line).toBe((groups[0].taskSite?.line ?? 0) + 3);
  });

  test('tasks that ask line by line by way of two functions, of which the inner one is always the same, are no workers', async () => {
    const groups = await groupsOf(`const table = { get: (id) => sleep(8).then(() => id), put: (id) => sleep(9).then(() => id), drop: (id) => sleep(7).then(() => id) };
const ask = (name, id) => table[name](id);
async function move(id) {
  const row = await ask('get', id);
  await ask('put', row);
  await ask('drop', id);
}
await Promise.all([1, 2, 3, 4].map(move));`);
    expect(groups).toMatchObject([{ kind: 'all', taskCount: 4, peak: 4, taskSite: { function: 'move' } }]);
  });

  test('a loop of two turns is a loop; two tries, and two pools one after the other, are none', async () => {
    const groups = await groupsOf(`async function send(to) { await sleep(15); return to; }
for (const to of ['maria', 'jo']) await send(to);
let fails = 1;
async function put() { await sleep(12); if (fails-- > 0) throw new Error('503'); }
for (let attempt = 1; attempt <= 3; attempt++) try { await put(); break; } catch { await sleep(5); }
async function pool(ids) { await Promise.all([1, 2].map(async () => { while (ids.length > 0) await send(ids.shift()); })); }
for (const n of [4, 6]) await pool([...Array(n).keys()]);`);
    expect(groups).toMatchObject([{ kind: 'sequential', taskCount: 2, taskSite: { function: 'send' } }, { kind: 'pool', taskCount: 4 }, { kind: 'pool', taskCount: 6 }]);
  });

  test('plain functions that only wait by a helper are work; pauses by any name, and those of a generator, are none', async () => {
    const groups = await groupsOf(`const load = (id) => sleep(15).then(() => ({ id }));
const politePause = () => sleep(10);
async function* receive() { for (let n = 0; n < 4; n++) { await sleep(6); yield n; } }
const seen = [];
for await (const n of receive()) seen.push(n);
for (const id of seen) { await load(id); await politePause(); }
const save = (id) => sleep(12).then(() => id);
await [5, 6, 7].reduce((before, id) => before.then(() => save(id)), Promise.resolve());`);
    expect(groups).toMatchObject([{ kind: 'sequential', taskCount: 4, taskSite: { function: 'load' } }, { kind: 'sequential', taskCount: 3, taskSite: { function: 'save' } }]);
  });

  test('a semaphore that lets go in finally is its tasks, once, and no more than it lets in', async () => {
    const groups = await groupsOf(`let free = 2; const waiting = [];
const acquire = () => new Promise((resolve) => { if (free > 0) { free--; resolve(); } else waiting.push(resolve); });
const release = () => { const first = waiting.shift(); if (first) first(); else free++; };
const withSlot = (job) => acquire().then(job).finally(release);
async function load(id) { await sleep(12 + id % 3 * 4); return id; }
await Promise.all([...Array(8).keys()].map((id) => withSlot(() => load(id))));`);
    expect(groups).toMatchObject([{ kind: 'pool', taskCount: 8, peak: 2, taskSite: { function: 'load' } }]);
  });

  test('a limiter below what asks for its results is a pool of the jobs, under several askers at once', async () => {
    const groups = await groupsOf(`function limiter(limit) {
  const queue = []; let active = 0;
  const next = () => {
    if (active >= limit || queue.length === 0) return;
    active++;
    const { job, resolve, reject } = queue.shift();
    Promise.resolve().then(job).then(resolve, reject).finally(() => { active--; next(); });
  };
  return (job) => new Promise((resolve, reject) => { queue.push({ job, resolve, reject }); next(); });
}
const limit = limiter(3);
async function render(photo) { await sleep(12 + photo % 3 * 5); return photo; }
async function thumb(photo) { const done = await limit(() => render(photo)); return { done }; }
async function album(photos) { await sleep(5); return Promise.all(photos.map((photo) => thumb(photo))); }
await Promise.all([[1, 2, 3], [4, 5, 6], [7, 8, 9]].map((photos) => album(photos)));
await sleep(3);`);
    // What was handed in is judged once something comes after it: the last thing here is the sleep.
    expect(groups).toMatchObject([{ kind: 'all', taskCount: 3, taskSite: { function: 'album' } }, { kind: 'pool', taskCount: 9, peak: 3, taskSite: { function: 'render' } }]);
  });

  test('pages that are fetched one by one for chunks are no loop beside them', async () => {
    const groups = await groupsOf(`async function page(cursor) { await sleep(8); return cursor < 9 ? [cursor, cursor + 1, cursor + 2] : []; }
async function store(row) { await sleep(12 + row % 3 * 4); }
for (let cursor = 0; ; cursor += 3) {
  const rows = await page(cursor);
  if (rows.length === 0) break;
  await Promise.all(rows.map((row) => store(row)));
}`);
    expect(groups).toMatchObject([{ kind: 'chunk', chunks: 3, taskCount: 9, taskSite: { function: 'store' } }]);
  });

  test('pages asked for one ahead of the chunk that is worked on are no loop beside the chunks', async () => {
    const groups = await groupsOf(`async function list(page) { await sleep(8); return { rows: [3 * page, 3 * page + 1, 3 * page + 2], next: page < 3 ? page + 1 : null }; }
async function* pages() {
  let ahead = list(0);
  while (ahead) { const { rows, next } = await ahead; ahead = next === null ? null : list(next); yield rows; }
}
async function store(row) { await sleep(15 + row % 3 * 4); }
for await (const rows of pages()) await Promise.all(rows.map((row) => store(row)));`);
    expect(groups).toMatchObject([{ kind: 'chunk', chunks: 4, taskCount: 12, taskSite: { function: 'store' } }]);
  });

  test('steps that work in chunks somewhere inside of them are a loop, and hold their chunks', async () => {
    const groups = await groupsOf(`const db = { async fill(rows) { for (let i = 0; i < rows; i += 2) await Promise.all([i, i + 1].map((row) => this.touch(row))); }, async touch(row) { await sleep(8 + row); } };
const plan = [async () => { await db.touch(1); await db.touch(2); }, () => db.fill(4), async () => { await db.touch(3); }, () => db.fill(6)];
async function apply(step) { await step(); }
for (const step of plan) await apply(step);`);
    expect(groups).toMatchObject([
      { kind: 'sequential', taskCount: 4, taskSite: { function: 'apply' } }, { kind: 'chunk', taskCount: 4, parent: { group: expect.any(Number) } }, { kind: 'chunk', taskCount: 6, parent: { group: expect.any(Number) } },
    ]);
  });

  test('a producer that waits for its queue to drain is no loop', async () => {
    const groups = await groupsOf(`import { EventEmitter, once } from 'node:events';
class Queue extends EventEmitter {
  waiting = []; running = 0;
  push(n) { this.waiting.push(n); this.pump(); return this.waiting.length < 2; }
  pump() { while (this.running < 2 && this.waiting.length > 0) { this.running++; write(this.waiting.shift()).finally(() => { this.running--; this.pump(); if (this.waiting.length === 0) this.emit('drain'); }); } }
}
async function write(n) { await sleep(8 + n % 3 * 5); }
const queue = new Queue();
for (let n = 0; n < 12; n++) if (!queue.push(n)) await once(queue, 'drain');`);
    expect(groups).toMatchObject([{ kind: 'pool', peak: 2, taskCount: 12, taskSite: { function: 'write' } }]);
  });

  test('workers that wait for news of one another are workers, and what they wait for is no task', async () => {
    const groups = await groupsOf(`class Crawler {
  #frontier = [0]; #busy = 0; #news;
  async lane() {
    for (;;) {
      const page = this.#frontier.shift();
      if (page === undefined) { if (this.#busy === 0) return this.#tell(); await this.#change(); continue; }
      this.#busy++;
      await this.visit(page);
      this.#busy--;
      this.#tell();
    }
  }
  async visit(page) { await sleep(12 + page % 4 * 6); for (const link of [2 * page + 1, 2 * page + 2]) if (link < 15) this.#frontier.push(link); }
  #change() { if (!this.#news) { this.#news = {}; this.#news.promise = new Promise((resolve) => (this.#news.resolve = resolve)); } return this.#news.promise; }
  #tell() { this.#news?.resolve(); this.#news = undefined; }
}
const crawler = new Crawler();
const lanes = [1, 2, 3].map(() => crawler.lane());
await Promise.all(lanes);`);
    expect(groups).toMatchObject([{ kind: 'pool', declared: 3, peak: 3, taskCount: 15, taskSite: { function: 'visit' } }]);
  });

  test('consumers that ask a queue for each message are workers of what they do with it, also where the queue is empty at first', async () => {
    const groups = await groupsOf(`class Broker {
  messages = [];
  async receive() { await sleep(3); return this.messages.shift(); }
}
const broker = new Broker(); let done = 0;
setTimeout(() => broker.messages.push(...Array(10).keys()), 20);
async function handle(n) { await sleep(12 + n % 3 * 5); done++; }
async function consume() {
  while (done < 10) {
    const message = await broker.receive();
    if (message === undefined) { await sleep(5); continue; }
    await handle(message);
  }
}
await Promise.all([consume(), consume(), consume()]);`);
    expect(groups).toMatchObject([{ kind: 'pool', declared: 3, peak: 3, taskCount: 10, taskSite: { function: 'handle' } }]);
  });

  test('two stages of one helper, of which one feeds the other through a channel, are a pool each', async () => {
    const groups = await groupsOf(`class Channel {
  items = []; takers = []; closed = false;
  push(item) { this.items.push(item); this.takers.shift()?.(); }
  close() { this.closed = true; for (const wake of this.takers.splice(0)) wake(); }
  async *[Symbol.asyncIterator]() {
    for (;;) {
      if (this.items.length > 0) yield this.items.shift();
      else if (this.closed) return;
      else await new Promise((resolve) => this.takers.push(resolve));
    }
  }
}
async function stage(input, size, work, output) {
  const worker = async () => { for await (const item of input) { const made = await work(item); output?.push(made); } };
  await Promise.all(Array.from({ length: size }, () => worker()));
}
async function parse(n) { await sleep(10 + n % 3 * 5); return n; }
async function store(n) { await sleep(12 + n % 4 * 4); }
const raw = new Channel(), clean = new Channel();
for (let n = 0; n < 12; n++) raw.push(n);
raw.close();
await Promise.all([stage(raw, 3, (n) => parse(n), clean).then(() => clean.close()), stage(clean, 2, (n) => store(n))]);`);
    expect(groups.filter(({ kind }) => kind === 'pool')).toMatchObject([
      { declared: 3, taskCount: 12, taskSite: { function: 'parse' } }, { declared: 2, taskCount: 12, taskSite: { function: 'store' } },
    ]);
  });

  test('to wait for events is no work', async () => {
    const groups = await groupsOf(`import { EventEmitter, on } from 'node:events';
const bus = new EventEmitter(); let sent = 0;
const timer = setInterval(() => { bus.emit('job', sent++); if (sent === 6) { clearInterval(timer); bus.emit('job', null); } }, 12);
for await (const [job] of on(bus, 'job')) if (job === null) break;`);
    expect(groups).toEqual([]);
  });

  test('consumers of a channel that the module fills now and then work when there is something to do', async () => {
    const groups = await groupsOf(`class Channel {
  buffer = []; takers = []; closed = false;
  send(value) { const taker = this.takers.shift(); if (taker) taker({ value, done: false }); else this.buffer.push(value); }
  close() { this.closed = true; for (const taker of this.takers.splice(0)) taker({ value: undefined, done: true }); }
  next() {
    if (this.buffer.length > 0) return Promise.resolve({ value: this.buffer.shift(), done: false });
    return this.closed ? Promise.resolve({ value: undefined, done: true }) : new Promise((resolve) => this.takers.push(resolve));
  }
  [Symbol.asyncIterator]() { return this; }
}
const channel = new Channel();
async function handle(n) { await sleep(12 + n % 4 * 6); }
async function consume() { for await (const n of channel) await handle(n); }
const consumers = [0, 1, 2].map(() => consume());
for (let burst = 0; burst < 3; burst++) { for (let n = 0; n < 4; n++) channel.send(burst * 4 + n); await sleep(60); }
channel.close();
await Promise.all(consumers);`);
    expect(groups).toMatchObject([{ kind: 'pool', declared: 3, taskCount: 12, taskSite: { function: 'handle' } }]);
  });

  test('a crawler whose pages lead to pages is one pool, be the next page begun while one is read or as one ends', async () => {
    const groups = await groupsOf(`class Crawler {
  #queue = []; #running = 0; #seen = new Set(); #finish;
  crawl(page) { return new Promise((resolve) => { this.#finish = resolve; this.#enqueue(page); }); }
  #enqueue(page) { if (this.#seen.has(page)) return; this.#seen.add(page); this.#queue.push(page); this.#next(); }
  #next() {
    while (this.#running < 3 && this.#queue.length > 0) {
      this.#running++;
      this.#visit(this.#queue.shift()).catch(() => {}).finally(() => {
        this.#running--;
        if (this.#running === 0 && this.#queue.length === 0) this.#finish(); else this.#next();
      });
    }
  }
  async #visit(page) { await sleep(15 + page % 4 * 6); for (const link of [2 * page + 1, 2 * page + 2]) if (link < 15) this.#enqueue(link); }
}
await new Crawler().crawl(0);`);
    expect(groups).toMatchObject([{ kind: 'pool', peak: 3, taskCount: 15, taskSite: { function: '#visit' } }]);
  });

  test('a pool of connections lends each to one at a time, though what borrows one is told of its end a moment later', async () => {
    const groups = await groupsOf(`class Pool {
  idle = []; total = 0; waiting = [];
  async acquire() {
    if (this.idle.length > 0) return this.idle.pop();
    if (this.total < 3) { this.total++; return open(); }
    return new Promise((resolve) => this.waiting.push(resolve));
  }
  release(connection) { const next = this.waiting.shift(); if (next) next(connection); else this.idle.push(connection); }
  async use(work) { const connection = await this.acquire(); try { return await work(connection); } finally { this.release(connection); } }
}
async function open() { await sleep(5); return {}; }
const pool = new Pool();
async function report(connection, id) { await sleep(10); await sleep(8 + id * 7 % 5 * 6); if (id === 4) throw new Error('four'); return id; }
function build(id) { return pool.use((connection) => report(connection, id)).then((rows) => ({ id, rows })).catch((error) => ({ id, error })); }
await Promise.all([0, 1, 2, 3, 4, 5, 6, 7, 8].map(build));`);
    expect(groups).toMatchObject([{ kind: 'pool', peak: 3, lanes: 3, taskCount: 9, fulfilled: 8, rejected: 1, taskSite: { function: 'report' } }]);
  });

  test('a crawler that calls itself behind a semaphore holds no more slots than there are, and its waits are no tasks', async () => {
    const groups = await groupsOf(`class Semaphore {
  waiting = []; constructor(free) { this.free = free; }
  async acquire() { if (this.free > 0) { this.free--; return; } await new Promise((resolve) => this.waiting.push(resolve)); }
  release() { const next = this.waiting.shift(); if (next) next(); else this.free++; }
}
const site = { '/': ['/a', '/b', '/c', '/d'], '/a': ['/a1', '/a2', '/b'], '/b': ['/b1', '/b2'], '/a1': ['/a11', '/a12'] };
async function load(path) { await sleep(15 + path.length * 4); return site[path] ?? []; }
const slots = new Semaphore(2); const seen = new Set();
async function visit(path) {
  if (seen.has(path)) return;
  seen.add(path);
  await slots.acquire();
  let links;
  try { links = await load(path); } finally { slots.release(); }
  await Promise.all(links.map(visit));
}
await visit('/');`);
    expect(groups.filter(({ taskSite }) => taskSite?.function === 'load')).toMatchObject([{ kind: 'pool', peak: 2 }]);
    expect(groups.filter(({ taskSite }) => taskSite?.function === 'acquire')).toEqual([]);
  });

  test('a crawler that calls itself behind a limiter closure is a pool of what it loads, and of nothing that only waits', async () => {
    const groups = await groupsOf(`function limiter(slots) {
  const waiting = []; let active = 0;
  const next = () => { if (active < slots && waiting.length > 0) { active++; const { job, resolve, reject } = waiting.shift(); job().then(resolve, reject).finally(() => { active--; next(); }); } };
  return (job) => new Promise((resolve, reject) => { waiting.push({ job, resolve, reject }); next(); });
}
const site = { '/': ['/a', '/b', '/c', '/d'], '/a': ['/a1', '/a2', '/b'], '/b': ['/b1', '/b2'], '/a1': ['/a11', '/a12'] };
async function load(path) { await sleep(15 + path.length * 4); return site[path] ?? []; }
const run = limiter(2); const seen = new Set();
const visit = async (path) => { if (seen.has(path)) return; seen.add(path); const links = await run(() => load(path)); await Promise.all(links.map(visit)); };
await visit('/');`);
    const pools = groups.filter(({ kind, taskSite }) => kind === 'pool' && taskSite?.function !== 'visit');
    expect(pools).toMatchObject([{ peak: 2, taskCount: 11, taskSite: { function: 'load' } }]);
  });

  test('a slot that nobody waits for any more is given back where the others are, by who goes on with something else', async () => {
    const { groups, timeline } = await observe(SLEEP + `class Semaphore {
  waiting = []; constructor(free) { this.free = free; }
  async acquire() { if (this.free > 0) { this.free--; return; } await new Promise((resolve) => this.waiting.push(resolve)); }
  release() { const next = this.waiting.shift(); if (next) next(); else this.free++; }
}
const slots = new Semaphore(2);
async function load(id) { await sleep(12 + id * 3); return id; }
async function save() { await sleep(40); }
async function handle(id) { await slots.acquire(); try { await load(id); } finally { slots.release(); } await save(); }
await Promise.all([1, 2, 3, 4, 5, 6].map(handle));`, { backend, as: 'a.mjs' });
    expect(groups).toMatchObject([{ kind: 'all', taskCount: 6 }, { kind: 'pool', peak: 2, taskCount: 6, taskSite: { function: 'load' } }]);
    const ends = groups.map(({ id }) => Math.max(...timeline.rowsOf(id).map((row) => timeline.tasks.end[row])));
    expect(ends[0] - ends[1]).toBeGreaterThan(30);
  });

  test('a promise that a cache gives several times is one task', async () => {
    const groups = await groupsOf(`const inFlight = new Map();
async function fetchQuote(symbol) { await sleep(15 + symbol.charCodeAt(0) % 5 * 4); return symbol; }
const load = (symbol) => inFlight.get(symbol) ?? inFlight.set(symbol, fetchQuote(symbol)).get(symbol);
await Promise.all([...'ABCABDAC'].map((symbol) => load(symbol)));`);
    expect(groups).toMatchObject([{ kind: 'all', taskCount: 4, peak: 4, taskSite: { function: 'fetchQuote' } }]);
  });

  test('a loop in one of several unlike parts of a whole is a group inside of it', async () => {
    const groups = await groupsOf(`async function copy(i) { await sleep(8 + i); }
async function copyAssets() { for (const i of [1, 2, 3, 4]) await copy(i); }
async function writeFeed() { await sleep(20); }
await Promise.all([copyAssets(), writeFeed()]);`);
    expect(groups.map(({ kind, taskCount, parent }) => ({ kind, taskCount, isInside: parent !== undefined })).sort((a, b) => a.taskCount - b.taskCount)).toEqual([
      { kind: 'all', taskCount: 2, isInside: false }, { kind: 'sequential', taskCount: 4, isInside: true },
    ]);
  });

  test('a list of promises that is waited for in between and never emptied is a chunk loop', async () => {
    const groups = await groupsOf(`async function migrate(id) { await sleep(10 + id % 3 * 5); return id; }
const promises = [];
for (let id = 0; id < 12; id++) {
  promises.push(migrate(id));
  if (promises.length % 5 === 0) await Promise.all(promises);
}
await Promise.all(promises);`);
    expect(groups).toMatchObject([{ kind: 'chunk', chunks: 3, taskCount: 12, fulfilled: 12, peak: 5, site: { line: 6 }, taskSite: { function: 'migrate' } }]);
  });

  test('rounds that last some time at least are the chunks of what is done in them', async () => {
    const groups = await groupsOf(`const ids = [...Array(11).keys()];
async function embed(id) { await sleep(10 + id % 3 * 6); if (id === 4) throw new Error('429'); return id; }
while (ids.length > 0) await Promise.all([Promise.allSettled(ids.splice(0, 4).map((id) => embed(id))), sleep(30)]);`);
    expect(groups).toMatchObject([{ kind: 'chunk', combinator: 'allSettled', chunks: 3, taskCount: 11, rejected: 1, taskSite: { function: 'embed' } }]);
  });

  test.each([
    ['a channel of tokens', `const sent = [], senders = [];
const send = () => (sent.length < 3 ? (sent.push(1), Promise.resolve()) : new Promise((resolve) => senders.push(resolve)));
const receive = () => { sent.pop(); const next = senders.shift(); if (next) { sent.push(1); next(); } };
for (const id of ids) { await send(); void (async () => { try { await probe(id); } catch {} finally { receive(); } })(); }`],
    ['a queue of what is settled', `let wake; const over = []; let open = 0;
const add = (work) => { open++; const done = () => { open--; over.push(1); wake?.(); }; work.then(done, done); };
const one = async () => { while (over.length === 0) await new Promise((resolve) => { wake = resolve; }); over.shift(); };
const next = () => Promise.resolve(ids.shift());
for (;;) { const id = await next(); if (id === undefined) break; add(probe(id)); if (open >= 3) await one(); }
while (open > 0) await one();`],
  ])('a loop that waits for %s, which ends of tasks bring, is the pool of these tasks and nothing else', async (_name, source) => {
    const groups = await groupsOf(`const ids = [...Array(10).keys()];
async function probe(id) { await sleep(12 + id * 7 % 20); if (id === 4) throw new Error('down'); }
${source}`);
    expect(groups).toMatchObject([{ kind: 'pool', taskCount: 10, rejected: 1 }]);
  });

  test('tasks of a pump that page one after the other are no workers', async () => {
    const groups = await groupsOf(`const accounts = [3, 4, 5, 3, 4, 3]; let active = 0;
async function page(no) { await sleep(8 + no * 3 % 7); }
async function exported(count) { for (let no = 0; no < count; no++) await page(no); return count; }
function next() { while (active < 2 && accounts.length > 0) { active++; exported(accounts.shift()).then(() => { active--; next(); }); } }
next();`);
    expect(groups.filter(({ parent }) => !parent)).toMatchObject([{ kind: 'pool', taskCount: 6, peak: 2, taskSite: { function: 'exported' } }]);
    expect(groups.filter(({ parent }) => parent).map(({ kind, taskCount, taskSite }) => [kind, taskCount, taskSite?.function]).sort()).toEqual(
      [3, 3, 3, 4, 4, 5].map((count) => ['sequential', count, 'page']));
  });

  test('slices that are started together and awaited one by one are chunks, the rest of them too', async () => {
    const groups = await groupsOf(`async function print(id) { await sleep(12 + id * 7 % 20); return id; }
async function all(ids) {
  for (let at = 0; at < ids.length; at += 4) {
    const started = [];
    for (const id of ids.slice(at, at + 4)) started.push(print(id));
    for (const promise of started) await promise;
  }
}
await all([...Array(9).keys()]);`);
    expect(groups).toMatchObject([{ kind: 'chunk', chunks: 3, taskCount: 9, fulfilled: 9, peak: 4, taskSite: { function: 'print' } }]);
  });
});
