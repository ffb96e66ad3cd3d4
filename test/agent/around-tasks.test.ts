/** What stands around tasks in programs: timeouts, abort signals, full queues, waits for room, crews that grow, helpers that two stages share. */
import { describe, expect, test } from 'vitest';
import { observe } from './observed';

const SLEEP = 'const sleep = (ms) => new Promise((r) => setTimeout(r, ms));\n';

describe.each(['v8', 'async_hooks'] as const)('what stands around tasks, %s', (backend) => {
  test('workers whose work stands in a promise around it, that a timeout may reject', async () => {
    const { groups } = await observe(`${SLEEP}function withTimeout(work, ms) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('late')), ms);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
let cursor = 0;
async function deliver(job) { await sleep(15 + (job % 3) * 10); return job; }
async function send(job) { for (;;) { try { return await withTimeout(deliver(job), 1000); } catch { await sleep(5); } } }
async function loop() { while (cursor < 9) await send(cursor++); }
await Promise.all([loop(), loop(), loop()]);`, { backend, as: 'a.mjs' });
    expect(groups).toMatchObject([{ kind: 'pool', taskCount: 9, fulfilled: 9, lanes: 3, peak: 3, taskSite: { line: 10, function: 'send' } }]);
  });

  test('a promise around work that each task begins itself is no queue, however often', async () => {
    const { groups } = await observe(`${SLEEP}function withTimeout(body, ms) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('late')), ms);
    body().then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
const body = (ms) => () => new Promise((resolve) => { if (ms > 0) setTimeout(resolve, ms); });
async function serially(tests) { for (const ms of tests) await withTimeout(body(ms), 70); }
const together = (tests) => Promise.allSettled(tests.map(async (ms) => { await withTimeout(body(ms), 70); }));
async function suite(run, tests) { await sleep(10); await run(tests); }
await Promise.all([suite(together, [30, 45, 0, 25]), suite(serially, [15, 20, 15]), suite(together, [50, 20, 35]), suite(serially, [20, 20, 30])]);`, { backend, as: 'a.mjs' });
    expect(groups).toMatchObject([
      { kind: 'all', taskCount: 4, taskSite: { line: 11, function: 'suite' } },
      { kind: 'allSettled', taskCount: 4, fulfilled: 3, rejected: 1, site: { line: 10 }, taskSite: { line: 10 } },
      { kind: 'allSettled', taskCount: 3, fulfilled: 3, site: { line: 10 }, taskSite: { line: 10 } },
    ]);
    expect(groups.slice(1).map(({ parent }) => parent?.group)).toEqual([groups[0].id, groups[0].id]);
  });

  test('who calls off what it was asked beside gives it no turn', async () => {
    const { groups } = await observe(`${SLEEP}const get = (ms, signal) => new Promise((resolve, reject) => {
  const off = () => { clearTimeout(timer); reject(signal.reason); };
  const timer = setTimeout(() => { signal.removeEventListener('abort', off); resolve(ms); }, ms);
  signal.addEventListener('abort', off, { once: true });
});
async function ask(mirror, contest) {
  const body = await get(15 + mirror * 30, contest.signal);
  contest.abort(new Error('slower'));
  return body;
}
async function download() {
  const contest = new AbortController();
  return Promise.any([0, 1, 2].map((mirror) => ask(mirror, contest)));
}
for (let i = 0; i < 4; i++) await download();`, { backend, as: 'a.mjs' });
    expect(groups.filter(({ kind }) => kind === 'sequential')).toMatchObject([{ taskCount: 4, fulfilled: 4, taskSite: { function: 'download' } }]);
    const races = groups.filter(({ kind }) => kind !== 'sequential');
    expect(races).toHaveLength(4);
    for (const race of races) expect(race).toMatchObject({ kind: 'any', taskCount: 3, fulfilled: 1, rejected: 2, peak: 3, taskSite: { function: 'ask' } });
  });

  test('what a full queue refuses is no task', async () => {
    const { groups } = await observe(`${SLEEP}let active = 0; const queue = [];
const start = (fn) => { active++; const done = fn(); const release = () => { active--; queue.shift()?.(); }; done.then(release, release); return done; };
function execute(fn) {
  if (active < 3) return start(fn);
  if (queue.length >= 4) return Promise.reject(new Error('full'));
  return new Promise((resolve) => { queue.push(() => resolve(start(fn))); });
}
async function handle(n) { await sleep(20 + n); await sleep(10); }
await Promise.allSettled([...Array(12).keys()].map((n) => execute(() => handle(n))));`, { backend, as: 'a.mjs' });
    expect(groups).toMatchObject([{ kind: 'pool', taskCount: 7, fulfilled: 7, peak: 3, taskSite: { function: 'handle' } }]);
  });

  test('a loop that waits for room before it starts each task is one pool, also where several end at once', async () => {
    for (const ms of ['20 + 3 * n', '20 + 9 * Math.ceil(n / 2)']) {
      const { groups } = await observe(`${SLEEP}let active = 0;
function waitForSlot() { return new Promise((resolve) => { const look = () => { if (active < 3) resolve(); else setTimeout(look, 2); }; look(); }); }
async function visit(n) { try { await sleep(${ms}); } finally { active--; } }
for (let n = 0; n < 12; n++) { await waitForSlot(); active++; visit(n); }`, { backend, as: 'a.mjs' });
      expect(groups, ms).toMatchObject([{ kind: 'pool', taskCount: 12, peak: 3, taskSite: { function: 'visit' } }]);
    }
  });

  test('a crew that begins with one worker is one pool', async () => {
    const { groups } = await observe(`const jobs = [...Array(14).keys()]; let workers = 0, done = 0;
const send = (job) => new Promise((resolve) => { setTimeout(resolve, 15 + (job % 4) * 5); });
function hire() { workers++; next(); }
function next() {
  if (!jobs.length) return;
  send(jobs.shift()).then(() => { done++; if (workers < 4 && done >= workers * 2) hire(); next(); });
}
hire();`, { backend, as: 'a.cjs' });
    expect(groups).toMatchObject([{ kind: 'pool', taskCount: 14, fulfilled: 14, peak: 4, taskSite: { function: 'send' } }]);
  });

  test('a crew of chains that begins with one worker is one pool', async () => {
    const { groups } = await observe(`const jobs = [...Array(16).keys()]; let workers = 0, done = 0; const events = new (require('node:events'))();
const smtp = (job) => new Promise((resolve, reject) => { setTimeout(() => { if (job % 6 === 0) reject(new Error('451')); else resolve('250'); }, 20 + (job * 13) % 40); });
function send(job) { return smtp(job).then((said) => said, (error) => { throw error; }); }
function hire() { workers++; next(); }
function next() {
  if (!jobs.length) return;
  const job = jobs.shift();
  send(job).then((said) => { events.emit('sent', said); }, (error) => { events.emit('failed', error); })
    .then(() => { done++; if (jobs.length && workers < 4 && done >= [2, 5, 9][workers - 1]) hire(); next(); });
}
new Promise((resolve) => { events.once('drained', resolve); hire(); });`, { backend, as: 'a.cjs' });
    expect(groups).toMatchObject([{ kind: 'pool', taskCount: 16, fulfilled: 13, rejected: 3, peak: 4, taskSite: { function: 'send' } }]);
  });

  test('a combinator that only waits for wholes is no group, with other work beside them it is', async () => {
    const { groups } = await observe(`${SLEEP}async function load(i) { await sleep(10 + i * 2); }
async function save(i) { await sleep(12 + i * 2); }
const ids = [0, 1, 2, 3];
await Promise.all([Promise.all(ids.map(load)), Promise.allSettled(ids.map(save))]);
await sleep(15);
await Promise.allSettled([Promise.all(ids.map(load)), save(9)]);`, { backend, as: 'a.mjs' });
    expect(groups.map(({ kind, combinator, taskCount, taskSite, parent }) => [kind, combinator, taskCount, taskSite?.function, parent !== undefined])).toEqual([
      ['all', 'all', 4, 'load', false], ['allSettled', 'allSettled', 4, 'save', false], ['all', 'all', 4, 'load', true], ['allSettled', 'allSettled', 2, 'save', false],
    ]);
  });

  test('a combinator that only ends what is not needed any more is no group, with work in it it is', async () => {
    const { groups } = await observe(`import { fork } from 'node:child_process'; import { once } from 'node:events';
${SLEEP}if (process.send) process.on('message', () => {}); else {
  const [children, others] = [1, 2].map(() => [1, 2].map(() => fork(process.argv[1])));
  const close = async (account) => { await sleep(12 + account); };
  await Promise.all([1, 2, 3].map(close));
  const gone = children.map((child) => once(child, 'exit'));
  for (const child of children) child.disconnect();
  await Promise.all(gone);
  const stop = (child) => { child.disconnect(); return once(child, 'exit'); };
  await Promise.all(others.map((child) => stop(child)));
}`, { backend, as: 'a.mjs' });
    expect(groups.map(({ kind, taskCount, taskSite }) => [kind, taskCount, taskSite?.function])).toEqual([['all', 3, 'close']]);
  });

  test('a crawler behind a semaphore, whose pages lead to pages, is one pool', async () => {
    const { groups } = await observe(`${SLEEP}let slots = 3; const line = [];
const enter = () => (slots > 0 ? (slots--, Promise.resolve()) : new Promise((go) => line.push(go)));
const leave = () => { const go = line.shift(); if (go) go(); else slots++; };
async function load(page) { await sleep(12 + page.length * 7 % 20); return page.length > 3 ? [] : ['a', 'b', 'c'].map((link) => page + link); }
async function visit(page) {
  await enter();
  let links;
  try { links = await load(page); } finally { leave(); }
  await Promise.all(links.map(visit));
}
await visit('/');`, { backend, as: 'a.mjs' });
    expect(groups).toMatchObject([{ kind: 'pool', taskCount: 40, fulfilled: 40, peak: 3, taskSite: { function: 'load' } }]);
  });

  test('two stages that go through one helper are two pools', async () => {
    const { groups } = await observe(`${SLEEP}async function* numbers(n) { for (let i = 0; i < n; i++) yield i; }
async function* ahead(input, size, fn) {
  const window = [];
  for await (const item of input) { window.push(fn(item)); if (window.length >= size) yield await window.shift(); }
  while (window.length) yield await window.shift();
}
async function load(i) { await sleep(10 + (i % 3) * 5); return i; }
async function parse(i) { await sleep(30 + (i % 2) * 10); return i; }
for await (const page of ahead(ahead(numbers(9), 3, load), 2, parse)) void page;`, { backend, as: 'a.mjs' });
    expect(groups.map(({ kind, taskCount, peak, taskSite }) => [kind, taskCount, peak, taskSite?.function])).toEqual([['pool', 9, 3, 'load'], ['pool', 9, 2, 'parse']]);
  });
});
