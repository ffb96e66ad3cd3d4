import { expect, test } from 'vitest';
import { observe } from './observed';

/** What every program begins with: items, and what is done for each, by an async function or by a plain one. */
const HEAD = `import { Readable } from 'node:stream';
const sleep = (ms) => new Promise((r) => setTimeout(r, ms));
`;
const LOADS = [
  'async function load(id) { await sleep(10 + (id * 7) % 20); return id; }',
  'const load = (id) => sleep(10 + (id * 7) % 20).then(() => id);',
];
const ITEMS = 'const items = [...Array(10).keys()];\n';

/** Ways to run the items that do not stand for what is around them. */
const PROGRAMS: Record<string, string> = {
  'chunks': 'for (let i = 0; i < items.length; i += 4) await Promise.all(items.slice(i, i + 4).map((id) => load(id)));',
  'chunks of a function that calls itself': 'const go = async (at) => { if (at < items.length) { await Promise.all(items.slice(at, at + 4).map((id) => load(id))); await go(at + 4); } };\nawait go(0);',
  'chunks in a chain': 'await [0, 4, 8].reduce((before, at) => before.then(() => Promise.all(items.slice(at, at + 4).map((id) => load(id)))), Promise.resolve());',
  'chunks that a timer goes on with': `await new Promise((done) => {
  (function batch(at) {
    if (at >= items.length) { done(); return; }
    Promise.all(items.slice(at, at + 4).map((id) => load(id))).then(() => setTimeout(batch, 5, at + 4));
  })(0);
});`,
  'chunks of what a stream brings': `await new Promise((done) => {
  let some = [];
  const flush = async (ids) => { await Promise.all(ids.map((id) => load(id))); };
  const source = Readable.from(items);
  source.on('data', async (id) => {
    some.push(id);
    if (some.length < 4) return;
    const ids = some;
    some = [];
    source.pause();
    await flush(ids);
    source.resume();
  });
  source.on('end', async () => { await flush(some); done(); });
});`,
  'workers': 'const worker = async () => { while (items.length > 0) await load(items.shift()); };\nawait Promise.all([worker(), worker(), worker()]);',
  'lanes': 'const lane = () => (items.length > 0 ? load(items.shift()).then(lane) : undefined);\nawait Promise.all([lane(), lane(), lane()]);',
  'lanes of an iterator': 'const next = items.values();\nconst pull = () => { const { done, value } = next.next(); return done ? Promise.resolve() : load(value).then(() => pull()); };\nawait Promise.all(Array.from({ length: 3 }, pull));',
  'a race over what is in flight': `const open = new Set();
for (const id of items) {
  const one = load(id).finally(() => open.delete(one));
  open.add(one);
  if (open.size >= 3) await Promise.race(open);
}
await Promise.all(open);`,
  'a limiter': `let active = 0; const waiting = [];
const next = () => { while (active < 3 && waiting.length > 0) { const { job, done } = waiting.shift(); active++; job().then(done).finally(() => { active--; next(); }); } };
const limit = (job) => new Promise((done) => { waiting.push({ job, done }); next(); });
await Promise.all(items.map((id) => limit(() => load(id))));`,
  'a semaphore': `let free = 3; const waiting = [];
const acquire = () => new Promise((go) => { if (free > 0) { free--; go(); } else waiting.push(go); });
const release = () => { const go = waiting.shift(); if (go) go(); else free++; };
await Promise.all(items.map(async (id) => { await acquire(); try { return await load(id); } finally { release(); } }));`,
  'a scheduler that is asked line by line': `class Scheduler {
  active = 0; waiting = [];
  async add(job) {
    if (this.active >= 3) await new Promise((go) => this.waiting.push(go));
    this.active++;
    const got = await job();
    this.active--;
    this.waiting.shift()?.();
    return got;
  }
}
const scheduler = new Scheduler(), done = [];
const add = (id) => { scheduler.add(() => load(id)).then((got) => done.push(got)); };
${[...Array(10).keys()].map((id) => `add(${id});`).join('\n')}`,
  'a pump': `await new Promise((done) => {
  let active = 0, over = 0;
  const next = () => { while (active < 3 && items.length > 0) { active++; load(items.shift()).then(() => { active--; if (++over === 10) done(); else next(); }); } };
  next();
});`,
  'one after the other': 'for (const id of items) await load(id);',
  'all at once': 'await Promise.all(items.map((id) => load(id)));',
};

/** What each is, with how many at once. */
const KINDS: readonly (readonly [RegExp, string])[] = [[/^chunks/, 'chunk 10 4'], [/^one after/, 'sequential 10 1'], [/^all at/, 'all 10 10'], [/./, 'pool 10 3']];

/** What may be around a program: nothing of that changes what it does. */
const AROUND: Record<string, (program: string) => string> = {
  'an async function': (program) => `async function main() {\n${program}\n}\nmain();`,
  'a method, a function deeper': (program) => `class App {\n async #work() {\n${program}\n}\n async run() { await 0; return await this.#work(); }\n}\nawait new App().run();`,
  'a timer': (program) => `setTimeout(async () => {\n${program}\n}, 5);`,
  'a listener': (program) => `const { EventEmitter } = await import('node:events');\nconst bus = new EventEmitter();\nbus.once('go', async () => {\n${program}\n});\nbus.emit('go');`,
};

const drawn = async (source: string): Promise<readonly string[]> => {
  const { groups } = await observe(HEAD + source, { as: 'a.mjs' });
  return groups.map(({ kind, taskCount, peak, taskSite }) => `${kind} ${taskCount} ${peak} ${taskSite?.function}`);
};

const programs = Object.entries(PROGRAMS).flatMap(([name, program]) => LOADS.map((load, i) => [name, ['an async function', 'a plain function'][i], `${load}\n${ITEMS}${program}`] as const));

test.each(programs)(
  '%s of %s are the same groups in a function, a method, a timer and a listener as at the top level',
  async (name, _load, program) => {
    const [, kind] = KINDS.find(([names]) => names.test(name)) ?? [];
    expect(await drawn(program)).toEqual([`${kind} load`]);
    for (const [around, wrap] of Object.entries(AROUND)) expect([around, await drawn(wrap(program))]).toEqual([around, [`${kind} load`]]);
  },
);

/** What may run a program twice: each run has a group of its own. */
const TWICE: Record<string, (program: string) => string> = {
  'one after the other': (program) => `async function main() {\n${program}\n}\nawait main();\nawait main();`,
  'at once': (program) => `async function main() {\n${program}\n}\nmain();\nsetTimeout(main, 7);`,
  'at once in tasks': (program) => `async function main() {\n${program}\n}\nawait Promise.all([main(), sleep(7).then(() => main())]);`,
};

/** What Node calls back for one run looks the same as what it calls back for another. */
const isCalledBack = ([name]: readonly string[]): boolean => /timer|stream/.test(name);

test.each(programs.filter((program) => !isCalledBack(program)))('%s of %s have a group for each run, one after the other and at once', async (name, _load, program) => {
  const [, kind] = KINDS.find(([names]) => names.test(name)) ?? [];
  for (const [how, twice] of Object.entries(TWICE)) {
    const groups = (await drawn(twice(program))).filter((group) => group.endsWith(' load'));
    expect([how, groups]).toEqual([how, [`${kind} load`, `${kind} load`]]);
  }
});
