/** Tasks of plain functions that give a chain of `then`, in every shape of pool: a task is the whole chain, under the function's name. */
import { describe, expect, test } from 'vitest';
import { observe, type Observed } from './observed';

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
});
