import type { Programs } from './program';

/** Libraries of the corpus with an adapter between them and the program: what they give, keep and throw. */
export const LIBRARIES: Programs = {
  'tasks that come into a list, or are replaced in it, while a library is at it': `
    import async from 'async'; import pSeries from 'p-series'; import pWaterfall from 'p-waterfall';
    const tasks = [async () => { tasks.push(async () => 'late'); return 1; }, async () => 2]; console.log(await pSeries(tasks));
    const steps = [async (x) => { steps.push(async (y) => y + '!'); return x + 1; }, async (x) => x + 1]; console.log(await pWaterfall(steps, 1));
    const other = [async () => { other[1] = async () => 'replaced'; return 1; }, async () => 2]; console.log(await pSeries(other), other.length, tasks.every((one) => one.name === ''));
    const last = [(cb) => { last.push((cb) => cb(null, 'late')); setTimeout(cb, 1); }, (cb) => cb(null)]; async.waterfall(last, (e, r) => console.log(e, r));`,
  'lists of tasks in every shape': { as: 'program.cjs', source: `
    const async = require('async'); const say = (name) => (e, r) => console.log(name, e, r); let gets = 0;
    function all() { async.parallel(arguments, say('arguments')); } all((cb) => setTimeout(cb, 1, null, 1), (cb) => setTimeout(cb, 1, null, 2));
    async.parallel({ get a() { gets++; return (cb) => cb(null, gets); } }, say('getter')); async.series(Object.freeze([(cb) => cb(null, 1)]), say('frozen')); async.parallel(Object.freeze({ a: (cb) => cb(null, 1) }), say('frozen too'));
    class Tasks extends Array { constructor(...a) { super(...a); console.log('made', a.length); } } const tasks = new Tasks(); tasks.push((cb) => cb(null, 1), (cb) => cb(null, 2)); async.parallel(tasks, say('subclass'));
    async.series(Object.assign(Object.create({ inherited: (cb) => cb(null, 0) }), { a: (cb) => cb(null, 'a') }), say('inherited')); async.series(new Map([['a', (cb) => cb(null, 1)]]), say('map'));
    async.parallel({ length: 2, 0: (cb) => cb(null, 0), 1: (cb) => cb(null, 1) }, say('like an array')); async.auto({ a: ['b', (r, cb) => cb(null, r)], b: (cb) => cb(null, 3) }, say('auto'));
    for (const wrong of [() => async.auto({ a: ['zz', (r, cb) => cb()] }), () => async.waterfall('no', say('x')), () => async.series([1, 2], say('x'))]) try { wrong(); } catch (e) { console.log(e.message); }` },
  'what a limiter tells of itself': `
    import promiseLimit from 'promise-limit'; import pLimit from 'p-limit'; const sleep = () => new Promise((r) => setTimeout(r, 5)); const limit = promiseLimit(1);
    const all = [1, 2, 3].map(() => limit(sleep)); console.log(limit.queue); await Promise.all(all); console.log(limit.queue, limit.length, Reflect.ownKeys(limit).map(String).sort());
    const other = pLimit(2); const two = [1, 2, 3].map(() => other(sleep)); console.log(other.activeCount, other.pendingCount, other.concurrency, other.name, other.length); other.concurrency = 3; await Promise.all(two); console.log(await other.map([1, 2], async (x) => x));`,
  'promises that can be cancelled': { as: 'program.cjs', source: `
    const Bluebird = require('bluebird'); Bluebird.config({ cancellation: true }); let work;
    const all = Bluebird.map([1], () => (work = new Bluebird((ok, no, onCancel) => { const t = setTimeout(ok, 500); setTimeout(callOff, 5); onCancel(() => { clearTimeout(t); console.log('cancelled'); }); })));
    all.then(() => console.log('all'), (e) => console.log(e.message)).finally(() => console.log('finally'));
    function callOff() { work.then(() => console.log('never')).cancel(); setTimeout(() => console.log(work.isCancelled(), work.isFulfilled()), 50); }` },
  'combinators that ask what they were given': { as: 'program.cjs', source: `
    const Bluebird = require('bluebird'); const say = (what) => (v) => console.log(what, v instanceof Error ? v.message : JSON.stringify(v)); let turn = 0; const later = (v) => Bluebird.delay(60 + 25 * turn).then(() => v);
    let asked = 0; const list = { *[Symbol.iterator]() { asked++; yield later(1); yield later(2); } }; Bluebird.all(list).then((v) => console.log(v, asked), say('failed')); turn++;
    let read = 0; Bluebird.props({ get a() { read++; return later(1); }, b: later(2) }).then((v) => console.log(JSON.stringify(v), read)); turn++; Bluebird.props(new Map([['k', later(3)]])).then((v) => console.log([...v])); turn++;
    Bluebird.all('text').then(say('text'), say('not text')); Bluebird.all(Bluebird.resolve([later(1), later(4)])).then(say('promised')); turn++; Bluebird.join(later(1), later(2), (a, b) => a + b).then(say('sum')); turn++; Bluebird.join().then(say('none'));
    const failing = [Bluebird.reject(new Error('at once')), Bluebird.delay(5).then(() => { throw new Error('later'); })]; Bluebird.all(failing).then(say('all'), say('one of all'));
    console.log(Bluebird.all.name, Bluebird.all.length, Bluebird.props.length, Object.keys(Bluebird).length, Bluebird.all([]).isFulfilled()); process.on('unhandledRejection', (e) => console.log('unhandled', e.message)); Bluebird.all([later(1), Bluebird.delay(8).then(() => { throw new Error('nobody'); })]);` },
  'combinators of what can be cancelled': { as: 'program.cjs', source: `
    const Bluebird = require('bluebird'); Bluebird.config({ cancellation: true, longStackTraces: true }); const work = (n) => new Bluebird((ok, no, onCancel) => { const t = setTimeout(ok, 50); onCancel(() => { clearTimeout(t); console.log('cancelled', n); }); });
    const all = Bluebird.all([work(1), work(2)]); all.finally(() => console.log('finally')); setTimeout(() => all.cancel(), 5); const some = [work(3), work(4)]; const props = Bluebird.props({ a: some[0], b: some[1] }); setTimeout(() => { props.cancel(); setTimeout(() => console.log(some.map((p) => p.isCancelled())), 5); }, 10);` },
  'a handler of requests that is frozen': { as: 'program.cjs', source: `
    const { Pool } = require('undici'); const server = require('http').createServer((_, r) => r.end('x')).listen(0, () => {
      const pool = new Pool('http://127.0.0.1:' + server.address().port, { connections: 2 }); const end = () => { pool.close(); server.close(); };
      const handler = Object.freeze({ onConnect() { console.log('connect', this === handler); }, onHeaders(c) { console.log(c); return true; }, onData() { return true; }, onComplete() { console.log('complete'); end(); }, onError(e) { console.log(e.message); end(); } });
      pool.dispatch({ path: '/', method: 'GET' }, handler); });` },
  'a language with less in it': { as: 'program.cjs', source: `
    const async = require('async'), Bottleneck = require('bottleneck'), fastq = require('fastq'), { limitAsync } = require('es-toolkit'), promiseLimit = require('promise-limit');
    delete Array.prototype.with; delete Array.prototype.findLastIndex; delete Array.prototype.at; delete globalThis.Proxy; delete Object.fromEntries;
    async.queue((x, cb) => cb(null, x), 1).push(1, (e, v) => console.log('queue', v)); new Bottleneck({ maxConcurrent: 1 }).schedule(async () => 5).then((v) => console.log('bottleneck', v)); fastq((x, cb) => cb(null, x), 1).push(2, (e, v) => console.log('fastq', v));
    async.mapLimit([1], 1, (x, cb) => cb(null, x), (e, r) => console.log('mapLimit', r)); limitAsync(async (x) => x, 1)(3).then((v) => console.log('limitAsync', v)); promiseLimit(1)(async () => 4).then((v) => console.log('limit', v)); async.parallel([async () => 6], (e, r) => console.log('parallel', r));` },
  'items that a queue has dropped are gone': { as: 'program.cjs', nodeArgs: ['--expose-gc'], source: `
    const async = require('async'), fastq = require('fastq'); const sleep = (ms) => new Promise((r) => setTimeout(r, ms));
    (async () => { const refs = []; const a = async.queue((x, cb) => setTimeout(cb, 5), 1), b = fastq((x, cb) => setTimeout(cb, 5), 1); a.pause(); b.pause();
      (() => { for (let i = 0; i < 5; i++) { const one = { i }, two = { i }; refs.push(new WeakRef(one), new WeakRef(two)); a.push(one); b.push(two, () => {}); } })();
      await sleep(10); a.remove(() => true); b.kill(); for (let i = 0; i < 6; i++) { await sleep(15); gc(); } console.log(refs.filter((r) => r.deref()).length); a.resume(); b.resume(); })();` },
};
