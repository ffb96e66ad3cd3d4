/** A run looks the same however it is read: while it goes on, piece by piece, or as a recording in one go. */
import { expect, test } from 'vitest';
import type { Group } from '../../src/model/timeline';
import { Grouping } from '../../src/grouping/grouping';
import { SourceMaps } from '../../src/session/source-maps';
import { Timeline } from '../../src/timeline/timeline';
import { grouped, observe, type Grouped } from './observed';

const SLEEP = 'const sleep = (ms) => new Promise((r) => setTimeout(r, ms));\n';
const LOAD = `${SLEEP}const load = async (i) => { await sleep(8 + i * 7 % 20); if (i === 3) throw new Error('no'); return i; };\n`;
const GATE = `let free = 2; const line = [];
const acquire = () => free > 0 ? (free--, Promise.resolve()) : new Promise((turn) => line.push(turn));
const release = () => { const turn = line.shift(); if (turn) turn(); else free++; };
`;

const REQUEUE = `const jobs = []; let active = 0; const failed = new Set();
const add = (i) => new Promise((resolve, reject) => { jobs.push({ i, resolve, reject }); pump(); });
function pump() {
  while (active < 2 && jobs.length > 0) {
    const job = jobs.shift(); active++;
    attempt(job).then(job.resolve, () => { jobs.push(job); }).finally(() => { active--; pump(); });
  }
}
async function attempt({ i }) { await sleep(8 + i * 7 % 20); if (i % 4 === 2 && !failed.has(i)) { failed.add(i); throw new Error('busy'); } return i; }
await Promise.all(Array.from({ length: 10 }, (_, i) => add(i)));`;

const PROGRAMS = {
  'a limiter by hand': `${LOAD}const waiting = []; let active = 0;
const next = () => { active--; waiting.shift()?.(); };
const limit = (fn) => new Promise((resolve) => {
  const run = () => { active++; fn().then(resolve, resolve).finally(next); };
  if (active < 3) run(); else waiting.push(run);
});
await Promise.all(Array.from({ length: 12 }, (_, i) => limit(() => load(i))));`,
  'a limiter that runs what it is given in a function of its own': `${LOAD}const waiting = []; let active = 0;
const next = () => { active--; waiting.shift()?.(); };
const run = async (fn, resolve, args) => { active++; const result = (async () => fn(...args))(); resolve(result); try { await result; } catch {} next(); };
const limit = (fn, ...args) => new Promise((resolve) => {
  const start = () => { void run(fn, resolve, args); }; if (active < 3) start(); else waiting.push(start);
});
await Promise.all(Array.from({ length: 12 }, (_, i) => limit(load, i).catch(() => {})));`,
  'a limiter whose work has steps, one of which tries again': `${LOAD}const waiting = []; let active = 0;
const next = () => { active--; waiting.shift()?.(); };
const limit = (fn) => new Promise((resolve) => {
  const run = () => { active++; fn().catch(() => fn()).then((i) => sleep(4 + i % 3)).then(resolve, resolve).finally(next); };
  if (active < 3) run(); else waiting.push(run);
});
await Promise.all(Array.from({ length: 12 }, (_, i) => limit(() => load(i))));`,
  'a queue that failed jobs go back into': `${LOAD}${REQUEUE}`,
  'two limiters at once for one function, beside what nobody limits': `${LOAD}const limiter = (free) => {
  const waiting = [];
  return (fn) => new Promise((resolve) => {
    const run = () => { free--; fn().then(resolve, resolve).finally(() => { free++; waiting.shift()?.(); }); };
    if (free > 0) run(); else waiting.push(run);
  });
};
const [a, b] = [limiter(2), limiter(3)];
await Promise.all([Promise.all([4, 5, 6, 7, 8, 9, 10].map((i) => a(() => load(i)))), Promise.all([14, 15, 16, 17, 18, 19, 20].map((i) => b(() => load(i)))), load(21), load(22)]);`,
  'a queue that tasks feed while they do other things': `${LOAD}const waiting = []; let active = 0;
const run = async (i) => { try { await load(i); } catch {} active--; next(); };
const next = () => { while (active < 2 && waiting.length > 0) { active++; run(waiting.shift()); } };
const handle = async (i) => { await sleep(3 + i % 3); waiting.push(i); next(); await sleep(4); };
const items = [...Array(12).keys()];
await Promise.all([1, 2, 3].map(async () => { while (items.length > 0) await handle(items.shift()); }));
while (active > 0) await sleep(5);`,
  'slots that are lent to functions, which swallow what fails': `${LOAD}${GATE}
async function use(fn) { await acquire(); try { return { value: await fn() }; } catch (error) { return { error }; } finally { release(); } }
await Promise.all(Array.from({ length: 10 }, (_, i) => use(() => load(i))));`,
  'slots inside of tasks': `${LOAD}${GATE}
async function handle(i) { await sleep(i % 3 * 4); await acquire(); try { await load(i).catch(() => {}); } finally { release(); } await sleep(3); }
await Promise.all(Array.from({ length: 10 }, (_, i) => handle(i)));`,
  'a limit that changes': `${LOAD}let limit = 2; const open = new Set();
for (let i = 0; i < 16; i++) {
  if (i === 4) limit = 5; if (i === 12) limit = 1;
  while (open.size >= limit) await Promise.race(open);
  const work = load(i).catch(() => {}).finally(() => open.delete(work)); open.add(work);
}
await Promise.all(open);`,
  'nodes of a graph': `${LOAD}const needs = { a: [], b: ['a'], c: ['a'], d: ['b', 'c'], e: [], f: ['e', 'd'] }; const made = {};
const make = (name) => made[name] ??= (async () => { await Promise.all(needs[name].map(make)); await sleep(10 + name.charCodeAt(0) % 7); return name; })();
await Promise.all(Object.keys(needs).map(make));`,
  'a bucket of tokens': `${LOAD}let tokens = 2; const line = [];
const timer = setInterval(() => { const turn = line.shift(); if (turn) turn(); else tokens++; }, 12);
const take = () => tokens > 0 ? (tokens--, Promise.resolve()) : new Promise((turn) => line.push(turn));
const call = async (i) => { await take(); return load(i).catch(() => {}); };
await Promise.all(Array.from({ length: 8 }, (_, i) => call(i)));
clearInterval(timer);`,
  'chunks in the steps of a loop': `${LOAD}const step = async (n) => { for (let i = 0; i < 6; i += 3) await Promise.all([i, i + 1, i + 2].map((k) => load(k + n + 4))); };
for (const n of [0, 10, 20]) await step(n);`,
  'lanes of chains that swallow what fails': `${LOAD}const jobs = Array.from({ length: 9 }, (_, i) => i); const failed = [];
const print = (i) => sleep(8 + i * 7 % 20).then(() => { if (i === 3) throw new Error('no'); return i; });
const next = () => jobs.length === 0 ? Promise.resolve() : print(jobs.shift()).then(() => {}, (error) => { failed.push(error); }).then(() => next());
await Promise.all([next(), next(), next()]);`,
  'workers': `${LOAD}const jobs = Array.from({ length: 12 }, (_, i) => i);
const work = async () => { while (jobs.length > 0) await load(jobs.shift()).catch(() => {}); };
await Promise.all([work(), work(), work()]);`,
};

/** All that is shown of groups and their tasks; sums to the microsecond, as they are added up in another order. */
function shownOf({ timeline, groups }: Grouped): unknown {
  const { ordinal, lane, chunk, queued, start, end, state } = timeline.tasks;
  const placeOf = (task: number): string => `${ordinal[task - 1]} of the group from ${timeline.group(timeline.tasks.group[task - 1], 0)?.start}`;
  const sum = (value: number): number => Math.round(value * 1000) / 1000;
  return groups.map(({ id, parent, metrics: { makespanMs, busyMs, idleMs, utilization }, ...facts }) => ({
    ...facts, metrics: [makespanMs, busyMs, idleMs, utilization].map(sum), parent: parent && placeOf(parent.task),
    tasks: timeline.rowsOf(id).map((row) => [ordinal[row], lane[row], chunk[row], queued[row], start[row], end[row], state[row]]).sort(([a], [b]) => a - b),
  })).sort((a, b) => a.start - b.start || a.taskCount - b.taskCount);
}

test.each(Object.entries(PROGRAMS))('%s', async (_, program) => {
  const { written, ...whole } = await observe(program);
  expect(whole.groups).not.toEqual([]);
  for (const portion of [64, 160, 1024]) expect(shownOf(grouped(written, portion))).toEqual(shownOf(whole));
});

/** The groups of a run as they are shown while it goes on. */
async function looksAt(program: string): Promise<Group[][]> {
  const { written: [facts] } = await observe(program);
  const timeline = new Timeline();
  const grouping = new Grouping(timeline, new SourceMaps());
  const intake = grouping.openThread();
  const looks: Group[][] = [];
  for (let at = 0; at < facts.length; at += 128) {
    intake.push(facts.subarray(at, at + 128));
    grouping.update();
    looks.push(timeline.groupIds().flatMap((id) => timeline.group(id, 60_000) ?? []));
  }
  return looks;
}

test('jobs that go back into the queue are tasks of their own', async () => {
  const { groups } = await observe(LOAD + REQUEUE);
  expect(groups).toMatchObject([{ kind: 'pool', peak: 2, taskCount: 12, fulfilled: 10, rejected: 2, taskSite: { function: 'attempt' } }]);
});

test.each(['a limiter by hand', 'a limiter that runs what it is given in a function of its own'] as const)('what is let in is drawn while it is at work, though all promises are pending: %s', async (name) => {
  const atWork: number[] = [];
  const shown = new Set<string>();
  for (const groups of await looksAt(PROGRAMS[name])) {
    for (const { peak, site, taskSite } of groups) shown.add(`${peak} at ${site?.line}: ${taskSite?.function}`);
    if (groups.some(({ kind, fulfilled }) => kind === 'pool' && fulfilled > 3)) atWork.push(groups[0].pending);
  }
  // Nothing else was ever taken for what it is.
  for (const one of shown) expect(one).toMatch(/^[123] at 9: load$/);
  expect(Math.max(...atWork)).toBe(3);
  // But for the last few, two at least: one may have ended just then.
  expect(atWork.filter((count) => count >= 2).length).toBeGreaterThan(atWork.length / 2);
});

const WAITING = {
  'who asks for a slot first of all': `${GATE}await Promise.all(Array.from({ length: 12 }, async (_, i) => { await acquire(); try { return await load(i + 4); } finally { release(); } }));`,
  'chains behind a slot': `${GATE}await Promise.all(Array.from({ length: 12 }, (_, i) => acquire().then(() => load(i + 4)).finally(release)));`,
  'who waits in a loop of its own until there is room': `let active = 0; const line = [];
await Promise.all(Array.from({ length: 12 }, async (_, i) => {
  while (active >= 2) await new Promise((turn) => line.push(turn));
  active++; try { return await load(i + 4); } finally { active--; line.shift()?.(); }
}));`,
  'a limiter whose jobs begin with what Node is asked for': `let active = 0; const line = [];
const next = () => { if (active >= 2 || line.length === 0) return; active++; void line.shift()().finally(() => { active--; next(); }); };
const limit = (fn) => new Promise((resolve, reject) => { line.push(() => fn().then(resolve, reject)); next(); });
const read = (i) => stat('.').then(() => sleep(8 + i % 5));
await Promise.all(Array.from({ length: 12 }, (_, i) => limit(() => read(i))));`,
};

test.each(Object.entries(WAITING))('what waits for its turn is not drawn as at work, before the first was let in: %s', async (_, program) => {
  const looks = await looksAt(`import { stat } from 'node:fs/promises';\n${LOAD}${program}`);
  // Who has let the next in may be through a moment later than that one begins.
  for (const groups of looks) for (const { pending } of groups) expect(pending).toBeLessThanOrEqual(4);
  expect(looks.at(-1)).toMatchObject([{ kind: 'pool', peak: 2, taskCount: 12, fulfilled: 12 }]);
});

test('who waits for something else than its turn is drawn as it always was', async () => {
  const looks = await looksAt(`${LOAD}const later = []; const opened = new Promise((open) => setTimeout(open, 30));
void opened.then(() => { for (const go of later) go(); });
const handle = async (i) => { if (i > 5) await new Promise((go) => later.push(go)); return load(i); };
await Promise.all([4, 5, 6, 7, 8, 9].map(handle));`);
  expect(looks.at(-1)).toMatchObject([{ kind: 'all', taskCount: 6, fulfilled: 6 }]);
  expect(looks.some(([group]) => group?.taskCount === 2)).toBe(true);
});

test('runs of a pool in a loop, the first of which were long forgotten when it turned out to be one', async () => {
  const { written, ...whole } = await observe(`${SLEEP}async function load(i) { await sleep(i % 3); return i; }
async function pool(items, lanes) {
  let at = 0;
  const worker = async () => { while (at < items.length) await load(items[at++]); };
  await Promise.all(Array.from({ length: lanes }, worker));
}
async function host(name) { await pool(Array.from({ length: 1200 }, (_, i) => i), 60); return name; }
for (let h = 0; h < 4; h++) await host(h);`);
  const read = grouped(written, 4096);
  expect(shownOf(read)).toEqual(shownOf(whole));
  expect(read.groups.filter(({ kind }) => kind === 'pool').map(({ taskCount, parent }) => [taskCount, parent !== undefined])).toEqual([0, 1, 2, 3].map(() => [1200, true]));
});
