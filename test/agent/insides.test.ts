import { describe, expect, test } from 'vitest';
import { observe } from './observed';

const SLEEP = 'const sleep = (ms) => new Promise((r) => setTimeout(r, ms));\n';

/** What tasks do one after the other, and what brings them what they work on. */
describe.each(['v8', 'async_hooks'] as const)('with %s', (backend) => {
  test.each([
    ['steps before it', 'await save(i);', ''],
    ['steps behind it', '', 'await save(i);'],
  ])('a task with a loop of its own, and %s, is a task and no worker', async (_name, first, last) => {
    const { groups } = await observe(`${SLEEP}const save = async (i) => { await sleep(6 + i % 3 * 4); };
async function seed(i) { ${first} for (let post = 0; post < 2 + i % 3; post++) await insert(post); ${last} }
const insert = async () => { await sleep(8); };
for (let i = 0; i < 12; i += 4) await Promise.all([0, 1, 2, 3].map((k) => seed(i + k)));`, { backend, as: 'a.mjs' });
    expect(groups.filter(({ parent }) => !parent)).toMatchObject([{ kind: 'chunk', taskCount: 12, chunks: 3, taskSite: { function: 'seed' } }]);
    // Two steps are no loop.
    expect(groups.filter(({ parent }) => parent).map(({ kind, taskCount, taskSite }) => [kind, taskCount, taskSite?.function]).sort()).toEqual(
      [3, 3, 3, 3, 4, 4, 4, 4].map((count) => ['sequential', count, 'insert']));
  });

  test('chunks in callbacks each of which awaits the one before are one loop', async () => {
    const { groups } = await observe(`${SLEEP}const work = async (i) => { await sleep(5 + i * 3); return i; };
await [[1, 2, 3], [4, 5, 6], [7, 8]].reduce(async (before, part) => [...await before, ...await Promise.all(part.map(work))], Promise.resolve([]));`, { backend, as: 'a.mjs' });
    expect(groups).toMatchObject([{ kind: 'chunk', taskCount: 8, chunks: 3, taskSite: { function: 'work' } }]);
  });

  test.each([
    ['an async function', 'const work = async (i) => { await sleep(5 + i); return i; };', ''],
    ['a function that gives a chain', 'const work = (i) => sleep(5 + i).then(() => sleep(3)).then(() => i);', ''],
    ['a function of two parts', 'const work = async (i) => { await Promise.all([sleep(5 + i), sleep(3)]); return i; };', 'all '.repeat(5)],
  ])('calls of %s in callbacks each of which awaits the one before are one loop', async (_name, work, within) => {
    for (const callback of ['[...await before, await work(i)]', '{ const done = await before; await sleep(2); done.push(await work(i)); return done; }']) {
      const { groups } = await observe(`${SLEEP}${work}\nawait [1, 2, 3, 4, 5].reduce(async (before, i) => ${callback}, Promise.resolve([]));`, { backend, as: 'a.mjs' });
      expect(groups.filter(({ parent }) => parent === undefined)).toMatchObject([{ kind: 'sequential', taskCount: 5, peak: 1, fulfilled: 5, site: { line: 3 }, taskSite: { function: 'work', line: 2 } }]);
      expect(groups.filter(({ parent }) => parent !== undefined).map(({ kind }) => kind + ' ').join('')).toBe(within);
    }
  });

  test('pages whose function calls itself for the next are a loop of requests; a page that lets others begin is none', async () => {
    const source = `import { createServer } from 'node:http';
const server = createServer((request, response) => { setTimeout(() => response.end('{}'), 15); });
await new Promise((listening) => server.listen(0, listening));
const get = (page) => fetch('http://127.0.0.1:' + server.address().port + '/' + page);
`;
    const { groups } = await observe(`${source}async function pages(page) {
  const answer = await get(page);
  const rows = [await answer.json()];
  return page === 5 ? rows : [...rows, ...await pages(page + 1)];
}
await pages(1); server.close(); server.closeAllConnections();`, { backend, as: 'a.mjs' });
    expect(groups).toMatchObject([{ kind: 'sequential', taskCount: 5, peak: 1 }]);
    const crawl = await observe(`${source}let left = 9, open = 0;
async function visit(page) { const answer = await get(page); await answer.json(); begin(); }
function begin() { while (open < 3 && left > 0) { open++; visit(left--).finally(() => { open--; begin(); }); } if (open === 0) { server.close(); server.closeAllConnections(); } }
begin();`, { backend, as: 'a.mjs' });
    expect(crawl.groups).toMatchObject([{ kind: 'pool', taskCount: 9, taskSite: { function: 'visit' } }]);
  });

  test('a loop over a function of two parts is no chunk loop', async () => {
    const { groups } = await observe(`${SLEEP}const count = async (i) => { await sleep(5 + i); }, rank = async (i) => { await sleep(9 - i); };
async function profile(i) { await Promise.all([count(i), count(-i), rank(i)]); }
for (const i of [1, 2, 3, 4]) await profile(i);`, { backend, as: 'a.mjs' });
    const [loop, ...inner] = [...groups].sort((a, b) => b.taskCount - a.taskCount);
    expect(loop).toMatchObject({ kind: 'sequential', taskCount: 4, taskSite: { function: 'profile' } });
    expect(inner).toMatchObject([1, 2, 3, 4].map(() => ({ kind: 'all', taskCount: 3, parent: { group: loop.id } })));
  });

  test.each([
    ['all at once', 'await Promise.all([1, 2, 3].map(work));', { kind: 'all', taskCount: 3 }],
    ['in chunks', 'for (let at = 1; at < 7; at += 3) await Promise.all([at, at + 1, at + 2].map(work));', { kind: 'chunk', taskCount: 6, chunks: 2 }],
  ])('to wait for a module that another task has begun to load, %s, is work', async (_name, source, group) => {
    const files = { 'slow.mjs': 'await new Promise((r) => setTimeout(r, 60)); export const factor = 2;' };
    const { groups, timeline } = await observe(`${SLEEP}async function work(i) { const { factor } = await import('./slow.mjs'); await sleep(factor * i); }\n${source}`, { backend, as: 'a.mjs', files });
    expect(groups).toMatchObject([group]);
    const [first, second, third] = [...timeline.rowsOf(groups[0].id)].map((row) => timeline.tasks.start[row]);
    expect(Math.max(second, third) - first).toBeLessThan(40);
  });

  test('a pause behind each task is no part of it', async () => {
    const { groups, timeline } = await observe(`${SLEEP}const queue = [...Array(9).keys()];
async function crawl(i) { await sleep(10 + i % 3 * 4); }
async function consume() { while (queue.length > 0) { await crawl(queue.pop()); await sleep(40); } }
await Promise.all([consume(), consume(), consume()]);`, { backend, as: 'a.mjs' });
    expect(groups).toMatchObject([{ kind: 'pool', taskCount: 9, lanes: 3, taskSite: { function: 'crawl' } }]);
    const { start, end } = timeline.tasks;
    expect(timeline.rowsOf(groups[0].id).filter((row) => end[row] - start[row] > 40)).toEqual([]);
  });

  test('what workers open before their loop and close behind it is no part of a task', async () => {
    const { groups, timeline } = await observe(`${SLEEP}let next = 0;
const query = async (i) => { await sleep(10 + i % 3 * 4); };
const connect = async () => { await sleep(40); return { close: async () => { await sleep(40); } }; };
async function worker() { const connection = await connect(); try { while (next < 12) await query(next++); } finally { await connection.close(); } }
await Promise.all([worker(), worker(), worker()]);`, { backend, as: 'a.mjs' });
    expect(groups).toMatchObject([{ kind: 'pool', taskCount: 12, lanes: 3, taskSite: { function: 'query' } }]);
    const { start, end } = timeline.tasks;
    expect(timeline.rowsOf(groups[0].id).filter((row) => end[row] - start[row] > 40)).toEqual([]);
  });

  test('workers that share an async generator over lists have its items for tasks, and nothing else', async () => {
    const { groups } = await observe(`${SLEEP}async function* inbox() { for (let page = 0; page < 3; page++) { await sleep(8); yield* [1, 2, 3, 4, 5, 6]; } }
const classify = async (i) => { await sleep(10 + i * 3); };
async function consume(messages) { for await (const message of messages) await classify(message); }
const messages = inbox();
await Promise.all([consume(messages), consume(messages), consume(messages)]);`, { backend, as: 'a.mjs' });
    expect(groups).toMatchObject([{ kind: 'pool', taskCount: 18, lanes: 3, taskSite: { function: 'classify' } }]);
  });

  test('work that was dealt out before is that of rails, as long as these do nothing else', async () => {
    const { groups } = await observe(`${SLEEP}const job = async (ms) => { await sleep(ms); };
await Promise.all([[10, 20, 10], [30, 10, 25], [12, 14]].map(async (share) => { for (const ms of share) await job(ms); }));`, { backend, as: 'a.mjs' });
    expect(groups).toMatchObject([{ kind: 'pool', taskCount: 8, lanes: 3, peak: 3 }]);
  });

  test('a loop that is drawn before its task is known for one is inside of that', async () => {
    const { groups } = await observe(`import { EventEmitter } from 'node:events';
${SLEEP}class Queue extends EventEmitter {
  waiting = []; active = 0;
  add(fn, arg) { return new Promise((resolve, reject) => { this.waiting.push({ fn, arg, resolve, reject }); this.#next(); }); }
  #next() { while (this.active < 2 && this.waiting.length) this.#run(this.waiting.shift()); }
  async #run({ fn, arg, resolve, reject }) {
    this.active++;
    try { resolve(await fn(arg)); } catch (error) { reject(error); }
    this.active--;
    this.#next();
  }
}
const encode = async (part) => { await sleep(6 + part % 2 * 3); };
async function transcode(clip) { for (let part = 0; part < 4; part++) await encode(clip + part); }
const queue = new Queue();
for (let clip = 0; clip < 6; clip++) queue.add(transcode, clip).then(() => {});`, { backend, as: 'a.mjs' });
    expect(groups.filter(({ parent }) => !parent)).toMatchObject([{ kind: 'pool', taskCount: 6, peak: 2, taskSite: { function: 'transcode' } }]);
    expect(groups.filter(({ parent }) => parent)).toMatchObject(Array.from({ length: 6 }, () => ({ kind: 'sequential', taskCount: 4, taskSite: { function: 'encode' } })));
  });

  test.each(['sleep(3)', 'new Promise((go) => setTimeout(go, 3))'])('tries of what fails, and looks at what is not ready, are no loop of the task: %s', async (pause) => {
    const { groups } = await observe(`${SLEEP}let asked = 0; const jobs = [1, 2, 3, 4, 5, 6];
const worker = async () => { while (jobs.length > 0) await deploy(jobs.shift()); };
const send = async (i) => { await sleep(3); if (++asked % 4 !== 0) throw new Error('503'); };
const status = async (i) => { await sleep(2); return asked % 5; };
async function deploy(i) {
  for (let tries = 0; tries < 9; tries++) try { await send(i); break; } catch {}
  for (let looks = 0; looks < 4; looks++) { await status(i); await ${pause}; }
}
await Promise.all([worker(), worker()]);`, { backend, as: 'a.mjs' });
    expect(groups).toMatchObject([{ kind: 'pool', taskCount: 6, peak: 2, taskSite: { function: 'deploy' } }]);
  });

  test.each([
    ['async functions', 'async function copy(i) { await sleep(12 + i); }'],
    ['chains', 'const copy = (i) => sleep(10 + i).then(() => sleep(3));'],
  ])('a function that calls itself for what is left is a loop inside of each task: of %s', async (_name, copy) => {
    const { groups } = await observe(`${SLEEP}async function connect(i) { await sleep(8 + i); }
${copy}
async function copyAll([head, ...tail]) { if (head === undefined) return; await copy(head); await copyAll(tail); }
async function region(n) { await Promise.race([connect(n), connect(n + 9)]); await copyAll([n, n + 2, n + 1, n + 3]); }
await Promise.all([1, 6].map(region));`, { backend, as: 'a.mjs' });
    expect(groups.map(({ kind, taskCount, taskSite, parent }) => [kind, taskCount, taskSite?.function, parent !== undefined])).toEqual([
      ['all', 2, 'region', false], ['race', 2, 'connect', true], ['race', 2, 'connect', true], ['sequential', 4, 'copy', true], ['sequential', 4, 'copy', true],
    ]);
  });

  test('what is fetched by the page and handed on one by one is no loop of work', async () => {
    const { groups } = await observe(`${SLEEP}class Cursor {
  left = 24; page = [];
  async next() {
    if (this.page.length === 0 && this.left > 0) { await sleep(6); for (let k = 0; k < 6; k++) this.page.push(this.left--); }
    return this.page.length > 0 ? { done: false, value: this.page.shift() } : { done: true, value: undefined };
  }
  [Symbol.asyncIterator]() { return this; }
}
const open = new Set();
const work = async (row) => { await sleep(8 + row % 4 * 3); };
for await (const row of new Cursor()) {
  const job = work(row).finally(() => open.delete(job));
  open.add(job);
  if (open.size >= 3) await Promise.race(open);
}
await Promise.all(open);`, { backend, as: 'a.mjs' });
    expect(groups).toMatchObject([{ kind: 'pool', taskCount: 24, peak: 3, taskSite: { function: 'work' } }]);
  });

  test('what is awaited may be a thenable: the function goes on behind it, and what the asking for its result begins is no call', async () => {
    const { groups } = await observe(`const query = (ms) => ({ then(ok, fail) { return new Promise((r) => setTimeout(r, ms)).then(ok, fail); } });
const items = [...Array(9).keys()];
async function save(i) { await query(10 + 3 * i); await query(5); }
async function worker() { while (items.length) await save(items.shift()); }
async function main() {
  await query(5);
  await Promise.all([worker(), worker(), worker()]);
  for (const chunk of [[1, 2], [3, 4]]) await Promise.all(chunk.map(save));
  for (const i of [1, 2, 3]) await save(i);
}
main();`, { backend, as: 'a.cjs' });
    expect(groups.map(({ kind, taskCount, peak, taskSite }) => [kind, taskCount, peak, taskSite?.function])).toEqual([['pool', 9, 3, 'save'], ['chunk', 4, 2, 'save'], ['sequential', 3, 1, 'save']]);
  });

  test('a task that awaits a thenable is over with its own code, before a limiter lets the next one in', async () => {
    const { groups } = await observe(`const query = (ms) => ({ then(ok, fail) { return new Promise((r) => setTimeout(r, ms)).then(ok, fail); } });
async function load(i) { await query(10 + i * 7 % 20); }
function limit(max) {
  const waiting = []; let active = 0;
  const next = () => { active--; if (waiting.length) waiting.shift()(); };
  const run = async (fn, resolve) => { active++; const result = (async () => fn())(); resolve(result); try { await result; } catch {} next(); };
  return (fn) => new Promise((resolve) => { const go = () => run(fn, resolve); if (active < max) go(); else waiting.push(go); });
}
const limited = limit(3);
Promise.all([...Array(10).keys()].map((i) => limited(() => load(i))));`, { backend, as: 'a.cjs' });
    expect(groups).toMatchObject([{ kind: 'pool', taskCount: 10, peak: 3, taskSite: { function: 'load' } }]);
  });

  test('a pool that runs where an awaited thenable is asked for its result is a pool as any other', async () => {
    const { groups } = await observe(`const sleep = (ms) => new Promise((r) => setTimeout(r, ms));
const items = [...Array(9).keys()];
async function save(i) { await sleep(10 + 3 * i); }
async function worker() { while (items.length) await save(items.shift()); }
class Run { then(ok, fail) { return this.exec().then(ok, fail); } async exec() { await Promise.all([worker(), worker(), worker()]); } }
async function main() { await sleep(5); await new Run(); for (const i of [1, 2, 3]) await save(i); }
main();`, { backend, as: 'a.cjs' });
    expect(groups.map(({ kind, taskCount, lanes, taskSite }) => [kind, taskCount, lanes, taskSite?.function])).toEqual([['pool', 9, 3, 'save'], ['sequential', 3, 1, 'save']]);
  });
});
