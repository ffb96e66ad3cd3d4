import type { Programs } from './program';

/** What promises do and look like. */
export const PROMISES: Programs = {
  'the order of microtasks, timers and ticks': `
    const log = []; const o = (x) => () => log.push(x);
    const mk = (v) => new Promise((r) => queueMicrotask(() => r(v)));
    const a = mk(1), b = mk(2); const all = Promise.all([a, b]);
    a.then(o('a')); all.then(o('all')); b.then(o('b')); Promise.race([a, b]).then(o('race')); Promise.allSettled([a, b]).then(o('settled'));
    Promise.any([a, b]).then(o('any')); (async () => { await all; o('w1')(); await null; o('w2')(); })();
    (async () => Promise.resolve(1))().then(o('returned')); process.nextTick(o('tick')); queueMicrotask(o('micro'));
    Promise.resolve().then(o('1')).then(o('2')).then(o('3')); class S extends Promise {} S.resolve(1).then(o('sub'));
    Promise.resolve({ then(r) { r(1); } }).then(o('thenable')); setImmediate(o('immediate')); setTimeout(() => console.log(log.join(' ')), 30);`,
  'what runs between ticks, microtasks, immediates, timers and requests': `
    import fs from 'node:fs'; const log = []; const o = (x) => () => log.push(x);
    process.nextTick(() => { o('tick')(); Promise.resolve().then(o('tick-micro')); process.nextTick(o('tick-tick')); });
    Promise.resolve().then(() => { o('micro')(); process.nextTick(o('micro-tick')); queueMicrotask(o('micro-micro')); });
    (async () => { for await (const x of (async function* () { yield 1; o('between')(); yield 2; })()) o('item' + x)(); })();
    (async () => { for (let i = 0; i < 3; i++) { await null; o('w' + i)(); } try { await Promise.reject(1); } catch { o('caught')(); } finally { o('finally')(); } })();
    Promise.resolve(1).finally(o('fin')).then(o('after')); Promise.try?.(() => 1).then(o('try')); Promise.withResolvers?.().resolve(1);
    await new Promise((r) => setTimeout(r, 20));
    fs.readFile(new URL(import.meta.url), () => {
      log.push('read'); setTimeout(o('timer'), 0); setImmediate(() => { o('immediate')(); process.nextTick(o('its tick')); Promise.resolve().then(o('its micro')); });
      process.nextTick(o('next')); Promise.resolve().then(o('then')); setTimeout(() => console.log(log.join(' ')), 30);
    });`,
  'promises look as they did': { isForV8Only: true, source: `
    import util from 'node:util'; import assert from 'node:assert'; class S extends Promise {} const p = Promise.resolve({ a: 1 }); const bad = Promise.reject(new Error('x')); bad.catch(() => {});
    async function f() { await null; } const running = f(); assert.deepStrictEqual([p], [p]);
    console.log(p, S.resolve(2), bad, running, Reflect.ownKeys(p), util.inspect([new Promise(() => {}), Promise.all([p]), f, (async function* () {})()], { showHidden: true }));
    console.log(Object.isFrozen(Object.freeze(Promise.resolve(1))), JSON.stringify(p), { ...p }); try { structuredClone(p); } catch (e) { console.log(e.message); } await running; console.log(running);` },
  'globals and what hangs on them': `
    const told = (o) => Reflect.ownKeys(o).map((key) => { const d = Object.getOwnPropertyDescriptor(o, key);
      return [String(key), typeof d.value, !!d.get, !!d.set, d.writable, d.enumerable, d.configurable, typeof d.value === 'function' && d.value.name + d.value.length + d.value.toString().length].join(); }).join(' ');
    await Promise.all([1, 2].map(async () => { await null; }));
    for (const o of [Promise, Promise.prototype, Error, Error.prototype, globalThis, Function.prototype, Object, Symbol]) console.log(told(o));
    console.log(Promise.all.toString(), Object.keys(process).length, Reflect.ownKeys(process).map(String).join());`,
  'timers look as they did': `
    const told = (o) => Reflect.ownKeys(o).map((key) => { const d = Object.getOwnPropertyDescriptor(o, key); return [String(key), typeof d.value, d.writable, d.enumerable, d.configurable].join(); }).join(' ');
    const timer = setTimeout(() => {}, 7); console.log(told(timer), Object.keys(timer), timer.hasRef(), timer.constructor.name, JSON.stringify(Object.keys({ ...timer })));
    const immediate = setImmediate(() => {}); console.log(told(immediate), told(Object.getPrototypeOf(immediate)));
    const other = setTimeout(() => console.log('no'), 3); other._onTimeout = () => console.log('replaced'); console.log(told(other));`,
  'subclasses, with a species and a then of their own': `
    let n = 0; class P extends Promise { constructor(f) { super(f); n++; } static get [Symbol.species]() { return Promise; } then(a, b) { n += 100; return super.then(a, b); } }
    class Q extends Promise { then(...x) { console.log('Q', new Error().stack.split('\\n').length); return super.then(...x); } }
    await P.resolve(1); await new P((r) => r(2)).then((x) => x); await Promise.all([P.resolve(1), Q.resolve(2)]); await P.all([1, 2]); await Q.resolve(5); await Q.reject(1).catch(() => {});
    console.log(n); await new Promise((r) => setTimeout(r, 60)); console.log(n);`,
  'who asks for Promise[Symbol.species], and for the constructor of a promise': `
    let n = 0; const f = async (i) => { await null; if (i > 1) throw i; }; Object.defineProperty(Promise, Symbol.species, { get() { n++; return this; } });
    await Promise.allSettled([1, 2, 3].map(f)); await f(3).catch(() => {}); await Promise.all([1, 2].map(f)).catch(() => {}); await new Promise((r) => setTimeout(r, 60)); console.log(n);
    Object.defineProperty(Promise.prototype, 'constructor', { get() { n += 1000; return Promise; } }); await Promise.all([f(1), f(1)]); await f(3).catch(() => {}); await new Promise((r) => setTimeout(r, 60)); console.log(n);`,
  'who calls Promise.prototype.then': `
    const { then } = Promise.prototype; let n = 0; Promise.prototype.then = function (...a) { n++; return then.apply(this, a); }; const f = async (i) => { await null; if (i > 1) throw new Error('x'); };
    await Promise.allSettled([1, 2, 3].map(f)); await Promise.all([1, 2, 3].map(f)).catch(() => {}); await new Promise((r) => setTimeout(r, 60)); console.log(n);`,
  'thenables, and proxies of promises': `
    const log = []; const t = { get then() { log.push('get'); return (a) => { log.push('then'); a(1); }; } }; await t; await Promise.resolve(t); await Promise.all([t, t]); await (async () => t)();
    const p = new Proxy(Promise.resolve(1), { get(o, k) { log.push(String(k)); const v = Reflect.get(o, k); return typeof v === 'function' ? v.bind(o) : v; }, getPrototypeOf(o) { log.push('prototype'); return Reflect.getPrototypeOf(o); } });
    await p; await Promise.all([p]); await new Promise((r) => setTimeout(r, 60)); console.log(log.join());`,
  'errors that notice who reads them': `
    import util from 'node:util'; const log = []; class E extends Error { get name() { log.push('name'); return 'AbortError'; } get code() { log.push('code'); return 1; } }
    const f = async (e) => { await null; throw e; }; const all = (e) => Promise.all([f(e), f(e)]).catch(() => {});
    await all(new E('x')); await all(new Proxy(new Error('q'), { get(o, k) { log.push('proxy ' + String(k)); return Reflect.get(o, k); } })); await all({ [util.inspect.custom]() { log.push('inspect'); return 'x'; } });
    await new Promise((r) => setTimeout(r, 60)); console.log(log.join());`,
  'what is collected when nobody holds it any more': { isForV8Only: true, nodeArgs: ['--expose-gc'], source: `
    const refs = []; const note = (x) => { refs.push(new WeakRef(x)); return x; };
    const f = async (i) => { await new Promise((r) => setTimeout(r, i % 3)); const o = note({ i }); if (i % 2) throw o; return o; };
    for (let i = 0; i < 20; i++) await note(f(i)).catch(() => {}); await Promise.all(Array.from({ length: 20 }, (_, i) => note(f(i * 2)))); await Promise.all(Array.from({ length: 20 }, (_, i) => note(f(i)))).catch(() => {});
    (function () { for (let i = 0; i < 20; i++) { note((async () => { await new Promise(() => {}); })()); note(setTimeout(() => {}, 2)); } })();
    await new Promise((r) => setTimeout(r, 120)); for (let i = 0; i < 6; i++) { gc(); await new Promise((r) => setTimeout(r, 10)); } console.log(refs.length, refs.filter((r) => r.deref()).length);` },
  'frozen intrinsics, by hand': `
    for (const one of [Object, Function, Array, Promise, Error, Map, Set, WeakMap, Reflect, JSON, Symbol, Proxy]) { Object.freeze(one); if (one.prototype) Object.freeze(one.prototype); }
    console.log(await Promise.all([1, 2, 3].map(async (i) => { await null; return i; }))); await (async () => { await null; throw new Error('x'); })().catch((e) => console.log(e.stack));`,
  'frozen intrinsics, by the option': { nodeArgs: ['--frozen-intrinsics'], source: `
    console.log(await Promise.all([1, 2, 3].map(async (i) => { await null; return i; })), Object.isFrozen(Promise), Object.isFrozen(Error)); await (async () => { await null; throw new Error('x'); })().catch((e) => console.log(e.stack));
    const t = setTimeout(() => console.log('timer'), 1); console.log(Object.keys(t), Error.stackTraceLimit);` },
  'prototypes that a program has put accessors on': `
    const keys = ['stack', 'value', 'configurable', 'enumerable', 'writable', 'get', 'set', 'owner', 'kind', 'fn', 'id']; let n = 0;
    for (const k of keys) Object.defineProperty(Object.prototype, k, { get() { n++; }, set(v) { Object.defineProperty(this, k, { value: v, writable: true, configurable: true, enumerable: true }); }, configurable: true });
    const f = async (i) => { await new Promise((r) => setTimeout(r, 2)); if (i > 1) throw i; return i; }; let e; try { await Promise.all([f(1), f(2)]); } catch (x) { e = x; } await new Promise((r) => setTimeout(r, 60)); for (const k of keys) delete Object.prototype[k]; console.log(e);`,
  'a clock, timers, a Promise and a file system of the program\'s own': `
    import fs from 'node:fs'; const real = globalThis.setTimeout; globalThis.setTimeout = (f) => { f(); return 1; }; globalThis.clearTimeout = () => {}; Date.now = () => 0; performance.now = () => 5;
    fs.writeSync = fs.openSync = fs.fstatSync = () => { throw new Error('not this one'); }; globalThis.Promise = class X extends Promise {}; console.log(await Promise.all([1, 2].map(async (i) => { await null; return i; }))); real(() => console.log('real'), 30);`,
};
