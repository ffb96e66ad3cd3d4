/** bluebird's own promises and coroutines, as if they were the language's: whatever way of writing they are in. */
import { join } from 'node:path';
import { describe, expect, test, type TestContext } from 'vitest';
import { NODE_MAJORS, findNodes } from '../../scripts/tools.mjs';
import { installCorpus } from '../scoring/corpus';
import { needed } from '../support/needs';
import { observe, runPlain, runWatched } from './observed';

const corpus = installCorpus();
const nodes = findNodes();
const ownMajor = Number(process.versions.node.split('.')[0]);
const packagesFor = (context: TestContext): string => join(needed(context, 'CORPUS', corpus), 'node_modules');

const HEAD = `const Promise = require('bluebird'); const items = [...Array(12).keys()];
const load = Promise.coroutine(function* (i) { yield Promise.delay(15 + (i * 7) % 20); if (i === 5) throw new Error('five'); yield new Promise((r) => setTimeout(r, 5)); return i; });
const page = (i) => Promise.delay(15 + (i * 7) % 20).then(() => Promise.delay(5)).then(() => i);
`;
const line = (n: number): number => HEAD.split('\n').length - 1 + n;
const LOAD = { line: 2 };
const PAGE = { function: 'page', line: 3 };

interface Case { readonly program: string; readonly group: Record<string, unknown> }
const CASES: Readonly<Record<string, Case>> = {
  'chunks in a coroutine': {
    program: 'Promise.coroutine(function* main() { for (let i = 0; i < 12; i += 4) yield Promise.all(items.slice(i, i + 4).map((id) => load(id).reflect())); })();',
    group: { kind: 'chunk', library: 'bluebird', chunks: 3, peak: 4, site: { function: 'main', line: line(1) }, taskSite: LOAD },
  },
  'chunks by chains': {
    program: 'let all = Promise.resolve(); for (let i = 0; i < 12; i += 3) all = all.then(() => Promise.allSettled(items.slice(i, i + 3).map(load)));',
    group: { kind: 'chunk', combinator: 'allSettled', chunks: 4, peak: 3, rejected: 1, fulfilled: 11, taskSite: LOAD },
  },
  'chains with a spread in them, of which none is a task of its own': {
    program: 'Promise.map(items, (i) => page(i).then((n) => Promise.all([n, i]).spread((a, b) => a + b)).then((sum) => sum), { concurrency: 3 });',
    group: { kind: 'pool', library: 'bluebird', peak: 3, taskCount: 12, taskSite: PAGE },
  },
  'workers that are coroutines': {
    program: `const worker = Promise.coroutine(function* worker() { while (items.length) { try { yield load(items.shift()); } catch {} } });
Promise.all([worker(), worker(), worker()]);`,
    group: { kind: 'pool', declared: 3, peak: 3, lanes: 3, rejected: 1, fulfilled: 11, taskSite: LOAD },
  },
  'workers of the language over coroutines': {
    program: 'async function worker() { while (items.length) await load(items.shift()).catch(() => {}); } Promise.all([worker(), worker()]);',
    group: { kind: 'pool', peak: 2, lanes: 2, rejected: 1, taskSite: LOAD },
  },
  'workers of the language over chains': {
    program: 'async function worker() { while (items.length) await page(items.shift()); } (async () => { await Promise.all([worker(), worker(), worker()]); })();',
    group: { kind: 'pool', peak: 3, lanes: 3, fulfilled: 12, taskSite: PAGE },
  },
  'what is begun until it is full, and a race': {
    program: `Promise.coroutine(function* main() {
  const running = new Set();
  for (const i of items) { const one = page(i).finally(() => running.delete(one)); running.add(one); if (running.size >= 3) yield Promise.race(running); }
  yield Promise.all(running);
})();`,
    group: { kind: 'pool', peak: 3, fulfilled: 12, taskSite: PAGE },
  },
  'callbacks made promises, one after the other': {
    program: `const store = Promise.promisifyAll({ read(key, done) { setTimeout(done, 10 + key, key === 3 ? new Error('none') : null, key); } });
Promise.coroutine(function* () { for (const i of items) { try { yield store.readAsync(i); } catch {} } })();`,
    group: { kind: 'sequential', peak: 1, rejected: 1, fulfilled: 11 },
  },
  'rails that call for the next': {
    program: 'const next = () => (items.length ? page(items.shift()).then(next) : Promise.resolve()); Promise.all([next(), next(), next()]);',
    group: { kind: 'pool', peak: 3, lanes: 3, fulfilled: 12, taskSite: PAGE },
  },
  'a chain over all of them': { program: 'items.reduce((before, i) => before.then(() => page(i)), Promise.resolve());', group: { kind: 'sequential', peak: 1, fulfilled: 12, taskSite: PAGE } },
  'a chain over all of them with code between that takes its time': {
    program: 'const handle = () => { const end = Date.now() + 4; while (Date.now() < end); }; items.reduce((before, i) => before.then(() => { handle(); return page(i); }), Promise.resolve());',
    group: { kind: 'sequential', peak: 1, fulfilled: 12, taskSite: PAGE },
  },
  'a limiter by hand': {
    program: `let active = 0; const queue = [];
const limited = (fn) => new Promise((resolve, reject) => { const go = () => { active++; fn().then(resolve, reject).finally(() => { active--; queue.shift()?.(); }); }; if (active < 3) go(); else queue.push(go); });
Promise.all(items.map((i) => limited(() => page(i))));`,
    group: { kind: 'pool', peak: 3, fulfilled: 12, taskSite: PAGE },
  },
  'methods of a class, one beside another': {
    program: `class Api { get = Promise.method((i) => { if (i === 2) throw new TypeError('two'); return page(i); }); }
const api = new Api(); Promise.all(items.map((i) => api.get(i).reflect()));`,
    group: { kind: 'all', peak: 12, rejected: 1, fulfilled: 11 },
  },
  'coroutines that can be cancelled': {
    program: `Promise.config({ cancellation: true });
Promise.coroutine(function* () { for (let i = 0; i < 12; i += 4) yield Promise.all(items.slice(i, i + 4).map((id) => load(id).reflect())); })();`,
    group: { kind: 'chunk', chunks: 3, peak: 4, taskSite: LOAD },
  },
  'chunks with long stack traces': {
    program: 'Promise.config({ longStackTraces: true, warnings: true }); Promise.coroutine(function* () { for (let i = 0; i < 12; i += 4) yield Promise.all(items.slice(i, i + 4).map(page)); })();',
    group: { kind: 'chunk', chunks: 3, peak: 4, fulfilled: 12, taskSite: PAGE },
  },
};

/** All that a program can do with bluebird and see of it; what timers decide is not told in the order in which it came. */
const SEEN = `const Promise = require('bluebird'), { inspect } = require('node:util');
Promise.config({ cancellation: true, monitoring: true });
const order = [], seen = []; const log = (...words) => { seen.push(words.join(' ')); };
for (const event of ['promiseCreated', 'promiseChained', 'promiseFulfilled', 'promiseRejected', 'promiseResolved', 'promiseCancelled']) { let count = 0; process.on(event, () => { count++; }); process.on('exit', () => log(event, count)); }
process.on('unhandledRejection', (error) => log('unhandled', error.message));
Promise.resolve().then(() => order.push(1)); process.nextTick(() => order.push('tick')); global.Promise.resolve().then(() => order.push('native')); setImmediate(() => order.push('immediate')); Promise.resolve().then(() => order.push(2)).then(() => order.push(3));
Promise.resolve(1).then((value) => { log('then', value); return Promise.delay(5, 'x'); }).then((value) => log('behind', value)).finally(() => log('finally'));
const run = Promise.coroutine(function* (n, m) { try { log('coroutine', yield Promise.delay(3).return(n)); yield Promise.reject(new Error('boo')); } catch (error) { log('caught', error.message); } finally { log('cleared'); } return typeof this; });
log(run.length, run.name); run.call({}, 7).then((value) => log('returned', value));
const cancelled = run(8); setTimeout(() => { cancelled.cancel(); log('cancelled', cancelled.isCancelled()); }, 1);
Promise.using(Promise.resolve(4).disposer(() => log('disposed')), (value) => { log('using', value); return Promise.delay(2); });
Promise.reject(new Error('lost'));
Promise.all([1, Promise.resolve(2), global.Promise.resolve(3), { then(resolve) { log('thenable'); resolve(4); } }]).then((values) => log('all', values));
Promise.all(new Set([1, Promise.delay(2, 2)])).then((values) => log('all of a set', values));
Promise.all((function* () { yield 1; yield Promise.delay(1, 2); })()).then((values) => log('all of a generator', values));
Promise.props({ a: Promise.delay(1, 'A'), b: 2 }).then((values) => log('props', JSON.stringify(values)));
Promise.props(new Map([['a', Promise.delay(1, 'A')]])).then((values) => log('props of a map', [...values]));
Promise.join(Promise.delay(1, 1), 2, (a, b) => a + b).then((value) => log('join', value));
Promise.any([Promise.reject(new Error('1')), Promise.delay(2, 'any')]).then((value) => log(value));
Promise.some([Promise.delay(40, 'c'), Promise.delay(1, 'a')], 1).then((values) => log('some', values));
Promise.race(new Set([Promise.delay(60, 'slow'), Promise.delay(1, 'fast')])).then((value) => log('race', value));
Promise.map([1, 2, 3], function (value, at, length) { log('map', value, at, length, this === undefined); return Promise.delay(1, value); }, { concurrency: 1 }).then((values) => log('map', values));
Promise.reduce([1, 2, 3], (sum, value) => Promise.delay(1, sum + value), 0).then((value) => log('reduce', value));
Promise.each([1, 2], () => Promise.delay(1)).then((values) => log('each', values));
Promise.resolve([1, 2]).spread((a, b) => log('spread', a, b));
Promise.delay(90).timeout(5, 'late').catch(Promise.TimeoutError, (error) => log('timeout', error.message));
Promise.method((value) => { if (value) throw new TypeError('method'); })(1).catch(TypeError, (error) => log('method', error.message));
Promise.try(() => { throw new RangeError('try'); }).catch((error) => log('try', error.name));
Promise.fromCallback((done) => setTimeout(done, 1, null, 'callback')).then((value) => log(value));
const twice = Promise.promisify((value, done) => setTimeout(done, 1, null, value * 2)); log(twice.length, twice.name); twice(4).then((value) => log('promisify', value));
const store = Promise.promisifyAll({ get(key, done) { done(key ? null : new Error('none'), this.v + key); }, v: 'v' });
store.getAsync('k').then((value) => log(value)); store.getAsync('').catch((error) => log(error.message, error.isOperational));
Promise.bind({ z: 9 }, 3).then(function (value) { log('bind', this.z, value); });
const circle = new Promise((resolve) => setTimeout(() => resolve(circle), 1)); circle.catch((error) => log('circle', error.constructor.name));
for (const wrong of [() => Promise.coroutine(5), () => Promise.coroutine(() => {})(), () => Promise(), () => new Promise()]) try { wrong(); log('no error'); } catch (error) { log(error.constructor.name, error.message); }
Promise.coroutine(function* () { yield 5; })().catch((error) => log(error.message.slice(0, 50)));
const settled = Promise.resolve(1); log(settled.isFulfilled(), settled.value(), Object.keys(settled), inspect(settled), settled instanceof Promise, Promise.is(settled));
log(Object.getOwnPropertyNames(Promise.prototype).length, Object.getOwnPropertyNames(Promise).length, Object.keys(Promise).length, Promise.all.length, Promise.all.name);
(async () => { log('await', await Promise.delay(2, 'awaited')); for (const ms of [1, 2]) await Promise.delay(ms); log('after'); })();
process.on('exit', () => console.log(order.join(), seen.sort().join('\\n')));`;

const runs = [...NODE_MAJORS.map((major) => ({ major, backend: 'v8' as const })), { major: ownMajor, backend: 'async_hooks' as const }];

describe.each(runs)('bluebird on Node $major with $backend', ({ major, backend }) => {
  for (const [name, { program, group }] of Object.entries(CASES)) {
    test(name, async (context) => {
      const node = needed(context, 'NODES', nodes.find((found) => found.major === major)?.path);
      const found = await observe(HEAD + program, { node, backend, as: 'a.cjs', packages: packagesFor(context) });
      expect(found).toMatchObject({ code: 0, dropped: 0 });
      expect(found.groups).toMatchObject([{ taskCount: 12, ...group }]);
    });
  }

  test('gives and does the same as without the agent', async (context) => {
    const node = needed(context, 'NODES', nodes.find((found) => found.major === major)?.path);
    const how = { node, as: 'a.cjs', packages: packagesFor(context) };
    const plain = await runPlain(SEEN, how);
    expect(plain).toMatchObject({ code: 0, err: '' });
    expect(plain.out.split('\n').length).toBeGreaterThan(50);
    expect(await runWatched(SEEN, { ...how, backend })).toEqual(plain);
  });
});
