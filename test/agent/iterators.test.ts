/** Pools and loops behind iterators: generators, and iterators that are written by hand. */
import { describe, expect, test } from 'vitest';
import { observe } from './observed';

describe.each(['v8', 'async_hooks'] as const)('an iterator by hand that begins work ahead and gives what is done first, %s', (backend) => {
  const AS_COMPLETED = `const sleep = (ms) => new Promise((r) => setTimeout(r, ms));
const work = async (n) => { await sleep(20 + (n * 37) % 50); return n; };
const asCompleted = (items, limit) => {
  const rest = items[Symbol.iterator](), open = new Set();
  const fill = () => {
    for (let next; open.size < limit && !(next = rest.next()).done;) {
      const task = work(next.value).then((value) => ({ task, value }));
      open.add(task);
    }
  };
  const next = async () => {
    fill();
    if (open.size === 0) return { done: true };
    const { task, value } = await Promise.race(open);
    open.delete(task);
    return { done: false, value };
  };
  return { next, [Symbol.asyncIterator]() { return this; } };
};
const nine = (from) => Array.from({ length: 9 }, (_, i) => from + i);
`;
  const POOL = { kind: 'pool', taskCount: 9, peak: 3, site: { line: 14 }, taskSite: { line: 2 } };

  test.each(Object.entries({
    'in a loop': 'for await (const done of asCompleted(nine(0), 3));',
    'in a loop that has work of its own': 'for await (const done of asCompleted(nine(0), 3)) await sleep(15);',
    'asked by hand': 'const it = asCompleted(nine(0), 3); let r; while (!(r = await it.next()).done);',
  }))('%s: one pool', async (_, code) => {
    const { groups } = await observe(AS_COMPLETED + code, { backend, as: 'a.mjs' });
    expect(groups).toMatchObject([POOL]);
  });

  test('a generator that races what it has begun with what it asks its source for', async () => {
    const { groups } = await observe(`const sleep = (ms) => new Promise((r) => setTimeout(r, ms));
const work = async (n) => { await sleep(20 + (n * 37) % 50); return n; };
async function* rows() { for (let n = 0; n < 9; n++) { if (n % 4 === 0) await sleep(3); yield n; } }
async function* parallel(source, limit) {
  const open = new Map(); let asked, isOver = false;
  for (;;) {
    if (!asked && !isOver && open.size < limit) asked = source.next().then((next) => ({ next }));
    if (!asked && open.size === 0) return;
    const { next, id } = await Promise.race([...open.values(), ...asked ? [asked] : []]);
    if (!next) { open.delete(id); yield id; continue; }
    asked = undefined;
    if (next.done) isOver = true; else open.set(next.value, work(next.value).then((id) => ({ id })));
  }
}
for await (const done of parallel(rows(), 3));`, { backend, as: 'a.mjs' });
    expect(groups).toMatchObject([{ kind: 'pool', taskCount: 9, peak: 3, taskSite: { line: 2 } }]);
  });

  test('two at once: a pool in each task', async () => {
    const { groups } = await observe(`${AS_COMPLETED}const consume = async (from) => { for await (const done of asCompleted(nine(from), 3)); };
await Promise.all([consume(0), consume(100)]);`, { backend, as: 'a.mjs' });
    const [around, ...pools] = [...groups].sort((a, b) => a.taskCount - b.taskCount);
    expect(around).toMatchObject({ kind: 'all', taskCount: 2 });
    expect(pools).toMatchObject([POOL, POOL]);
    expect(pools.map(({ parent }) => parent?.group)).toEqual([around.id, around.id]);
  });
});

test('a window of calls that happened to be through before the next ones began is one pool with these', async () => {
  const { groups } = await observe(`const sleep = (ms) => new Promise((r) => setTimeout(r, ms));
const render = async (i) => { await sleep(i === 0 ? 30 : 10); };
async function* inOrder(items, width) { const ahead = []; for (const item of items) { ahead.push(render(item)); if (ahead.length === width) yield await ahead.shift(); } while (ahead.length) yield await ahead.shift(); }
(async () => { for await (const page of inOrder([0, 1, 2, 3, 4, 5, 6], 3)) await sleep(2); })();`);
  expect(groups).toMatchObject([{ kind: 'pool', taskCount: 7, peak: 3, fulfilled: 7, taskSite: { line: 2 } }]);
});

test('what an iterator reads on top of a worker is no turn of the worker\'s', async () => {
  const { groups } = await observe(`import { opendir } from 'node:fs/promises'; const sleep = (ms) => new Promise((r) => setTimeout(r, ms));
async function* walk(dir) { for await (const entry of await opendir(dir)) { if (entry.isDirectory()) yield* walk(dir + '/' + entry.name); else yield entry.name; } }
const hash = async (name) => { await sleep(5); };
const found = walk('tree');
const lane = async () => { for await (const name of found) await hash(name); };
await Promise.all([lane(), lane()]);`, { as: 'a.mjs', files: { 'tree/a/1': '', 'tree/a/2': '', 'tree/b/3': '', 'tree/b/c/4': '', 'tree/b/c/5': '', 'tree/d/6': '', 'tree/7': '', 'tree/8': '' } });
  expect(groups.map(({ kind, taskCount, taskSite }) => ({ kind, taskCount, line: taskSite?.line }))).toEqual([{ kind: 'pool', taskCount: 8, line: 3 }]);
});

test.each(Object.entries({
  'in a loop': 'for await (const n of source) await book(n);',
  'by hand': 'let next; while (!(next = await source.next()).done) await book(next.value);',
}))('a worker\'s turn is over where it asks an iterator for more, %s', async (_, loop) => {
  const { groups, timeline } = await observe(`const sleep = (ms) => new Promise((r) => setTimeout(r, ms));
async function* rows() { for (let page = 0; page < 3; page++) { await sleep(30); for (let i = 0; i < 2; i++) yield page * 2 + i; } }
const book = async (n) => { await sleep(10); };
const source = rows();
const clerk = async () => { ${loop} };
await Promise.all([clerk(), clerk()]);`, { as: 'a.mjs' });
  expect(groups).toMatchObject([{ kind: 'pool', taskCount: 6, lanes: 2 }]);
  for (const row of timeline.rowsOf(groups[0].id)) expect(timeline.tasks.end[row] - timeline.tasks.start[row]).toBeLessThan(25);
});

describe.each(['v8', 'async_hooks'] as const)('one who brings the work beside workers, under one combinator, %s', (backend) => {
  const CHANNEL = `const sleep = (ms) => new Promise((r) => setTimeout(r, ms));
const work = async (n) => { await sleep(10 + n); };
class Channel {
  items = []; takers = [];
  put(item) { const taker = this.takers.shift(); if (taker) taker(item); else this.items.push(item); }
  take() { return this.items.length > 0 ? Promise.resolve(this.items.shift()) : new Promise((resolve) => { this.takers.push(resolve); }); }
  async *[Symbol.asyncIterator]() { for (let item; (item = await this.take()) !== null;) yield item; }
  next = async () => { const value = await this.take(); return { value, done: value === null }; };
}
const channel = new Channel();
`;
  const SLOW = 'const produce = async () => { for (const n of [0, 1, 2, 3, 4, 5]) { await sleep(4); channel.put(n); } channel.put(null); channel.put(null); };\n';
  const AT_ONCE = 'const produce = async () => { for (const n of [0, 1, 2, 3, 4, 5, null, null]) channel.put(n); };\n';
  const CONSUME = 'const consume = async () => { for (let n; (n = await channel.take()) !== null;) await work(n); };\n';

  test.each(Object.entries({
    'who brings it by and by': `${SLOW}${CONSUME}await Promise.all([produce(), consume(), consume()]);`,
    'who brings all at once': `${AT_ONCE}${CONSUME}await Promise.all([produce(), ...[1, 2].map(consume)]);`,
    'behind an iterator': `${SLOW}const consume = async () => { for await (const n of { [Symbol.asyncIterator]: () => channel }) await work(n); };
await Promise.all([...[1, 2].map(consume), produce()]);`,
  }))('%s', async (_, code) => {
    const { groups } = await observe(CHANNEL + code, { backend, as: 'a.mjs' });
    expect(groups).toMatchObject([{ kind: 'pool', taskCount: 6, lanes: 2, taskSite: { line: 2 } }]);
  });

  test('tasks with a loop of their own beside another one are no workers', async () => {
    const { groups } = await observe(`${CHANNEL}const config = async () => { await sleep(15); };
const all = async (from) => { for (const n of [1, 2, 3]) await work(from + n); };
await Promise.all([config(), all(0), all(10)]);`, { backend, as: 'a.mjs' });
    expect(groups.find(({ combinator }) => combinator === 'all')).toMatchObject({ kind: 'all', taskCount: 3 });
  });
});

describe.each(['v8', 'async_hooks'] as const)('an iterator by hand that begins work ahead and gives it in order, %s', (backend) => {
  test('what all of its steps begin is one pool, and none of them a task', async () => {
    const { groups } = await observe(`const sleep = (ms) => new Promise((r) => setTimeout(r, ms));
async function render(n) { await sleep(15 + (n * 7) % 20); return n; }
class Ordered {
  open = [];
  constructor(items, limit) { this.rest = items[Symbol.iterator](); this.limit = limit; }
  [Symbol.asyncIterator]() { return this; }
  async next() {
    for (let next; this.open.length < this.limit && !(next = this.rest.next()).done;) this.open.push(render(next.value));
    return this.open.length === 0 ? { done: true } : { done: false, value: await this.open.shift() };
  }
}
for await (const page of new Ordered([0, 1, 2, 3, 4, 5, 6, 7, 8, 9], 3));`, { backend, as: 'a.mjs' });
    expect(groups).toMatchObject([{ kind: 'pool', taskCount: 10, fulfilled: 10, peak: 3, taskSite: { line: 2, function: 'render' } }]);
    expect(groups).toHaveLength(1);
  });
});

describe.each(['v8', 'async_hooks'] as const)('pages that a generator fetches on its way, %s', (backend) => {
  const rows = async (loop: string): Promise<unknown[]> => {
    const { groups } = await observe(`const sleep = (ms) => new Promise((r) => setTimeout(r, ms));
async function page(at) { await sleep(25); return Array.from({ length: Math.min(4, 11 - at) }, (_, i) => at + i); }
async function* rows() { for (let at = 0, list; (list = await page(at)).length > 0; at += 4) yield* list; }
async function settle(row) { await sleep(20 + row % 3 * 5); }
${loop}`, { backend, as: 'a.mjs' });
    return groups.map(({ kind, taskCount, taskSite }) => `${kind} ${taskCount} ${taskSite?.function}`);
  };

  test('are no loop beside the one that works on their rows', async () => {
    expect(await rows('for await (const row of rows()) await settle(row);')).toEqual(['sequential 11 settle']);
  });

  test('are the loop where nobody waits for more', async () => {
    expect(await rows('let sum = 0; for await (const row of rows()) sum += row;')).toEqual(['sequential 4 page']);
  });
});
