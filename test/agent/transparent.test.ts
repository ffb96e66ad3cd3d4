import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { NODE_MAJORS, findNodes } from '../../scripts/tools.mjs';
import { needed } from '../support/needs';
import { observe, runPlain } from './observed';

const nodes = findNodes();

/** Programs that print what a program can see of the machinery around it. */
const PROGRAMS: Readonly<Record<string, string>> = {
  'the order of microtasks, timers and ticks': `
    const log = []; const o = (x) => () => log.push(x);
    const mk = (v) => new Promise((r) => queueMicrotask(() => r(v)));
    const a = mk(1), b = mk(2); const all = Promise.all([a, b]);
    a.then(o('a')); all.then(o('all')); b.then(o('b')); Promise.race([a, b]).then(o('race')); Promise.allSettled([a, b]).then(o('settled'));
    Promise.any([a, b]).then(o('any')); (async () => { await all; o('w1')(); await null; o('w2')(); })();
    (async () => Promise.resolve(1))().then(o('returned')); process.nextTick(o('tick')); queueMicrotask(o('micro'));
    Promise.resolve().then(o('1')).then(o('2')).then(o('3')); class S extends Promise {} S.resolve(1).then(o('sub'));
    Promise.resolve({ then(r) { r(1); } }).then(o('thenable')); setImmediate(o('immediate')); setTimeout(() => console.log(log.join(' ')), 30);`,
  'promises look as they did': `
    import util from 'node:util'; class S extends Promise {} const p = Promise.resolve({ a: 1 });
    console.log(p, S.resolve(2), Reflect.ownKeys(p), Object.getOwnPropertySymbols(p), util.inspect(new Promise(() => {})));
    console.log(Promise.all.toString(), Promise.prototype.then.toString(), Object.isFrozen(Object.freeze(Promise.resolve(1))));
    console.log(Object.getOwnPropertyNames(globalThis).length, Object.keys(process).length, Object.getOwnPropertyNames(Error).join());`,
  'error stacks, their limit and a formatter of the program': `
    async function deep(n) { await null; if (n === 0) throw new Error('deep'); return deep(n - 1); }
    await deep(3).catch((e) => console.log(e.stack)); console.log(Error.stackTraceLimit);
    Error.stackTraceLimit = 3; Error.prepareStackTrace = (e, sites) => 'mine ' + sites.length;
    await deep(2).catch((e) => console.log(e.stack)); console.log(Error.stackTraceLimit, typeof Error.prepareStackTrace);`,
  'AsyncLocalStorage': `
    import { AsyncLocalStorage } from 'node:async_hooks'; const als = new AsyncLocalStorage();
    const one = async (i) => als.run(i, async () => { await null; await new Promise((r) => setTimeout(r, 5)); return als.getStore(); });
    console.log(await Promise.all([1, 2, 3].map(one)), als.getStore());`,
  'frozen intrinsics': `Object.freeze(Error); Object.freeze(Promise); Object.freeze(Promise.prototype);
    console.log(await Promise.all([1, 2, 3].map(async (i) => { await null; return i; })));`,
  'promises of another context': `
    import vm from 'node:vm'; const r = vm.runInNewContext('Promise.all([1,2].map(async (i) => { await null; return i; }))');
    console.log(await r, r instanceof Promise);`,
  'an unhandled rejection': `
    async function t() { await null; throw new Error('nobody reads this'); } t(); setTimeout(() => console.log('not reached'), 100);`,
  'a rejection handled late': `
    process.on('unhandledRejection', (e) => console.log('unhandled', e.message)); process.on('rejectionHandled', () => console.log('handled late'));
    const p = Promise.reject(new Error('late')); setTimeout(() => p.catch((e) => console.log('caught', e.message)), 60); setTimeout(() => {}, 120);`,
  'a rejection among elements': `
    const bad = async () => { await null; throw new Error('x'); }; const ok = async () => { await null; };
    console.log(await Promise.all([ok(), bad(), bad()]).catch((e) => e.message)); console.log((await Promise.allSettled([bad(), ok()])).map((r) => r.status));`,
  'workers, their ports and their messages': `
    import util from 'node:util'; import { Worker, isMainThread, parentPort, MessageChannel, MessagePort, workerData } from 'node:worker_threads'; import { once } from 'node:events';
    const shape = (o) => [Object.keys(o), Reflect.ownKeys(o).map(String), typeof o.postMessage, o.postMessage.name, o.postMessage.length, o.postMessage === o.postMessage];
    if (!isMainThread) {
      parentPort.on('message', (m) => { parentPort.postMessage([m, new Error('here').stack, shape(parentPort), util.inspect(parentPort), parentPort.listenerCount('message'), workerData]); if (m === 3) parentPort.close(); });
    } else {
      const worker = new Worker(new URL(import.meta.url), { workerData: { a: 1 } }); worker.on('message', (m) => console.log(m, new Error('main').stack));
      console.log(Object.keys(worker), worker.listenerCount('message'), util.inspect(worker, { depth: 0 }).length > 0);
      for (let i = 0; i < 4; i++) worker.postMessage(i);
      try { worker.postMessage(() => 1); } catch (e) { console.log(e.name, e.message, e.stack); }
      const { port1, port2 } = new MessageChannel(); port2.on('message', (m) => { console.log('channel', m, shape(port2)); port2.close(); }); port1.postMessage({ b: 2 });
      const post = MessagePort.prototype.postMessage; console.log(typeof post, 'postMessage' in port1, Object.hasOwn(port1, 'postMessage'));
      port1.postMessage = function (m) { return post.call(this, m); }; console.log(Object.keys(port1)); console.log(await once(worker, 'exit'));
    }`,
  'children, their channels and their messages': `
    import { fork, spawn } from 'node:child_process'; import { fileURLToPath } from 'node:url'; import { once } from 'node:events';
    if (process.send) {
      process.on('message', (m) => { process.send([m, new Error('here').stack, Object.keys(process).length, process.listenerCount('message'), typeof process.channel]); if (m.i === 3) process.disconnect(); });
    } else {
      const child = fork(fileURLToPath(import.meta.url)); child.on('message', (m) => console.log(m, new Error('main').stack));
      console.log(Object.keys(child), Reflect.ownKeys(child).map(String), typeof child.send, child._send.length, 'send' in child, 'pid' in child);
      for (let i = 0; i < 4; i++) child.send({ i, text: 'a\nb' }, (e) => console.log('sent', i, e));
      console.log(await once(child, 'exit'));
      const other = spawn(process.execPath, ['-e', 'process.exit(3)']); console.log(Object.keys(other), typeof other.send, 'send' in other, await once(other, 'exit'));
    }`,
  'a caught stack overflow in synchronous code of an async program': `
    function f() { f(); } try { f(); } catch (e) { console.log(e.name); } await null; console.log('on');`,
};

/** What V8 prints to stderr of these tells where exactly the stack ended, which no hook leaves where it was. */
const OVERFLOWS = `
    const makers = [async function f() { await f(); }, async function f() { await new Promise((ok, bad) => f().then(ok, bad)); },
      function f() { return Promise.resolve().then(() => {}).then(f()); }];
    const from = (depth, f, ...more) => (depth === 0 ? f() : from(depth - 1, f, ...more));
    let caught = 0; process.on('unhandledRejection', () => { console.log('unhandled'); });
    for (const f of makers) for (let i = 0; i < 6; i++) { try { await from(i, f, ...Array(i % 5)); } catch (e) { if (e instanceof RangeError) caught++; } }
    console.log(caught, Error.stackTraceLimit, Error.prepareStackTrace === undefined); await Promise.all([1, 2].map(async () => { await null; })); console.log('on');`;

describe.each(NODE_MAJORS)('Node %i', (major) => {
  test.for(Object.keys(PROGRAMS))('with the agent as without: %s', async (name, context) => {
    const node = needed(context, 'NODES', nodes.find((found) => found.major === major)).path;
    const source = PROGRAMS[name];
    const plain = await runPlain(source, { node });
    const { out, err, code, signal } = await observe(source, { node });
    expect({ out, err, code, signal }).toEqual(plain);
  });

  test.for(['v8', 'async_hooks'] as const)('a program that catches stack overflows in async code goes on (%s)', async (backend, context) => {
    const node = needed(context, 'NODES', nodes.find((found) => found.major === major)).path;
    const plain = await runPlain(OVERFLOWS, { node });
    const { out, code, signal } = await observe(OVERFLOWS, { node, backend });
    expect({ out, code, signal }).toEqual({ out: plain.out, code: 0, signal: null });
    expect(out).toMatch(/^18 [^]*\non\n$/);
  });
});

test('a folder that cannot be written to costs the run its facts and the program nothing', async () => {
  const { out, code, err } = await observe('console.log(await Promise.all([1, 2]))', { folder: '/nonexistent/folder' });
  expect({ out, code, err }).toEqual({ out: '[ 1, 2 ]\n', code: 0, err: '' });
});

test('a fact file deleted under way costs the program nothing', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'async-lanes-gone-'));
  const { out, code, err } = await observe(`import fs from 'node:fs';
    for (const name of fs.readdirSync(${JSON.stringify(folder)})) fs.unlinkSync(${JSON.stringify(folder)} + '/' + name);
    console.log(await Promise.all([1, 2].map(async (i) => { await null; return i; })));`, { folder });
  chmodSync(folder, 0o700);
  rmSync(folder, { recursive: true, force: true });
  expect({ out, code, err }).toEqual({ out: '[ 1, 2 ]\n', code: 0, err: '' });
});

test('a program that listens with async_hooks itself is seen all the same', async () => {
  const { groups } = await observe(`import { createHook } from 'node:async_hooks'; let n = 0; createHook({ init() { n++; } }).enable();
    const one = async () => { await new Promise((r) => setTimeout(r, 5)); };
    await Promise.all([1, 2, 3].map(one));`);
  expect(groups).toMatchObject([{ kind: 'all', taskCount: 3, fulfilled: 3 }]);
});
