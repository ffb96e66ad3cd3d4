import { describe, expect, test } from 'vitest';
import { NODE_MAJORS, findNodes } from '../../scripts/tools.mjs';
import { STATE_MASK, TaskState, type Group } from '../../src/model/timeline';
import { needed } from '../support/needs';
import { observe, type Observed } from './observed';

const nodes = findNodes();
const ownMajor = Number(process.versions.node.split('.')[0]);
const runs = [...NODE_MAJORS.map((major) => ({ major, backend: 'v8' as const })), { major: ownMajor, backend: 'async_hooks' as const }];

const ANSWER = `const clock = () => performance.timeOrigin + performance.now(); const sleep = (ms) => new Promise((r) => setTimeout(r, ms));\n`;
/** A pool by hand: workers that live on, a queue in front of them, all submitted at once. */
const QUEUE = `${ANSWER}import { Worker, isMainThread, parentPort } from 'node:worker_threads';
if (!isMainThread) parentPort.on('message', async (i) => { const start = clock(); await sleep(10 + i); const end = clock(); parentPort.postMessage({ start, end }); });
else {
  const free = [1, 2].map(() => new Worker(new URL(import.meta.url))), all = [...free], queue = [];
  const next = () => {
    if (!free.length || !queue.length) return;
    const worker = free.shift(), { i, resolve } = queue.shift();
    worker.once('message', (m) => { free.push(worker); resolve(m); next(); });
    worker.postMessage(i);
  };
  const run = (i) => new Promise((resolve) => { queue.push({ i, resolve }); next(); });
  console.log(JSON.stringify(await Promise.all([0, 1, 2, 3, 4].map(run))));
  for (const worker of all) worker.terminate();
}`;
/** The same workers, told how to work before anything else, which they do not answer. */
const TOLD_FIRST = QUEUE.replace("async (i) => {", "async (i) => { if (i === 'set up') return;").replace('all = [...free]', "all = free.map((worker) => { worker.postMessage('set up'); return worker; })");
/** A process for each task, each with a pool of its own. */
const FORKS = `${ANSWER}import { fork } from 'node:child_process'; import { once } from 'node:events'; import { fileURLToPath } from 'node:url';
if (process.send) {
  const start = clock(); const queue = [1, 2, 3, 4, 5, 6];
  const job = async (i) => { await sleep(3 + i); };
  await Promise.all([1, 2].map(async () => { while (queue.length) await job(queue.shift()); }));
  const end = clock(); process.send({ start, end }, () => process.disconnect());
} else {
  const run = async () => { const child = fork(fileURLToPath(import.meta.url)); const [m] = await once(child, 'message'); return m; };
  console.log(JSON.stringify(await Promise.all([1, 2].map(run))));
}`;
/** Processes that live on, each with a lane of its own, and wait for their answers. */
const LANES = `${ANSWER}import { fork } from 'node:child_process'; import { once } from 'node:events'; import { fileURLToPath } from 'node:url';
if (process.send) process.on('message', (ms) => { setTimeout(() => process.send(ms), ms); }).send('up');
else {
  const children = [1, 2].map(() => fork(fileURLToPath(import.meta.url))), queue = [20, 35, 25, 40, 30, 22];
  async function ask(child, ms) { child.send(ms); const [answer] = await once(child, 'message'); return answer; }
  async function lane(child) { while (queue.length) await ask(child, queue.shift()); child.disconnect(); }
  await Promise.all(children.map((child) => once(child, 'message')));
  await (async () => { await Promise.all(children.map(lane)); })();
}`;
/** Workers that are told what to do by a channel of the program's own: they ask for it, or it is handed to them. */
const CHANNELS = {
  'asked for': `${ANSWER}import { Worker, MessageChannel, isMainThread, workerData } from 'node:worker_threads';
async function digest({ ms }) { const start = clock(); await sleep(ms); return { start, end: clock() }; }
if (!isMainThread) {
  const { port } = workerData;
  port.on('message', async (job) => { if (!job) { port.close(); return; } port.postMessage({ done: await digest(job) }); });
  port.postMessage({});
} else {
  const jobs = [20, 35, 25, 40, 30, 22, 28].map((ms) => ({ ms })), told = [];
  const serve = () => new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    new Worker(new URL(import.meta.url), { workerData: { port: port2 }, transferList: [port2] }).once('exit', resolve);
    port1.on('message', ({ done }) => { if (done) told.push(done); port1.postMessage(jobs.shift() ?? null); });
  });
  await Promise.all([serve(), serve()]);
  console.log(JSON.stringify(told));
}`,
  'handed over': `${ANSWER}import { Worker, MessageChannel, isMainThread, parentPort } from 'node:worker_threads';
if (!isMainThread) parentPort.once('message', ({ port }) => {
  port.on('message', (ms) => { const start = clock(); setTimeout(() => { port.postMessage({ start, end: clock() }); }, ms); });
}); else {
  const jobs = [20, 35, 25, 40, 30, 22, 28], told = [];
  const lane = async () => {
    const worker = new Worker(new URL(import.meta.url));
    const { port1, port2 } = new MessageChannel();
    let settle; port1.onmessage = ({ data }) => { told.push(data); settle(); };
    worker.postMessage({ port: port2 }, [port2]);
    const run = (ms) => new Promise((resolve) => { settle = resolve; port1.postMessage(ms); });
    while (jobs.length > 0) await run(jobs.shift());
    await worker.terminate();
  };
  await Promise.all([lane(), lane()]);
  console.log(JSON.stringify(told));
}`,
};
/** A worker of a line of code for each task, which asks for `postMessage` long before it has anything to post. */
const LINES = `${ANSWER}import { Worker } from 'node:worker_threads';
const code = "const { parentPort, workerData } = require('worker_threads'), clock = () => performance.timeOrigin + performance.now(), start = clock();" +
  "const work = () => new Promise((done) => { setTimeout(() => { done({ start, end: clock() }); }, workerData); }); (async () => { parentPort.postMessage(await work()); })();";
const run = (ms) => new Promise((resolve) => { new Worker(code, { eval: true, workerData: ms }).once('message', resolve); });
console.log(JSON.stringify(await Promise.all([20, 30, 40].map(run))));`;
/** Two processes at a time by callbacks, one of which fails. */
const CALLBACKS = `${ANSWER}import { execFile } from 'node:child_process';
const queue = [0, 1, 2, 3, 4], told = []; let running = 0;
function next() {
  while (running < 2 && queue.length > 0) {
    const i = queue.shift(), start = clock(); running++;
    execFile(process.execPath, ['-e', 'process.exitCode = ' + (i === 3 ? 1 : 0)], { env: {} }, () => { told.push({ start, end: clock() }); running--; next(); if (told.length === 5) console.log(JSON.stringify(told)); });
  }
}
next();`;
/** The same with a promise for each. */
const PROMISES = `import { execFile } from 'node:child_process';
const queue = [0, 1, 2, 3, 4];
const job = () => new Promise((resolve) => { execFile(process.execPath, ['-e', ''], { env: {} }, resolve); });
await Promise.all([1, 2].map(async () => { while (queue.shift() !== undefined) await job(); }));`;

interface Span { readonly start: number; readonly end: number }

/** Starts and ends of a group's tasks, as epoch milliseconds, by their starts. */
function spansOf({ timeline, origin }: Observed, { id }: Group): Span[] {
  return timeline.rowsOf(id).map((row) => ({ start: origin + timeline.tasks.start[row], end: origin + timeline.tasks.end[row] })).sort((a, b) => a.start - b.start);
}

/** Each task begins where its message is handled and ends where its answer is sent: around what it measured itself. */
function expectAround(spans: readonly Span[], told: readonly Span[]): void {
  const left = [...spans];
  for (const measured of told) {
    // Of those around it the shortest: others may have begun and ended at nearly the same time.
    const [around] = left.filter(({ start, end }) => start <= measured.start + 0.5 && end >= measured.end - 0.5).sort((a, b) => a.end - a.start - (b.end - b.start));
    expect(around, JSON.stringify({ measured, left })).toBeDefined();
    left.splice(left.indexOf(around), 1);
  }
  expect(left).toEqual([]);
}

/** A process for each task, told its job by a message and waited for until it has gone, two in a chunk. */
const ONE_SHOTS = `import { fork } from 'node:child_process'; import { fileURLToPath } from 'node:url';
if (process.send) process.once('message', (ms) => { setTimeout(() => process.send(ms, () => process.disconnect()), ms); });
else {
  const told = [], run = (ms) => new Promise((resolve) => {
    const start = clock(), child = fork(fileURLToPath(import.meta.url)); let answer;
    child.on('message', (m) => { answer = m; });
    child.on('exit', () => { told.push({ start, end: clock() }); resolve(answer); });
    child.send(ms);
  });
  for (let i = 0; i < 4; i += 2) await Promise.all([run(10 + i), run(20 - i)]);
  console.log(JSON.stringify(told));
}`;

/** A thread for each snippet, one of them ended from outside; then a process for each shard, which reports before it ends. Two at once. */
const BY_EXIT = `${ANSWER}import { fork } from 'node:child_process'; import { once } from 'node:events'; import { Worker } from 'node:worker_threads'; import { fileURLToPath } from 'node:url';
if (process.send) { await sleep(10); process.send('report', () => process.disconnect()); }
else {
  const snippets = ['setTimeout(() => {}, 20)', 'setInterval(() => {}, 1000)', '', 'process.exit(3)', 'setTimeout(() => {}, 30)'], told = [[], []];
  const runSnippet = (code) => new Promise((resolve, reject) => {
    const start = clock(), worker = new Worker(code, { eval: true }); let timer;
    worker.once('online', () => { timer = setTimeout(() => worker.terminate(), 80); });
    worker.once('exit', (status) => { clearTimeout(timer); told[0].push({ start, end: clock() }); if (status) reject(new Error(status)); else resolve(); });
  });
  async function runShard() {
    const start = clock(), child = fork(fileURLToPath(import.meta.url));
    await once(child, 'exit');
    told[1].push({ start, end: clock() });
  }
  const lanes = (items, run) => Promise.all([0, 1].map(async () => { while (items.length > 0) { try { await run(items.shift()); } catch {} } }));
  await lanes(snippets, runSnippet);
  await lanes([1, 2, 3], runShard);
  console.log(JSON.stringify(told));
}`;

/** Children say that they are there, and take jobs then. */
const GREETED = `import { fork } from 'node:child_process'; import { once } from 'node:events'; import { fileURLToPath } from 'node:url';
if (process.send) process.on('message', (ms) => { setTimeout(() => process.send(ms), ms); }).send('up');
else {
  const children = [1, 2, 3].map(() => fork(fileURLToPath(import.meta.url)));
  async function isUp(child) { await once(child, 'message'); }
  await Promise.all(children.map(isUp));
  async function ask(ms, i) { children[i].send(ms); await once(children[i], 'message'); }
  for (let i = 0; i < 3; i++) await Promise.all([20, 15, 25].map(ask));
  for (const child of children) child.disconnect();
}`;

/** Two children take jobs; one ends over its second, which fails by that, and another one takes its place. */
const CRASH = `import { fork } from 'node:child_process'; import { fileURLToPath } from 'node:url';
if (process.send) {
  process.on('message', (i) => { setTimeout(() => { if (i === 3) process.exit(70); process.send(i); }, 20 + 3 * i); }); process.send('up');
} else {
  const queue = [], slots = new Set(); let isOpen = false;
  const feed = (slot) => { isOpen ||= slots.size === 2 && [...slots].every(({ up }) => up); if (isOpen && slot.up && !slot.job && queue.length) { slot.job = queue.shift(); slot.child.send(slot.job.i); } };
  function begin() {
    const slot = { child: fork(fileURLToPath(import.meta.url)) }; slots.add(slot);
    slot.child.on('message', (m) => { if (m === 'up') slot.up = true; else { const { job } = slot; slot.job = undefined; job.resolve(m); } slots.forEach(feed); });
    slot.child.on('exit', () => { slots.delete(slot); if (slot.job) { slot.job.reject(new Error('gone')); begin(); } });
  }
  const run = (i) => new Promise((resolve, reject) => { queue.push({ i, resolve, reject }); slots.forEach(feed); });
  begin(); begin();
  await Promise.allSettled([0, 1, 2, 3, 4, 5, 6, 7].map(run)); for (const { child } of slots) child.disconnect();
}`;

/** One process, or thread, is asked for several things at once, by the handler's own function or by a timer's, and answers in another order. */
const answering = (send: string, on: string, ask: string, start: string, isWithin: string, stop: string): readonly string[] => [
  `async ({ id, ms }) => { const start = clock(); await sleep(ms); const end = clock(); ${send}({ id, start, end }); }`,
  `({ id, ms }) => { const start = clock(); setTimeout(() => { const end = clock(); ${send}({ id, start, end }); }, ms); }`,
].map((handle) => `${ANSWER}import { fork } from 'node:child_process'; import { Worker, parentPort, isMainThread } from 'node:worker_threads'; import { fileURLToPath } from 'node:url';
if (${isWithin}) ${on}.on('message', ${handle});
else {
  const peer = ${start}, waiting = new Map();
  peer.on('message', ({ id, start, end }) => { waiting.get(id)({ start, end }); });
  const call = (ms, id) => new Promise((resolve) => { waiting.set(id, resolve); peer.${ask}({ id, ms }); });
  const left = [60, 15, 40, 25, 70, 20, 10, 35, 30, 50], told = []; let at = 0;
  async function lane() { while (at < left.length) { const id = at++; told[id] = await call(left[id], id); } }
  await Promise.all([lane(), lane(), lane()]); console.log(JSON.stringify(told)); peer.${stop}();
}`);
const ANSWERS: Readonly<Record<string, readonly string[]>> = {
  process: answering('process.send', 'process', 'send', 'fork(fileURLToPath(import.meta.url))', 'process.send', 'disconnect'),
  thread: answering('parentPort.postMessage', 'parentPort', 'postMessage', 'new Worker(new URL(import.meta.url))', '!isMainThread', 'terminate'),
};

/** Workers without a promise; one fails over what it is asked for, and another one takes its place. */
const REPLACED = `import { Worker, isMainThread, parentPort } from 'node:worker_threads';
if (!isMainThread) parentPort.on('message', (i) => { const until = performance.now() + 45 + i; while (performance.now() < until); if (i === 3) throw new Error('no'); parentPort.postMessage(i); });
else {
  const left = [0, 1, 2, 3, 4, 5, 6, 7], workers = new Set(); let done = 0, up = 0;
  function feed(worker) { if (left.length) worker.postMessage(left.shift()); }
  function over() { if (++done === 8) for (const worker of workers) worker.terminate(); }
  function begin() {
    const worker = new Worker(new URL(import.meta.url)); workers.add(worker);
    worker.on('message', () => { over(); feed(worker); });
    worker.on('error', () => { workers.delete(worker); over(); if (done < 8) begin(); });
    worker.once('online', () => { if (++up === 2) workers.forEach(feed); else if (up > 2) feed(worker); });
  }
  begin(); begin();
}`;

describe.each(runs)('on Node $major with the $backend backend', ({ major, backend }) => {
  test.for([['', QUEUE], [', whatever they were told before', TOLD_FIRST]] as const)('a queue in front of workers is one pool, with a lane for each worker%s', async ([, source], context) => {
    const node = needed(context, 'NODES', nodes.find((found) => found.major === major)).path;
    const run = await observe(source, { node, backend });
    const [pool, ...others] = run.groups;
    expect(others).toEqual([]);
    expect(pool).toMatchObject({ kind: 'pool', thread: 1, lanes: 2, declared: 2, taskCount: 5, fulfilled: 5, taskSite: { line: 12 }, site: { line: 13 } });
    expectAround(spansOf(run, pool), JSON.parse(run.out) as Span[]);
    // A worker takes one task after the other, each of which had waited for it.
    const { tasks } = run.timeline;
    const rows = run.timeline.rowsOf(pool.id);
    for (const row of rows) expect(tasks.queued[row]).toBeLessThan(tasks.start[row]);
    for (const lane of [1, 2]) {
      const own = rows.filter((row) => tasks.lane[row] === lane).sort((a, b) => tasks.start[a] - tasks.start[b]);
      own.slice(1).forEach((row, i) => { expect(tasks.start[row]).toBeGreaterThanOrEqual(tasks.end[own[i]]); });
    }
    expect(run.dropped).toBe(0);
  });

  test('a task over which its process ended began there, and a process that takes its place is none', async (context) => {
    const node = needed(context, 'NODES', nodes.find((found) => found.major === major)).path;
    const { groups, timeline } = await observe(CRASH, { node, backend });
    expect(groups).toMatchObject([{ kind: 'pool', taskCount: 8, fulfilled: 7, rejected: 1, peak: 2, taskSite: { line: 12 } }]);
    const { queued, start, state } = timeline.tasks;
    const [failed] = timeline.rowsOf(groups[0].id).filter((row) => (state[row] & STATE_MASK) === TaskState.rejected);
    expect(start[failed] - queued[failed]).toBeGreaterThan(20);
  });

  test.for(Object.entries(ANSWERS).flatMap(([kind, [own, timers]]) => [[kind, 'an async function', own], [kind, 'timers', timers]] as const))('what one %s answers in another order by %s is the task of each', async ([, , source], context) => {
    const node = needed(context, 'NODES', nodes.find((found) => found.major === major)).path;
    const run = await observe(source, { node, backend });
    const [pool, ...others] = run.groups;
    expect(others).toEqual([]);
    expect(pool).toMatchObject({ kind: 'pool', thread: 1, taskCount: 10, fulfilled: 10, peak: 3 });
    expectAround(spansOf(run, pool), JSON.parse(run.out) as Span[]);
  });

  test('a task over which its thread failed has failed, and a thread that takes its place has its lane', async (context) => {
    const node = needed(context, 'NODES', nodes.find((found) => found.major === major)).path;
    const { groups } = await observe(REPLACED, { node, backend, as: 'a.mjs' });
    expect(groups).toMatchObject([{ kind: 'pool', taskCount: 8, fulfilled: 7, rejected: 1, lanes: 2, declared: 2, peak: 2, taskSite: { line: 5 } }]);
  });

  test('a task of a worker ends where its answer is posted, not where that is asked for, and begins with its code', async (context) => {
    const node = needed(context, 'NODES', nodes.find((found) => found.major === major)).path;
    const run = await observe(LINES, { node, backend });
    const [pool, ...others] = run.groups;
    expect(others).toEqual([]);
    expect(pool).toMatchObject({ kind: 'pool', taskCount: 3, fulfilled: 3 });
    // Others may begin in between.
    const spans = spansOf(run, pool);
    for (const told of JSON.parse(run.out) as Span[]) expect(spans.some(({ start, end }) => start <= told.start + 0.1 && end >= told.end - 0.1)).toBe(true);
    for (const row of run.timeline.rowsOf(pool.id)) expect(run.timeline.tasks.queued[row]).toBeLessThan(run.timeline.tasks.start[row]);
  });

  test('processes that callbacks start are a pool, those that promises stand for are not one more', async (context) => {
    const node = needed(context, 'NODES', nodes.find((found) => found.major === major)).path;
    const run = await observe(CALLBACKS, { node, backend });
    const [pool, ...others] = run.groups;
    expect(others).toEqual([]);
    expect(pool).toMatchObject({ kind: 'pool', peak: 2, lanes: 2, taskCount: 5, fulfilled: 4, rejected: 1, taskSite: { line: 4 }, site: { line: 10 } });
    const told = (JSON.parse(run.out) as Span[]).toSorted((a, b) => a.start - b.start);
    spansOf(run, pool).forEach(({ start, end }, i) => {
      expect(start).toBeGreaterThanOrEqual(told[i].start);
      expect(end).toBeLessThanOrEqual(told[i].end);
    });
    const promised = await observe(PROMISES, { node, backend });
    expect(promised.groups.map(({ taskCount }) => taskCount)).toEqual([5]);
  });

  test('processes that live on are the lanes of who waits for their answers, and no pool besides', async (context) => {
    const node = needed(context, 'NODES', nodes.find((node) => node.major === major)?.path);
    const run = await observe(LANES, { node, backend });
    expect(run.groups.filter(({ taskCount }) => taskCount > 2)).toMatchObject([{ kind: 'pool', combinator: 'all', taskCount: 6, peak: 2 }]);
  });

  test.for(Object.entries(CHANNELS))('what workers answer by a channel of the program\'s own is tasks on their lanes: %s', async ([, source], context) => {
    const node = needed(context, 'NODES', nodes.find((found) => found.major === major)).path;
    const run = await observe(source, { node, backend });
    expect(run.groups).toMatchObject([{ kind: 'pool', taskCount: 7, fulfilled: 7, peak: 2, lanes: 2 }]);
    expectAround(spansOf(run, run.groups[0]), (JSON.parse(run.out) as Span[]).toSorted((a, b) => a.start - b.start));
  });

  test('a process that is waited for until it has gone is at work from its start to its exit, whatever it says in between', async (context) => {
    const node = needed(context, 'NODES', nodes.find((found) => found.major === major)).path;
    const run = await observe(`const clock = () => performance.timeOrigin + performance.now();\n${ONE_SHOTS}`, { node, backend });
    expect(run.groups).toMatchObject([{ kind: 'chunk', combinator: 'all', taskCount: 4, chunks: 2, peak: 2 }]);
    const told = (JSON.parse(run.out) as Span[]).toSorted((a, b) => a.start - b.start);
    spansOf(run, run.groups[0]).forEach(({ start }, i) => { expect(Math.abs(start - told[i].start)).toBeLessThan(5); });
  });

  test('threads and processes that answer by their end are at work from their start, be they ended from outside', async (context) => {
    const node = needed(context, 'NODES', nodes.find((found) => found.major === major)).path;
    const run = await observe(BY_EXIT, { node, backend });
    expect(run.groups).toMatchObject([{ kind: 'pool', taskCount: 5, fulfilled: 3, rejected: 2, peak: 2 }, { kind: 'pool', taskCount: 3, fulfilled: 3, peak: 2 }]);
    const told = JSON.parse(run.out) as readonly Span[][];
    run.groups.forEach((group, at) => {
      const own = told[at].toSorted((a, b) => a.start - b.start);
      spansOf(run, group).forEach(({ start, end }, i) => {
        expect(Math.abs(start - own[i].start)).toBeLessThan(5);
        expect(Math.abs(end - own[i].end)).toBeLessThan(10);
      });
    });
  });

  test('who starts a thread and gets it ready is no task of that thread, where others have it work', async (context) => {
    const node = needed(context, 'NODES', nodes.find((found) => found.major === major)).path;
    const { groups } = await observe(`${ANSWER}import { Worker, isMainThread, parentPort } from 'node:worker_threads'; import { once } from 'node:events';
if (!isMainThread) parentPort.on('message', ({ id, ms }) => { setTimeout(() => parentPort.postMessage(id), ms); });
else {
  const calls = new Map(); let latest = 0;
  const call = (worker, ms) => new Promise((resolve) => { const id = ++latest; calls.set(id, resolve); worker.postMessage({ id, ms }); });
  async function hire() {
    const worker = new Worker(new URL(import.meta.url)).on('message', (id) => { calls.get(id)(); });
    await once(worker, 'online');
    await call(worker, 0);
    return worker;
  }
  const hands = await Promise.all([0, 1].map(hire)), jobs = [20, 35, 25, 40, 30, 22];
  async function count(hand, ms) { await call(hand, ms); }
  await Promise.all(hands.map(async (hand) => { while (jobs.length > 0) await count(hand, jobs.shift()); await hand.terminate(); }));
}`, { node, backend });
    expect(groups).toMatchObject([{ kind: 'all', taskCount: 2, peak: 2, taskSite: { function: 'hire' } }, { kind: 'pool', taskCount: 6, peak: 2, taskSite: { function: 'count' } }]);
  });

  test('to wait until processes are there is no task of theirs', async (context) => {
    const node = needed(context, 'NODES', nodes.find((found) => found.major === major)).path;
    const { groups } = await observe(GREETED, { node, backend });
    expect(groups).toMatchObject([
      { kind: 'all', combinator: 'all', taskCount: 3, peak: 3, taskSite: { line: 5 } },
      { kind: 'chunk', combinator: 'all', taskCount: 9, chunks: 3, taskSite: { line: 7 } },
    ]);
  });

  test('processes that are one task each are a pool, and hold the groups they run', async (context) => {
    const node = needed(context, 'NODES', nodes.find((found) => found.major === major)).path;
    const run = await observe(FORKS, { node, backend });
    const [pool, ...inner] = run.groups;
    expect(pool).toMatchObject({ kind: 'pool', thread: 1, taskCount: 2, fulfilled: 2 });
    expectAround(spansOf(run, pool), JSON.parse(run.out) as Span[]);
    expect(inner.map(({ kind, lanes, taskCount }) => [kind, lanes, taskCount])).toEqual([['pool', 2, 6], ['pool', 2, 6]]);
    expect(inner.map(({ parent }) => parent?.group)).toEqual([pool.id, pool.id]);
    expect(new Set(inner.map(({ parent }) => parent?.task)).size).toBe(2);
  });
});

test('the last answer of workers without a promise for each task settles the one that was made for all: it is a task as the others', async () => {
  const { groups } = await observe(`import { Worker, isMainThread, parentPort } from 'node:worker_threads';
if (!isMainThread) parentPort.on('message', (ms) => { if (ms === 0) { parentPort.close(); return; } const until = performance.now() + ms; while (performance.now() < until); parentPort.postMessage('done'); });
else {
  const left = [12, 20, 16, 24, 14, 18, 22];
  await new Promise((resolve) => {
    let open = 2;
    const feed = (worker) => {
      if (left.length > 0) { worker.postMessage(left.shift()); return; }
      worker.postMessage(0);
      if (--open === 0) resolve();
    };
    for (let n = 0; n < 2; n++) {
      const worker = new Worker(new URL(import.meta.url));
      worker.on('message', () => feed(worker));
      worker.once('online', () => feed(worker));
    }
  });
}`, { as: 'a.mjs' });
  expect(groups).toMatchObject([{ kind: 'pool', taskCount: 7, peak: 2, fulfilled: 7 }]);
});

test.for([
  ['tells of its progress', `async ({ id, ms }) => { await sleep(ms); parentPort.postMessage({ id, is: 'half' }); await sleep(ms); parentPort.postMessage({ id }); }`],
  ['asks for something itself', `(m) => { if (m.answer) asked.get(m.answer)(); else handle(m); }`],
] as const)('what a thread says in between, as it %s, is no task', async ([, handle]) => {
  const { groups } = await observe(`${ANSWER}import { Worker, isMainThread, parentPort } from 'node:worker_threads';
const asked = new Map();
async function handle({ id, ms }) { await sleep(ms); await new Promise((r) => { asked.set(id + 1, r); parentPort.postMessage({ needs: id + 1 }); }); await sleep(ms); parentPort.postMessage({ id }); }
if (!isMainThread) parentPort.on('message', ${handle});
else {
  const worker = new Worker(new URL(import.meta.url)), waiting = new Map();
  worker.on('message', ({ id, is, needs }) => { if (needs) setTimeout(() => worker.postMessage({ answer: needs }), 4); else if (!is) waiting.get(id)(); });
  const call = (ms, id) => new Promise((resolve) => { waiting.set(id, resolve); worker.postMessage({ id, ms }); });
  const left = [20, 10, 15, 8, 22, 9, 12, 16]; let at = 0;
  async function lane() { while (at < left.length) { const id = at++; await call(left[id], id); } }
  await Promise.all([lane(), lane(), lane()]); worker.terminate();
}`, { as: 'a.mjs' });
  expect(groups).toMatchObject([{ kind: 'pool', taskCount: 8, peak: 3, fulfilled: 8, declared: 3 }]);
});

test.for([
  ['never comes back from it', 'for (;;);'],
  ['takes too long over it', 'ms = 5000;'],
] as const)('a task that is given up, as its thread %s, was at work there until then, and the next thread has its lane', async ([, hangs]) => {
  const { groups, timeline } = await observe(`const { Worker, isMainThread, parentPort } = require('node:worker_threads');
if (!isMainThread) { parentPort.on('message', ({ id, ms }) => { if (id % 5 === 3) { ${hangs} } setTimeout(() => parentPort.postMessage(id), ms); }); return; }
const queue = [], lanes = [0, 1].map(() => ({ worker: new Worker(__filename), busy: false }));
const submit = (job) => new Promise((resolve, reject) => { queue.push({ job, resolve, reject }); });
function kick() { for (const lane of lanes) if (!lane.busy && queue.length > 0) perform(lane, queue.shift()); }
function perform(lane, { job, resolve, reject }) {
  lane.busy = true;
  const { worker } = lane;
  const over = () => { lane.busy = false; kick(); };
  const answered = (value) => { clearTimeout(timer); resolve(value); over(); };
  const timer = setTimeout(() => { worker.off('message', answered); worker.terminate(); lane.worker = new Worker(__filename); reject(new Error('late')); over(); }, 400);
  worker.once('message', answered);
  worker.postMessage(job);
}
Promise.allSettled([...Array(12).keys()].map((id) => submit({ id, ms: 20 + id * 7 % 30 }))).then(() => lanes.map(({ worker }) => worker.terminate()));
kick();`, { as: 'a.cjs' });
  expect(groups).toMatchObject([{ kind: 'pool', taskCount: 12, peak: 2, declared: 2, fulfilled: 10, rejected: 2 }]);
  const { tasks } = timeline;
  const rows = timeline.rowsOf(groups[0].id);
  expect(rows.filter((row) => tasks.end[row] - tasks.start[row] > 200)).toHaveLength(2);
  for (const row of rows) expect(tasks.lane[row]).toBeLessThanOrEqual(2);
});

describe('a child that keeps its messages', () => {
  const answeredBy = async (listens: string): Promise<readonly object[]> => (await observe(`const { fork } = require('node:child_process');
const sleep = (ms) => new Promise((go) => setTimeout(go, ms));
async function handle({ id, ms }) { await sleep(ms); process.send({ id }); }
if (process.send) { ${listens} return; }
const children = [0, 1].map(() => {
  const child = fork(__filename), open = new Map();
  child.on('message', ({ id }) => open.get(id)(id));
  return { child, ask: (job) => new Promise((done) => { open.set(job.id, done); child.send(job); }) };
});
Promise.all([...Array(12).keys()].map((id) => children[id % 2].ask({ id, ms: 15 + id * 7 % 30 }))).then(() => { for (const { child } of children) child.disconnect(); });`, { as: 'a.cjs' })).groups;

  test.for([
    ['behind a chain', 'let tail = Promise.resolve(); process.on("message", (job) => { tail = tail.then(() => handle(job)); });'],
    ['for a loop', 'const queue = []; let isBusy = false; async function drain() { isBusy = true; while (queue.length > 0) await handle(queue.shift()); isBusy = false; } process.on("message", (job) => { queue.push(job); if (!isBusy) drain(); });'],
  ] as const)('%s until the one before is through is at work on one at a time, in one pool with the others', async ([, listens]) => {
    expect(await answeredBy(listens)).toMatchObject([{ kind: 'pool', taskCount: 12, peak: 2, declared: 2, taskSite: { function: 'ask' } }]);
  });

  test('until there is room is at work on as many as there is room for', async () => {
    const groups = await answeredBy(`let active = 0; const queue = [];
const next = () => { while (active < 2 && queue.length > 0) { active++; handle(queue.shift()).finally(() => { active--; next(); }); } };
process.on('message', (job) => { queue.push(job); next(); });`);
    expect(groups).toMatchObject([{ kind: 'pool', taskCount: 12, peak: 4 }]);
  });

  test('until it listens handles them all in one go, each as the task that it is', async () => {
    expect(await answeredBy('setTimeout(() => process.on("message", (job) => handle(job)), 20);')).toMatchObject([{ kind: 'pool', taskCount: 12 }]);
  });
});

test('what a thread says of its own loop, asked for once, leaves that loop what it is', async () => {
  const { groups } = await observe(`const { Worker, isMainThread, parentPort } = require('node:worker_threads');
const sleep = (ms) => new Promise((go) => setTimeout(go, ms));
async function step(n) { await sleep(10 + n); parentPort.postMessage({ n }); }
if (!isMainThread) { parentPort.once('message', (count) => { (async () => { for (let n = 0; n < count; n++) await step(n); parentPort.postMessage({ over: true }); })(); }); return; }
const worker = new Worker(__filename);
worker.on('message', ({ over }) => { if (over) worker.terminate(); });
worker.postMessage(5);`, { as: 'a.cjs' });
  expect(groups).toMatchObject([{ kind: 'sequential', taskCount: 5, taskSite: { function: 'step' } }]);
});

test('messages that were waiting before a process was there are handled one right behind the other, each answered from a timer of its own', async () => {
  const { groups, err } = await observe(`const { fork } = require('node:child_process');
if (process.send) { process.on('message', ({ id, ms }) => { setTimeout(() => process.send({ id }), ms); }); return; }
const queue = [...Array(14).keys()], open = new Map();
let left = 14;
function render(child, id, done) { open.set(id, done); child.send({ id, ms: 25 + id * 17 % 50 }); }
function feed(child) {
  const id = queue.shift();
  if (id !== undefined) render(child, id, () => { left--; feed(child); });
  else if (left === 0) for (const one of children) one.disconnect();
}
const children = [0, 1].map(() => { const child = fork(__filename); child.on('message', ({ id }) => { open.get(id)(); }); return child; });
for (const child of children) for (let slot = 0; slot < 2; slot++) feed(child);`, { as: 'a.cjs' });
  expect(err).toBe('');
  expect(groups).toMatchObject([{ kind: 'pool', taskCount: 14, peak: 4, taskSite: { function: 'render' } }]);
});
