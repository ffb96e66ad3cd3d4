/** Tasks of plain functions that give a chain of `then`, in every shape of pool: a task is the whole chain, under the function's name. */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { installCorpus } from '../scoring/corpus';
import { needed } from '../support/needs';
import { observe, type Observed } from './observed';

const corpus = installCorpus();

const COPY = `const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
async function load(id) { await sleep(12 + id); return { id }; }
async function save(row) { await sleep(20); return row.id; }
function copy(id) { return load(id).then((row) => save(row)); }
const ids = [1, 2, 3, 4, 5, 6, 7];
`;

const LOOPS: Readonly<Record<string, string>> = {
  'a loop that awaits': 'for (const id of ids) await copy(id);',
  'a chain of `reduce`': 'await ids.reduce((before, id) => before.then(() => copy(id)), Promise.resolve());',
  'a function that goes on with itself': 'const go = (i) => (i < ids.length ? copy(ids[i]).then(() => go(i + 1)) : Promise.resolve());\nawait go(0);',
};

const POOLS: Readonly<Record<string, string>> = {
  'workers': 'const worker = async () => { while (ids.length > 0) await copy(ids.shift()); };\nawait Promise.all([worker(), worker()]);',
  'a pump': `let running = 0;
function next() { while (running < 2 && ids.length > 0) { running++; copy(ids.shift()).then(() => { running--; next(); }); } }
next();`,
  'a queue of a class': `class Queue {
  running = 0; waiting = [];
  run(job) { return new Promise((resolve, reject) => { this.waiting.push({ job, resolve, reject }); this.next(); }); }
  next() {
    if (this.running >= 2 || this.waiting.length === 0) return;
    const { job, resolve, reject } = this.waiting.shift();
    this.running++;
    job().then(resolve, reject).then(() => { this.running--; this.next(); });
  }
}
const queue = new Queue();
await Promise.all(ids.map((id) => queue.run(() => copy(id))));`,
  'lanes': 'const lane = () => (ids.length > 0 ? copy(ids.shift()).then(lane) : Promise.resolve());\nawait Promise.all([lane(), lane()]);',
  'a race over what is in flight': `const open = new Set();
for (const id of ids) {
  const one = copy(id).finally(() => open.delete(one));
  open.add(one);
  if (open.size >= 2) await Promise.race(open);
}
await Promise.all(open);`,
  'a semaphore': `let free = 2; const waiting = [];
const acquire = () => new Promise((resolve) => { if (free > 0) { free--; resolve(); } else waiting.push(resolve); });
const release = () => { const first = waiting.shift(); if (first) first(); else free++; };
const withSlot = (job) => acquire().then(job).finally(release);
await Promise.all(ids.map((id) => withSlot(() => copy(id))));`,
};

/** How long the shortest task of the first group took, in ms. */
const shortest = ({ timeline, groups }: Observed): number => Math.min(...timeline.rowsOf(groups[0].id).map((row) => timeline.tasks.end[row] - timeline.tasks.start[row]));

const longest = ({ timeline, groups }: Observed): number => Math.max(...timeline.rowsOf(groups[0].id).map((row) => timeline.tasks.end[row] - timeline.tasks.start[row]));

/** Line 4 is the function, ten calls of which are what there is to find: a chain that begins with what is asked of Node, and goes on with more of that, also in chains of their own. */
const OVER_NODE: Readonly<Record<string, string>> = {
  'functions promisified': `const fs = require('node:fs'), { promisify } = require('node:util'), hash = promisify(require('node:crypto').pbkdf2);
const readFile = promisify(fs.readFile), access = promisify(fs.access), items = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
const begin = (main) => { main(); };
function copy(n) {
  return readFile(__filename)
    .then((data) => new Promise((r) => setTimeout(r, 10 + n * 7 % 20)).then(() => access(__filename)))
    .then(() => hash('a', 'b', n < 6 ? 1 : 60_000, 32, 'sha256'))
    .then(() => access(__filename))
    .then(() => n);
}
`,
  'functions of fs/promises': `const { readFile, access } = require('node:fs/promises');
const items = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
const begin = (main) => { main(); };
function copy(n) {
  return readFile(__filename)
    .then((data) => new Promise((r) => setTimeout(r, 10 + n * 7 % 20)).then(() => access(__filename)))
    .then(() => readFile(__filename))
    .then(() => access(__filename))
    .then(() => n);
}
`,
  'requests': `const { createServer } = require('node:http'), timers = require('node:timers/promises');
const items = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]; let base, left = 10;
const server = createServer((req, res) => { setTimeout(() => res.end('{}'), 8 + Number(req.url.slice(1)) * 7 % 20); });
function copy(n) {
  return fetch(base + n)
    .then((answer) => answer.json())
    .then((data) => timers.setTimeout(5 + n % 3 * 4, data))
    .then(() => { if (--left === 0) { server.close(); server.closeAllConnections(); } });
}
const begin = (main) => { server.listen(0, () => { base = 'http://127.0.0.1:' + server.address().port + '/'; main(); }); };
`,
};
const WAYS: Readonly<Record<string, readonly [source: string, kind: string, peak: number]>> = {
  'all at once': ['Promise.all(items.map(copy)).then(() => {});', 'all', 10],
  'in chunks': ['let p = Promise.resolve(); for (let i = 0; i < 10; i += 4) p = p.then(() => Promise.all(items.slice(i, i + 4).map(copy)));', 'chunk', 4],
  'in chunks of a helper that awaits': [`const send = async (part) => { const sent = await Promise.all(part.map((n) => copy(n))); return sent.length; };
(async () => { for (let i = 0; i < 10; i += 4) await send(items.slice(i, i + 4)); })();`, 'chunk', 4],
  'by a function that calls itself': ['const walk = async ([n, ...rest]) => { if (n === undefined) return; await copy(n); return walk(rest); };\nwalk(items);', 'sequential', 1],
  'in callbacks that await the one before': ['items.reduce(async (before, n) => { await before; await copy(n); }, undefined);', 'sequential', 1],
  'raced in a set': [`(async () => {
  const set = new Set();
  for (const n of items) { if (set.size >= 3) await Promise.race(set); const task = copy(n).finally(() => set.delete(task)); set.add(task); }
  await Promise.all(set);
})();`, 'pool', 3],
  'in lanes': ['const next = () => items.length > 0 ? copy(items.shift()).then(next) : undefined;\nPromise.all([next(), next(), next()]).then(() => {});', 'pool', 3],
  'one behind the other': ['items.reduce((before, n) => before.then(() => copy(n)), Promise.resolve());', 'sequential', 1],
  'by a function that fills up': [`let active = 0;
function pump() { while (active < 3 && items.length > 0) { active++; const over = () => { active--; pump(); }; copy(items.shift()).then(over, over); } }
pump();`, 'pool', 3],
  'by workers': [`(async () => {
  async function worker() { while (items.length > 0) await copy(items.shift()); }
  await Promise.all([worker(), worker(), worker()]);
})();`, 'pool', 3],
  'in a loop': ['(async () => { for (const n of items) await copy(n); })();', 'sequential', 1],
  'by a queue': [`const queue = []; let active = 0;
function next() {
  if (active >= 3 || queue.length === 0) return;
  active++;
  const [fn, resolve, reject] = queue.shift();
  fn().then(resolve, reject).then(() => { active--; next(); });
}
const add = (fn) => new Promise((resolve, reject) => { queue.push([fn, resolve, reject]); next(); });
items.forEach((n) => add(() => copy(n)).then(() => {}));`, 'pool', 3],
  'by a limiter that calls it in an async function': [`const waiting = []; let open = 0;
const run = async (fn, resolve) => { open++; const result = (async () => fn())(); resolve(result); try { await result; } catch {} open--; waiting.shift()?.(); };
const limit = (fn) => new Promise((resolve) => { const go = () => run(fn, resolve); if (open < 3) go(); else waiting.push(go); });
Promise.all(items.map((n) => limit(() => copy(n)))).then(() => {});`, 'pool', 3],
  'by a queue that awaits': [`const jobs = []; let running = 0;
async function next() {
  if (running >= 3 || jobs.length === 0) return;
  running++;
  const { job, resolve, reject } = jobs.shift();
  try { resolve(await job()); } catch (error) { reject(error); } finally { running--; next(); }
}
const push = (job) => new Promise((resolve, reject) => { jobs.push({ job, resolve, reject }); next(); });
Promise.all(items.map((n) => push(() => copy(n)))).then(() => {});`, 'pool', 3],
  'behind a semaphore': [`let free = 3; const line = [];
const acquire = () => free > 0 ? (free--, Promise.resolve()) : new Promise((go) => line.push(go));
const release = () => { const go = line.shift(); if (go) go(); else free++; };
async function run(n) { await acquire(); try { return await copy(n); } finally { release(); } }
Promise.all(items.map(run)).then(() => {});`, 'pool', 3],
  'behind a limiter': [`let active = 0; const queue = [];
const limit = (fn) => new Promise((resolve, reject) => {
  const run = () => { active++; fn().then(resolve, reject).finally(() => { active--; queue.shift()?.(); }); };
  if (active < 3) run(); else queue.push(run);
});
Promise.all(items.map((n) => limit(() => copy(n)))).then(() => {});`, 'pool', 3],
  'raced in an array': [`async function asyncPool(limit, list, fn) {
  const all = [], executing = [];
  for (const n of list) {
    const task = fn(n), done = task.then(() => executing.splice(executing.indexOf(done), 1));
    all.push(task); executing.push(done);
    if (executing.length >= limit) await Promise.race(executing);
  }
  return Promise.all(all);
}
asyncPool(3, items, copy);`, 'pool', 3],
  'by workers with one iterator': [`(async () => {
  const shared = items.values();
  async function worker() { for (const n of shared) await copy(n); }
  await Promise.all(Array.from({ length: 3 }, () => worker()));
})();`, 'pool', 3],
  'tried again where they fail': [`const attempt = (fn, left = 2) => fn().catch((error) => left > 0 ? attempt(fn, left - 1) : Promise.reject(error));
Promise.all(items.map((n) => attempt(() => copy(n)))).then(() => {});`, 'all', 10],
};

describe.each(['v8', 'async_hooks'] as const)('with %s', (backend) => {
  test.each(Object.entries(LOOPS))('%s is a loop over the chains', async (_name, loop) => {
    const run = await observe(COPY + loop, { backend, as: 'a.mjs' });
    expect(run.groups).toMatchObject([{ kind: 'sequential', taskCount: 7, taskSite: { function: 'copy' } }]);
    expect(shortest(run)).toBeGreaterThan(28);
  });

  test.each(Object.entries(POOLS))('%s of two is a pool of the chains', async (_name, pool) => {
    const run = await observe(COPY + pool, { backend, as: 'a.mjs' });
    expect(run.groups).toMatchObject([{ kind: 'pool', taskCount: 7, peak: 2, taskSite: { function: 'copy' } }]);
    expect(shortest(run)).toBeGreaterThan(28);
  });

  const groupsOf = async (program: string) => (await observe(program, { backend, as: 'a.mjs' })).groups;
  const PLAIN = `const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const render = (id) => sleep(10 + id % 3 * 4).then(() => ({ id }));
const store = ({ id }) => sleep(8).then(() => id);
const ids = [...Array(9).keys()];
`;

  test('chains of helpers that only wait are work, under the name of the function that gave them', async () => {
    const groups = await groupsOf(`${PLAIN}const tile = (id) => render(id).then(store).then((size) => size);
function limiter(limit) {
  const waiting = []; let active = 0;
  const release = () => { active--; waiting.shift()?.(); };
  return (job) => new Promise((resolve, reject) => {
    const run = () => { active++; job().then(resolve, reject).then(release); };
    if (active < limit) run(); else waiting.push(run);
  });
}
const limit = limiter(3);
await Promise.all(ids.map((id) => limit(() => tile(id))));`);
    expect(groups).toMatchObject([{ kind: 'pool', taskCount: 9, peak: 3, taskSite: { function: 'tile' } }]);
  });

  test('steps that one function gives are one task, and what is rejected in the last of them fails it', async () => {
    const groups = await groupsOf(`${PLAIN}const step = (name) => (log) => new Promise((resolve) => { setTimeout(() => resolve([...log, name]), 10); });
function deploy(id) { return step('stop')([]).then(step('copy')).then(step('start')).then((log) => { if (id === 2) throw new Error('down'); return log; }); }
await ids.slice(0, 4).reduce((before, id) => before.then(() => deploy(id).catch(() => null)), Promise.resolve());
let free = 2; const waiting = [];
const acquire = () => { if (free > 0) { free--; return Promise.resolve(); } return new Promise((resolve) => waiting.push(resolve)); };
const release = () => { const first = waiting.shift(); if (first) first(); else free++; };
const fetched = (id) => render(id).then((row) => { if (id === 5) throw new Error('410'); return store(row); });
await Promise.all(ids.map((id) => acquire().then(() => fetched(id)).catch(() => null).finally(release)));`);
    expect(groups).toMatchObject([
      { kind: 'sequential', taskCount: 4, taskSite: { function: 'deploy' } },
      { kind: 'pool', taskCount: 9, fulfilled: 8, rejected: 1, peak: 2, taskSite: { function: 'fetched' } },
    ]);
  });

  test('a chain whose last step only takes note of what failed before has failed', async () => {
    const { groups } = await observe(`const sleep = (ms) => new Promise((r) => setTimeout(r, ms));
const ids = [1, 2, 3, 4, 5, 6, 7]; const failed = [];
function print(id) { return sleep(10 + id).then(() => { if (id === 4) throw new Error('no address'); return id; }); }
function next() { return ids.length === 0 ? Promise.resolve() : print(ids.shift()).then(() => {}, (error) => { failed.push(error); }).then(() => next()); }
await Promise.all([next(), next()]);`, { as: 'a.mjs' });
    expect(groups).toMatchObject([{ kind: 'pool', taskCount: 7, fulfilled: 6, rejected: 1, taskSite: { function: 'print' } }]);
  });

  test('deferreds belong to whoever makes them', async () => {
    const groups = await groupsOf(`function defer() { const d = {}; d.promise = new Promise((resolve, reject) => Object.assign(d, { resolve, reject })); return d; }
function queue(worker, limit) {
  const pending = []; let busy = 0;
  const next = () => { while (busy < limit && pending.length > 0) start(pending.shift()); };
  const start = ({ data, deferred }) => { busy++; worker(data).then((value) => { busy--; deferred.resolve(value); next(); }); };
  return (data) => { const deferred = defer(); pending.push({ data, deferred }); next(); return deferred.promise; };
}
function print(page) { const done = defer(); setTimeout(() => done.resolve(page), 10 + page % 3 * 5); return done.promise; }
const push = queue(print, 2);
await Promise.all([...Array(8).keys()].map((page) => push(page)));`);
    expect(groups).toMatchObject([{ kind: 'pool', taskCount: 8, peak: 2, taskSite: { function: 'print' } }]);
  });

  test('a race of chains is one; chains that share a promise begun before are not its call', async () => {
    const groups = await groupsOf(`${PLAIN}const firstByte = (id) => sleep(10 + id * 3).then(() => sleep(20)).then(() => id);
await Promise.race(ids.slice(0, 4).map((id) => firstByte(id)));
await sleep(60);
const token = render(7);
const use = (id) => token.then(() => store({ id }));
for (const id of ids.slice(0, 3)) await use(id);`);
    expect(groups[0]).toMatchObject({ kind: 'race', taskCount: 4, taskSite: { function: 'firstByte' } });
  });

  test('a chain ends where its last step does, however much else has settled since the first', async () => {
    const groups = await groupsOf(`const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
async function load(id) { await sleep(10); return id; }
async function one(i) { return i; }
async function crowd() { for (let k = 0; k < 4; k++) { await Promise.all(Array.from({ length: 2000 }, (_, i) => one(i))); await sleep(5); } }
const copy = (id) => load(id).then(() => crowd());
const ids = [1, 2, 3, 4, 5]; let running = 0;
function next() { while (running < 2 && ids.length > 0) { running++; copy(ids.shift()).then(() => { running--; next(); }); } }
next();`);
    expect(groups.filter(({ taskSite }) => taskSite?.function === 'copy')).toMatchObject([{ kind: 'pool', taskCount: 5, fulfilled: 5, pending: 0 }]);
  });

  const TIMED = `${PLAIN}const withTimeout = (work, ms) => {
  let timer;
  const alarm = new Promise((_, reject) => { timer = setTimeout(() => reject(new Error('late')), ms); });
  return Promise.race([work, alarm]).finally(() => clearTimeout(timer));
};
const ping = (id) => sleep(id === 2 ? 150 : 12 + id % 3 * 6).then(() => id);
function check(id) { return withTimeout(ping(id), 60).catch((error) => ({ id, error })).then((state) => ({ state })); }
`;

  test.each(Object.entries(OVER_NODE).flatMap(([asked, over]) => Object.entries(WAYS).map(([way, [source, kind, peak]]) => [asked, way, over + `begin(() => {\n${source}\n});`, kind, peak] as const)))('chains over %s, %s, are one group of calls of their function', async (_asked, _way, source, kind, peak) => {
    const { groups } = await observe(source, { backend, as: 'a.cjs' });
    expect(groups).toMatchObject([{ kind, peak, taskCount: 10, fulfilled: 10, taskSite: { function: 'copy', line: 4 } }]);
    expect(groups[0].site?.line).toBeGreaterThan(10);
  });

  test('a step of the chains that chunk loops wait for, each in a task of an outer one, is no turn of a worker', async () => {
    const { groups } = await observe(`import { readFile } from 'node:fs/promises'; import { setTimeout as sleep } from 'node:timers/promises';
function page(site, i) { return sleep(8 + (site * 3 + i) * 7 % 15).then(() => readFile(process.argv[1])).then((data) => data.length); }
async function crawl(site) { for (let i = 1; i < 6; i += 2) await Promise.all([i, i + 1].slice(0, 6 - i).map((k) => page(site, k))); }
for (let site = 1; site < 16; site += 3) await Promise.all([site, site + 1, site + 2].map(crawl));`, { backend, as: 'a.mjs' });
    const outer = groups.find(({ parent }) => parent === undefined);
    expect(outer).toMatchObject({ kind: 'chunk', taskCount: 15, peak: 3, taskSite: { function: 'crawl' } });
    expect(groups.filter((group) => group !== outer)).toMatchObject(Array.from({ length: 15 }, () => ({ kind: 'chunk', taskCount: 5, peak: 2, taskSite: { function: 'page' }, parent: { group: outer?.id } })));
  });

  test('what the chains behind a limiter ask Node for at last are their steps, also where several do at once', async () => {
    const { groups } = await observe(`const { readFile: read } = require('node:fs'); const { pbkdf2 } = require('node:crypto'); const { promisify } = require('node:util');
const readFile = promisify(read), hash = promisify(pbkdf2);
let active = 0; const backlog = [];
const drain = () => {
  if (active >= 3 || backlog.length === 0) return;
  active++;
  backlog.shift()().finally(() => { active--; drain(); });
};
const schedule = (fn, n) => new Promise((resolve, reject) => { backlog.push(() => fn(n).then(resolve, reject)); drain(); });
function copy(n) {
  return readFile(process.argv[1])
    .then(() => new Promise((r) => setTimeout(r, 10 + (n * 7) % 20)))
    .then(() => hash('a', 'b', n < 6 ? 1 : 90_000, 32, 'sha256'))
    .then(() => n);
}
Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map((n) => schedule(copy, n))).then(() => {});`, { backend, as: 'a.cjs' });
    expect(groups).toMatchObject([{ kind: 'pool', taskCount: 8, peak: 3, taskSite: { function: 'copy' } }]);
  });

  test('what a generator yields is a call of the function that it calls, and no call of its own', async () => {
    const { groups } = await observe(`${COPY}function* jobs() { for (const id of ids) yield load(id).catch(() => null); }
const pool = (producer, size) => new Promise((resolve) => {
  let active = 0, isOver = false;
  const proceed = () => {
    while (!isOver && active < size) {
      const { value, done } = producer.next();
      if (done) { isOver = true; break; }
      active++;
      value.then(() => { active--; proceed(); });
    }
    if (isOver && active === 0) resolve();
  };
  proceed();
});
await pool(jobs(), 3);`, { backend, as: 'a.mjs' });
    expect(groups).toMatchObject([{ kind: 'pool', taskCount: 7, peak: 3, taskSite: { function: 'load', line: 2 } }]);
  });

  test.each([
    ['lanes', 'const next = () => (ids.length > 0 ? load(ids.shift()).then(next) : undefined);\nawait Promise.all([next(), next(), next()]);'],
    ['a pump', 'let open = 0; const fill = () => { while (open < 3 && ids.length > 0) { open++; load(ids.shift()).then(() => { open--; fill(); }); } };\nfill();'],
    ['workers', 'const worker = async () => { while (ids.length > 0) await load(ids.shift()); };\nawait Promise.all([worker(), worker(), worker()]);'],
  ])('what chains hold together by a combinator are groups inside of the tasks of %s, and no chunks', async (_name, pool) => {
    const groups = await groupsOf(`${PLAIN}const get = (path) => sleep(5 + path.length * 3 % 7).then(() => path);
function load(id) { return get('/' + id).then((page) => Promise.all([get(page + '/a'), get(page + '/comments')]).then(([a, b]) => [a, b])).then((full) => full); }
${pool}`);
    const outer = groups.find(({ kind }) => kind === 'pool');
    expect(outer).toMatchObject({ peak: 3, taskCount: 9, taskSite: { function: 'load' } });
    const inner = groups.filter((group) => group !== outer);
    expect(inner).toMatchObject(Array.from({ length: 9 }, () => ({ kind: 'all', taskCount: 2, parent: { group: outer?.id } })));
    expect(new Set(inner.map(({ parent }) => parent?.task)).size).toBe(9);
  });

  test('pages by a chain, each of which is worked on together before the next is asked for, are a chunk loop', async () => {
    const groups = await groupsOf(`${PLAIN}const list = (page) => sleep(8).then(() => [0, 1, 2].map((i) => page * 3 + i));
const walk = (page) => list(page).then((found) => Promise.all(found.map(render))).then(() => (page < 3 ? walk(page + 1) : undefined));
await walk(0);`);
    expect(groups).toMatchObject([{ kind: 'chunk', chunks: 4, taskCount: 12, peak: 3, taskSite: { function: 'render' } }]);
  });

  test('work raced with an alarm clock is one task, which is over where either is', async () => {
    const chunks = await observe(`${TIMED}const round = (from) => Promise.all(ids.slice(from, from + 3).map((id) => check(id))).then(() => (from < 6 ? round(from + 3) : undefined));
await round(0);`, { backend, as: 'a.mjs' });
    expect(chunks.groups).toMatchObject([{ kind: 'chunk', chunks: 3, taskCount: 9, taskSite: { function: 'check' } }]);
    const lanes = await observe(`${TIMED}const lane = () => (ids.length > 0 ? check(ids.shift()).then(lane) : undefined);
await Promise.all([lane(), lane(), lane()]);`, { backend, as: 'a.mjs' });
    expect(lanes.groups).toMatchObject([{ kind: 'pool', peak: 3, taskCount: 9, taskSite: { function: 'check' } }]);
    expect(longest(lanes)).toBeLessThan(120);
  });

  const FLAKY = `${PLAIN}const tries = {};
function request(id) { tries[id] = (tries[id] ?? 0) + 1; return sleep(12 + id % 3 * 5).then(() => { if (id % 4 === 1 && tries[id] === 1) throw new Error('busy'); return id; }); }
`;

  test.each([
    ['a pause', 'function call(id, left) { return request(id).catch((error) => { if (left === 0) throw error; return sleep(8).then(() => call(id, left - 1)); }); }'],
    ['a function named for it', 'async function ask(id) { return request(id); }\nfunction attempt(id, left) { return ask(id).catch((error) => { if (left === 0) throw error; return attempt(id, left - 1); }); }\nfunction call(id, left) { return attempt(id, left); }'],
  ])('another try behind %s is a step of the task', async (_name, call) => {
    const groups = await groupsOf(`${FLAKY}${call}
function price(id) { return call(id, 2); }
const lane = () => (ids.length > 0 ? price(ids.shift()).then(lane) : undefined);
await Promise.all([lane(), lane()]);`);
    expect(groups).toMatchObject([{ kind: 'pool', peak: 2, taskCount: 9, fulfilled: 9 }]);
  });

  test('lanes that pause between tasks have a task for each, and no further tries', async () => {
    const groups = await groupsOf(`${PLAIN}const polite = () => (ids.length > 0 ? render(ids.shift()).then(() => sleep(5).then(() => polite())) : undefined);
await Promise.all([polite(), polite()]);`);
    expect(groups).toMatchObject([{ kind: 'pool', peak: 2, taskCount: 9 }]);
  });

  test('a task handed on by util.callbackify is its chain', async () => {
    const groups = await groupsOf(`import { callbackify } from 'node:util';
${PLAIN}function pack(id) { return sleep(10 + id % 3 * 4).then(() => sleep(6)); }
let next = 0, running = 0;
const job = callbackify(pack);
const fill = () => { while (running < 3 && next < 9) { running++; job(next++, () => { running--; fill(); }); } };
fill();`);
    expect(groups).toMatchObject([{ kind: 'pool', peak: 3, taskCount: 9, taskSite: { function: 'pack' } }]);
  });

  test('a limiter whose tasks begin with what is asked of Node is one pool, which they begin in with that', async () => {
    const groups = await groupsOf(`import fs from 'node:fs';
import { promisify } from 'node:util';
const read = promisify(fs.readFile), wait = promisify(setTimeout);
const ids = [...Array(9).keys()];
class Limiter {
  running = 0; waiting = [];
  run(job) { return new Promise((resolve, reject) => { this.waiting.push(() => job().then(resolve, reject)); this.next(); }); }
  next() { if (this.running >= 3 || this.waiting.length === 0) return; this.running++; this.waiting.shift()().finally(() => { this.running--; this.next(); }); }
}
function copy(id) { return read(new URL(import.meta.url)).then(() => wait(12 + id % 3 * 5)).then(() => id); }
const limiter = new Limiter();
await Promise.all(ids.map((id) => limiter.run(() => copy(id))));`);
    expect(groups).toMatchObject([{ kind: 'pool', peak: 3, taskCount: 9 }]);
  });

  test('chunks in async functions that a chain of `reduce` calls are one chunk loop', async () => {
    const { groups } = await observe(`const sleep = (ms) => new Promise((r) => setTimeout(r, ms));
const load = async (i) => { await sleep(10 + i * 3); return i; };
await [[0, 1, 2], [3, 4, 5], [6, 7]].reduce((before, part) => before.then(async (out) => [...out, ...await Promise.all(part.map(load))]), Promise.resolve([]));`, { backend, as: 'a.mjs' });
    expect(groups).toMatchObject([{ kind: 'chunk', combinator: 'all', taskCount: 8, chunks: 3, lanes: 3, site: { line: 3 }, taskSite: { function: 'load' } }]);
  });
});

test.for(['.then(() => go())', '.catch(() => {}).then(() => go())', '.then(go)'])('lanes whose tasks have a loop of their own are no workers of that loop: visit()%s', async (goesOn) => {
  const { groups } = await observe(`const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
async function page(site, i) { await sleep(5 + (site * 3 + i) * 7 % 15); }
async function visit(site) { for (const i of [1, 2, 3, 4]) await page(site, i); }
const left = [1, 2, 3, 4, 5, 6, 7, 8, 9];
const go = () => (left.length > 0 ? visit(left.shift())${goesOn} : Promise.resolve());
await Promise.all([go(), go(), go()]);`);
  expect(groups.filter(({ parent }) => !parent)).toMatchObject([{ kind: 'pool', taskCount: 9, peak: 3, fulfilled: 9, taskSite: { function: 'visit' } }]);
  expect(groups.filter(({ parent }) => parent)).toMatchObject(Array.from({ length: 9 }, () => ({ kind: 'sequential', taskCount: 4, taskSite: { function: 'page' } })));
});

test('a tail that everybody puts a link on is one loop, whoever that is', async () => {
  const { groups } = await observe(`const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
let tail = Promise.resolve();
async function write(batch) { await sleep(10 + batch % 3); }
const flush = (batch) => { tail = tail.then(() => write(batch)); };
async function close() { flush(6); await tail; }
for (let i = 0; i < 6; i++) { await sleep(4); flush(i); }
await close();`);
  expect(groups.find(({ taskSite }) => taskSite?.function === 'write')).toMatchObject({ kind: 'sequential', taskCount: 7 });
});

test('what the chains that a library runs go on with are their steps, also where these overlap as in a pool', async (context) => {
  const packages = join(needed(context, 'CORPUS', corpus), 'node_modules');
  const { groups } = await observe(`import pLimit from 'p-limit'; import { writeFileSync } from 'node:fs'; import { readFile } from 'node:fs/promises'; import { setTimeout as sleep } from 'node:timers/promises';
writeFileSync('large', Buffer.alloc(12 << 20));
function page(site, i) { return sleep(4 + i).then(() => readFile('large')).then((bytes) => bytes.length); }
async function visit(site) { const limit = pLimit(2); await Promise.all([1, 2, 3, 4, 5].map((i) => limit(() => page(site, i)))); }
await Promise.all(['a', 'b', 'c'].map((site) => visit(site)));`, { packages });
  expect(groups.map(({ kind, library, taskCount, peak, taskSite }) => [kind, library, taskCount, peak, taskSite?.function])).toEqual([
    ['all', undefined, 3, 3, 'visit'], ...Array.from({ length: 3 }, () => ['pool', 'p-limit', 5, 2, 'page']),
  ]);
});

test('a chain among calls of other functions is a task as they are, and what it goes through by reduce is a loop of its own', async () => {
  const { groups } = await observe(`const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
async function rotate() { await sleep(90); }
async function post(entry) { await sleep(12 + entry); }
const close = (entries) => entries.reduce((before, entry) => before.then(() => post(entry)), Promise.resolve()).then(() => entries.length);
await Promise.all([rotate(), close([1, 2, 3, 4, 5])]);`);
  expect(groups).toMatchObject([{ kind: 'all', taskCount: 2, peak: 2, fulfilled: 2 }, { kind: 'sequential', taskCount: 5, taskSite: { function: 'post' }, parent: { group: groups[0].id } }]);
});

test('a helper whose chunks go on by a chain of then is a chunk loop each time that it is called for other work', async () => {
  const { groups } = await observe(`const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const slices = (list, n) => Array.from({ length: Math.ceil(list.length / n) }, (_, i) => list.slice(i * n, i * n + n));
const inChunks = (list, n, fn) => slices(list, n).reduce((before, part) => before.then((all) => Promise.all(part.map((x) => fn(x))).then((now) => all.concat(now))), Promise.resolve([]));
const pack = async (file) => { await sleep(15 + file); return file; };
const send = (pack) => new Promise((resolve) => setTimeout(resolve, 20 + pack, pack));
inChunks([...Array(11).keys()], 4, pack).then((packs) => inChunks(packs.slice(0, 8), 3, send));`, { as: 'a.cjs' });
  expect(groups.map(({ kind, taskCount, chunks, taskSite }) => [kind, taskCount, chunks, taskSite?.function])).toEqual([['chunk', 11, 3, 'pack'], ['chunk', 8, 3, 'send']]);
});

test('a helper whose lanes go on by then, and whose tasks ask the same helper, has a pool in each of them', async () => {
  const { groups } = await observe(`const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
function gather(list, n, fn) {
  const it = list[Symbol.iterator]();
  const pull = () => { const { value, done } = it.next(); return done ? undefined : fn(value).then(() => pull()); };
  return Promise.all(Array.from({ length: n }, pull));
}
async function readPage(page) { await sleep(12 + page * 7 % 20); }
async function crawl(site) { await gather([site, 1, 2, 3, 4], 2, readPage); await sleep(5); }
await gather([5, 6, 7, 8], 2, crawl);`, { as: 'a.mjs' });
  const [sites, ...pages] = groups;
  expect(sites).toMatchObject({ kind: 'pool', taskCount: 4, peak: 2, taskSite: { function: 'crawl' } });
  expect(pages).toMatchObject(Array.from({ length: 4 }, () => ({ kind: 'pool', taskCount: 5, peak: 2, taskSite: { function: 'readPage' }, parent: { group: sites.id } })));
});

test('slots that are given back by the chain that an element was resolved with let the next one begin', async () => {
  const { groups: [pool], timeline } = await observe(`const sleep = (ms) => new Promise((r) => setTimeout(r, ms));
let free = 2; const line = [];
const acquire = () => { if (free > 0) { free--; return Promise.resolve(1); } return new Promise((go) => line.push(go)); };
const release = () => { const go = line.shift(); if (go) go(); else free++; };
const use = (fn) => acquire().then((slot) => fn(slot).then((row) => { release(); return row; }, (error) => { release(); throw error; }));
const copy = (id) => new Promise((done) => { sleep(12).then(() => sleep(12)).then(done); });
await Promise.all([...Array(8).keys()].map((id) => use(() => copy(id))));`, { as: 'a.mjs' });
  expect(pool).toMatchObject({ kind: 'pool', taskCount: 8, peak: 2 });
  for (const row of timeline.rowsOf(pool.id)) expect(timeline.tasks.end[row] - timeline.tasks.start[row]).toBeGreaterThan(20);
});
