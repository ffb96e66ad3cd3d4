/** Work that flows from one to the next: what takes it in holds back whoever brings more, sources are asked for their next, and stages hand on what they have. */
import { describe, expect, test } from 'vitest';
import { observe } from './observed';

const HEAD = `import { EventEmitter, on, once } from 'node:events'; import { Readable, Transform, Writable } from 'node:stream'; import { pipeline } from 'node:stream/promises';
const sleep = (ms) => new Promise((r) => setTimeout(r, ms));
async function load(i) { await sleep(20 + (i * 7) % 30); return i; }
async function save(i) { await sleep(20 + i % 5); }
`;
const line = (n: number): number => HEAD.split('\n').length - 1 + n;

/** Each `add` is over once the work has begun: tasks are what it leaves running. */
const TAKEN_IN = {
  'waits by a promise of its own': `let active = 0; const waiting = [];
async function add(i) { if (active >= 3) await new Promise((r) => waiting.push(r)); active++; load(i).finally(() => { active--; waiting.shift()?.(); }); }
for (let i = 0; i < 12; i++) await add(i);`,
  'waits for an event': `class Intake extends EventEmitter {
  active = 0; async add(i) { while (this.active >= 3) await once(this, 'free'); this.active++; load(i).catch(() => {}).finally(() => { this.active--; this.emit('free'); }); } }
const intake = new Intake(); for (let i = 0; i < 12; i++) await intake.add(i);`,
  'is let in by the work itself, a chain': `let active = 0; const waiting = []; const through = () => { active--; waiting.shift()?.(); };
async function add(i) { if (active >= 3) await new Promise((r) => waiting.push(r)); active++; void load(i).then(() => sleep(1)).then(through); }
for (let i = 0; i < 12; i++) await add(i);`,
};

describe.each(['v8', 'async_hooks'] as const)('what flows, %s', (backend) => {
  const groupsOf = async (program: string): Promise<Record<string, unknown>[]> => {
    const { groups } = await observe(HEAD + program, { backend, as: 'a.mjs' });
    return groups.map(({ kind, taskCount, peak, site, taskSite }) => ({ kind, taskCount, peak, line: site?.line, task: taskSite?.function }));
  };

  test.each(Object.entries(TAKEN_IN))('is taken in by who %s', async (_, program) => {
    expect(await groupsOf(program)).toEqual([{ kind: 'pool', taskCount: 12, peak: 3, line: line(2), task: 'load' }]);
  });

  test('is no pool where tasks only leave something running, and nobody waits for that', async () => {
    expect(await groupsOf(`async function audit(i) { await sleep(35); return i; }
async function handle(i) { await sleep(12); void audit(i); await sleep(12); }
for (let i = 0; i < 6; i++) await handle(i);`)).toMatchObject([{ kind: 'sequential', taskCount: 6, task: 'handle' }]);
  });

  test('comes of several sources, of which the first to have something is taken', async () => {
    expect(await groupsOf(`async function* merge(...sources) {
  const nexts = new Map();
  const pull = (it) => nexts.set(it, it.next().then((result) => ({ it, result })));
  for (const source of sources) pull(source[Symbol.asyncIterator]());
  while (nexts.size > 0) { const { it, result } = await Promise.race(nexts.values()); if (result.done) nexts.delete(it); else { pull(it); yield result.value; } }
}
const feed = (count, every) => { const events = new EventEmitter(); let n = 0;
  const timer = setInterval(() => { if (n < count) events.emit('one', n++); else { clearInterval(timer); events.emit('end'); } }, every);
  return on(events, 'one', { close: ['end'] }); };
const it = merge(feed(8, 5), feed(6, 7), feed(4, 11));
const lane = () => it.next().then(({ done, value }) => (done ? undefined : load(value[0]).then(lane)));
await Promise.all(Array.from({ length: 3 }, lane));`)).toEqual([{ kind: 'pool', taskCount: 18, peak: 3, line: line(12), task: 'load' }]);
  });

  test('is gathered by size or by time', async () => {
    expect(await groupsOf(`function alarm(ms) { let timer; const promise = new Promise((r) => { timer = setTimeout(r, ms, 'now'); }); return { promise, clear: () => clearTimeout(timer) }; }
async function* batched(source, size, ms) {
  const it = source[Symbol.asyncIterator](); let next = it.next(); let batch = []; let late;
  for (;;) {
    const result = await (batch.length > 0 ? Promise.race([next, late.promise]) : next);
    if (result === 'now') { yield batch; batch = []; continue; }
    if (result.done) break;
    if (batch.push(result.value) === 1) late = alarm(ms);
    next = it.next();
    if (batch.length === size) { late.clear(); yield batch; batch = []; }
  }
}
const events = new EventEmitter(); const pauses = [...Array(20).fill(4), ...Array(4).fill(40)];
(function play(i) { if (i === pauses.length) return events.emit('end'); events.emit('one', i); setTimeout(play, pauses[i], i + 1); })(0);
for await (const batch of batched(on(events, 'one', { close: ['end'] }), 5, 60)) await save(batch[0]);`)).toMatchObject([{ kind: 'sequential', peak: 1, line: line(15), task: 'save' }]);
  });

  test('goes from a stage that works on several at once to one that saves them one by one', async () => {
    const sink = { line: line(7), kind: 'sequential', taskCount: 12, peak: 1, task: 'save' };
    expect(await groupsOf(`class Stage extends Transform {
  running = new Set();
  constructor() { super({ objectMode: true, highWaterMark: 3 }); }
  async _transform(piece, encoding, done) { const one = load(piece).then((row) => this.push(row)).finally(() => this.running.delete(one)); this.running.add(one); if (this.running.size >= 3) await Promise.race(this.running); done(); }
  async _flush(done) { await Promise.all(this.running); done(); }
}
await pipeline(Readable.from([...Array(12).keys()]), new Stage(), new Writable({ objectMode: true, async write(piece, encoding, done) { await save(piece); done(); } }));`))
      .toEqual([{ kind: 'pool', taskCount: 12, peak: 3, line: line(4), task: 'load' }, sink]);
    expect(await groupsOf(`const running = new Set();
const stage = new TransformStream({
  async transform(piece, out) { const one = load(piece).then((row) => out.enqueue(row)).then(() => running.delete(one)); running.add(one); if (running.size >= 3) await Promise.race(running); },
  async flush() { await Promise.all(running); },
}, new CountQueuingStrategy({ highWaterMark: 1 }), new CountQueuingStrategy({ highWaterMark: 4 }));
const source = new ReadableStream({ start() { this.n = 0; }, pull(out) { if (this.n === 12) out.close(); else out.enqueue(this.n++); } });
await source.pipeThrough(stage).pipeTo(new WritableStream({ write(row) { return save(row); } }));`))
      .toEqual([{ kind: 'pool', taskCount: 12, peak: 3, line: line(3), task: 'load' }, sink]);
  });

  test('goes through chunks to who saves what these gave', async () => {
    expect(await groupsOf(`async function* source() { for (let i = 0; i < 18; i++) yield i; }
const batches = (size) => async function* (rows) { let batch = []; for await (const row of rows) if (batch.push(row) === size) { yield batch; batch = []; } if (batch.length > 0) yield batch; };
async function* loaded(rows) { for await (const batch of rows) yield* await Promise.all(batch.map((i) => load(i))); }
async function saved(rows) { for await (const [first] of rows) await save(first); }
await pipeline(source, batches(6), loaded, batches(3), saved);`))
      .toEqual([{ kind: 'chunk', taskCount: 18, peak: 6, line: line(3), task: 'load' }, { kind: 'sequential', taskCount: 6, peak: 1, line: line(4), task: 'save' }]);
  });

  test('waits in a stream for callbacks', async () => {
    expect(await groupsOf(`function job(i, done) { setTimeout(done, 20 + (i * 7) % 30); }
class Sink extends Writable {
  running = 0; parked = undefined; last = undefined;
  constructor() { super({ objectMode: true, highWaterMark: 1 }); }
  _write(piece, encoding, done) { this.running++; job(piece, () => this.through()); this.parked = done; this.admit(); }
  through() { this.running--; this.admit(); if (this.running === 0) this.last?.(); }
  admit() { const { parked } = this; if (!parked || this.running >= 3) return; this.parked = undefined; parked(); }
  _final(done) { if (this.running === 0) done(); else this.last = done; }
}
await pipeline(Readable.from([...Array(12).keys()]), new Sink());`)).toEqual([{ kind: 'pool', taskCount: 12, peak: 3, line: line(5), task: 'job' }]);
  });

  test.each([
    ['an event that may never come', `const bus = new EventEmitter();
bus.on('pay', (i) => { if (i !== 4) setTimeout(() => bus.emit('paid' + i, i), 15 + (i * 7) % 30); });
function pay(i) { const receipt = once(bus, 'paid' + i); bus.emit('pay', i); return receipt.then(([paid]) => paid); }
setTimeout(() => process.exit(0), 500);`],
    ['a sleep with a signal', `import { setTimeout as rest } from 'node:timers/promises'; const stop = new AbortController();
const pay = (i) => rest(15 + (i * 7) % 30, i, { signal: stop.signal }).then((paid) => paid);`],
  ])('goes along rails of then over %s', async (_, pay) => {
    expect(await groupsOf(`${pay}
const open = [...Array(12).keys()];
const rail = () => { const i = open.shift(); return i === undefined ? Promise.resolve() : pay(i).then(() => {}).then(rail); };
await Promise.all([rail(), rail(), rail()]);`)).toMatchObject([{ kind: 'pool', taskCount: 12, peak: 3, task: 'pay' }]);
  });

  test('goes in chunks that an event began and timers go on with', async () => {
    expect(await groupsOf(`const bus = new EventEmitter(); const open = [...Array(10).keys()];
async function drain() {
  if (open.length === 0) return;
  Promise.allSettled(open.splice(0, 4).map(load)).then(() => { setTimeout(() => { drain(); }, 15); });
}
bus.once('go', drain);
setTimeout(() => bus.emit('go'), 5);`)).toMatchObject([{ kind: 'chunk', taskCount: 10, peak: 4, task: 'load' }]);
  });
});
