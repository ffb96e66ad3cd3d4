/** Tasks that are calls of plain functions, which run groups of their own: no promise leads from what such a call begins to the call. */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { installCorpus } from '../scoring/corpus';
import { needed } from '../support/needs';
import { observe } from './observed';

const corpus = installCorpus();

const HEAD = `const sleep = (ms) => new Promise((r) => setTimeout(r, ms));
const load = async (id) => { await sleep(10 + 3 * (id % 4)); };
`;
/** Three shops beside one another, each of which has its pages loaded two at a time. */
const TAIL = `
(async () => {
  await Promise.all([100, 200, 300].map(shop));
})();`;
const PAGES = '[1, 2, 3, 4, 5].map((page) => shop + page)';

/** How `shop(shop)` runs its pages. */
const OWN: Readonly<Record<string, string>> = {
  'lanes that loop': `const shop = (shop) => { const pages = ${PAGES}; const lane = async () => { while (pages.length) await load(pages.shift()); }; return Promise.all([lane(), lane()]); };`,
  'lanes that are chains': `const shop = (shop) => { const pages = ${PAGES}; const lane = () => pages.length ? load(pages.shift()).then(lane) : Promise.resolve(); return Promise.all([lane(), lane()]).then(() => shop); };`,
  'a function that begins the next one': `const shop = (shop) => new Promise((done) => { const pages = ${PAGES}; let open = 0; const next = () => { while (open < 2 && pages.length) { open++; load(pages.shift()).then(() => { open--; next(); }); } if (!open) done(); }; next(); });`,
};
const LIBRARIES: Readonly<Record<string, readonly [library: string, source: string]>> = {
  'p-map': ['p-map', `const shop = (shop) => import('p-map').then(({ default: pMap }) => pMap(${PAGES}, (page) => load(page), { concurrency: 2 }));`],
  async: ['async', `const async = require('async'); const shop = (shop) => async.eachLimit(${PAGES}, 2, load);`],
  'es6-promise-pool': ['es6-promise-pool', `const Pool = require('es6-promise-pool'); const shop = (shop) => { const pages = ${PAGES}; return new Pool(() => (pages.length ? load(pages.shift()) : null), 2).start().then(() => shop); };`],
  rxjs: ['rxjs', `const { from, mergeMap, lastValueFrom } = require('rxjs'); const shop = (shop) => lastValueFrom(from(${PAGES}).pipe(mergeMap((page) => load(page), 2)));`],
  throat: ['throat', `const throat = require('throat'); const shop = (shop) => Promise.all(${PAGES}.map(throat(2, (page) => load(page))));`],
  '@supercharge/promise-pool': ['@supercharge/promise-pool', `const { PromisePool } = require('@supercharge/promise-pool'); const shop = (shop) => PromisePool.for(${PAGES}).withConcurrency(2).process((page) => load(page)).then(() => shop);`],
  'fastq': ['fastq', `const fastq = require('fastq').promise; const shop = (shop) => { const queue = fastq((page) => load(page), 2); for (const page of ${PAGES}) queue.push(page); return queue.drained(); };`],
};
/** As libraries do that nobody knows. */
const UNKNOWN = {
  'node_modules/tiny-lib/package.json': '{ "name": "tiny-lib", "version": "1.0.0", "main": "index.js" }',
  'node_modules/tiny-lib/index.js': `exports.mapTwo = (items, fn) => new Promise((resolve, reject) => {
  let open = 0, next = 0;
  const begin = () => { while (open < 2 && next < items.length) { open++; const item = items[next++]; (async () => { try { await fn(item); open--; begin(); } catch (error) { reject(error); } })(); } if (open === 0) resolve(); };
  begin();
});`,
};

interface Expected { readonly kind: string; readonly library?: string }
type Run = Awaited<ReturnType<typeof observe>>;

/** One group with a task a shop, and in each of these a group of its pages. */
function expectShops({ groups, timeline }: Run, { kind, library }: Expected): void {
  const outer = groups.find(({ site }) => site?.line === 5);
  const inner = groups.filter((group) => group !== outer);
  expect(outer).toMatchObject({ kind: 'all', combinator: 'all', taskCount: 3, fulfilled: 3 });
  expect(inner).toHaveLength(3);
  for (const group of inner) expect(group).toMatchObject({ kind, taskCount: 5, peak: 2, fulfilled: 5, taskSite: { line: 2 }, ...(library && { library }) });
  const shops = outer ? [...timeline.rowsOf(outer.id)] : [];
  expect(new Set(inner.map(({ parent }) => parent?.task))).toEqual(new Set(shops.map((row) => row + 1)));
  for (const group of inner) expect(timeline.tasks.start[(group.parent?.task ?? 0) - 1]).toBeLessThanOrEqual(group.start);
}

describe.each(['v8', 'async_hooks'] as const)('%s', (backend) => {
  for (const [name, source] of Object.entries(OWN)) {
    test(`${name}, in plain functions beside one another, are a pool of each`, async () => {
      expectShops(await observe(HEAD + source + TAIL, { backend, as: 'a.cjs' }), { kind: 'pool' });
    });
  }

  for (const [name, [library, source]] of Object.entries(LIBRARIES)) {
    test(`${name} in plain functions beside one another is a pool of each`, async (context) => {
      const packages = needed(context, 'CORPUS', corpus && join(corpus, 'node_modules'));
      expectShops(await observe(HEAD + source + TAIL, { backend, as: 'a.cjs', packages }), { kind: 'pool', library });
    });
  }

  test('what a nameless function hands to a library is a call of the one with a name that gave it a chain', async (context) => {
    const packages = needed(context, 'CORPUS', corpus && join(corpus, 'node_modules'));
    const { groups } = await observe(`const fs = require('node:fs/promises');
const copy = (id) => fs.readFile(__filename).then(() => new Promise((r) => setTimeout(r, 10 + 3 * id))).then(() => fs.stat(__filename));
(async () => {
  const { default: pLimit } = await import('p-limit');
  const limit = pLimit(2);
  await Promise.all([1, 2, 3, 4, 5].map((id) => limit(() => copy(id))));
})();`, { backend, as: 'a.cjs', packages });
    expect(groups).toMatchObject([{ kind: 'pool', library: 'p-limit', taskCount: 5, peak: 2, taskSite: { function: 'copy', line: 2 } }]);
  });

  test('so is a library that nobody knows', async () => {
    const source = `const { mapTwo } = require('tiny-lib'); const shop = (shop) => mapTwo(${PAGES}, (page) => load(page));`;
    expectShops(await observe(HEAD + source + TAIL, { backend, as: 'a.cjs', files: UNKNOWN }), { kind: 'pool', library: 'tiny-lib' });
  });

  test('chunks in a chain of each are chunk loops', async () => {
    const source = 'const shop = (shop) => [[1, 2], [3, 4], [5]].reduce((before, pages) => before.then(() => Promise.all(pages.map((page) => load(shop + page)))), Promise.resolve());';
    expectShops(await observe(HEAD + source + TAIL, { backend, as: 'a.cjs' }), { kind: 'chunk' });
  });
});

/** A helper of the program's, no async function, and how it runs `work` for items, so many at a time. */
const HELPERS: Readonly<Record<string, readonly [kind: string, source: string]>> = {
  'that begins the next one': ['pool', 'const helper = (items, size) => new Promise((done) => { let next = 0, open = 0; const begin = () => { while (open < size && next < items.length) { open++; load(items[next++]).then(() => { open--; begin(); }); } if (!open) done(); }; begin(); });'],
  'with lanes that are chains': ['pool', 'const helper = (items, size) => { const left = [...items], lane = () => left.length ? load(left.shift()).then(lane) : Promise.resolve(); return Promise.all(Array.from({ length: size }, lane)); };'],
  'whose chunks call one another': ['chunk', 'const helper = (items, size) => { const go = (at) => at >= items.length ? Promise.resolve() : Promise.all(items.slice(at, at + size).map(load)).then(() => go(at + size)); return go(0); };'],
};

test.for(Object.entries(HELPERS))('each run of a plain helper %s is a group of its own, be they one after the other or at once', async ([, [kind, source]]) => {
  const { groups } = await observe(`${HEAD}${source}
const items = [...Array(8).keys()];
(async () => {
  await helper(items, 2);
  await helper(items, 3);
  await Promise.all([helper(items, 2), helper(items, 4)]);
})();`);
  const [first, second, ...rest] = groups;
  const outer = rest.find(({ site }) => site?.line === 8);
  expect(outer).toMatchObject({ kind: 'all', taskCount: 2 });
  const others = rest.filter((group) => group !== outer).sort((a, b) => a.peak - b.peak);
  expect([first, second, ...others].map((group) => ({ kind: group.kind, taskCount: group.taskCount, peak: group.peak, parent: group.parent?.group }))).toEqual([
    { kind, taskCount: 8, peak: 2, parent: undefined }, { kind, taskCount: 8, peak: 3, parent: undefined },
    { kind, taskCount: 8, peak: 2, parent: outer?.id }, { kind, taskCount: 8, peak: 4, parent: outer?.id },
  ]);
});

test('a bound function is the task where it begins, and a library\'s pool that it runs is inside of that', async (context) => {
  const packages = needed(context, 'CORPUS', corpus && join(corpus, 'node_modules'));
  const { groups, timeline } = await observe(`${HEAD}const throat = require('throat'), wait = (ms) => new Promise((r) => setTimeout(r, ms));
function pick(order, line) { return wait(10 + line).then(() => order); }
function handle(kind, order) { const inner = throat(2, pick.bind(null, order)); return Promise.all([1, 2, 3].map((line) => inner(line))).then(() => kind); }
const outer = throat(2, handle.bind(null, 'all'));
(async () => { await Promise.all([1, 2, 3].map((order) => outer(order))); })();`, { as: 'a.cjs', packages });
  const [whole, ...inner] = groups;
  expect(whole).toMatchObject({ kind: 'pool', library: 'throat', taskCount: 3, taskSite: { line: 5, function: 'handle' } });
  expect(inner).toHaveLength(3);
  for (const group of inner) expect(group).toMatchObject({ kind: 'pool', library: 'throat', taskCount: 3, taskSite: { line: 4, function: 'pick' }, parent: { group: whole.id } });
  expect(new Set(inner.map(({ parent }) => parent?.task)).size).toBe(timeline.rowsOf(whole.id).length);
});

test('combinators that callbacks call beside one another, each for a task of its own, are no chunks, also where one comes right behind another', async () => {
  const { groups } = await observe(`const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
let free = 3; const waiting = [];
const acquire = (use) => { if (free > 0) { free--; setTimeout(use, 5); } else waiting.push(use); };
const release = () => { if (waiting.length > 0) process.nextTick(waiting.shift()); else free++; };
function part(account, i) { return sleep(10 + account * 7 * i % 20).then(() => i); }
function read(account) {
  return new Promise((resolve) => acquire(() => Promise.allSettled([1, 2, 3].map((i) => part(account, i))).then(() => { release(); resolve(account); })));
}
Promise.all([1, 2, 3, 4, 5, 6, 7, 8, 9].map(read));`, { as: 'a.cjs' });
  expect(groups.filter(({ kind }) => kind !== 'pool').map(({ kind, taskCount }) => [kind, taskCount])).toEqual(Array.from({ length: 9 }, () => ['allSettled', 3]));
});
