import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test, type TestContext } from 'vitest';
import { NODE_MAJORS, findNodes, findProjectTools, findRedis } from '../../scripts/tools.mjs';
import { ABORTED, TaskState } from '../../src/model/timeline';
import { installCorpus } from '../scoring/corpus';
import { needed } from '../support/needs';
import { observe, runPlain, type How } from './observed';

const nodes = findNodes();
const ownMajor = Number(process.versions.node.split('.')[0]);
const corpus = installCorpus();
const packagesFor = (context: TestContext): string => needed(context, 'CORPUS', corpus && join(corpus, 'node_modules'));

const SLEEP = 'const sleep = (ms) => new Promise((r) => setTimeout(r, ms));\n';

interface Case extends Pick<How, 'files'> { readonly as: string; readonly source: string; readonly groups: readonly object[] }

/** Line 1 is `SLEEP`. */
const CASES: Readonly<Record<string, Case>> = {
  'ES modules that are asked for by require, one of which was imported before': {
    as: 'a.cjs',
    source: `const { default: pLimit } = require('p-limit'), { default: PQueue } = require('p-queue');
const job = async (i) => { await sleep(10 + i % 3 * 4); };
(async () => {
  const limit = pLimit(2);
  await Promise.all([0, 1, 2, 3, 4].map((i) => limit(() => job(i))));
  await new PQueue({ concurrency: 2 }).addAll([0, 1, 2, 3].map((i) => () => job(i)));
  for (const { default: pMap } of [await import('p-map'), require('p-map')]) await pMap([0, 1, 2, 3, 4], job, { concurrency: 3 });
})();`,
    groups: [
      { kind: 'pool', library: 'p-limit', declared: 2, peak: 2, taskCount: 5, site: { line: 6 } },
      { kind: 'pool', library: 'p-queue', declared: 2, peak: 2, taskCount: 4, site: { line: 7 } },
      { kind: 'pool', library: 'p-map', declared: 3, peak: 3, taskCount: 5, site: { line: 8 }, taskSite: { line: 3 } },
      { kind: 'pool', library: 'p-map', declared: 3, peak: 3, taskCount: 5, site: { line: 8 }, taskSite: { line: 3 } },
    ],
  },
  'p-map over chains, the last step of which takes note of what failed': {
    as: 'a.mjs',
    source: `import pMap from 'p-map';
const load = (id) => sleep(8 + id).then(() => { if (id === 4) throw new Error('500'); return id; }).then((row) => row);
await pMap([1, 2, 3, 4, 5, 6, 7], (id) => load(id).catch(() => null), { concurrency: 3 });`,
    groups: [{ kind: 'pool', library: 'p-map', taskCount: 7, fulfilled: 6, rejected: 1 }],
  },
  "a limiter around an SDK's own promises, which last until their then says so": {
    as: 'a.mjs',
    source: `import pLimit from 'p-limit';
class ApiPromise extends Promise {
  constructor(response) { super((resolve) => resolve(null)); this.response = response; }
  parse() { return this.parsed ??= this.response.then(async (answer) => { await null; return answer.body; }); }
  then(yes, no) { return this.parse().then(yes, no); }
}
const send = async (ms) => { await sleep(ms); return { body: ms }; };
const limit = pLimit(2);
await Promise.all([30, 20, 25, 35].map((ms) => limit(() => new ApiPromise(send(ms)))));`,
    groups: [{ kind: 'pool', library: 'p-limit', taskCount: 4, fulfilled: 4, peak: 2, site: { line: 10 } }],
  },
  'slots of libraries held by chains': {
    as: 'a.mjs',
    source: `import { Sema } from 'async-sema'; import { Semaphore } from 'async-mutex';
const ids = [1, 2, 3, 4, 5, 6, 7, 8]; const slots = new Sema(3), seats = new Semaphore(2);
const load = (id) => sleep(6 + id * 5 % 12).then(() => id);
async function save(id) { await sleep(6 + id * 5 % 12); return id; }
await Promise.all(ids.map((id) => slots.acquire().then(() => load(id)).finally(() => slots.release())));
await Promise.all(ids.map((id) => seats.acquire().then(([, release]) => save(id).finally(release))));`,
    groups: [
      { kind: 'pool', library: 'async-sema', taskCount: 8, peak: 3, site: { line: 6 }, taskSite: { function: 'load' } },
      { kind: 'pool', library: 'async-mutex', taskCount: 8, peak: 2, site: { line: 7 }, taskSite: { function: 'save' } },
    ],
  },
  'throat over chains of what is promisified, whose steps are none': {
    as: 'a.cjs',
    source: `const throat = require('throat'), { promisify } = require('node:util'), readFile = promisify(require('node:fs').readFile);
const wait = promisify((ms, done) => { setTimeout(done, ms); });
function print(id) { return readFile(__filename).then(() => wait(8 + id * 5 % 12)).then(() => readFile(__filename)).then(() => id); }
const limited = throat(2, print);
Promise.all([1, 2, 3, 4, 5, 6, 7].map((id) => limited(id)));`,
    groups: [{ kind: 'pool', library: 'throat', taskCount: 7, peak: 2, taskSite: { function: 'print' } }],
  },
  'fastq by callbacks, with a group inside of each task': {
    as: 'a.cjs',
    source: `const fastq = require('fastq');
const render = async (size) => { await sleep(6 + size); };
async function scale(file) { await sleep(4 + file); await Promise.all([1, 2, 3].map(render)); }
const queue = fastq((file, done) => { scale(file).then(() => done(null), done); }, 2);
for (const file of [1, 9, 3, 4, 2, 7, 5, 8]) queue.push(file);`,
    groups: [{ kind: 'pool', library: 'fastq', taskCount: 8, peak: 2 }, ...Array.from({ length: 8 }, () => ({ kind: 'all', taskCount: 3, taskSite: { function: 'render' }, parent: { group: 1 } }))],
  },
  'tiny-async-pool, whose results are an async iterator': {
    as: 'a.cjs',
    source: `const asyncPool = require('tiny-async-pool');
const job = async (i) => { await sleep(10 + i % 3 * 4); };
(async () => { for await (const _ of asyncPool(2, [0, 1, 2, 3, 4], job)); })();`,
    groups: [{ kind: 'pool', library: 'tiny-async-pool', declared: 2, peak: 2, taskCount: 5, site: { line: 4 }, taskSite: { line: 3 } }],
  },
  'async with callbacks, one of which fails': {
    as: 'a.cjs',
    source: `const async = require('async');
function job(i, done) { setTimeout(() => done(i === 2 ? new Error('two') : null), 10 + i); }
async.eachLimit([0, 1, 2, 3, 4, 5], 2, job, () => {});`,
    groups: [{ kind: 'pool', library: 'async', declared: 2, peak: 2, rejected: 1, site: { line: 4 }, taskSite: { line: 3 } }],
  },
  'async with async functions, in series and as a queue': {
    as: 'a.cjs',
    source: `const async = require('async');
(async () => {
  await async.eachSeries([1, 2, 3], async () => { await sleep(5); });
  const queue = async.queue(async () => { await sleep(8); }, 2);
  queue.push([1, 2, 3, 4, 5]);
  await queue.drain();
})();`,
    groups: [{ kind: 'sequential', library: 'async', taskCount: 3, site: { line: 4 } }, { kind: 'pool', library: 'async', declared: 2, taskCount: 5, peak: 2, site: { line: 6 }, taskSite: { line: 5 } }],
  },
  'async.auto, whose functions wait for one another': {
    as: 'a.cjs',
    source: `const async = require('async');
const step = (ms) => async () => { await sleep(ms); };
async.auto({ a: step(20), b: step(12), c: step(8), d: ['a', 'b', step(10)], e: ['d', (results, done) => setTimeout(done, 6)] }, 2);`,
    groups: [{ kind: 'pool', library: 'async', declared: 2, peak: 2, taskCount: 5, fulfilled: 5, site: { line: 4 } }],
  },
  'p-map over an async generator that asks for pages': {
    as: 'a.mjs',
    source: `import pMap from 'p-map';
const list = async (page) => { await sleep(8); return [3 * page, 3 * page + 1, 3 * page + 2]; };
async function* rows() { for (let page = 0; page < 3; page++) yield* await list(page); }
await pMap(rows(), async (row) => { await sleep(10 + row % 3 * 4); }, { concurrency: 2 });`,
    groups: [{ kind: 'pool', library: 'p-map', declared: 2, taskCount: 9 }],
  },
  'a semaphore of es-toolkit behind a cache, some of which is there at once': {
    as: 'a.mjs',
    source: `import { Semaphore } from 'es-toolkit';
const warm = new Set([1, 4, 7, 9]), slots = new Semaphore(3);
const load = async (n) => { await slots.acquire(); try { await sleep(12 + n % 3 * 6); return n; } finally { slots.release(); } };
const get = async (n) => { if (warm.has(n)) return n; const row = await load(n); return row; };
await Promise.all([0, 2, 3, 5, 6, 8, 10, 11, 12, 13, 1, 4, 7, 9].map((n) => get(n)));`,
    groups: [{ kind: 'pool', library: 'es-toolkit', declared: 3, peak: 3, taskCount: 10 }],
  },
  'it-parallel over an async generator, in order or not': {
    as: 'a.mjs',
    source: `import parallel from 'it-parallel';
async function* jobs(n) { for (let i = 0; i < n; i++) yield async () => { await sleep(10 + i % 3 * 5); return i; }; }
const got = [];
for await (const n of parallel(jobs(6), { concurrency: 3 })) got.push(n);
for await (const n of parallel(jobs(5), { concurrency: 2, ordered: true })) got.push(n);
if (got.length !== 11 || got.slice(6).join() !== '0,1,2,3,4') throw new Error(String(got));`,
    groups: [
      { kind: 'pool', library: 'it-parallel', declared: 3, peak: 3, taskCount: 6, fulfilled: 6, site: { line: 5 }, taskSite: { line: 3 } },
      { kind: 'pool', library: 'it-parallel', declared: 2, peak: 2, taskCount: 5, fulfilled: 5, site: { line: 6 } },
    ],
  },
  'async with a queue whose items are functions': {
    as: 'a.cjs',
    source: `const async = require('async');
const queue = async.queue(async (job) => job(), 2);
queue.push([1, 2, 3, 4, 5].map((i) => () => sleep(15 + i)));`,
    groups: [{ kind: 'pool', library: 'async', declared: 2, taskCount: 5, peak: 2, lanes: 2 }],
  },
  'bluebird with promises of its own and coroutines, and nothing of what is over at once': {
    as: 'a.cjs',
    source: `const Bluebird = require('bluebird');
const job = Bluebird.coroutine(function* () { yield Bluebird.delay(10); });
Bluebird.map([1, 2, 3, 4, 5], (i) => job(i), { concurrency: 2 }).then(() => Bluebird.each([1, 2, 3], () => Bluebird.delay(5)))
  .then(() => Bluebird.map([1, 2, 3], (i) => i * 2)).filter(Boolean);`,
    groups: [{ kind: 'pool', library: 'bluebird', declared: 2, peak: 2, taskCount: 5, fulfilled: 5, site: { line: 4 }, taskSite: { line: 3 } }, { kind: 'sequential', library: 'bluebird', taskCount: 3 }],
  },
  'what bluebird reduces, one step after the other': {
    as: 'a.cjs',
    source: `const Bluebird = require('bluebird');
const add = (sum, i) => Bluebird.delay(5 + i).then(() => { if (i === 9) throw new Error('no'); return sum + i; });
Bluebird.reduce([1, 2, 3, 4], add, 0)
  .then((sum) => Bluebird.resolve([sum, 5, 9, 6]).reduce(add, 0)).catch(() => {});`,
    groups: [
      { kind: 'sequential', library: 'bluebird', taskCount: 4, fulfilled: 4, site: { line: 4 }, taskSite: { function: 'add' } },
      { kind: 'sequential', library: 'bluebird', taskCount: 3, fulfilled: 2, rejected: 1, site: { line: 5 } },
    ],
  },
  'what bluebird waits for at once, of its own promises and of native ones': {
    as: 'a.cjs',
    source: `const Bluebird = require('bluebird');
const load = (i) => Bluebird.delay(10 + 5 * i).then(() => { if (i === 5) throw new Error('no'); });
async function save(i) { await sleep(10 + 5 * i); }
(async () => {
  for (const chunk of [[1, 2, 3], [4, 6], [7, 8]]) await Bluebird.all(chunk.map(load));
  for (const chunk of [[1, 2], [3, 4]]) await Bluebird.all(chunk.map(save));
  await Bluebird.props({ a: load(1), b: load(2), c: 'c' });
  await Bluebird.join(load(1), load(2), () => {});
  await Bluebird.allSettled(new Set([load(1)]));
  await Bluebird.allSettled([load(1), load(5), 1]);
})();`,
    groups: [
      { kind: 'chunk', library: 'bluebird', chunks: 3, taskCount: 7, peak: 3, fulfilled: 7, site: { line: 6 } }, { kind: 'chunk', library: 'bluebird', chunks: 2, taskCount: 4, peak: 2, site: { line: 7 }, taskSite: { line: 4 } },
      { kind: 'all', library: 'bluebird', taskCount: 2, site: { line: 8 } }, { kind: 'all', library: 'bluebird', taskCount: 2, site: { line: 9 } }, { kind: 'allSettled', library: 'bluebird', taskCount: 2, rejected: 1, site: { line: 11 } },
    ],
  },
  'bottleneck and fastq': {
    as: 'a.cjs',
    source: `const Bottleneck = require('bottleneck'); const fastq = require('fastq');
(async () => {
  const limiter = new Bottleneck({ maxConcurrent: 2 });
  await Promise.all([1, 2, 3, 4].map((i) => limiter.schedule(() => sleep(40))));
  const queue = fastq.promise(async (i) => { await sleep(10); if (i === 1) throw new Error('one'); }, 3);
  await Promise.allSettled([1, 2, 3, 4, 5].map((i) => queue.push(i)));
})();`,
    groups: [{ kind: 'pool', library: 'bottleneck', declared: 2, peak: 2, taskCount: 4 }, { kind: 'pool', library: 'fastq', declared: 3, peak: 3, taskCount: 5, rejected: 1 }],
  },
  'bottleneck, whose jobs are tried again where they have failed, and keep their slot': {
    as: 'a.cjs',
    source: `const Bottleneck = require('bottleneck');
(async () => {
  const limiter = new Bottleneck({ maxConcurrent: 2 });
  limiter.on('failed', (error, { retryCount }) => (retryCount < 1 ? 15 : undefined));
  const tries = {};
  const send = async (i) => { tries[i] = (tries[i] ?? 0) + 1; await sleep(20); if (i === 5 || (i === 1 && tries[i] === 1)) throw new Error('no answer'); return i; };
  await Promise.allSettled([1, 2, 3, 4, 5].map((i) => limiter.schedule(() => send(i))));
})();`,
    groups: [{ kind: 'pool', library: 'bottleneck', declared: 2, peak: 2, taskCount: 5, fulfilled: 4, rejected: 1, taskSite: { function: 'send' } }],
  },
  'p-limit, run after run, each collected behind a step of its own': {
    as: 'a.mjs',
    source: `import pLimit from 'p-limit';
const limit = pLimit(2);
const load = async (i) => { await sleep(15); return i; };
async function warmUp() { await Promise.all([1, 2].map((i) => limit(() => load(i)))); }
async function pages() { return Promise.all([1, 2, 3, 4].map((i) => limit(() => load(i)).then((page) => [page]))); }
await warmUp();
await pages();`,
    groups: [{ kind: 'pool', library: 'p-limit', taskCount: 2, site: { line: 5 } }, { kind: 'pool', library: 'p-limit', taskCount: 4, site: { line: 6 } }],
  },
  'rxjs without a promise': {
    as: 'a.cjs',
    source: `const { range, mergeMap, timer } = require('rxjs');
range(0, 5).pipe(mergeMap(() => timer(10), 2)).subscribe();`,
    groups: [{ kind: 'pool', library: 'rxjs', declared: 2, peak: 2, taskCount: 5, fulfilled: 5, site: { line: 3 }, taskSite: { line: 3 } }],
  },
  'streaming-iterables whose functions give lists, one stage behind the other': {
    as: 'a.mjs',
    source: `import { collect, flatTransform, parallelFlatMap, pipeline } from 'streaming-iterables';
const links = async (i) => { await sleep(8 + i * 3 % 5); return i % 2 ? [i, -i] : undefined; };
const pages = async (i) => { await sleep(6); return [i]; };
await pipeline(() => [1, 2, 3, 4, 5, 6],
  flatTransform(3, links),
  parallelFlatMap(2, pages),
  collect);`,
    groups: [
      { kind: 'pool', library: 'streaming-iterables', declared: 3, peak: 3, taskCount: 6, site: { line: 6 }, taskSite: { function: 'links' } },
      { kind: 'pool', library: 'streaming-iterables', declared: 2, peak: 2, taskCount: 6, site: { line: 7 }, taskSite: { function: 'pages' } },
    ],
  },
  'rxjs within an operator that waits for two at once': {
    as: 'a.cjs',
    source: `const { defer, forkJoin, from, mergeMap, switchMap } = require('rxjs');
const load = async (i) => { await sleep(10); return i; };
forkJoin({ a: defer(() => load(10)), b: defer(() => load(20)) }).pipe(
  switchMap(({ a }) => from([1, 2, 3, a]).pipe(
    mergeMap((i) => load(i), 2))),
).subscribe();`,
    groups: [
      { kind: 'all', library: 'rxjs', peak: 2, taskCount: 2, fulfilled: 2, site: { line: 7 }, taskSite: { function: 'load' } },
      { kind: 'pool', library: 'rxjs', declared: 2, peak: 2, taskCount: 4, fulfilled: 4, site: { line: 6 }, taskSite: { function: 'load' } },
    ],
  },
  'rxjs, chunks by one after the other: promises that are joined': {
    as: 'a.cjs',
    source: `const { bufferCount, concatMap, defer, forkJoin, from, mergeMap, range, toArray } = require('rxjs');
const load = async (i) => { await sleep(10 + i * 3 % 8); if (i === 9) throw new Error('nine'); return i; };
range(0, 10).pipe(bufferCount(4), concatMap((batch) => forkJoin(batch.map(load)))).subscribe({ error() {} });`,
    groups: [{ kind: 'chunk', library: 'rxjs', peak: 4, chunks: 3, taskCount: 10, fulfilled: 9, rejected: 1, site: { line: 4 }, taskSite: { function: 'load' } }],
  },
  'rxjs, chunks by one after the other, each brought by another load': {
    as: 'a.cjs',
    source: `const { bufferCount, concatMap, mergeMap, range } = require('rxjs');
const load = async (i) => { await sleep(10 + i * 3 % 8); return i; };
const store = async (i) => { await sleep(4 + i % 3); };
range(0, 12).pipe(mergeMap(load, 2), bufferCount(4), concatMap((batch) => Promise.all(batch.map(store)))).subscribe();`,
    groups: [{ kind: 'pool', library: 'rxjs', declared: 2, taskCount: 12, site: { line: 5 } }, { kind: 'chunk', peak: 4, chunks: 3, taskCount: 12, fulfilled: 12, site: { line: 5 }, taskSite: { function: 'store' } }],
  },
  'rxjs, chunks by one after the other: observables that are joined': {
    as: 'a.cjs',
    source: `const { bufferCount, concatMap, defer, forkJoin, from, mergeMap, range, toArray } = require('rxjs');
const load = async (i) => { await sleep(10 + i * 3 % 8); if (i === 9) throw new Error('nine'); return i; };
range(0, 10).pipe(bufferCount(4), concatMap((batch) => forkJoin(batch.map((i) => defer(() => load(i)))))).subscribe({ error() {} });`,
    groups: [{ kind: 'chunk', library: 'rxjs', peak: 4, chunks: 3, taskCount: 10, fulfilled: 9, rejected: 1, site: { line: 4 }, taskSite: { function: 'load' } }],
  },
  'rxjs, chunks by one after the other: what is merged without a limit': {
    as: 'a.cjs',
    source: `const { bufferCount, concatMap, defer, forkJoin, from, mergeMap, range, toArray } = require('rxjs');
const load = async (i) => { await sleep(10 + i * 3 % 8); if (i === 9) throw new Error('nine'); return i; };
range(0, 10).pipe(bufferCount(4), concatMap((batch) => from(batch).pipe(mergeMap(load), toArray()))).subscribe({ error() {} });`,
    groups: [{ kind: 'chunk', library: 'rxjs', peak: 4, chunks: 3, taskCount: 10, fulfilled: 9, rejected: 1, site: { line: 4 }, taskSite: { function: 'load' } }],
  },
  'rxjs, with an error that an operator inside catches': {
    as: 'a.cjs',
    source: `const { EMPTY, catchError, from, mergeMap, range } = require('rxjs');
const load = async (i) => { await sleep(10); if (i === 2) throw new Error('two'); };
range(0, 5).pipe(mergeMap((i) => from(load(i)).pipe(catchError(() => EMPTY)), 2)).subscribe();`,
    groups: [{ kind: 'pool', library: 'rxjs', declared: 2, peak: 2, taskCount: 5, fulfilled: 4, rejected: 1 }],
  },
  'what a library runs for its own use beside what the program runs': {
    as: 'a.cjs',
    files: { 'inner/node_modules/globber/index.js': `const fastq = require('fastq');
const walk = (done) => { const queue = fastq((n, next) => setTimeout(next, 5), 2); queue.drain = done; for (let n = 0; n < 4; n++) queue.push(n); };
exports.glob = () => new Promise((resolve) => { setTimeout(walk, 1, resolve); });` },
    source: `const { glob } = require('./inner/node_modules/globber'); const fastq = require('fastq');
(async () => { await glob(); const queue = fastq.promise(async () => { await sleep(10); }, 2); await Promise.all([1, 2, 3].map((n) => queue.push(n))); })();`,
    groups: [{ kind: 'pool', library: 'fastq', declared: 2, peak: 2, taskCount: 3, site: { line: 3 } }],
  },
  'children of tasks, each of which answers one message before its task is over': {
    as: 'a.mjs',
    files: { 'child.cjs': "process.once('message', () => { setTimeout(() => { process.send('done'); process.disconnect(); }, 10); });" },
    source: `import { fork } from 'node:child_process'; import pLimit from 'p-limit';
const render = (n) => new Promise((resolve) => { const child = fork(new URL('./child.cjs', import.meta.url)); child.on('message', () => {}); child.on('exit', resolve); child.send(n); });
const limit = pLimit(2); await Promise.all([1, 2, 3, 4].map((n) => limit(() => render(n))));`,
    groups: [{ kind: 'pool', library: 'p-limit', declared: 2, taskCount: 4, peak: 2, fulfilled: 4 }],
  },
  'a crawler that calls itself for the links of a page, behind a limiter': {
    as: 'a.mjs',
    source: `import PQueue from 'p-queue';
const site = { '/': ['/a', '/b', '/c', '/d'], '/a': ['/a1', '/a2', '/b'], '/b': ['/b1', '/'], '/a1': ['/a11', '/c'], '/b1': ['/'] };
async function load(path) { await sleep(15 + path.length * 4); return site[path] ?? []; }
const queue = new PQueue({ concurrency: 2 }); const seen = new Set();
async function visit(path) {
  if (seen.has(path)) return;
  seen.add(path);
  const links = await queue.add(() => load(path));
  await Promise.all(links.map(visit));
}
await visit('/');`,
    groups: [{ kind: 'pool', library: 'p-queue', declared: 2, peak: 2, taskCount: 9, taskSite: { function: 'load' } }],
  },
  'a queue of callbacks whose worker waits in a function of its own, some of them twice': {
    as: 'a.cjs',
    source: `const async = require('async');
const tries = {};
function save(id, done) { tries[id] = (tries[id] || 0) + 1; setTimeout(() => done(id % 4 === 1 && tries[id] === 1 ? new Error('busy') : null, id), 10 + id * 2); }
function work(id, done) { async.retry({ times: 3, interval: 5 }, (next) => save(id, next), (error, value) => { done(error, value); }); }
const queue = async.queue(work, 3); queue.push([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);`,
    groups: [{ kind: 'pool', library: 'async', declared: 3, peak: 3, taskCount: 10, fulfilled: 10, taskSite: { function: 'work' } }],
  },
  'promises that somebody puts around a queue of callbacks are of its tasks': {
    as: 'a.cjs',
    source: `const fastq = require('fastq'), async = require('async'), { promisify } = require('node:util');
const mail = (n, done) => { setTimeout(() => done(n === 3 ? new Error('three') : null, n), 10 + n * 3); };
const ids = [1, 2, 3, 4, 5, 6];
(async () => {
  for (const queue of [fastq(mail, 2), async.queue(mail, 2), async.queue(async (n) => { await sleep(10); if (n === 3) throw new Error('three'); }, 2)]) {
    await Promise.allSettled(ids.map((n) => new Promise((resolve, reject) => queue.push(n, (error, value) => (error ? reject(error) : resolve(value))))));
    let left = ids.length;
    await new Promise((done) => { for (const n of ids) promisify(queue.push).call(queue, n).catch(() => {}).then(() => { if (--left === 0) done(); }); });
  }
  const queue = fastq(mail, 2);
  await Promise.allSettled(ids.map(async (n) => { await promisify(queue.push).call(queue, n); await sleep(20); }));
})();`,
    groups: [
      ...['fastq', 'async', 'async'].map((library) => ({ kind: 'pool', library, declared: 2, peak: 2, taskCount: 12, fulfilled: 10, rejected: 2, site: { line: 7 } })),
      { kind: 'allSettled', library: undefined, taskCount: 6, fulfilled: 5, rejected: 1, site: { line: 12 } },
      { kind: 'pool', library: 'fastq', declared: 2, peak: 2, taskCount: 6, rejected: 1 },
    ],
  },
  'effect with fibers': {
    as: 'a.mjs',
    source: `import { Effect } from 'effect';
const job = (i) => Effect.gen(function* () { yield* Effect.sleep(10); return i; });
await Effect.runPromise(Effect.all([1, 2, 3, 4, 5].map(job), { concurrency: 2 }));`,
    groups: [{ kind: 'pool', library: 'effect', declared: 2, peak: 2, taskCount: 5, fulfilled: 5, site: { line: 4 }, taskSite: { line: 3 } }],
  },
  'effect with results': {
    as: 'a.mjs',
    source: `import { Effect } from 'effect';
const probe = (n) => Effect.callback((resume) => { setTimeout(() => { resume(n % 3 === 1 ? Effect.fail(new Error('closed')) : Effect.succeed(n)); }, 10 + n); });
await Effect.runPromise(Effect.all([1, 2, 3, 4, 5].map(probe), { concurrency: 2, mode: 'result' }));`,
    groups: [{ kind: 'pool', library: 'effect', declared: 2, peak: 2, taskCount: 5, fulfilled: 3, rejected: 2, site: { line: 4 }, taskSite: { line: 3 } }],
  },
  'effect with a record': {
    as: 'a.mjs',
    source: `import { Effect } from 'effect';
const section = (ms) => Effect.suspend(() => Effect.sleep(ms));
const program = Effect.gen(function* () {
  yield* Effect.all({ totals: section(10), outliers: section(20), lineage: section(15) }, { concurrency: 'unbounded' });
});
await Effect.runPromise(program);`,
    groups: [{ kind: 'all', library: 'effect', peak: 3, taskCount: 3, fulfilled: 3, site: { line: 5 }, taskSite: { line: 5 } }],
  },
  'effect with a stream': {
    as: 'a.mjs',
    source: `import { Effect, Stream } from 'effect';
await Effect.runPromise(Stream.range(1, 5).pipe(Stream.mapEffect(() => Effect.sleep(10), { concurrency: 2 }), Stream.runDrain));`,
    groups: [{ kind: 'pool', library: 'effect', declared: 2, peak: 2, taskCount: 5, site: { line: 3 }, taskSite: { line: 3 } }],
  },
  'one p-limit used from two places': {
    as: 'a.mjs',
    source: `import pLimit from 'p-limit';
const limit = pLimit(2);
const job = async () => { await sleep(10); };
await Promise.all([...[1, 2, 3].map(() => limit(job)), ...[1, 2].map(() => limit(() => job()))]);`,
    groups: [{ kind: 'pool', library: 'p-limit', declared: 2, peak: 2, taskCount: 5, site: { line: 5 }, taskSite: { line: 4 } }],
  },
  'one p-limit for one thing after the other': {
    as: 'a.mjs',
    source: `import pLimit from 'p-limit';
const limit = pLimit(2);
async function user(n) { await sleep(4 + n); }
async function post(n) { await sleep(9 - n); }
await Promise.all([1, 2, 3, 4].map((n) => limit(() => user(n))));
await sleep(20);
await Promise.all([1, 2, 3, 4, 5].map((n) => limit(post, n)));`,
    groups: [
      { kind: 'pool', library: 'p-limit', declared: 2, peak: 2, taskCount: 4, fulfilled: 4, site: { line: 6 }, taskSite: { line: 4 } },
      { kind: 'pool', library: 'p-limit', declared: 2, peak: 2, taskCount: 5, fulfilled: 5, site: { line: 8 }, taskSite: { line: 5 } },
    ],
  },
  'one p-limit in each call of a function, one after the other': {
    as: 'a.mjs',
    source: `import pLimit from 'p-limit';
const limit = pLimit(2);
async function page(n) { await sleep(4 + n); }
async function site(s) { await sleep(3); await Promise.all([1, 2, 3, 4].map((n) => limit(() => page(n + s)))); await sleep(3); }
for (const s of [1, 2, 3]) await site(s);`,
    groups: [
      { kind: 'sequential', taskCount: 3, taskSite: { line: 5 } },
      ...[1, 2, 3].map(() => ({ kind: 'pool', library: 'p-limit', declared: 2, peak: 2, taskCount: 4, site: { line: 5 }, taskSite: { line: 4 }, parent: {} })),
    ],
  },
  'one p-limit in calls of a function at once, and in a loop': {
    as: 'a.mjs',
    source: `import pLimit from 'p-limit';
const limit = pLimit(2), other = pLimit(2);
async function page(n) { await sleep(4 + n); }
async function site(s) { await sleep(3); await Promise.all([1, 2, 3, 4].map((n) => limit(() => page(n + s)))); await sleep(3); }
for (let i = 0; i < 6; i += 3) await Promise.all([i, i + 1, i + 2].map(site));
for (let i = 0; i < 3; i++) await Promise.all([1, 2, 3, 4].map((n) => other(page, n)));`,
    groups: [
      { kind: 'chunk', taskCount: 6, chunks: 2, taskSite: { line: 5 } },
      { kind: 'pool', library: 'p-limit', declared: 2, peak: 2, taskCount: 24, site: { line: 5 }, taskSite: { line: 4 } },
      { kind: 'pool', library: 'p-limit', declared: 2, peak: 2, taskCount: 12, site: { line: 7 }, taskSite: { line: 4 } },
    ],
  },
  'a p-limit whose promise an async arrow returns': {
    as: 'a.mjs',
    source: `import pLimit from 'p-limit';
const limit = pLimit(2);
const job = async (i) => { await sleep(5 + 3 * i); };
await Promise.all([1, 2, 3, 4, 5].map(async (i) => limit(() => job(i))));`,
    groups: [{ kind: 'pool', library: 'p-limit', declared: 2, peak: 2, taskCount: 5, site: { line: 5 }, taskSite: { line: 4 } }],
  },
  'a p-limit behind other work of an async arrow': {
    as: 'a.mjs',
    source: `import pLimit from 'p-limit';
const limit = pLimit(2);
const job = async (i) => { await sleep(10 + 3 * i); };
await Promise.all([1, 2, 3, 4, 5].map(async (i) => { await sleep(5); await limit(() => job(i)); }));`,
    groups: [
      { kind: 'all', library: undefined, peak: 5, taskCount: 5, site: { line: 5 }, taskSite: { line: 5 } },
      { kind: 'pool', library: 'p-limit', declared: 2, peak: 2, taskCount: 5, site: { line: 5 }, taskSite: { line: 4 } },
    ],
  },
  'a p-limit fed by tasks of a combinator that wait for all they have fed it': {
    as: 'a.mjs',
    source: `import pLimit from 'p-limit';
const limit = pLimit(2);
const page = async (i) => { await sleep(10 + 3 * i); };
const site = async (i) => { await sleep(5); await Promise.all([1, 2, 3].map((j) => limit(() => page(i + j)))); };
const crawl = (i) => Promise.all([0, 1].map((j) => site(i + j)));
await Promise.all([0, 1].map(async (i) => { await crawl(i); }));`,
    groups: [
      { kind: 'all', library: undefined, peak: 2, taskCount: 2, site: { line: 7 }, taskSite: { line: 7 } },
      { kind: 'all', library: undefined, peak: 2, taskCount: 2, site: { line: 6 }, taskSite: { line: 5 } },
      { kind: 'all', library: undefined, peak: 2, taskCount: 2, site: { line: 6 }, taskSite: { line: 5 } },
      { kind: 'pool', library: 'p-limit', declared: 2, peak: 2, taskCount: 12, site: { line: 5 }, taskSite: { line: 4 } },
    ],
  },
  'workerpool, with functions of a worker of its own': {
    as: 'a.cjs',
    source: `const workerpool = require('workerpool'); const { isMainThread } = require('node:worker_threads');
if (!isMainThread) workerpool.worker({ work: async (i) => { await sleep(5); if (i === 2) throw new Error('two'); } });
else {
  const pool = workerpool.pool(__filename, { maxWorkers: 2, workerType: 'thread' });
  Promise.allSettled([1, 2, 3, 4, 5, 6, 7, 8].map((i) => pool.exec('work', [i]))).then(() => pool.terminate());
}`,
    groups: [{ kind: 'pool', library: 'workerpool', declared: 2, taskCount: 8, rejected: 1, site: { line: 6 }, taskSite: { line: 6 } }],
  },
  'workerpool, one of whose tasks takes too long and one of which is called off': {
    as: 'a.cjs',
    source: `const workerpool = require('workerpool');
const pool = workerpool.pool({ maxWorkers: 2, workerType: 'thread' });
const work = (i, ms) => new Promise((done) => setTimeout(done, ms, i));
const hang = [2, 5];
Promise.allSettled([1, 2, 3, 4, 5, 6].map((i) => {
  const job = pool.exec(work, [i, hang.includes(i) ? 60_000 : 10]);
  if (i === 2) job.timeout(400);
  if (i === 5) setTimeout(() => job.cancel(), 600);
  return job;
})).then(() => pool.terminate(true));`,
    groups: [{ kind: 'pool', library: 'workerpool', declared: 2, taskCount: 6, fulfilled: 4, rejected: 2, pending: 0, site: { line: 7 } }],
  },
  'piscina': {
    as: 'a.mjs',
    source: `import { Piscina } from 'piscina'; import { isMainThread } from 'node:worker_threads';
export default async (i) => { await sleep(5); if (i === 2) throw new Error('two'); };
if (isMainThread) {
  const pool = new Piscina({ filename: import.meta.url, maxThreads: 2 });
  await Promise.allSettled([1, 2, 3, 4, 5].map((i) => pool.run(i)));
  await pool.destroy();
}`,
    groups: [{ kind: 'pool', library: 'piscina', declared: 2, taskCount: 5, rejected: 1, site: { line: 6 } }],
  },
  'piscina, whose tasks workers hand in and nobody waits for before all are': {
    as: 'a.mjs',
    source: `import { Piscina } from 'piscina'; import { isMainThread } from 'node:worker_threads';
export default (i) => { const end = performance.now() + 8 + i % 3 * 4; while (performance.now() < end); return i; };
if (isMainThread) {
  const pool = new Piscina({ filename: import.meta.url, minThreads: 2, maxThreads: 2 });
  const ids = [...Array(10).keys()], parsed = [];
  const load = async (i) => { await sleep(15 + i * 7 % 11); return i; };
  const worker = async () => { while (ids.length > 0) parsed.push(pool.run(await load(ids.shift()))); };
  await Promise.all([worker(), worker(), worker()]);
  await Promise.all(parsed);
  await pool.destroy();
}`,
    groups: [{ kind: 'pool', peak: 3, taskCount: 10, fulfilled: 10, taskSite: { function: 'load' } }, { kind: 'pool', library: 'piscina', declared: 2, taskCount: 10, fulfilled: 10 }],
  },
  'functions that only hand on what others ask of a library, which turns some of it away': {
    as: 'a.mjs',
    source: `import { Piscina } from 'piscina'; import { isMainThread } from 'node:worker_threads';
export default async (ms) => { await sleep(ms); };
if (isMainThread) {
  const pool = new Piscina({ filename: import.meta.url, minThreads: 2, maxThreads: 2, maxQueue: 5 });
  const order = async (ms) => { try { return await pool.run(ms); } finally { total++; } };
  let total = 0;
  await Promise.all([12, 8, 20, 14, 9, 16, 11, 7, 18].map(async (ms) => { try { await order(ms); } catch { total--; } }));
  await pool.destroy();
}`,
    groups: [{ kind: 'pool', library: 'piscina', declared: 2, taskCount: 7, fulfilled: 7, peak: 2, site: { line: 8 } }],
  },
  'workers that await requests by a function of theirs': {
    as: 'a.mjs',
    source: `import { createServer } from 'node:http'; import { once } from 'node:events'; import { Pool } from 'undici';
const server = createServer((req, res) => { setTimeout(() => res.end('{}'), 10 + Number(req.url.slice(1)) * 7 % 20); }).listen(0); await once(server, 'listening');
const client = new Pool('http://127.0.0.1:' + server.address().port, { connections: 3 }), left = [1, 2, 3, 4, 5, 6, 7, 8];
async function item(id) { const { body } = await client.request({ path: '/' + id, method: 'GET' }); await body.json(); }
async function loop() { while (left.length > 0) await item(left.shift()); }
await Promise.all([loop(), loop(), loop()]);
await client.close(); server.close();`,
    groups: [{ kind: 'pool', taskCount: 8, peak: 3, lanes: 3, taskSite: { line: 5, function: 'item' } }],
  },
  'p-map, p-queue and promise-pool, which time out or fail': {
    as: 'a.mjs',
    source: `import pMap from 'p-map'; import PQueue from 'p-queue'; import { PromisePool } from '@supercharge/promise-pool';
await pMap([1, 2, 3, 4], async () => { await sleep(10); }, { concurrency: 3 });
const queue = new PQueue({ concurrency: 2 });
queue.addAll([1, 2, 3].map(() => async () => { await sleep(10); }));
await queue.onIdle();
await PromisePool.for([1, 2, 3]).withConcurrency(2).withTaskTimeout(30).process(async (i) => { await sleep(i === 2 ? 60 : 10); });
await sleep(60);`,
    groups: [{ library: 'p-map', declared: 3, taskCount: 4 }, { library: 'p-queue', declared: 2, taskCount: 3 }, { library: '@supercharge/promise-pool', declared: 2, fulfilled: 2, rejected: 1 }],
  },
  'throat, p-throttle and limitAsync, which make a function wait': {
    as: 'a.mjs',
    source: `import throat from 'throat'; import pThrottle from 'p-throttle'; import { limitAsync, mapAsync } from 'es-toolkit';
const job = async () => { await sleep(10); };
await Promise.all([1, 2, 3, 4, 5].map(throat(2, job)));
const limiter = throat(3); await Promise.all([1, 2, 3, 4].map(() => limiter(job)));
const throttled = pThrottle({ limit: 2, interval: 30 })(job); await Promise.all([1, 2, 3, 4].map((i) => throttled(i)));
const limited = limitAsync(job, 3); await Promise.allSettled([1, 2, 3, 4, 5].map(limited));
await mapAsync([1, 2, 3, 4], async () => { await sleep(10); }, { concurrency: 2 });`,
    groups: [
      { kind: 'pool', library: 'throat', declared: 2, peak: 2, taskCount: 5, site: { line: 4 }, taskSite: { line: 3 } },
      { kind: 'pool', library: 'throat', declared: 3, peak: 3, taskCount: 4, site: { line: 5 } },
      { kind: 'pool', library: 'p-throttle', taskCount: 4, site: { line: 6 } },
      { kind: 'pool', library: 'es-toolkit', declared: 3, peak: 3, taskCount: 5, site: { line: 7 } },
      { kind: 'pool', library: 'es-toolkit', declared: 2, peak: 2, taskCount: 4, site: { line: 8 }, taskSite: { line: 8 } },
    ],
  },
  'async by the files of its functions': {
    as: 'a.mjs',
    source: `import eachLimit from 'async/eachLimit.js'; import queue from 'async/queue.js';
await eachLimit([1, 2, 3, 4, 5], 2, async () => { await sleep(8); });
const q = queue((i, done) => { setTimeout(done, 8); }, 3); q.push([1, 2, 3, 4, 5]); await q.drain();`,
    groups: [{ kind: 'pool', library: 'async', declared: 2, taskCount: 5, peak: 2, site: { line: 3 } }, { kind: 'pool', library: 'async', declared: 3, taskCount: 5, peak: 3, site: { line: 4 } }],
  },
  'rate limiters: what goes on once a turn has come': {
    as: 'a.mjs',
    source: `import { RateLimiter } from 'limiter'; import { RateLimit } from 'async-sema';
const limiter = new RateLimiter({ tokensPerInterval: 2, interval: 60 }); const turn = RateLimit(2, { timeUnit: 60 });
async function slow(take) { await take(); await sleep(10); }
await Promise.all([1, 2, 3, 4].map(() => slow(() => limiter.removeTokens(1))));
await Promise.all([1, 2, 3, 4].map(() => slow(turn)));`,
    groups: [
      { kind: 'pool', library: 'limiter', taskCount: 4, peak: 2, fulfilled: 4, site: { line: 5 }, taskSite: { line: 4 } },
      { kind: 'pool', library: 'async-sema', taskCount: 4, peak: 2, fulfilled: 4, site: { line: 6 } },
    ],
  },
  'an undici Pool, whose requests wait for its connections, and calls of fetch and axios': {
    as: 'a.mjs',
    source: `import http from 'node:http'; import { Pool } from 'undici'; import axios from 'axios';
const server = http.createServer((request, response) => { setTimeout(() => response.end('{}'), 10); }).listen(0, '127.0.0.1'); await new Promise((r) => server.once('listening', r));
const origin = 'http://127.0.0.1:' + server.address().port; const pool = new Pool(origin, { connections: 2 });
await Promise.all([1, 2, 3, 4, 5].map(async (n) => { const { body } = await pool.request({ path: '/' + n, method: 'GET' }); await body.text(); }));
for (let i = 0; i < 4; i += 2) await Promise.all([0, 1].map((k) => fetch(origin + '/' + (i + k)).then((r) => r.text())));
for (let i = 0; i < 4; i++) await axios.get(origin + '/' + i, { proxy: false });
await pool.close(); server.closeAllConnections(); server.close();`,
    groups: [
      { kind: 'pool', library: 'undici', declared: 2, taskCount: 5, peak: 2, fulfilled: 5, site: { line: 5 } },
      { kind: 'chunk', library: 'fetch', taskCount: 4, chunks: 2, site: { line: 6 }, taskSite: { line: 6 } },
      { kind: 'sequential', library: 'axios', taskCount: 4, site: { line: 7 } },
    ],
  },
  'requests one after the other, with what the program makes of each answer in between': {
    as: 'a.mjs',
    source: `import http from 'node:http'; import axios from 'axios';
const server = http.createServer((request, response) => { setTimeout(() => response.end('{}'), 10); }).listen(0, '127.0.0.1'); await new Promise((r) => server.once('listening', r));
const origin = 'http://127.0.0.1:' + server.address().port;
const burn = (ms) => { const until = performance.now() + ms; while (performance.now() < until); };
for (let i = 0; i < 4; i++) { await axios.get(origin + '/' + i, { proxy: false }); burn(5); }
for (let i = 0; i < 4; i++) { const answer = await fetch(origin + '/' + i); await answer.text(); burn(5); await sleep(5); }
server.closeAllConnections(); server.close();`,
    groups: [{ kind: 'sequential', library: 'axios', taskCount: 4, site: { line: 6 } }, { kind: 'sequential', library: 'fetch', taskCount: 4, site: { line: 7 } }],
  },
  'an undici Pool that is never full, where something else limits the requests': {
    as: 'a.mjs',
    source: `import http from 'node:http'; import { Pool } from 'undici'; import pLimit from 'p-limit';
const server = http.createServer((request, response) => { setTimeout(() => response.end('{}'), 10); }).listen(0, '127.0.0.1'); await new Promise((r) => server.once('listening', r));
const pool = new Pool('http://127.0.0.1:' + server.address().port, { connections: 8 }); const limit = pLimit(2);
await Promise.all([1, 2, 3, 4, 5].map((n) => limit(async () => { const { body } = await pool.request({ path: '/' + n, method: 'GET' }); await body.text(); })));
await pool.close(); server.closeAllConnections(); server.close();`,
    groups: [{ kind: 'pool', library: 'p-limit', declared: 2, taskCount: 5, peak: 2, fulfilled: 5, site: { line: 5 } }],
  },
  'async.cargo, whose batches are chunks, and steps of async.waterfall': {
    as: 'a.cjs',
    source: `const async = require('async');
const save = async (i) => { await sleep(8 + i); };
const cargo = async.cargo(async (batch) => { await Promise.all(batch.map(save)); }, 4);
cargo.push([...Array(10).keys()]);
cargo.drain(() => {
  async.waterfall([(done) => setTimeout(done, 8, null, 1), (one, done) => setTimeout(done, 9, null, one + 1), (two, done) => setTimeout(done, 7, null)]);
});`,
    groups: [
      { kind: 'chunk', combinator: 'all', taskCount: 10, chunks: 3, fulfilled: 10, site: { line: 4 }, taskSite: { function: 'save', line: 3 } },
      { kind: 'sequential', library: 'async', taskCount: 3, fulfilled: 3, site: { line: 7 } },
    ],
  },
  'async.cargo whose batches are a task each': {
    as: 'a.cjs',
    source: `const cargo = require('async/cargo'), cargoQueue = require('async/cargoQueue');
const one = cargo((batch, done) => setTimeout(done, 10), 3);
one.push([1, 2, 3, 4, 5, 6, 7]);
one.drain(() => { const two = cargoQueue(async (batch) => { await sleep(10); }, 2, 2); two.push([1, 2, 3, 4, 5, 6, 7]); });`,
    groups: [{ kind: 'sequential', library: 'async', taskCount: 3, fulfilled: 3 }, { kind: 'pool', library: 'async', declared: 2, taskCount: 4, peak: 2, fulfilled: 4 }],
  },
  'workers that wait for a token of a rate limiter before each task': {
    as: 'a.cjs',
    source: `const { RateLimiter } = require('limiter');
const limiter = new RateLimiter({ tokensPerInterval: 4, interval: 90 });
const ids = [...Array(9).keys()];
const quote = async (i) => { await sleep(15); };
async function loop() { for (;;) { await limiter.removeTokens(1); const id = ids.shift(); if (id === undefined) return; await quote(id); } }
Promise.all([loop(), loop()]);`,
    groups: [{ kind: 'pool', combinator: 'all', declared: 2, taskCount: 9, peak: 2, fulfilled: 9, site: { line: 7 }, taskSite: { function: 'quote', line: 5 } }],
  },
  'a p-limit that is cleared: what it dropped is no task': {
    as: 'a.mjs',
    source: `import pLimit from 'p-limit';
const limit = pLimit({ concurrency: 3, rejectOnClear: true });
async function load(i) { await sleep([20, 30, 40, 30, 40, 20][i]); if (i === 3) { limit.clearQueue(); throw new Error('full'); } }
await Promise.allSettled([...Array(11).keys()].map((i) => limit(load, i)));`,
    groups: [{ kind: 'pool', library: 'p-limit', taskCount: 6, fulfilled: 5, rejected: 1, pending: 0 }],
  },
  'an es6-promise-pool whose tasks have their errors caught': {
    as: 'a.cjs',
    source: `const PromisePool = require('es6-promise-pool');
async function visit(i) { await sleep(8 + i); if (i === 3) throw new Error('404'); }
const pages = function* () { for (let i = 0; i < 7; i++) yield visit(i).catch(() => {}); };
new PromisePool(pages, 3).start();`,
    groups: [{ kind: 'pool', library: 'es6-promise-pool', taskCount: 7, fulfilled: 6, rejected: 1, taskSite: { function: 'visit' } }],
  },
  'functions that a nameless one only calls are where the work is': {
    as: 'a.mjs',
    source: `import throat from 'throat'; import { from, mergeMap, lastValueFrom } from 'rxjs'; import { Effect } from 'effect'; import { Listr } from 'listr2';
function rotate(i) { return sleep(8 + i).then(() => i); }
async function load(i) { await sleep(8 + i); if (i === 2) throw new Error('two'); }
const ids = [0, 1, 2, 3];
await Promise.all(ids.map(throat(2, (i) => rotate(i))));
await lastValueFrom(from([0, 1, 3, 4]).pipe(mergeMap((i) => from(load(i)), 2)));
await Effect.runPromise(Effect.forEach([0, 1, 3, 4], (i) => Effect.promise(() => load(i)), { concurrency: 2 }));
await new Listr(ids.map((i) => ({ title: 't' + i, task: () => load(i) })), { concurrent: 2, exitOnError: false, renderer: 'silent' }).run();`,
    groups: [
      { library: 'throat', taskCount: 4, taskSite: { function: 'rotate', line: 3 } },
      { library: 'rxjs', taskCount: 4, taskSite: { function: 'load', line: 4 } },
      { library: 'effect', taskCount: 4, taskSite: { function: 'load', line: 4 } },
      { library: 'listr2', taskCount: 4, fulfilled: 3, rejected: 1, taskSite: { function: 'load', line: 4 } },
    ],
  },
  'pools that a combinator only waits for': {
    as: 'a.mjs',
    source: `import pMap from 'p-map';
const load = async (i) => { await sleep(8 + i * 2); };
await Promise.all([pMap([0, 1, 2, 3], load, { concurrency: 2 }), pMap([4, 5, 6], load, { concurrency: 2 })]);`,
    groups: [{ library: 'p-map', taskCount: 4, parent: undefined }, { library: 'p-map', taskCount: 3, parent: undefined }],
  },
  'an error that a task handles itself': {
    as: 'a.mjs',
    source: `import pLimit from 'p-limit'; import pMap from 'p-map'; import PQueue from 'p-queue'; import async from 'async'; import { PromisePool } from '@supercharge/promise-pool'; import { mapAsync } from 'es-toolkit';
async function load(i) { await sleep(8 + i * 2); if (i === 2) throw new Error('two'); return i; }
async function settle(i) { try { return { value: await load(i) }; } catch (error) { return { error }; } }
const ids = [0, 1, 2, 3]; const limit = pLimit(2); const queue = new PQueue({ concurrency: 2 });
await Promise.all(ids.map((i) => limit(() => settle(i))));
await pMap(ids, settle, { concurrency: 2 });
await Promise.all(ids.map((i) => queue.add(() => settle(i))));
await async.mapLimit(ids, 2, async (i) => settle(i));
await PromisePool.for(ids).withConcurrency(2).process(settle);
await mapAsync(ids, settle, { concurrency: 2 });`,
    groups: ['p-limit', 'p-map', 'p-queue', 'async', '@supercharge/promise-pool', 'es-toolkit'].map((library) => ({ library, taskCount: 4, fulfilled: 3, rejected: 1 })),
  },
  'an undici Pool with a connection for each of the workers': {
    as: 'a.mjs',
    source: `import http from 'node:http'; import { Pool } from 'undici';
const server = http.createServer((request, response) => { setTimeout(() => response.end('{}'), 10); }).listen(0, '127.0.0.1'); await new Promise((r) => server.once('listening', r));
const pool = new Pool('http://127.0.0.1:' + server.address().port, { connections: 3 }); const ids = [1, 2, 3, 4, 5, 6, 7, 8];
const get = async (n) => { const { body } = await pool.request({ path: '/' + n, method: 'GET' }); await body.text(); };
await Promise.all([1, 2, 3].map(async () => { while (ids.length) await get(ids.shift()); }));
await pool.close(); server.closeAllConnections(); server.close();`,
    groups: [{ kind: 'pool', combinator: 'all', declared: 3, taskCount: 8, peak: 3, site: { line: 6 }, taskSite: { function: 'get' } }],
  },
  'semaphores: what runs between acquire and release': {
    as: 'a.mjs',
    source: `import { Semaphore, Mutex } from 'async-mutex'; import { Semaphore as Permits, Mutex as Lock } from 'es-toolkit'; import { Sema } from 'async-sema';
async function guarded(lock, i) {
  const got = await lock.acquire();
  try { await sleep(10); if (i === 2) throw new Error('two'); } finally { if (Array.isArray(got)) got[1](); else if (typeof got === 'function') got(); else lock.release(); }
}
for (const lock of [new Semaphore(2), new Mutex(), new Permits(3), new Lock(), new Sema(2)]) await Promise.allSettled([1, 2, 3, 4, 5].map((i) => guarded(lock, i)));
const exclusive = new Semaphore(2);
await Promise.all([1, 2, 3, 4].map(() => exclusive.runExclusive(async () => { await sleep(10); })));
const given = new Mutex(); const held = await given.acquire(); given.acquire().catch(() => {}); given.cancel(); held();`,
    groups: [
      ...[['async-mutex', 2], ['async-mutex', 1], ['es-toolkit', 3], ['es-toolkit', 1], ['async-sema', 2]].map(([library, declared]) =>
        ({ kind: 'pool', library, declared, peak: declared, taskCount: 5, rejected: 1, site: { line: 7 }, taskSite: { line: 3 } })),
      { kind: 'pool', library: 'async-mutex', declared: 2, peak: 2, taskCount: 4, fulfilled: 4, taskSite: { line: 9 } },
    ],
  },
  'semaphores that one gives up to wait for: who never had a slot is no task': {
    as: 'a.mjs',
    source: `import { Semaphore, Mutex, withTimeout } from 'async-mutex';
const timed = withTimeout(new Semaphore(2), 85), exclusive = withTimeout(new Mutex(), 500);
async function guarded(lock, i) {
  const got = await lock.acquire();
  const release = Array.isArray(got) ? got[1] : got;
  try { await sleep(30 + i / 2); } finally { release(); }
}
await Promise.allSettled([1, 2, 3, 4, 5, 6, 7, 8].map((i) => guarded(timed, i)));
await Promise.allSettled([1, 2, 3].map(() => exclusive.runExclusive(async () => { await sleep(10); })));`,
    groups: [
      { kind: 'pool', library: 'async-mutex', declared: 2, peak: 2, taskCount: 6, fulfilled: 6 },
      { kind: 'pool', library: 'async-mutex', declared: 1, peak: 1, taskCount: 3, fulfilled: 3 },
    ],
  },
  'a semaphore that functions hold for a while, and others that the library runs in it': {
    as: 'a.mjs',
    source: `import { Semaphore } from 'async-mutex';
const slots = new Semaphore(3);
const transfer = (i) => slots.runExclusive(async () => { await sleep(10 + i); });
async function audit(i) { const [, release] = await slots.acquire(); try { await sleep(12 + i); } finally { release(); } }
await Promise.all([...Array(12).keys()].map((i) => (i % 5 < 3 ? transfer(i) : audit(i))));`,
    groups: [{ kind: 'pool', library: 'async-mutex', declared: 3, peak: 3, taskCount: 12, fulfilled: 12 }],
  },
  'what is given along with a way to cancel it is the task, and who was cancelled never began': {
    as: 'a.mjs',
    source: `import { Queue } from 'modern-async'; const line = new Queue(2);
const turn = async (i) => { await sleep(10 + i); };
const given = [...Array(6).keys()].map((i) => line.execCancellable(() => turn(i)));
given[4][1]();
await Promise.all(given.map(([done]) => done.catch(() => 'cancelled')));`,
    groups: [{ kind: 'pool', library: 'modern-async', declared: 2, peak: 2, taskCount: 5, fulfilled: 5 }],
  },
  'waits for a queue are no tasks, in a combinator or in a loop': {
    as: 'a.mjs',
    source: `import PQueue from 'p-queue';
class Stage { queue = new PQueue({ concurrency: 2 }); async finish() { await this.queue.onIdle(); } }
const stages = [new Stage(), new Stage(), new Stage()];
const feed = async () => { for (let i = 0; i < 12; i++) { if (i % 4 === 0) await sleep(2); stages[i % 3].queue.add(() => sleep(10 + 2 * i)); } };
await Promise.all([feed(), stages[0].queue.onIdle(), stages[1].queue.onIdle()]);
for (const stage of stages) await stage.finish();`,
    groups: [1, 2, 3].map(() => ({ kind: 'pool', library: 'p-queue', declared: 2, taskCount: 4, fulfilled: 4 })),
  },
  'bluebird: where promises can be cancelled, tasks end': {
    as: 'a.cjs',
    source: `const Bluebird = require('bluebird'); Bluebird.config({ cancellation: true });
const load = (i) => Bluebird.delay(10 + i).then(() => { if (i === 3) throw new Error('three'); });
Bluebird.map([...Array(6).keys()], (i) => load(i).reflect(), { concurrency: 2 }).then(() => Bluebird.map([3], load)).catch(() => Bluebird.all([load(1), load(2)]));`,
    groups: [
      { kind: 'pool', library: 'bluebird', declared: 2, peak: 2, taskCount: 6, fulfilled: 5, rejected: 1 },
      { kind: 'all', library: 'bluebird', taskCount: 2, fulfilled: 2, rejected: 0 },
    ],
  },
  'calls that only hand tasks to a queue of a library are none themselves': {
    as: 'a.mjs',
    source: `import PQueue from 'p-queue'; const lines = new Map();
const lineOf = (who) => { if (!lines.has(who)) lines.set(who, new PQueue({ concurrency: 1 })); return lines.get(who); };
const send = async (n) => { await sleep(10 + n); };
async function enqueue(n) { const line = lineOf(n % 2); if (n === 7) throw new RangeError('full'); return line.add(() => send(n)); }
for (const n of [0, 1, 2, 3, 4, 5, 6, 7]) { enqueue(n).catch(() => {}); if (n === 3) await sleep(15); }
for (const line of lines.values()) await line.onIdle();`,
    groups: [{ kind: 'pool', library: 'p-queue', declared: 1, taskCount: 4 }, { kind: 'pool', library: 'p-queue', declared: 1, taskCount: 3 }],
  },
  'semaphores of CommonJS, one of which is taken in the middle of a function': {
    as: 'a.cjs',
    source: `const { Semaphore } = require('async-mutex'); const { Mutex } = require('es-toolkit'); const { Sema } = require('async-sema');
const whole = async (lock) => { await lock.acquire(); await sleep(8); lock.release(); };
const middle = async (lock) => { await sleep(4); await lock.acquire(); await sleep(8); lock.release(); await sleep(4); };
(async () => {
  for (const lock of [new Semaphore(2), new Mutex(), new Sema(2)]) await Promise.all([1, 2, 3, 4].map(() => whole(lock)));
  const lock = new Sema(1); await Promise.all([1, 2, 3].map(() => middle(lock)));
})();`,
    groups: [
      { library: 'async-mutex', declared: 2, taskCount: 4 }, { library: 'es-toolkit', declared: 1, taskCount: 4 }, { library: 'async-sema', declared: 2, taskCount: 4 },
      { kind: 'all', taskCount: 3, peak: 3 }, { kind: 'pool', library: 'async-sema', declared: 1, peak: 1, taskCount: 3, fulfilled: 3 },
    ],
  },
  'a semaphore that is asked first whether there is room at once': {
    as: 'a.mjs',
    source: `import { Sema } from 'async-sema';
const slots = new Sema(2);
const render = async (page) => { if (slots.tryAcquire() === undefined) await slots.acquire(); await sleep(10 + (page * 7) % 20); slots.release(); };
await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map((page) => render(page)));`,
    groups: [{ kind: 'pool', library: 'async-sema', declared: 2, taskCount: 8, peak: 2, fulfilled: 8, taskSite: { line: 4, function: 'render' } }],
  },
  'a combinator over results of another library around tasks is none, nor is one over the ends of pools': {
    as: 'a.cjs',
    source: `const throat = require('throat'), { Piscina } = require('piscina'), { join } = require('node:path');
class Result { constructor(promise) { this.promise = promise; } then(yes, no) { return this.promise.then(yes, no); } }
const ask = throat(async (id) => { await sleep(10 + (id * 7) % 20); return id; }, 2);
(async () => {
  await Promise.all([1, 2, 3, 4, 5, 6].map((id) => new Result(ask(id).catch(() => 0))));
  const pools = [1, 2].map(() => new Piscina({ filename: join(__dirname, 'double.cjs'), maxThreads: 1, minThreads: 1 }));
  await Promise.all([pools[0].destroy(), pools[1].destroy()]);
})();`,
    files: { 'double.cjs': 'module.exports = (n) => n * 2;' },
    groups: [{ kind: 'pool', library: 'throat', declared: 2, taskCount: 6, peak: 2 }],
  },
  'semaphores that one function takes for what it leaves running': {
    as: 'a.mjs',
    source: `import { Sema } from 'async-sema'; import { Semaphore } from 'async-mutex';
const slots = new Sema(3); const permits = new Semaphore(2);
async function send(i) { await sleep(10 + (i * 7) % 15); if (i === 4) throw new Error('four'); await sleep(3); }
for (const i of [1, 2, 3, 4, 5, 6, 7, 8]) { await slots.acquire(); void send(i).catch(() => {}).finally(() => slots.release()); }
await slots.drain();
(async () => { for (const i of [1, 2, 3, 5, 6, 7]) { const [, free] = await permits.acquire(); send(i).finally(free); } })();`,
    groups: [
      { kind: 'pool', library: 'async-sema', declared: 3, taskCount: 8, peak: 3, rejected: 1, site: { line: 5 }, taskSite: { line: 4, function: 'send' } },
      { kind: 'pool', library: 'async-mutex', declared: 2, taskCount: 6, peak: 2, fulfilled: 6, site: { line: 7 }, taskSite: { line: 4, function: 'send' } },
    ],
  },
  'listr2, at once, by two and in series': {
    as: 'a.mjs',
    source: `import { Listr } from 'listr2';
let tries = 0;
const list = (concurrent) => new Listr([1, 2, 3, 4].map((i) => ({ title: 't' + i, retry: 1, task: async () => { await sleep(10); if (i === 2 && tries++ % 2 === 0) throw new Error('again'); } })), { concurrent, renderer: 'silent' });
await list(true).run(); await list(2).run(); await list(false).run();`,
    groups: [
      { kind: 'all', library: 'listr2', taskCount: 4, fulfilled: 4, peak: 4, site: { line: 5 }, taskSite: { line: 4 } },
      { kind: 'pool', library: 'listr2', declared: 2, peak: 2, taskCount: 4, fulfilled: 4 },
      { kind: 'sequential', library: 'listr2', taskCount: 4, peak: 1 },
    ],
  },
  'listr2 with a list of its own in each task': {
    as: 'a.mjs',
    source: `import { Listr } from 'listr2';
await new Listr(['a', 'b'].map((title) => ({ title, task: (_, task) => {
  return task.newListr(
    [1, 2, 3].map((i) => ({ title: 't' + i, task: async () => { await sleep(10 + i); } })), { concurrent: 2 });
} })), { concurrent: false, renderer: 'silent' }).run();`,
    groups: [
      { kind: 'sequential', library: 'listr2', taskCount: 2, site: { line: 6 } },
      ...['a', 'b'].map(() => ({ kind: 'pool', library: 'listr2', declared: 2, peak: 2, taskCount: 3, site: { line: 4 }, taskSite: { line: 5 } })),
    ],
  },
  'listr2 with a task that is skipped, which is none': {
    as: 'a.mjs',
    source: `import { Listr } from 'listr2';
await new Listr([1, 2, 3, 4].map((i) => ({ title: 't' + i, skip: () => i === 2, task: async () => { await sleep(10); } })), { concurrent: 2, renderer: 'silent' }).run();`,
    groups: [{ kind: 'pool', library: 'listr2', declared: 2, peak: 2, taskCount: 3, fulfilled: 3 }],
  },
  'listr2 of CommonJS': {
    as: 'a.cjs',
    source: `const { Listr } = require('listr2');
new Listr([1, 2, 3].map(() => ({ title: 't', task: () => sleep(10) })), { concurrent: 2, renderer: 'silent' }).run();`,
    groups: [{ kind: 'pool', library: 'listr2', declared: 2, peak: 2, taskCount: 3, site: { line: 3 }, taskSite: { line: 3 } }],
  },
  'it-parallel over a list and over a generator, and the p- libraries that go one by one': {
    as: 'a.mjs',
    source: `import parallel from 'it-parallel'; import pSeries from 'p-series'; import pEachSeries from 'p-each-series'; import pWaterfall from 'p-waterfall';
const job = async () => { await sleep(10); };
for await (const _ of parallel([1, 2, 3, 4, 5].map(() => () => job()), { concurrency: 2 }));
for await (const _ of parallel((function* () { for (let i = 0; i < 5; i++) yield () => job(); })(), { concurrency: 3 }));
await pSeries([job, job, job]); await pEachSeries([1, 2, 3], job); await pWaterfall([job, job, job], 0);`,
    groups: [
      { kind: 'pool', library: 'it-parallel', declared: 2, peak: 2, taskCount: 5, site: { line: 4 }, taskSite: { line: 3 } },
      { kind: 'pool', library: 'it-parallel', declared: 3, peak: 3, taskCount: 5, site: { line: 5 } },
      { kind: 'sequential', library: 'p-series', taskCount: 3 }, { kind: 'sequential', library: 'p-each-series', taskCount: 3 }, { kind: 'sequential', library: 'p-waterfall', taskCount: 3 },
    ],
  },
};

const runs = [
  ...NODE_MAJORS.map((major) => ({ major, backend: 'v8' as const })),
  { major: ownMajor, backend: 'async_hooks' as const },
];

describe.each(runs)('a library is known, with its limit, its tasks and nothing made of them twice, on Node $major with $backend', ({ major, backend }) => {
  for (const [name, { as, source, groups, files }] of Object.entries(CASES)) {
    test(name, async (context) => {
      const node = needed(context, 'NODES', nodes.find((node) => node.major === major)?.path);
      const found = await observe(SLEEP + source, { node, backend, as, files, packages: packagesFor(context) });
      expect(found).toMatchObject({ code: 0, err: '', dropped: 0 });
      expect(found.groups).toMatchObject(groups);
      expect(found.groups).toHaveLength(groups.length);
    });
  }
});

/** Line 3 is the job. Fibers: a loop of them, two by hand of which one is called off, held by a semaphore, in rounds, and one after the other. */
const FORKS = (fork: string, semaphore: string): string => `import { Effect, Fiber } from 'effect'; ${semaphore}
const job = (i) => Effect.gen(function* () { yield* Effect.sleep(10 + i * 5); if (i === 2) yield* Effect.fail(new TypeError('no two')); return i; });
await Effect.runPromise(Effect.gen(function* () { for (const f of yield* Effect.forEach([0, 1, 2], (i) => Effect.${fork}(job(i)))) yield* Fiber.await(f); }));
await Effect.runPromise(Effect.gen(function* () { const a = yield* Effect.${fork}(job(0)), b = yield* job(90).pipe(Effect.${fork}); yield* Fiber.join(a); yield* Fiber.interrupt(b); console.log(JSON.stringify(yield* Fiber.await(b), (key, value) => (key === 'startTimeMillis' ? 0 : value))); }));
await Effect.runPromise(Effect.gen(function* () {
  const two = yield* make(2), fibers = [];
  for (const i of [1, 3, 4, 0]) fibers.push(yield* Effect.${fork}(two.withPermits(1)(job(i))));
  yield* Effect.all(fibers.map(Fiber.join), { concurrency: 'unbounded' });
  for (let round = 0; round < 2; round++) yield* Effect.forEach(yield* Effect.forEach([0, 1], () => job(0).pipe(Effect.${fork})), Fiber.join);
}));
await Effect.runPromise(Effect.gen(function* () { for (const i of [0, 1, 3]) yield* Fiber.join(yield* Effect.${fork}(job(i))); }));
yieldless(); function yieldless() { for (const i of [0, 1]) Effect.runFork(job(i)); }`;
const FORKED = [
  { kind: 'all', taskCount: 3, peak: 3, fulfilled: 2, rejected: 1, site: { line: 4 }, taskSite: { line: 3 } },
  { kind: 'all', taskCount: 2, fulfilled: 1, rejected: 1, site: { line: 5 } },
  { kind: 'pool', taskCount: 4, declared: 2, peak: 2, site: { line: 8 }, taskSite: { line: 3 } },
  { kind: 'chunk', taskCount: 4, chunks: 2, peak: 2, site: { line: 10 } },
  { kind: 'sequential', taskCount: 3, peak: 1, site: { line: 12 } },
  { kind: 'all', taskCount: 2, site: { line: 13 } },
].map((group) => ({ ...group, library: 'effect' }));

describe.each(runs)('fibers that a program forks with effect are tasks, on Node $major with $backend', ({ major, backend }) => {
  const VERSIONS = {
    3: { fork: 'fork', semaphore: 'const make = Effect.makeSemaphore;', tools: (context: TestContext) => join(needed(context, 'TOOLS', findProjectTools()), 'node_modules') },
    4: { fork: 'forkChild', semaphore: "import { make } from 'effect/Semaphore';", tools: packagesFor },
  };
  const asModule = (source: string): string => source;
  const asCommon = (source: string): string => `(async () => { ${source.replace("import { Effect, Fiber } from 'effect';", "const { Effect, Fiber } = require('effect');")} })();`;
  test.for([[3, 'a.cjs', asCommon], [3, 'a.mjs', asModule], [4, 'a.mjs', asModule]] as const)('version %i, from %s', async ([version, as, change], context) => {
    const { fork, semaphore, tools } = VERSIONS[version];
    const source = `${SLEEP}${change(FORKS(fork, semaphore))}`;
    const how: How = { node: needed(context, 'NODES', nodes.find((node) => node.major === major)?.path), as, packages: tools(context) };
    const plain = await runPlain(source, how);
    const found = await observe(source, { ...how, backend });
    expect(found).toMatchObject({ out: plain.out, err: plain.err, code: 0, dropped: 0 });
    expect(found.groups).toMatchObject(FORKED);
    expect(found.groups).toHaveLength(FORKED.length);
    const [first, second] = found.groups.map(({ id }) => found.timeline.rowsOf(id));
    expect(found.timeline.errorOf(first[2] + 1)).toBe('TypeError: no two');
    expect(found.timeline.tasks.state[second[1]]).toBe(TaskState.rejected | ABORTED);
  });
});

test('a task of promise-pool that stops the pool is called off', async (context) => {
  const { groups, timeline } = await observe(`import { PromisePool } from '@supercharge/promise-pool';
${SLEEP}await PromisePool.for([1, 2, 3, 4, 5, 6]).withConcurrency(2).process(async (i, _index, pool) => { await sleep(10 + i); if (i === 3) pool.stop(); });`, { as: 'a.mjs', packages: packagesFor(context) });
  expect(groups).toMatchObject([{ library: '@supercharge/promise-pool', taskCount: 4 }]);
  expect(timeline.rowsOf(groups[0].id).map((row) => timeline.tasks.state[row])).toEqual([TaskState.fulfilled, TaskState.fulfilled, TaskState.rejected | ABORTED, TaskState.fulfilled]);
});

/** Prints what a program can see of libraries that adapters stand in front of. */
const SEEN: Readonly<Record<string, Pick<Case, 'as' | 'source'>>> = {
  'CommonJS': {
    as: 'a.cjs',
    source: `const async = require('async'), Bluebird = require('bluebird'), Bottleneck = require('bottleneck'), fastq = require('fastq'), rxjs = require('rxjs');
const look = (f) => [typeof f, f.name, f.length, Reflect.ownKeys(f).map(String).join(), Object.getPrototypeOf(f) === Function.prototype];
console.log(look(async.mapLimit), look(Bluebird), look(Bluebird.map), look(Bottleneck), look(fastq), look(fastq.promise), look(rxjs.mergeMap));
console.log(async.mapLimit === async.default.mapLimit, async.forEach === async.each, Object.keys(async).length, Object.keys(require.cache).filter((p) => p.includes('node_modules')).length);
class Mine extends Bottleneck { schedule(...args) { return super.schedule(...args); } }
console.log(new Mine({ maxConcurrent: 1 }) instanceof Bottleneck, Bluebird.resolve(1) instanceof Bluebird);
try { new Bottleneck(1, 2); } catch (e) { console.log(e.message); }
try { fastq(() => {}, 0); } catch (e) { console.log(e.message); }
process.on('unhandledRejection', (e) => console.log('unhandled', e.message));
(async () => {
  console.log(await async.mapLimit([3, 1, 2], 2, async (i) => { await sleep(i); return this === undefined ? i : i * 2; }));
  await Bluebird.map([1, 2], function (v, i, n) { console.log(this === undefined, v, i, n, arguments.length, new Error().stack.split('\\n').length > 1); });
  await Bluebird.map([1], () => { throw new TypeError('thrown'); }).catch((e) => console.log(e.name, e.message));
  Promise.reject(new Error('nobody'));
  await new Promise((r) => fastq({ mine: 7 }, function (x, done) { console.log(this.mine, x); done(null, x * 2); }, 1).push(4, (e, v) => { console.log(e, v); r(); }));
})();`,
  },
  'ES modules': {
    as: 'a.mjs',
    source: `import pLimit, { limitFunction } from 'p-limit'; import pMap, { pMapSkip } from 'p-map'; import PQueue from 'p-queue'; import { Effect } from 'effect'; import { asyncMap } from 'modern-async'; import * as all from 'p-limit'; import pThrottle from 'p-throttle'; import throat from 'throat'; import { Mutex } from 'async-mutex'; import parallel from 'it-parallel';
const look = (f) => [typeof f, f.name, f.length, Reflect.ownKeys(f).map(String).join(), Object.getPrototypeOf(f) === Function.prototype];
console.log(look(pLimit), look(limitFunction), look(pMap), look(PQueue), look(asyncMap), all.default === pLimit, Object.keys(all));
const limit = pLimit(2); console.log(look(limit), limit.concurrency, limit.pendingCount);
try { pLimit(0); } catch (e) { console.log(e.message); }
try { await pMap([1], 'no function'); } catch (e) { console.log(e.message); }
await limit((...a) => console.log(a), 1, 2); console.log(await limit.map([1, 2], (v, i) => v + i), await pMap([1, 2, 3], (v) => (v === 2 ? pMapSkip : v)));
await limit(() => { throw new RangeError('thrown'); }).catch((e) => console.log(e.name, e.message));
class Mine extends PQueue { add(fn, o) { return super.add(fn, o); } } const q = new Mine({ concurrency: 1 }); console.log(await q.add(({ signal }) => typeof signal), q.pending, q.size);
console.log(await Effect.runPromise(Effect.forEach([1, 2], (i) => Effect.succeed(i * 2), { concurrency: 2 })), process.listenerCount('exit') < 9);
const throttled = pThrottle({ limit: 1, interval: 5 })(function (v) { return [this?.mine, v]; }); console.log(look(throttled), throttled.isEnabled, throttled.queueSize, await throttled.call({ mine: 1 }, 2), (throttled.isEnabled = false), throttled.isEnabled);
console.log(look(throat), throat.default === throat, look(throat(2)), await throat(2)((v) => v, 3), await throat((v) => v * 2, 1)(4)); try { throat('no'); } catch (e) { console.log(e.message); }
const mutex = new Mutex(); console.log(look(Mutex), Object.keys(mutex), mutex instanceof Mutex, mutex.isLocked(), typeof await mutex.acquire(), mutex.isLocked(), await Promise.race([mutex.acquire(), sleep(5)]), mutex.release());
for await (const v of parallel((function* () { yield async () => 7; })())) console.log(v);
console.log((await Effect.runPromiseExit(Effect.forEach([1, 2], () => Effect.fail('no'), { concurrency: 2 })))._tag);`,
  },
};

describe.each(NODE_MAJORS)('a program sees the same of its libraries on Node %i', (major) => {
  for (const [name, { as, source }] of Object.entries(SEEN)) {
    test(name, async (context) => {
      const how: How = { node: needed(context, 'NODES', nodes.find((node) => node.major === major)?.path), as, packages: packagesFor(context) };
      const plain = await runPlain(SLEEP + source, how);
      expect(plain).toMatchObject({ code: 0, err: '' });
      const { out, err, code, dropped } = await observe(SLEEP + source, how);
      expect({ out, err, code, dropped }).toEqual({ out: plain.out, err: '', code: 0, dropped: 0 });
    });
  }
});

describe('a package that only has the name', () => {
  const SHAPES: Readonly<Record<string, string>> = {
    'async/dist/async.js': 'module.exports = Object.freeze({ mapLimit: 3, queue: "no", default: null });',
    'fastq/queue.js': 'module.exports = 7;',
    'bluebird/js/release/bluebird.js': 'module.exports = { map: (x) => x };',
    'bottleneck/lib/Bottleneck.js': 'module.exports = () => "arrow";',
  };
  test('is left as it is', async () => {
    const packages = mkdtempSync(join(tmpdir(), 'async-lanes-test-'));
    try {
      for (const [path, code] of Object.entries(SHAPES)) {
        mkdirSync(join(packages, 'node_modules', path, '..'), { recursive: true });
        writeFileSync(join(packages, 'node_modules', path), code);
      }
      const source = `${Object.keys(SHAPES).map((path) => `console.log(require('${path}'));`).join('')} console.log(require('bottleneck/lib/Bottleneck.js')());`;
      const how: How = { as: 'a.cjs', packages: join(packages, 'node_modules') };
      const plain = await runPlain(source, how);
      expect(await observe(source, how)).toMatchObject({ out: plain.out, err: '', code: 0, groups: [] });
    } finally {
      rmSync(packages, { recursive: true, force: true });
    }
  });
});

describe.each(['v8', 'async_hooks'] as const)('BullMQ over a Redis of its own, with %s', (backend) => {
  test('a worker is a pool, and a job waits in the queue until it is taken', async (context) => {
    const server = needed(context, 'REDIS', findRedis());
    const packages = join(needed(context, 'TOOLS', findProjectTools()), 'node_modules');
    const found = await observe(`import { spawn } from 'node:child_process'; import net from 'node:net'; import { once } from 'node:events'; import { Queue, Worker } from 'bullmq';
${SLEEP}const probe = net.createServer().listen(0, '127.0.0.1'); await once(probe, 'listening'); const { port } = probe.address(); probe.close(); await once(probe, 'close');
const redis = spawn(${JSON.stringify(server)}, ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'], { stdio: 'ignore' });
const connection = { host: '127.0.0.1', port, maxRetriesPerRequest: null, retryStrategy: () => 20 };
const queue = new Queue('mail', { connection }); queue.on('error', () => {});
const send = async (job) => { await sleep(40); if (job.data.n === 5) throw new Error('no such address'); return job.data.n; };
const worker = new Worker('mail', send, { connection, concurrency: 2 }); worker.on('error', () => {});
let left = 6; const all = new Promise((done) => { const one = () => { if (--left === 0) done(); }; worker.on('completed', one).on('failed', one); });
await queue.addBulk([1, 2, 3, 4, 5, 6].map((n) => ({ name: 'letter', data: { n } })));
await all; await worker.close(); await queue.close(); redis.kill(); await once(redis, 'exit');`, { backend, as: 'a.mjs', packages });
    expect(found).toMatchObject({ code: 0, err: '' });
    const pool = found.groups.find(({ library }) => library === 'bullmq');
    expect(pool).toMatchObject({ kind: 'pool', declared: 2, taskCount: 6, peak: 2, fulfilled: 5, rejected: 1, site: { line: 8 }, taskSite: { function: 'send', line: 7 } });
    const { tasks } = found.timeline;
    const waits = found.timeline.rowsOf(pool?.id ?? 0).map((row) => tasks.start[row] - tasks.queued[row]);
    expect(Math.max(...waits)).toBeGreaterThan(60);
  });
});
