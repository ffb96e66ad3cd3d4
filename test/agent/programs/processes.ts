import type { Programs } from './program';

const quiet = (source: string): string => `${source}\nawait Promise.all([1, 2].map(async (i) => { await null; return i; }));`;

/** What a process is seen to be busy with, what it prints, and how it ends. */
export const PROCESSES: Programs = {
  'standard output and error, byte for byte': `
    process.stdout.write(Buffer.from([0, 200, 10, 13])); process.stderr.write('é€'); for (let i = 0; i < 2000; i++) process.stdout.write('line ' + i + '\\n');
    await Promise.all([1, 2].map(async () => { await null; process.stdout.write('x'); })); console.error('e'); process.stdout.write('a'.repeat(200000)); process.exitCode = 9;`,
  'what comes in': { source: `let t = ''; for await (const c of process.stdin) t += c; console.log(t.length);`, stdin: 'abc\n'.repeat(5000) },
  'beforeExit and exit, in order': `
    process.on('beforeExit', (c) => { console.log('before', c); if (!globalThis.x) { globalThis.x = 1; setTimeout(() => console.log('again'), 5); } });
    process.on('exit', (c) => { console.log('exit', c); Promise.resolve().then(() => console.log('never')); process.nextTick(() => console.log('never')); }); process.prependListener('exit', () => console.log('first')); process.once('exit', () => { console.log('once'); process.exitCode = 6; }); await null;`,
  'an exit from within exit': `process.on('exit', () => { console.log('a'); process.exit(7); }); process.on('exit', () => console.log('b'));`,
  'a reallyExit of the program\'s own': `const really = process.reallyExit; process.reallyExit = function (c) { console.log('really', c); really.call(process, c); }; process.exit(4);`,
  'as many listeners as may be, and one too many': { nodeArgs: ['--no-warnings'], source: `
    process.on('warning', (w) => console.log(w.name)); for (let i = 0; i < 10; i++) process.on('exit', () => {}); await new Promise((r) => setTimeout(r, 5)); console.log('ten'); process.on('exit', () => {}); process.on('exit', () => {}); await new Promise((r) => setTimeout(r, 5));
    process.setMaxListeners(1); process.on('uncaughtExceptionMonitor', () => {}); await new Promise((r) => setTimeout(r, 5)); console.log('one');` },
  'all listeners taken off': `process.removeAllListeners('exit'); process.removeAllListeners(); process.on('exit', () => console.log('mine')); console.log(process.eventNames().length); await null;`,
  'an await at the top of a module that never settles': `process.on('exit', (c) => console.log('exit', c, process.exitCode)); await new Promise(() => {});`,
  'an abort': { on: 'linux', source: `import fs from 'node:fs'; await Promise.all([1, 2].map(async () => { await null; })); console.log('x'); fs.closeSync(2); process.abort();` },
  'a signal of its own that it handles': `process.on('SIGTERM', () => { console.log('term', process.listenerCount('SIGTERM')); process.exitCode = 3; clearInterval(i); }); const i = setInterval(() => {}, 10); setTimeout(() => process.kill(process.pid, 'SIGTERM'), 20);`,
  'handles, requests and resources at work': `
    const told = () => [process._getActiveHandles().map((h) => h.constructor.name), process._getActiveRequests().length, process.getActiveResourcesInfo()]; const before = told();
    setInterval(() => {}, 10).unref(); setTimeout(() => console.log(told()), 10); console.log(before, told());`,
  'performance: observers, marks, the node\'s own times': { nodeArgs: ['--expose-gc'], source: `
    import { PerformanceObserver, performance, monitorEventLoopDelay } from 'node:perf_hooks'; const seen = []; new PerformanceObserver((l) => { for (const e of l.getEntries()) seen.push(e.entryType === 'gc' ? 'gc' : e.entryType + e.name); }).observe({ entryTypes: ['function', 'mark', 'measure', 'gc'] });
    performance.timerify(function foo() {})(); performance.mark('a'); performance.measure('m', 'a'); gc(); console.log(performance.getEntries().map((e) => e.name + e.entryType), Object.keys(performance.nodeTiming), PerformanceObserver.supportedEntryTypes);
    await new Promise((r) => setTimeout(r, 30)); console.log(seen.filter((s) => s !== 'gc'), seen.includes('gc')); const h = monitorEventLoopDelay(); h.enable(); h.disable(); console.log(performance.eventLoopUtilization().idle >= 0);` },
  'its own diagnostics channels': `
    import dc from 'node:diagnostics_channel'; import cp from 'node:child_process'; for (const n of ['http.client.request.start', 'module.require.start', 'net.client.socket', 'mine']) console.log(n, dc.hasSubscribers(n));
    dc.subscribe('child_process', (m, n) => console.log(n, Object.keys(m))); const mine = dc.tracingChannel('mine'); mine.subscribe({ start: () => console.log('start'), asyncEnd: () => console.log('end') }); await mine.tracePromise(async () => { await null; }); cp.spawn(process.execPath, ['-p', '1']);`,
  'Node\'s diagnostics channels, with nothing of Node\'s on them': `
    import dc from 'node:diagnostics_channel'; for (const name of ['http.client.request.created', 'undici:request:create', 'worker_threads', 'child_process']) for (const message of [null, undefined, {}, 7, { request: {}, worker: {}, process: {} }]) dc.channel(name).publish(message);
    setTimeout(() => console.log('on'), 20);`,
  'accessors on Object.prototype': `
    Object.prototype.get = function () { return 1; }; Object.prototype.set = function () {}; const f = async () => { await new Promise((r) => setTimeout(r, 2)); }; await Promise.all([f(), f()]);
    const { stat } = await import('node:fs'); const { gzip } = await import('node:zlib'); stat('.', (e) => { console.log('stat', e); gzip('x', (e) => console.log('zip', e)); });`,
  'a getHeader of the program\'s': `
    import http from 'node:http'; const { getHeader } = http.OutgoingMessage.prototype; http.OutgoingMessage.prototype.getHeader = function (name) { console.log('asked for', name); return getHeader.call(this, name); }; const s = http.createServer((_, r) => r.end('x')); await new Promise((r) => s.listen(0, r));
    const get = () => new Promise((ok) => http.get({ port: s.address().port }, (r) => { r.resume(); r.on('end', ok); })); await Promise.all([get(), get()]); s.close(); console.log('done');`,
  'children that have ended are gone': { nodeArgs: ['--expose-gc'], source: `
    import { spawn } from 'node:child_process'; const sleep = (ms) => new Promise((r) => setTimeout(r, ms)); const refs = []; const run = async (i) => { const big = { i }; const child = spawn(process.execPath, ['-e', '0'], { env: {} }); child.big = big; refs.push(new WeakRef(big)); await new Promise((r) => child.on('close', r)); };
    for (let i = 0; i < 3; i++) await run(i); for (let i = 0; i < 6; i++) { await sleep(20); gc(); } console.log(refs.filter((r) => r.deref()).length);` },
  'little memory, and three hundred thousand promises': { nodeArgs: ['--max-old-space-size=24'], source: `for (let i = 0; i < 300_000; i++) await new Promise((r) => process.nextTick(r)); console.log('through');` },
  'arguments and options': { args: ['a', '--b'], nodeArgs: ['--no-warnings'], source: `console.log(process.argv.length, process.argv.slice(2), process.execArgv, process.title, process.argv0.length); process.env.TZ = 'Asia/Seoul'; console.log(new Date(0).getHours());` },
  'modules: what is main, what is loaded, what they are': { as: 'program.cjs', source: `
    const m = require('module'); console.log(module.children.length, module.parent, require.main === module, process.mainModule === module, module.paths.length, Object.keys(require.extensions), m._preloadModules.length, m._load.toString().length, m.prototype._compile.toString().length, m.prototype.require.toString().length, require.extensions['.js'].name, require.extensions['.js'].length, m._extensions === require.extensions);` },
  'a cleared require.cache': { as: 'program.cjs', source: `for (const key of Object.keys(require.cache)) delete require.cache[key]; (async () => { console.log(await Promise.all([1, 2].map(async (i) => { await null; return i; })), Object.keys(require.cache)); })();` },
  'mocked timers, clocks and modules of node:test': { as: 'program.test.mjs', nodeArgs: ['--test-reporter=tap'], source: `
    import test from 'node:test'; import assert from 'node:assert'; test('mock', (t) => { t.mock.timers.enable({ apis: ['setTimeout', 'setInterval', 'Date'] }); let n = 0; setTimeout(() => n++, 1000); t.mock.timers.tick(1000); console.log(n, Date.now()); }); test('b', async () => { await null; assert.equal(1, 2); });` },
  'requests and streams': `
    import http from 'node:http'; import { Readable } from 'node:stream'; import { pipeline } from 'node:stream/promises'; const s = http.createServer(async (_, r) => { await null; r.end(String(new Error('h').stack.split('\\n').length)); }); await new Promise((r) => s.listen(0, r));
    console.log(await (await fetch('http://127.0.0.1:' + s.address().port)).text()); await new Promise((r) => http.get({ port: s.address().port, agent: false }, (x) => { x.on('data', (d) => console.log(String(d))); x.on('end', r); })); s.close();
    console.log(await Readable.from([1, 2, 3]).map(async (x) => { await null; return x * 2; }, { concurrency: 2 }).toArray()); await pipeline(Readable.from(['a', 'b']), async function* (c) { for await (const x of c) yield x + x; }, process.stdout, { end: false });`,
  'a folder that it leaves, deletes, or changes to': `
    import fs from 'node:fs'; fs.mkdirSync('sub'); process.chdir('sub'); if (process.platform !== 'win32') fs.rmdirSync('../sub'); try { process.cwd(); } catch (e) { console.log(e.code); } console.log(await Promise.all([1, 2].map(async (i) => { await null; return i; }))); process.chdir('/'); console.log(process.cwd().length);`,
  'its standard streams closed': `import fs from 'node:fs'; for (const i of [0, 1, 2]) fs.closeSync(i); process.exitCode = (await Promise.all([1, 2].map(async (i) => { await null; return i; }))).length;`,
  'files that it did not open closed, and their numbers used again': { on: 'linux', source: `
    import fs from 'node:fs'; const ours = fs.readdirSync('/proc/self/fd').filter((n) => { try { return fs.readlinkSync('/proc/self/fd/' + n).endsWith('.facts'); } catch { return false; } }); for (const n of ours) fs.closeSync(+n);
    const fd = fs.openSync('mine.txt', 'w+'); await Promise.all([1, 2, 3].map((i) => new Promise((r) => setTimeout(r, 5, i)))); await new Promise((r) => setTimeout(r, 40)); fs.writeSync(fd, 'hello'); console.log(fs.readFileSync('mine.txt', 'latin1'));` },
  'another user': { on: 'linux', source: quiet(`if (process.getuid() === 0) { process.setgid(65534); process.setuid(65534); } console.log(process.getuid() > 0); const { Worker } = await import('node:worker_threads'); new Worker('1', { eval: true }).on('exit', (c) => console.log('worker', c));`) },
};
