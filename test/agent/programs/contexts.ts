import type { Programs } from './program';

/** What follows asynchronous code around, and code elsewhere: other contexts, threads, processes. */
export const CONTEXTS: Programs = {
  'AsyncLocalStorage': `
    import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks'; import EventEmitter, { EventEmitterAsyncResource } from 'node:events'; import fs from 'node:fs'; import http from 'node:http';
    const als = new AsyncLocalStorage(), b = new AsyncLocalStorage(); const out = []; const l = (k) => out.push(k + ':' + als.getStore() + ',' + b.getStore());
    als.enterWith('E'); l('enter'); await null; l('after'); setTimeout(() => l('timer'), 2); setInterval(function () { l('interval'); clearInterval(this); }, 2); setImmediate(() => l('immediate')); process.nextTick(() => l('tick')); queueMicrotask(() => l('micro'));
    als.run('R', () => b.run('B', async () => { l('run'); await new Promise((r) => setTimeout(r, 2)); l('run2'); fs.readFile('nope', () => l('fs')); await fs.promises.stat('.'); l('stat');
      const s = AsyncLocalStorage.snapshot(); als.exit(() => { l('exit'); s(() => l('snapshot')); }); als.enterWith('W'); await Promise.all([1, 2].map(async (i) => { await null; l('w' + i); })); }));
    const e = new EventEmitter(); als.run('L', () => e.on('x', () => l('emit'))); e.emit('x'); als.run('BB', () => AsyncLocalStorage.bind(() => l('bound')))(); als.run(5, () => AsyncResource.bind(() => l('resource')))();
    const q = als.run(7, () => new EventEmitterAsyncResource({ name: 'Q' })); q.on('x', () => l('emitter')); q.emit('x');
    const s = http.createServer((_, r) => als.run('H', async () => { await null; l('http'); r.end('x'); })); await new Promise((r) => s.listen(0, r)); await (await fetch('http://127.0.0.1:' + s.address().port)).text(); s.close();
    await new Promise((r) => setTimeout(r, 40)); als.disable(); l('disabled'); console.log(out.sort().join(' '));`,
  'where nobody listens with async_hooks': { isForV8Only: true, source: `
    import ah from 'node:async_hooks'; const told = () => console.log(ah.executionAsyncId(), ah.triggerAsyncId(), ah.executionAsyncResource()); told(); await null; told(); await Promise.all([1, 2].map(async () => { await null; })); told();` },
  'async_hooks of the program, and what it made itself': { isForV8Only: true, source: `
    import ah from 'node:async_hooks'; import fs from 'node:fs'; const types = new Map(); const names = new Map([[0, '0'], [1, '1']]); const log = []; let mine = false;
    const made = (f) => { mine = true; try { return f(); } finally { mine = false; } }; const note = (what) => (id) => { if (names.has(id)) log.push(what + names.get(id)); };
    ah.createHook({ init(id, type, trigger) { if (!mine) return; types.set(type, (types.get(type) ?? 0) + 1); names.set(id, type + types.get(type)); log.push('init ' + names.get(id) + ' by ' + (names.get(trigger) ?? '?')); }, before: note('before '), after: note('after '), promiseResolve: note('resolve ') }).enable();
    const first = made(() => new Promise((r) => setTimeout(r, 3))); await made(() => first.then(() => made(() => new Promise((r) => setImmediate(r))))); await made(() => new Promise((r) => process.nextTick(r))); await made(() => Promise.all([Promise.resolve(1), 2]));
    console.log(made(() => new ah.AsyncResource('X').runInAsyncScope(() => names.get(ah.executionAsyncId()) === 'X1'))); setTimeout(() => console.log(ah.executionAsyncResource().constructor.name, log.join(', ')), 60);` },
  'domains': { as: 'program.cjs', source: `
    const d = require('domain').create(); d.on('error', (e) => console.log('domain', e.message, e.domain === d));
    d.run(() => { setTimeout(() => { throw new Error('x'); }, 1); Promise.resolve().then(() => { console.log(process.domain === d); }); }); setTimeout(() => { console.log('on', process.domain); }, 30);` },
  'promises of another context': `
    import vm from 'node:vm'; const c = vm.createContext({}); const r = vm.runInContext('(async () => { const a = await Promise.all([1, 2].map(async (i) => { await null; return i; })); try { await Promise.reject(new Error("in")); } catch (e) { a.push(e.stack.split("\\\\n", 2).join()); } return a; })()', c);
    console.log(await r, r instanceof Promise, vm.runInContext('Reflect.ownKeys(globalThis).length + " " + Error.stackTraceLimit', c)); const m = vm.createContext({}, { microtaskMode: 'afterEvaluate' });
    console.log(vm.runInContext('let x = 0; Promise.resolve().then(() => { x = 1; }); x', m), vm.runInContext('x', m)); try { vm.runInContext('for (;;) {}', c, { timeout: 30 }); } catch (e) { console.log(e.code); }`,
  'modules of node:vm': { nodeArgs: ['--experimental-vm-modules', '--no-warnings'], source: `
    import vm from 'node:vm'; const m = new vm.SourceTextModule('export default await Promise.all([1, 2].map(async (i) => { await null; return i; }))'); await m.link(() => {}); await m.evaluate(); console.log(m.namespace.default, m.status);` },
  'workers, their ports and their messages': `
    import util from 'node:util'; import { Worker, isMainThread, parentPort, MessageChannel, MessagePort, workerData } from 'node:worker_threads'; import { once } from 'node:events';
    const shape = (o) => [Object.keys(o), Reflect.ownKeys(o).map(String), typeof o.postMessage, o.postMessage.name, o.postMessage.length, o.postMessage === o.postMessage];
    if (!isMainThread) {
      parentPort.on('message', (m) => { parentPort.postMessage([m, new Error('here').stack.split('\\n', 3), shape(parentPort), util.inspect(parentPort), parentPort.listenerCount('message'), workerData]); if (m === 3) parentPort.close(); });
    } else {
      const worker = new Worker(new URL(import.meta.url), { workerData: { a: 1 } }); worker.on('message', (m) => console.log(m, new Error('main').stack.split('\\n', 3)));
      console.log(Object.keys(worker), worker.listenerCount('message'), util.inspect(worker, { depth: 0 }).length > 0);
      for (let i = 0; i < 4; i++) worker.postMessage(i);
      try { worker.postMessage(() => 1); } catch (e) { console.log(e.name, e.message, e.stack); }
      const { port1, port2 } = new MessageChannel(); port2.on('message', (m) => { console.log('channel', m, shape(port2)); port2.close(); }); port1.postMessage({ b: 2 });
      const post = MessagePort.prototype.postMessage; console.log(typeof post, 'postMessage' in port1, Object.hasOwn(port1, 'postMessage'));
      port1.postMessage = function (m) { return post.call(this, m); }; console.log(Object.keys(port1)); console.log(await once(worker, 'exit'));
    }`,
  'how workers are started and how they end': `
    import { Worker, isMainThread, parentPort, workerData, resourceLimits, SHARE_ENV } from 'node:worker_threads';
    if (isMainThread) {
      const run = (d, o) => new Promise((r) => { const l = []; const w = new Worker(new URL(import.meta.url), { workerData: d, ...o }); w.on('message', (m) => l.push(JSON.stringify(m))); w.on('error', (e) => l.push(e.message + e.code)); w.on('exit', (c) => r(console.log(d, l.join(), c))); });
      await run('argv', { argv: ['a'], execArgv: [] }); await run('argv', { execArgv: ['--no-warnings'] }); await run('env', { env: { A: '1' } }); await run('env', { env: SHARE_ENV }); await run('exit'); await run('throw'); await run('reject'); await run('limits', { resourceLimits: { maxOldGenerationSizeMb: 64 } }); await run('never');
      const t = new Worker('setInterval(() => {}, 10)', { eval: true }); await new Promise((r) => t.on('online', r)); console.log(await t.terminate());
    } else switch (workerData) {
      case 'argv': parentPort.postMessage([process.argv.slice(2), process.execArgv]); break; case 'env': parentPort.postMessage(process.env.A ?? 'none'); break;
      case 'exit': process.on('exit', (c) => parentPort.postMessage(c)); process.exit(5); case 'throw': throw new Error('boom'); case 'reject': Promise.reject(new Error('rejected')); break;
      case 'limits': parentPort.postMessage(resourceLimits.maxOldGenerationSizeMb); break; case 'never': await new Promise(() => {});
    }`,
  'children, their channels and their messages': `
    import { fork, spawn } from 'node:child_process'; import { fileURLToPath } from 'node:url'; import { once } from 'node:events';
    if (process.send) {
      process.on('message', (m) => { process.send([m, new Error('here').stack.split('\\n', 3), Object.keys(process).length, process.listenerCount('message'), typeof process.channel]); if (m.i === 3) process.disconnect(); });
    } else {
      const child = fork(fileURLToPath(import.meta.url)); child.on('message', (m) => console.log(m, new Error('main').stack.split('\\n', 3)));
      console.log(Object.keys(child), Reflect.ownKeys(child).map(String), typeof child.send, child._send.length, 'send' in child, 'pid' in child);
      for (let i = 0; i < 4; i++) child.send({ i, text: 'a\\nb' }, (e) => console.log('sent', i, e));
      console.log(await once(child, 'exit'));
      const other = spawn(process.execPath, ['-e', 'process.exit(3)']); console.log(Object.keys(other), typeof other.send, 'send' in other, await once(other, 'exit'));
    }`,
  'options and arguments of children, and one without an environment': `
    import { fork, spawnSync } from 'node:child_process'; import { once } from 'node:events';
    if (process.argv[2] === 'c') { process.send?.(process.execArgv); console.log(process.argv.length, process.execArgv, typeof process.send); process.disconnect?.(); }
    else { const f = fork(process.argv[1], ['c'], { stdio: ['ignore', 'pipe', 'pipe', 'ipc'], execArgv: ['--no-warnings'] }); f.stdout.pipe(process.stdout, { end: false }); f.on('message', (m) => console.log('told', m)); await once(f, 'close');
      console.log(spawnSync(process.execPath, [process.argv[1], 'c']).stdout.toString(), spawnSync(process.execPath, ['-p', 'Object.keys(process.env).length'], { env: {} }).stdout.toString()); }`,
  'a cluster': `
    import cluster from 'node:cluster'; import http from 'node:http';
    if (cluster.isPrimary) { const w = cluster.fork(); w.on('message', (m) => { console.log(m); w.disconnect(); }); cluster.on('exit', (_, c, s) => console.log('exit', c, s)); }
    else { const s = http.createServer((_, r) => r.end('hi')).listen(0, async () => { process.send(await (await fetch('http://127.0.0.1:' + s.address().port)).text()); s.close(); s.closeAllConnections(); }); }`,
  'a session of the inspector': `
    import inspector from 'node:inspector'; const s = new inspector.Session(); s.connect(); const post = (m, p) => new Promise((r, j) => s.post(m, p, (e, x) => (e ? j(e) : r(x))));
    console.log(await post('Runtime.evaluate', { expression: '1+1' })); let paused = 0; s.on('Debugger.paused', () => paused++); await post('Debugger.enable'); await post('Debugger.setAsyncCallStackDepth', { maxDepth: 8 });
    console.log(await Promise.all([1, 2].map(async (i) => { await null; return i; }))); await post('Profiler.enable'); await post('Profiler.start'); console.log(Object.keys((await post('Profiler.stop')).profile)); s.disconnect(); console.log(paused, inspector.url());`,
  'channels, broadcasts and transfers': `
    const { port1, port2 } = new MessageChannel(); port2.onmessage = (e) => { console.log(e.data, e.constructor.name); port2.close(); }; port1.postMessage({ a: [1] }); const b = new ArrayBuffer(8); structuredClone(b, { transfer: [b] }); console.log(b.byteLength);
    const one = new BroadcastChannel('q'), two = new BroadcastChannel('q'); two.onmessage = (e) => { console.log(e.data); one.close(); two.close(); }; one.postMessage('hey');`,
};
