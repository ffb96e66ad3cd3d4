/** Promises of a subclass of `Promise`: V8 does not say what their `then` derives from, nor which of them a combinator takes. */
import { describe, expect, test } from 'vitest';
import { observe } from './observed';

const CANCELABLE = `class Cancelable extends Promise { cancel() {} }
const load = (id) => new Cancelable((resolve) => setTimeout(resolve, 20 + (id * 7) % 20, id));
`;

describe.each(['v8', 'async_hooks'] as const)('backend %s', (backend) => {
  const found = async (code: string): Promise<string[]> =>
    (await observe(code, { backend })).groups.map(({ kind, taskCount, peak, taskSite }) => `${kind} ${taskSite?.function ?? ''} ${taskCount} at most ${peak}`);

  test('what replaces the global is followed through combinators, chains and awaits', async () => {
    expect(await found(`class Counted extends Promise { constructor(run) { super(run); Counted.made = (Counted.made ?? 0) + 1; } }
globalThis.Promise = Counted;
const load = (id) => new Promise((resolve) => setTimeout(resolve, 20 + (id * 7) % 20, id));
for (let i = 0; i < 12; i += 4) await Promise.all([0, 1, 2, 3].map((n) => load(i + n).then((id) => id + 1)));`)).toEqual(['chunk load 12 at most 4']);
  });

  test('a combinator of the global takes promises of a subclass, again and again', async () => {
    expect(await found(`${CANCELABLE}const running = new Set();
for (let id = 0; id < 12; id++) {
  const one = load(id).finally(() => running.delete(one));
  running.add(one);
  if (running.size === 3) await Promise.race(running);
}
await Promise.all(running);`)).toEqual(['pool load 12 at most 3']);
  });

  test('a combinator of a subclass takes calls of async functions', async () => {
    expect(await found(`${CANCELABLE}async function job(id) { await load(id); }
for (let i = 0; i < 9; i += 3) await Cancelable.all([job(i), job(i + 1), job(i + 2)]);`)).toEqual(['chunk job 9 at most 3']);
  });

  test('what an executor makes and nobody takes is no element', async () => {
    expect(await found(`${CANCELABLE}let active = 0; const waiting = [];
const next = () => { active--; waiting.shift()?.(); };
const limit = (id) => new Cancelable((resolve, reject) => {
  const run = () => { active++; load(id).then(resolve, reject).finally(next); };
  if (active < 2) run(); else waiting.push(run);
});
await Cancelable.all([0, 1, 2, 3, 4, 5, 6, 7].map(limit));`)).toEqual(['pool load 8 at most 2']);
  });

  test('an async function, or a then, that gives one goes on with its result; a class may have a then of its own', async () => {
    expect(await found(`class Timed extends Promise {
  then(done, failed) { return super.then(done, failed); }
}
const load = (id) => new Timed((resolve) => setTimeout(resolve, 20 + (id * 7) % 20, id));
const job = async (id) => load(id);
let at = 0;
const worker = async () => { while (at < 10) await job(at++); };
await Promise.all([worker(), worker()]);`)).toEqual(['pool job 10 at most 2']);
  });
});
