/** Where promises come too fast to watch each: by a clock twenty times slower than the real one, on any machine. */
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { NODE_MAJORS, findNodes } from '../../scripts/tools.mjs';
import { ActivityKind } from '../../src/model/activity';
import { installCorpus } from '../scoring/corpus';
import { needed } from '../support/needs';
import { observe, runPlain, runWatched, type Observed } from './observed';
import { ERRORS } from './programs/errors';
import { LIBRARIES } from './programs/libraries';
import type { Program, Programs } from './programs/program';
import { PROMISES } from './programs/promises';

const nodes = findNodes();
const corpus = installCorpus();
const preload = resolve(import.meta.dirname, 'programs/slow-clock.cjs');
const PROGRAMS: Programs = { ...PROMISES, ...ERRORS };

/** Two million promises, made by nothing but microtasks. */
const HOT = `const items = Array.from({ length: 1000 }, (_, i) => i); const trivial = async (x) => x + 1;
const hot = async () => { for (let i = 0; i < 1000; i++) await Promise.all(items.map(trivial)); };`;
const SLEEP = 'const sleep = (ms) => new Promise((r) => setTimeout(r, ms));';

/** Contexts that go through stretches, around and between them; the resource that runs, and who triggered it, are Node's own business. */
const CONTEXTS = `import { AsyncLocalStorage, AsyncResource, createHook } from 'node:async_hooks'; ${HOT.replace('i < 1000', 'i < 150')} ${SLEEP}
const early = new AsyncLocalStorage(); const seen = [];
const task = (name) => early.run(name, async () => { await sleep(3); await hot(); seen.push([name, early.getStore()]); await sleep(1); return early.getStore(); });
const begun = Promise.all([task('a'), task('b')]);
const emitted = early.run('bound', () => AsyncResource.bind(() => early.getStore()));
await hot();
const late = new AsyncLocalStorage(); let timers = 0;
createHook({ init(id, type) { if (type === 'Timeout') timers++; } }).enable();
seen.push(await late.run('late', async () => { await hot(); await sleep(2); return [late.getStore(), early.getStore()]; }));
seen.push(await begun, emitted(), early.getStore(), timers > 2);
await hot();
console.log(JSON.stringify(seen));`;

/** A pool and a chunk loop beside which such a stretch goes on. */
const BESIDE = `${HOT} ${SLEEP}
const work = async (ms) => { await sleep(ms); if (ms === 31) throw new Error('31'); return ms; };
const queue = [30, 31, 32, 20, 40, 20, 30, 20, 20, 20, 20, 20]; const failed = [];
const worker = async () => { while (queue.length > 0) try { await work(queue.shift()); } catch (error) { failed.push(error.message); } };
const chunks = async () => { for (let i = 0; i < 5; i++) { await Promise.all([10, 20].map(work)); if (i === 1) await hot(); } };
await Promise.all([Promise.all([worker(), worker(), worker()]), chunks()]);
console.log(failed.join());`;

const unwatched = ({ timeline: { activity } }: Observed): { start: number; end: number }[] => Array.from({ length: activity.length }, (_, i) => i)
  .filter((i) => activity.rows.kind[i] === ActivityKind.unwatched).map((i) => ({ start: activity.rows.start[i], end: activity.rows.end[i] }));

const BACKENDS = ['v8', 'async_hooks'] as const;

describe.each(NODE_MAJORS)('Node %i', (major) => {
  test.for(BACKENDS)('by %s a stretch is watched only at its begin, and that is told; what had begun is followed to its end, and what goes on behind it is what it was', async (backend, context) => {
    const node = needed(context, 'NODES', nodes.find((found) => found.major === major)).path;
    const run = await observe(BESIDE, { node, preload, backend });
    const gaps = unwatched(run);
    expect(gaps).not.toEqual([]);
    expect({ out: run.out, dropped: run.dropped }).toEqual({ out: '31\n', dropped: 0 });
    const [first, last] = [gaps[0].start, gaps[gaps.length - 1].end];
    // Nothing is taken for something that never ends.
    expect(run.groups.filter(({ pending, status }) => pending > 0 || status !== 'fulfilled')).toEqual([]);
    const [hot] = run.groups.filter(({ taskSite }) => taskSite?.function === 'trivial');
    expect(hot.taskCount).toBeGreaterThan(20_000);
    expect(hot.taskCount).toBeLessThan(900_000);
    const pool = run.groups.find(({ kind }) => kind === 'pool');
    expect(pool).toMatchObject({ declared: 3, rejected: 1 });
    // Those that began in the gap are missing, and no others.
    expect(pool?.taskCount).toBeGreaterThanOrEqual(8);
    expect(pool?.taskCount).toBeLessThanOrEqual(12);
    expect(pool?.start).toBeLessThan(first);
    expect(pool?.end).toBeGreaterThan(last);
    expect(run.groups.filter(({ kind, taskSite }) => kind === 'chunk' && taskSite?.function === 'work')).toMatchObject([{ taskSite: { function: 'work' } }]);
    const chunks = run.groups.find(({ kind, taskSite }) => kind === 'chunk' && taskSite?.function === 'work');
    expect(chunks?.taskCount).toBeGreaterThanOrEqual(8);
    expect(chunks?.end).toBeGreaterThan(last);
  });

  test.for(BACKENDS)('with %s contexts are what they are without it', async (backend, context) => {
    const node = needed(context, 'NODES', nodes.find((found) => found.major === major)).path;
    const how = { node, preload, backend };
    expect(await runWatched(CONTEXTS, how)).toEqual(await runPlain(CONTEXTS, how));
    expect(unwatched(await observe(CONTEXTS, how))).not.toEqual([]);
  });
});

test('a pool by hand that races what is under way again and again is watched whole: its tasks come no faster than others', async () => {
  const run = await observe(`const tiny = async () => { await new Promise((done) => setImmediate(done)); };
const open = new Set();
for (let i = 0; i < 4000; i++) {
  const work = tiny().then(() => open.delete(work));
  open.add(work);
  if (open.size >= 50) await Promise.race(open);
}
await Promise.all(open);`, { preload });
  expect(unwatched(run)).toEqual([]);
  expect(run.groups).toMatchObject([{ kind: 'pool', taskCount: 4000, peak: 50, fulfilled: 4000 }]);
});

test.for(BACKENDS)('by %s tasks of a library that begin in a gap do not go on for ever', async (backend, context) => {
  const packages = join(needed(context, 'CORPUS', corpus), 'node_modules');
  const run = await observe(`import pLimit from 'p-limit'; ${HOT} ${SLEEP}
    await hot(); const limit = pLimit(3);
    await Promise.all(items.slice(0, 9).map((i) => limit(async () => { if (i % 2) await sleep(10); })));
    for (let i = 0; i < 200; i++) await Promise.all(items.map((i) => limit(trivial, i)));`, { preload, packages, backend });
  expect(unwatched(run)).not.toEqual([]);
  expect(run.groups.filter(({ pending }) => pending > 0)).toEqual([]);
});

describe('behind such a stretch, and in one,', () => {
  const files = { 'hot.mjs': `${HOT.replace('i < 1000', 'i < 300')} await hot();` };
  const nodeArgs = ['--import', './hot.mjs'];

  test.for(Object.keys(PROGRAMS))('a program does with the agent what it does without: %s', async (name) => {
    const program: Program = typeof PROGRAMS[name] === 'string' ? { source: PROGRAMS[name] } : PROGRAMS[name];
    const how = { ...program, files: { ...program.files, ...files }, nodeArgs: [...nodeArgs, ...(program.nodeArgs ?? [])], preload };
    expect(await runWatched(program.source, how)).toEqual(await runPlain(program.source, how));
  });

  test.for(Object.keys(LIBRARIES))('a program with libraries does with the agent what it does without: %s', async (name, context) => {
    const packages = join(needed(context, 'CORPUS', corpus), 'node_modules');
    const program: Program = typeof LIBRARIES[name] === 'string' ? { source: LIBRARIES[name] } : LIBRARIES[name];
    const how = { ...program, files: { ...program.files, ...files }, nodeArgs: [...nodeArgs, ...(program.nodeArgs ?? [])], preload, packages };
    expect(await runWatched(program.source, how)).toEqual(await runPlain(program.source, how));
  });
});
