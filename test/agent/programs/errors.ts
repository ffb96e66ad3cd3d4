import type { Program, Programs } from './program';

const unhandled = (mode: string): Program => ({ nodeArgs: [`--unhandled-rejections=${mode}`], source: `
  process.on('exit', (c) => console.log('exit', c)); async function f() { await null; throw new Error('b'); } f(); const p = Promise.reject(new Error('late'));
  setTimeout(() => p.catch(() => console.log('caught')), 20); setTimeout(() => console.log('on'), 60);` });

const late = (first: string, more = ''): string => `
  const more = async () => { for (let i = 0; i < 10; i++) await null; return 1; }; const par = async () => { for (let i = 0; i < 5; i++) await Promise.all([more(), more()]); console.log('through'); };
  import vm from 'node:vm'; class Sub extends Promise {} class Query { then(a, b) { return Promise.resolve(1).then(a, b); } } const Other = vm.runInNewContext('Promise');
  process.on('exit', (c) => console.log('exit', c)); (async () => { ${first} throw new Error('late'); })(); par(); ${more}`;

/** Errors: who hears of them, how the process ends, and what stands in their stacks. */
export const ERRORS: Programs = {
  'error stacks, their limit and a formatter of the program': `
    async function deep(n) { await null; if (n === 0) throw new Error('deep'); return deep(n - 1); }
    await deep(3).catch((e) => console.log(e.stack)); console.log(Error.stackTraceLimit);
    Error.stackTraceLimit = 3; Error.prepareStackTrace = (e, sites) => 'mine ' + sites.length;
    await deep(2).catch((e) => console.log(e.stack)); console.log(Error.stackTraceLimit, typeof Error.prepareStackTrace);`,
  'stacks of async functions, combinators, timers, ticks and immediates': `
    async function a() { await b(); } async function b() { await null; await c(); } async function c() { await new Promise((r) => setTimeout(r, 2)); throw new Error('deep'); }
    await a().catch((e) => console.log(e.stack)); await Promise.all([a(), b()]).catch((e) => console.log(e.stack)); await Promise.any([a()]).catch((e) => console.log(e.errors[0].stack));
    setTimeout(() => { console.log(new Error('t').stack); }, 5); process.nextTick(() => console.log(new Error('n').stack)); setTimeout(() => setImmediate(() => console.log(new Error('i').stack)), 15);`,
  'stacks by the option for their length, and with source maps': { nodeArgs: ['--stack-trace-limit=50', '--enable-source-maps'], source: `
    async function a(n) { await null; if (n) return await a(n - 1); throw new Error('x'); } await a(20).catch((e) => console.log(e.stack)); console.log(Error.stackTraceLimit);` },
  'captureStackTrace, and a limit that is no number or not there': `
    const o = {}; (function x() { Error.captureStackTrace(o, x); })(); console.log(o.stack); const f = async () => { await null; }; Error.stackTraceLimit = 0; await f(); console.log(new Error('z').stack, Error.stackTraceLimit);
    delete Error.stackTraceLimit; await f(); console.log('stackTraceLimit' in Error, new Error('y').stack); Error.stackTraceLimit = 'x'; await f(); console.log(Error.stackTraceLimit);`,
  'a formatter of stacks that is taken away, or an accessor': `
    let n = 0; Error.prepareStackTrace = (e, s) => { n++; return s.map((x) => x.getFunctionName() + x.isAsync() + x.getTypeName()).join(); }; const f = async () => { await null; return new Error('x').stack; };
    console.log(await f(), n); await Promise.all([f(), f()]); console.log(n, Object.getOwnPropertyDescriptor(Error, 'prepareStackTrace')); delete Error.prepareStackTrace; await f(); console.log(Reflect.ownKeys(Error).join());
    Object.defineProperty(Error, 'prepareStackTrace', { get() { n += 1000; }, configurable: true }); await f(); await f(); console.log(n);
    let limit = 0; Object.defineProperty(Error, 'stackTraceLimit', { get() { limit++; return 10; }, set() { limit++; }, configurable: true }); await Promise.all([f(), f()]); console.log(limit);`,
  'a limit that is fixed, and a formatter of the program\'s beside it': `
    Error.prepareStackTrace = (e, sites) => 'mine ' + sites.map((site) => site.getFunctionName()).join(); Object.defineProperty(Error, 'stackTraceLimit', { writable: false }); const f = async () => { await null; throw new Error('x'); };
    await Promise.all([1, 2].map(f)).catch((e) => console.log(e.stack)); console.log(typeof new Error('y').stack, Error.prepareStackTrace.toString(), Error.stackTraceLimit);`,
  'an unhandled rejection': `async function t() { await null; throw new Error('nobody reads this'); } t(); setTimeout(() => console.log('not reached'), 100);`,
  'an unhandled rejection with no error': `Promise.reject({ a: 1 }); setTimeout(() => {}, 20);`,
  'an unhandled rejection behind an await of a thenable': late('await { then(ok) { ok(1); } };'),
  'an unhandled rejection behind an await of a query': late('await new Query();'),
  'an unhandled rejection behind a second await, of a promise of a subclass': late('await null; await Sub.resolve(1);'),
  'an unhandled rejection behind an await of another realm\'s promise': late('await Other.resolve(1);'),
  'unhandled rejections behind awaits of thenables, heard of': late('await { then(ok) { setTimeout(ok, 5, 1); } };', `
    process.on('unhandledRejection', (e) => console.log('unhandled', e.message)); process.on('rejectionHandled', () => console.log('handled late')); setTimeout(par, 5); setTimeout(() => {}, 80);`),
  'a frozen promise, with a storage beside it': `
    import { AsyncLocalStorage } from 'node:async_hooks'; const als = new AsyncLocalStorage();
    als.exit(async () => { console.log(await Object.freeze(Promise.resolve(1))); }).catch(() => {}); als.enterWith('y'); (async () => { await null; console.log('on'); })(); setTimeout(() => console.log('end'), 60);`,
  'unhandled rejections, strict': unhandled('strict'),
  'unhandled rejections, warned of': unhandled('warn'),
  'unhandled rejections, ignored': unhandled('none'),
  'unhandled rejections, warned of with an exit code': unhandled('warn-with-error-codes'),
  'unhandled rejections, caught as exceptions': `process.on('uncaughtException', (e, o) => console.log(e.message, o)); Promise.reject(new Error('a')); (async () => { await null; throw new Error('b'); })(); Promise.all([Promise.reject(new Error('c'))]); setTimeout(() => console.log('on'), 30);`,
  'a rejection handled late': `
    process.on('unhandledRejection', (e) => console.log('unhandled', e.message)); process.on('rejectionHandled', () => console.log('handled late'));
    const p = Promise.reject(new Error('late')); setTimeout(() => p.catch((e) => console.log('caught', e.message)), 60); setTimeout(() => {}, 120);`,
  'a rejection among elements': `
    const bad = async () => { await null; throw new Error('x'); }; const ok = async () => { await null; };
    console.log(await Promise.all([ok(), bad(), bad()]).catch((e) => e.message)); console.log((await Promise.allSettled([bad(), ok()])).map((r) => r.status));`,
  'an exception at the top of a CommonJS module, and one in what it requires': { as: 'program.cjs', files: { 'other.cjs': `console.log(new Error('there').stack, Object.keys(module), module.loaded); throw new Error('over there');` }, source: `
    try { require('./other.cjs'); } catch (e) { console.log(e.stack); } console.log(Object.getOwnPropertyDescriptor(module, 'loaded'), new Error('here').stack); function main() { throw new Error('top'); } main();` },
  'a syntax error in a CommonJS module': { as: 'program.cjs', source: 'let x = ;' },
  'an exception in a timer': `setTimeout(function boom() { throw new TypeError('t'); }, 5); setTimeout(() => console.log('no'), 50);`,
  'an exception in a request': `import fs from 'node:fs'; fs.stat('.', function boom() { throw new TypeError('t'); });`,
  'an exception that is monitored, and one that is captured': `
    process.on('uncaughtExceptionMonitor', (e, o) => console.log('monitor', e.message, o)); process.setUncaughtExceptionCaptureCallback((e) => { console.log('captured', e.message); process.setUncaughtExceptionCaptureCallback(null); });
    setTimeout(() => { throw new Error('x'); }, 1); setTimeout(() => { throw new Error('y'); }, 20);`,
  'promises resolved twice': `process.on('multipleResolves', (t) => console.log(t)); new Promise((r, j) => { r(1); r(2); j(3); }); await null; setTimeout(() => {}, 20);`,
  'a stack overflow that is caught, and async code behind it': `function f() { f(); } try { f(); } catch (e) { console.log(e.name); } await null; console.log('on');`,
  'stack overflows while timers are set': `
    const f = (...more) => { setTimeout(() => {}, 0).unref(); f(...more); }; let caught = 0; for (let i = 0; i < 20; i++) { try { f(...Array(i)); } catch (e) { if (e instanceof RangeError) caught++; } }
    await null; setTimeout(() => console.log('on', caught), 30);`,
};
