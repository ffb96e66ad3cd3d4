import { describe, expect, test } from 'vitest';
import { drawnOfTwoSteps } from './two-steps';

const HEAD = `const sleep = (ms) => new Promise((r) => setTimeout(r, ms));
async function load(id) { await sleep(30 + id % 4 * 6); return id; }
async function save(id) { await sleep(20); return id; }
const ids = [0, 1, 2, 3, 4, 5, 6, 7];
`;

const READ = 'async function read() { await sleep(12); return {}; }\n';

/** Chains that a plain function gives, which begin with what is there at once, or was there before, and that: the task is all of the chain, 50 ms and more. */
const FUNCTIONS: Record<string, readonly [string, string]> = {
  'a settled promise': ['Promise.resolve(id).then(load).then(save)', ''],
  'a settled promise, and a function without a name': ['Promise.resolve().then(() => load(id)).then((got) => save(got))', ''],
  'a promise settled by its own function': ['new Promise((go) => go(id)).then(load).then(save)', ''],
  'what was begun before, for all': ['ready.then(() => load(id)).then(save)', `${READ}const ready = read();`],
  'what was over before': ['ready.then(() => load(id)).then(save).finally(() => {})', `${READ}const ready = read(); await ready;`],
  'what is asked for once': ['config().then(() => load(id)).then((got) => save(got))', `${READ}let known; const config = () => known ??= read();`],
  'a link that was begun before, for all': ['ready.then(() => load(id)).then(save)', `${READ}const ready = read().then((got) => ({ got }));`],
  'an async function that is through at once': ['token().then(() => load(id)).then(save)', 'const token = async () => 1;'],
  'an async function that asks once': ['config().then(() => load(id)).then((got) => save(got))', `${READ}let known; const config = async () => known ??= await read();`],
};
const WAYS: Record<string, readonly [string, { readonly kind: string; readonly peak: number }]> = {
  'one after the other': ['for (const id of ids) await one(id);', { kind: 'sequential', peak: 1 }],
  'by a chain of reduce': ['await ids.reduce((before, id) => before.then(() => one(id)), Promise.resolve());', { kind: 'sequential', peak: 1 }],
  'by workers': ['await Promise.all([1, 2].map(async () => { while (ids.length > 0) await one(ids.shift()); }));', { kind: 'pool', peak: 2 }],
  'by workers that nobody waits for': ['async function worker() { while (ids.length > 0) await one(ids.shift()); }\nfor (let n = 0; n < 2; n++) worker();', { kind: 'pool', peak: 2 }],
  'by lanes': ['const next = () => { const id = ids.shift(); return id === undefined ? undefined : one(id).then(next); };\nawait Promise.all([next(), next()]);', { kind: 'pool', peak: 2 }],
  'by a race for room': ['const open = new Set();\nfor (const id of ids) {\n  const p = one(id).then(() => open.delete(p));\n  open.add(p);\n  if (open.size >= 2) await Promise.race(open);\n}\nawait Promise.all(open);', { kind: 'pool', peak: 2 }],
  'in chunks': ['for (let i = 0; i < 8; i += 4) await Promise.all(ids.slice(i, i + 4).map((id) => one(id)));', { kind: 'chunk', peak: 4 }],
  'behind a limiter': ['let free = 2; const waiting = [];\nconst limit = (fn) => new Promise((resolve, reject) => { const go = () => { free--; fn().then(resolve, reject).finally(() => { free++; waiting.shift()?.(); }); }; if (free > 0) go(); else waiting.push(go); });\nawait Promise.all(ids.map((id) => limit(() => one(id))));', { kind: 'pool', peak: 2 }],
  'all at once': ['await Promise.all(ids.map((id) => one(id)));', { kind: 'all', peak: 8 }],
};

/** The same chains written where they are run, in code without a name. */
const INLINE: Record<string, readonly [(chain: string) => string, { readonly kind: string; readonly peak: number }]> = {
  'one after the other': [(chain) => `for (const id of ids) await ${chain};`, { kind: 'sequential', peak: 1 }],
  'by a chain of reduce': [(chain) => `await ids.reduce((before, id) => before.then(() => ${chain}), Promise.resolve());`, { kind: 'sequential', peak: 1 }],
  'by workers': [(chain) => `await Promise.all([1, 2].map(async () => { while (ids.length > 0) { const id = ids.shift(); await ${chain}; } }));`, { kind: 'pool', peak: 2 }],
  'by lanes': [(chain) => `const next = () => { const id = ids.shift(); return id === undefined ? undefined : ${chain}.then(next); };\nawait Promise.all([next(), next()]);`, { kind: 'pool', peak: 2 }],
  'by a race for room': [(chain) => `const open = new Set();\nfor (const id of ids) {\n  const p = ${chain}.then(() => open.delete(p));\n  open.add(p);\n  if (open.size >= 2) await Promise.race(open);\n}\nawait Promise.all(open);`, { kind: 'pool', peak: 2 }],
  'in chunks': [(chain) => `for (let i = 0; i < 8; i += 4) await Promise.all(ids.slice(i, i + 4).map((id) => ${chain}));`, { kind: 'chunk', peak: 4 }],
  'behind a limiter': [(chain) => WAYS['behind a limiter'][0].replace('one(id)', chain), { kind: 'pool', peak: 2 }],
  'all at once': [(chain) => `await Promise.all(ids.map((id) => ${chain}));`, { kind: 'all', peak: 8 }],
};

describe.each(['v8', 'async_hooks'] as const)('chains that begin with what is there, %s', (backend) => {
  const drawn = (source: string): Promise<readonly unknown[]> => drawnOfTwoSteps(HEAD + source, backend);

  describe.each(Object.entries(FUNCTIONS))('%s', (_, [chain, before]) => {
    test.each(Object.entries(WAYS))('%s', async (_way, [source, group]) => {
      expect(await drawn(`${before}\nconst one = (id) => ${chain};\nawait (async () => {\n${source}\n})();`)).toEqual([{ ...group, taskCount: 8, task: 'one', areBoth: true }]);
    });
  });

  describe.each(Object.entries(FUNCTIONS))('%s, inline', (_, [chain, before]) => {
    test.each(Object.entries(INLINE))('%s', async (way, [source, group]) => {
      // In a reduce chain the first of those that are given the same promise is through by the time that it is known for one: it may end with its first step.
      const isKnownLate = before !== '' && way.includes('reduce');
      expect(await drawn(`${before}\n${source(chain)}`)).toMatchObject([{ ...group, taskCount: 8, ...(isKnownLate ? {} : { areBoth: true }) }]);
    });
  });

  test('what is named is the first step, and no async function that had its answer at once', async () => {
    const task = { taskCount: 8, task: 'load', areBoth: true };
    const chain = 'token().then(() => load(id)).then(save)';
    expect(await drawn(`const token = async () => 1;\nfor (const id of ids) await ${chain};`)).toMatchObject([{ ...task, kind: 'sequential' }]);
    expect(await drawn(`const token = async () => 1;\nfor (let i = 0; i < 8; i += 4) await Promise.all(ids.slice(i, i + 4).map((id) => ${chain}));`)).toMatchObject([{ ...task, kind: 'chunk' }]);
  });

  test('what a plain function makes of its own promise by several links is no other call of it', async () => {
    expect(await drawn(`const open = new Set();
const begin = (id) => { const p = load(id); p.then(() => open.delete(p)); open.add(p); return p.then(save); };
for (const id of ids) { if (open.size >= 2) await Promise.race(open); begin(id); }`)).toMatchObject([{ kind: 'pool', peak: 2, taskCount: 8, task: 'load' }]);
  });

  test('a chain that a plain function lengthens, call by call, is a mutex', async () => {
    const task = { kind: 'pool', peak: 1, taskCount: 4, task: 'load' };
    expect(await drawn(`let tail = Promise.resolve();
const locked = (id) => { const step = tail.then(() => load(id)); tail = step.catch(() => {}); return step; };
for (let i = 0; i < 8; i += 4) { await Promise.all(ids.slice(i, i + 4).map((id) => locked(id))); await sleep(3); }`)).toMatchObject([task, task]);
  });

  test.each([
    ['behind a pause', 'sleep(3).then(() => load(id)).then(save)'],
    ['behind what is there', 'Promise.resolve(id).then(load).then(save)'],
  ])('chains in loops begin with their first step: %s', async (_, chain) => {
    const task = { kind: 'sequential', peak: 1, taskCount: 8, task: 'load', areBoth: true };
    expect(await drawn(`for (const id of ids) await ${chain};`)).toEqual([task]);
    expect(await drawn(`await Promise.all([1, 2].map(async function worker() { while (ids.length > 0) { const id = ids.shift(); await ${chain}; } }));`)).toEqual([{ ...task, kind: 'pool', peak: 2, task: chain.startsWith('sleep') ? 'load' : 'worker' }]);
  });

  test.each([
    ['', false],
    ['.then(save)', true],
  ])('lanes that pause before each task: load%s', async (further, areBoth) => {
    const task = { kind: 'pool', peak: 2, taskCount: 8, task: 'load', areBoth };
    const lane = (begin: string, id: string): string => `${begin} sleep(5).then(() => load(${id}))${further}.then(next); };\nawait Promise.all([next(), next()]);`;
    expect(await drawn(lane('const next = () => { if (ids.length > 0) return', 'ids.shift()'))).toEqual([task]);
    expect(await drawn(lane('function next() { const id = ids.shift(); if (id === undefined) return Promise.resolve(); return', 'id'))).toEqual([task]);
  });

  test('pauses before what races for room are over as they are', async () => {
    expect(await drawn(`const open = new Set();
for (const id of ids) {
  const p = sleep(3).then(() => load(id)).then(save).then(() => open.delete(p));
  open.add(p);
  if (open.size >= 2) await Promise.race(open);
}
await Promise.all(open);`)).toMatchObject([{ kind: 'pool', peak: 2, taskCount: 8, areBoth: true }]);
  });

  test('steps of a reduce chain begin behind one another, and end there', async () => {
    expect(await drawn('await ids.reduce((before, id) => before.then(() => load(id)), Promise.resolve());'))
      .toMatchObject([{ kind: 'sequential', peak: 1, taskCount: 8, task: 'load' }]);
  });
});
