import { describe, expect, test } from 'vitest';
import { observe } from './observed';

const GET = `const sleep = (ms) => new Promise((r) => setTimeout(r, ms));
async function get(n) { await sleep(8 + (n * 7) % 20); return n; }
async function other(n) { await sleep(8 + (n * 5) % 20); return n; }
`;

/** Helpers that do something with each of a list, so many at once; `each(items, n, fn)`. */
const POOLS = {
  'workers by an index': 'async function each(xs, n, fn) { let i = 0; const worker = async () => { while (i < xs.length) await fn(xs[i++]); }; await Promise.all(Array.from({ length: n }, worker)); }',
  'workers by one iterator': 'async function each(xs, n, fn) { const run = async (iter) => { for (const x of iter) await fn(x); }; await Promise.all(Array(n).fill(xs.values()).map(run)); }',
  'a function that calls itself': 'async function each(xs, n, fn) { let i = 0; async function next() { const at = i++; if (at >= xs.length) return; await fn(xs[at]); return next(); } await Promise.all(Array.from({ length: n }, () => next())); }',
  'a promise around callbacks': 'const each = (xs, n, fn) => new Promise((resolve, reject) => { let i = 0, done = 0; const next = () => { if (i >= xs.length) return; fn(xs[i++]).then(() => { if (++done === xs.length) resolve(); else next(); }, reject); }; for (let k = 0; k < n; k++) next(); });',
  'a count of what is open': 'const each = (xs, n, fn) => new Promise((resolve, reject) => { let at = 0, active = 0; (function fill() { if (at === xs.length && active === 0) return resolve(); while (active < n && at < xs.length) { active++; Promise.resolve(fn(xs[at++])).then(() => { active--; fill(); }).catch(reject); } })(); });',
  'lanes of then': 'const each = (xs, n, fn) => { let i = 0; const lane = () => (i >= xs.length ? Promise.resolve() : fn(xs[i++]).then(lane)); return Promise.all(Array.from({ length: n }, lane)); };',
};
const CHUNKS = {
  'a loop over slices': 'async function each(xs, n, fn) { for (let i = 0; i < xs.length; i += n) await Promise.all(xs.slice(i, i + n).map((x) => fn(x))); }',
  'a chain of then': 'const each = (xs, n, fn) => { const parts = []; for (let i = 0; i < xs.length; i += n) parts.push(xs.slice(i, i + n)); return parts.reduce((before, part) => before.then(() => Promise.all(part.map((x) => fn(x)))), Promise.resolve()); };',
  'a function that calls itself': 'const each = async (xs, n, fn) => { if (xs.length === 0) return []; const head = await Promise.all(xs.slice(0, n).map((x) => fn(x))); return head.concat(await each(xs.slice(n), n, fn)); };',
};
const HELPERS = [...Object.entries(POOLS).map(([what, source]) => ({ what, source, kind: 'pool' })), ...Object.entries(CHUNKS).map(([what, source]) => ({ what, source, kind: 'chunk' }))];

describe.each(['v8', 'async_hooks'] as const)('a helper of the program\'s, %s', (backend) => {
  const drawn = async (helper: string, use: string): Promise<readonly unknown[]> => {
    const { groups } = await observe(`${GET}${helper}\nconst items = [...Array(13).keys()];\n${use}`, { backend, as: 'a.mjs' });
    return groups.map(({ kind, taskCount, peak, taskSite }) => `${kind} ${taskCount} ${peak} ${taskSite?.function}`).sort();
  };

  test.each(HELPERS)('made of $what ($kind), with a time limit around each task', async ({ source, kind }) => {
    expect(await drawn(source, `const inTime = (work, ms) => { let late; return Promise.race([work, new Promise((_, no) => { late = setTimeout(() => no(new Error('late')), ms); })]).finally(() => clearTimeout(late)); };
await each(items, 4, (n) => inTime(get(n), 500));`)).toEqual([`${kind} 13 4 get`]);
  });

  test.each(HELPERS)('made of $what ($kind), called twice', async ({ source, kind }) => {
    expect(await drawn(source, 'await each(items, 4, get); await sleep(5); await each(items.slice(4), 3, other);')).toEqual([`${kind} 13 4 get`, `${kind} 9 3 other`]);
  });

  test.each(HELPERS)('made of $what ($kind), called in a loop: each time is a group of its own, and the loop none', async ({ source, kind }) => {
    expect(await drawn(source, 'for (const k of [0, 1, 2]) await each(items.slice(k), 3, get);')).toEqual([11, 12, 13].map((count) => `${kind} ${count} 3 get`));
  });

  test.each(HELPERS)('made of $what ($kind), called twice at once', async ({ source, kind }) => {
    const groups = await drawn(source, 'await Promise.all([each(items, 4, get), each(items, 3, other)]);');
    expect(groups.filter((group) => !String(group).startsWith('all'))).toEqual([`${kind} 13 3 other`, `${kind} 13 4 get`]);
  });

  test('calls what it was handed by a function without a name: the task is where that leads', async () => {
    expect(await drawn('async function each(xs, n, fn) { for (let i = 0; i < xs.length; i += n) await Promise.all(xs.slice(i, i + n).map(async (x) => fn(x))); }', 'await each(items, 4, (n) => get(n));')).toEqual(['chunk 13 4 get']);
  });

  test('whose workers hold several calls together in a turn have a group inside, of which all is through', async () => {
    const { groups } = await observe(`${GET}const queue = [...Array(9).keys()];
const worker = async () => { while (queue.length > 0) { const n = queue.shift(); await Promise.all([get(n), other(n)]); } };
await Promise.all([1, 2, 3].map(worker));`, { backend, as: 'a.mjs' });
    expect(groups.find(({ kind }) => kind === 'pool')).toMatchObject({ taskCount: 9, peak: 3 });
    expect(groups.every(({ pending }) => pending === 0)).toBe(true);
  });
});
