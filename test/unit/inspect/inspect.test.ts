import { describe, expect, it } from 'vitest';
import { inspect } from '../../../src/inspect/inspect';

/** `kind library limit` of each place, with its line. */
const found = (source: string, name = 'a.ts'): string[] => inspect(source, name)
  .map(({ line, kind, library, limit }) => [`${line}:`, kind, library, limit].filter((word) => word !== undefined).join(' '));

describe('what a source shows of concurrency', () => {
  it.each([
    ['a chunk loop, with its size', `for (let i = 0; i < xs.length; i += 50) {
      await Promise.all(xs.slice(i, i + 50).map(f));
    }`, ['2: chunk 50']],
    ['a chunk loop in a reduce', `await chunks.reduce(async (before, part) => {
      await before;
      await Promise.all(part.map((x) => f(x)));
    }, Promise.resolve());`, ['3: chunk']],
    ['a chunk loop that collects first, and its rest', `for (const x of xs) {
      jobs.push(f(x));
      if (jobs.length >= 8) { await Promise.all(jobs); jobs = []; }
    }
    await Promise.all(jobs);`, ['3: chunk 8']],
    ['workers that take from one queue', `const worker = async () => { while (queue.length) await f(queue.pop()); };
    await Promise.all([worker(), worker(), worker()]);`, ['2: pool 3']],
    ['workers that call themselves', `const next = async () => { const x = todo.shift(); if (!x) return; await f(x); return next(); };
    await Promise.all(Array.from({ length: 6 }, next));`, ['2: pool 6']],
    ['a set of running tasks that is raced', `for (const x of xs) {
      const p = f(x).finally(() => running.delete(p));
      running.add(p);
      if (running.size >= 10) await Promise.race(running);
    }
    await Promise.all(running);`, ['4: pool 10']],
    ['a semaphore', `const gate = new Semaphore(5);
    class Semaphore {}
    async function go(x) { await gate.acquire(); try { await f(x); } finally { gate.release(); } }
    await Promise.all(xs.map(go));`, ['4: pool 5']],
    ['a queue with a counter', `let active = 0;
    function pump() { while (active < 4 && queue.length) { active++; queue.shift()((error) => { active--; pump(); }); } }
    // a promise`, ['2: pool']],
    ['a limiter of a library', `import pLimit from 'p-limit';
    const limit = pLimit(7);
    await Promise.all(xs.map((x) => limit(() => f(x))));`, ['3: library p-limit 7']],
    ['a limit behind a name', `import pMap from 'p-map';
    const most = 9;
    await pMap(xs, f, { concurrency: most });`, ['3: library p-map 9']],
    ['a library without a limit', `import pMap from 'p-map';
    await pMap(xs, f);`, ['2: unbounded p-map']],
    ['a worker that takes several jobs at once', `import { Worker } from 'bullmq';
    export const worker = new Worker('mails', async (job) => { await send(job.data); }, { connection, concurrency: 6 });`, ['2: library bullmq 6']],
    ['a worker that takes one job after the other', `import { Worker } from 'bullmq';
    new Worker('mails', async (job) => { await send(job.data); }, { connection });`, ['2: sequential bullmq']],
    ['a list of tasks that run at once, however many', `import { Listr } from 'listr2';
    await new Listr([{ title: 'a', task }, { title: 'b', task }], { concurrent: true }).run();`, ['2: library listr2']],
    ['a stream of tasks', `import parallel from 'it-parallel';
    for await (const page of parallel(tasks(), { concurrency: 4 })) show(page);`, ['2: library it-parallel 4']],
    ['a bucket of tokens', `import { RateLimiter } from 'limiter';
    const limiter = new RateLimiter({ tokensPerInterval: 10, interval: 'second' });
    await Promise.all(xs.map(async (x) => { await limiter.removeTokens(1); return f(x); }));`, ['3: library limiter']],
    ['steps that need each other', `import pWaterfall from 'p-waterfall';
    await pWaterfall([f, g, h], 1);`, ['2: sequential p-waterfall']],
    ['a queue in a field', `import PQueue from 'p-queue';
    class A { #queue = new PQueue({ concurrency: 2 }); add(x: X) { return this.#queue.add(() => f(x)); } }`, ['2: library p-queue 2']],
    ['as many tasks as items', `await Promise.all(xs.filter(Boolean).map(async (x) => f(x)));`, ['1: unbounded']],
    ['a few tasks', `const [a, b] = await Promise.all([f(), g()]);`, ['1: together']],
    ['one after the other for no reason', `for (const x of xs) { const y = await f(x); out.push(y); }`, ['1: sequential']],
    ['tasks nobody awaits', `xs.forEach(async (x) => { await f(x); });`, ['1: forEach']],
    ['a limiter made for each item', `import pLimit from 'p-limit';
    await Promise.all(xs.map((x) => { const limit = pLimit(3); return limit(() => f(x)); }));`, ['2: unbounded', '2: limiterInLoop p-limit 3']],
  ])('%s', (_, source, places) => { expect(found(source)).toEqual(places); });
});

describe('what is none of it', () => {
  it.each([
    ['a loop whose rounds need each other', `let at; for (const x of xs) { at = await f(x, at); }`],
    ['a search that ends at the first find', `for (const x of xs) { if (await f(x)) return x; }`],
    ['attempts', `for (let i = 0; i < 3; i++) { await f(i); }`],
    ['a loop with pauses on purpose', `for (const x of xs) { await f(x); await sleep(100); }`],
    ['a timeout', `await Promise.race([f(), timeout(1000)]);`],
    ['a combinator over one task', `await Promise.all([f()]);`],
    ['forEach over what is no async function', `xs.forEach((x) => { void x; }); await 1;`],
    ['a method of that name', `import pLimit from 'p-limit'; const limit = pLimit(3); limit.clearQueue();`],
    ['an index that counts down elsewhere', `function a() { for (let i = 0; i < n; i++) f(i); } function b() { for (let i = n; i >= 0; i--) f(i); } // promise`],
    ['a generator that hands out one thing after another', `function* all(xs) { for (const x of xs) yield f(x); } // promise`],
    ['a loop whose step is counted down elsewhere', `let i = 0; function a() { for (; i < n; ++i) { f(i); } } function b() { --i; } // promise`],
    ['what does not parse', `await Promise.all([f(), g()`],
  ])('%s', (_, source) => { expect(found(source)).toEqual([]); });
});

it('reads TypeScript, JSX and old JavaScript', () => {
  expect(found('const f = async <T,>(x: T): Promise<void> => { await Promise.all([g<T>(x), h(x)]); };', 'a.tsx')).toEqual(['1: together']);
  expect(found('const f = async () => <ul>{await Promise.all(xs.map((x) => <li>{x}</li>))}</ul>;', 'a.jsx')).toEqual(['1: unbounded']);
  expect(found(`const async = require('async'); async.eachLimit(xs, 3, f, done);`, 'a.cjs')).toEqual(['1: library async 3']);
});

it('says where a place is and in which function', () => {
  expect(inspect('class A {\n  async load() {\n    return Promise.all(\n      xs.map(f),\n    );\n  }\n}', 'a.ts'))
    .toMatchObject([{ line: 3, column: 12, endLine: 5, function: 'load', combinator: 'all' }]);
});
