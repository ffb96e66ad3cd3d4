import { describe, expect, test } from 'vitest';
import { NODE_MAJORS, findNodes } from '../../scripts/tools.mjs';
import { needed } from '../support/needs';
import { observe, runPlain, type How } from './observed';

const nodes = findNodes();
const ownMajor = Number(process.versions.node.split('.')[0]);
const runs = [
  ...NODE_MAJORS.map((major) => ({ major, backend: 'v8' as const })),
  { major: ownMajor, backend: 'async_hooks' as const },
];

/** Line 2 is the job. */
const JOB = `const TIMES = [12, 30, 45, 20, 33, 17, 25, 40];
function job(n, done) { setTimeout(() => done(null, n), TIMES[n]); }
`;

/** Six lines: eight small files. */
const FILES = `const fs = require('node:fs'); const zlib = require('node:zlib');
const dir = fs.mkdtempSync(require('node:path').join(require('node:os').tmpdir(), 'async-lanes-callbacks-'));
process.on('exit', () => fs.rmSync(dir, { recursive: true }));
const files = Array.from({ length: 8 }, (_, n) => dir + '/' + n);
for (const [n, file] of files.entries()) fs.writeFileSync(file, 'text '.repeat(500 + n * 200));

`;

interface Case { readonly source: string; readonly groups: readonly object[]; /** How many tasks of the first one waited for their start at least. */ readonly queued?: number; /** What no task takes, in milliseconds. */ readonly shorterThan?: number }

const CASES: Readonly<Record<string, Case>> = {
  'whose jobs try a step of theirs again: that is no pool besides': {
    source: `${FILES}const tries = {};
function upload(n, done) { setTimeout(() => { tries[n] = (tries[n] || 0) + 1; done(n % 3 === 2 && tries[n] === 1 ? new Error('again') : null); }, 10 + n * 7 % 30); }
function retry(times, fn, done) { fn((error) => { if (error && times > 1) setTimeout(() => retry(times - 1, fn, done), 5); else done(error); }); }
function convert(file, done) { fs.readFile(file, () => { retry(3, (cb) => upload(files.indexOf(file), cb), done); }); }
function all(list, n, fn) { let at = 0; function next() { if (at < list.length) fn(list[at++], () => next()); } for (let k = 0; k < n; k++) next(); }
all(files, 4, convert);`,
    groups: [{ kind: 'pool', taskCount: 8, peak: 4, taskSite: { function: 'convert' } }],
  },
  'whose lanes begin with a step of their own': {
    source: `const queue = [...Array(14).keys()];
function connect(id, cb) { setTimeout(() => cb(null, { id }), 10 + id); }
function handle(job, cb) { setTimeout(() => cb(null), 10 + job * 7 % 30); }
function lane(id) { connect(id, () => { (function next() { const job = queue.shift(); if (job !== undefined) handle(job, () => { next(); }); })(); }); }
for (let i = 0; i < 3; i++) lane(i);`,
    groups: [{ kind: 'pool', taskCount: 14, peak: 3, taskSite: { function: 'handle' } }],
  },
  'a semaphore that calls what it is given, at once or when another one leaves, for jobs one of which asks twice': {
    source: `const http = require('node:http');
const server = http.createServer((req, res) => { setTimeout(() => { res.statusCode = req.url === '/5' && req.method === 'HEAD' ? 405 : 200; res.end(); }, 10 + req.url.length * 7 % 20); });
function request(method, n, done) { http.request({ port: server.address().port, method, path: '/' + n, agent: false }, (res) => { res.resume(); res.on('end', () => done(res.statusCode)); }).end(); }
function check(n, done) {
  request('HEAD', n, (code) => { if (code === 405) request('GET', n, done); else done(code); });
}
function semaphore(free) {
  const line = [];
  return {
    take(fn) { if (free === 0) { line.push(fn); return; } free--; fn(); },
    leave() { const next = line.shift(); if (next) next(); else free++; },
  };
}
function all(count, done) {
  const slots = semaphore(3); let left = count;
  for (let n = 0; n < count; n++) slots.take(() => {
    check(n, () => { slots.leave(); if (--left === 0) done(); });
  });
}
server.listen(0, () => all(10, () => server.close()));`,
    groups: [{ kind: 'pool', peak: 3, taskCount: 10, library: undefined, site: { line: 10, function: 'take' }, taskSite: { line: 4, function: 'check' } }],
  },
  'a function that fills free slots, called by each callback': {
    source: `${JOB}const tasks = TIMES.map((_, n) => (done) => job(n, done));
let running = 0, index = 0;
function next() {
  while (running < 3 && index < tasks.length) {
    running++;
    tasks[index++](() => { running--; next(); });
  }
}
next();`,
    groups: [{ kind: 'pool', peak: 3, taskCount: 8, fulfilled: 8, library: undefined, site: { line: 8, function: 'next' }, taskSite: { line: 2, function: 'job' } }],
  },
  'requests whose time a timer limits, set before or behind them': {
    source: `const fs = require('node:fs'), http = require('node:http');
const server = http.createServer((req, res) => setTimeout(() => res.end('x'), req.url === '/5' ? 300 : 15 + Number(req.url.slice(1)) * 7 % 30)).listen(0, begin);
function job(n, done) {
  let isOver = false, timer; const finish = (error) => { if (isOver) return; isOver = true; clearTimeout(timer); done(error); };
  if (n % 2) timer = setTimeout(() => { request.destroy(); finish(new Error('late')); }, 90);
  const request = http.get({ port: server.address().port, path: '/' + n, agent: false }, (res) => { res.resume(); res.on('end', () => finish()); });
  request.on('error', finish);
  if (n % 2 === 0) timer = setTimeout(() => { request.destroy(); finish(new Error('late')); }, 90);
}
function begin() {
  let running = 0, i = 0;
  function next() { if (i === 12 && running === 0) server.close(); while (running < 3 && i < 12) { running++; job(i++, () => { running--; next(); }); } }
  next();
}`,
    groups: [{ kind: 'pool', peak: 3, taskCount: 12, site: { function: 'next' }, taskSite: { line: 3, function: 'job' } }],
  },
  'time limits of what somebody else answers, some of which run out: no jobs': {
    source: `const { EventEmitter } = require('node:events');
const answers = new EventEmitter(), open = new Map(), backlog = Array.from({ length: 16 }, (_, id) => id);
setInterval(() => { for (const id of open.keys()) if (id % 5 !== 3) { answers.emit('answer', id); break; } }, 4).unref();
answers.on('answer', settle);
function send(id) { open.set(id, setTimeout(() => settle(id), 60)); }
function pump() { while (open.size < 3 && backlog.length) send(backlog.shift()); }
function settle(id) { clearTimeout(open.get(id)); open.delete(id); pump(); }
pump();`,
    groups: [],
  },
  'a job of which the next pool, or what comes behind a failure, goes on': {
    source: `${JOB}function mapLimit(items, limit, iteratee, done) {
  let started = 0, finished = 0, failed = false;
  function launch() {
    iteratee(items[started++], (error) => {
      if (failed) return;
      if (error) { failed = true; return done(error); }
      if (++finished === items.length) return done(null);
      if (started < items.length) launch();
    });
  }
  for (let n = 0; n < limit; n++) launch();
}
const check = (n, done) => setTimeout(() => done(n === 6 ? new Error('no') : null), TIMES[n]);
mapLimit([0, 1, 2, 3, 4, 5, 6, 7], 3, job, () => {
  mapLimit([0, 1, 2, 3, 4, 5, 6, 7], 3, check, () => { setTimeout(() => {}, 600); });
});`,
    groups: [{ kind: 'pool', peak: 3, taskCount: 8, taskSite: { function: 'job' } }, { kind: 'pool', peak: 3, taskCount: 8, taskSite: { function: 'check' } }],
    shorterThan: 600,
  },
  'a queue that goes on at the end of the current operation': {
    source: `${JOB}class Queue {
  running = 0; waiting = [];
  push(task) { this.waiting.push(task); process.nextTick(this.next.bind(this)); }
  next() {
    while (this.running < 2 && this.waiting.length > 0) {
      this.running++;
      this.waiting.shift()(() => { this.running--; process.nextTick(this.next.bind(this)); });
    }
  }
}
const queue = new Queue();
for (const n of TIMES.keys()) queue.push((done) => job(n, done));`,
    groups: [{ kind: 'pool', peak: 2, taskCount: 8, fulfilled: 8, site: { line: 9 }, taskSite: { line: 2 } }],
  },
  'jobs that tell of their end by an event': {
    source: `const { EventEmitter } = require('node:events');
class Job extends EventEmitter { run(ms) { setTimeout(() => this.emit('done'), ms); } }
const waiting = [12, 30, 45, 20, 33];
function start() {
  if (waiting.length === 0) return;
  const job = new Job();
  job.on('done', () => start());
  job.run(waiting.shift());
}
start(); start();`,
    groups: [{ kind: 'pool', peak: 2, taskCount: 5, fulfilled: 5, site: { line: 8 }, taskSite: { line: 2 } }],
  },
  'a queue that looks for what comes next a tick later, for jobs of two functions': {
    source: `${JOB}const queue = []; let running = 0;
function push(task) { queue.push(task); process.nextTick(next); }
function next() {
  while (running < 3 && queue.length > 0) {
    running++;
    queue.shift()(() => { running--; process.nextTick(next); });
  }
}
const page = (n) => (done) => { setTimeout(done, TIMES[n]); };
const list = (n) => (done) => { setTimeout(() => { push(page(n)); push(page(n + 1)); done(); }, TIMES[n]); };
for (const n of [0, 1, 2, 4, 6]) push(list(n));`,
    groups: [{ kind: 'pool', peak: 3, taskCount: 15, fulfilled: 15 }],
  },
  'the same by setImmediate, where the first two happen to be through at once': {
    source: `const TIMES = [30, 30, 25, 45, 20, 33, 17, 25];
let at = 0, running = 0;
function job(n, done) { setTimeout(done, TIMES[n]); }
function pump() { while (running < 2 && at < 8) { running++; job(at++, () => { running--; setImmediate(pump); }); } }
setImmediate(pump);`,
    groups: [{ kind: 'pool', peak: 2, taskCount: 8, fulfilled: 8 }],
  },
  'a pool whose next job is called for by setImmediate, when one is through': {
    source: `const TIMES = [30, 30, 25, 45, 20, 33, 17, 25];
let at = 0, running = 0;
function job(n, done) { setTimeout(done, TIMES[n]); }
function pump() { while (running < 3 && at < 8) { running++; job(at++, () => { running--; setImmediate(pump); }); } }
pump();`,
    groups: [{ kind: 'pool', peak: 3, taskCount: 8, fulfilled: 8, site: { line: 4 }, taskSite: { line: 3 } }],
  },
  'a pool that looks for its next job a moment after one is through': {
    source: `const TIMES = [30, 40, 62, 45, 20, 33, 17, 25];
let at = 0, running = 0;
function job(n, done) { setTimeout(done, TIMES[n]); }
function pump() { while (running < 3 && at < 8) { running++; job(at++, () => { running--; setTimeout(pump, 12); }); } }
pump();`,
    groups: [{ kind: 'pool', peak: 3, taskCount: 8, fulfilled: 8, site: { line: 4 }, taskSite: { line: 3 } }],
  },
  'rounds whose next one is called for by setImmediate, when jobs of two steps are through': {
    source: `const fs = require('node:fs');
const TIMES = [30, 45, 20, 33, 17, 25, 38];
function job(n, done) { fs.stat('.', () => { setTimeout(done, TIMES[n]); }); }
let at = 0;
(function round() {
  let left = Math.min(3, 7 - at);
  for (const until = at + left; at < until; at++) job(at, () => { if (--left === 0 && at < 7) setImmediate(round); });
})();`,
    groups: [{ kind: 'chunk', peak: 3, taskCount: 7, fulfilled: 7, taskSite: { line: 3 } }],
  },
  'a pool whose jobs are an interval each, and that somebody resumes by a timer once it is quiet': {
    source: `const PARTS = [3, 4, 2, 3, 2, 4, 3, 2];
let at = 0, running = 0, started = 0, isPaused = false;
function encode(parts, done) { let seen = 0; const timer = setInterval(() => { if (++seen < parts) return; clearInterval(timer); done(); }, 11); }
function fill() {
  while (!isPaused && running < 3 && at < 8) {
    running++;
    encode(PARTS[at++], function finished() { running--; fill(); if (isPaused && running === 0) setTimeout(resume, 30); });
    if (++started === 5) isPaused = true;
  }
}
function resume() { isPaused = false; fill(); }
fill();`,
    groups: [{ kind: 'pool', peak: 3, taskCount: 8, fulfilled: 8, site: { line: 7 }, taskSite: { line: 3 } }],
  },
  'nothing, of intervals that go on when another one has begun': {
    source: `let count = 0;
function beat(left) { const timer = setInterval(() => { if (++count % 3 === 0 && left > 0) beat(left - 1); if (count > 20) clearInterval(timer); }, 8); }
function start() { beat(2); beat(2); }
start();`,
    groups: [],
  },
  'a pool and chunks of promises that one function of callbacks does the work of, and one of its jobs that is tried again': {
    source: `const http = require('node:http');
let refused = 0;
const server = http.createServer((request, response) => {
  if (request.url === '/2' && refused++ === 0) { response.statusCode = 429; response.end(); return; }
  setTimeout(() => { response.end(); }, 25 + (Number(request.url.slice(1)) * 11) % 30);
});
function get(n, done) { http.get({ port: server.address().port, path: '/' + n, agent: false }, (response) => { response.resume(); response.on('end', () => done(response.statusCode)); }); }
function visit(n, done) { const attempt = () => { get(n, (code) => { if (code === 429) setTimeout(attempt, 20); else done(); }); }; attempt(); }
function crawl(finished) {
  let at = 0, running = 0;
  const schedule = () => {
    if (at === 8 && running === 0) { finished(); return; }
    while (running < 3 && at < 8) { running++; visit(at++, () => { running--; schedule(); }); }
  };
  schedule();
}
const fetchImage = (n) => new Promise((resolve) => { get(n, resolve); });
async function fetchImages() {
  for (const n of [10, 14, 18]) await Promise.all([n, n + 1, n + 2].map(fetchImage));
  server.close();
}
server.listen(0, () => { crawl(fetchImages); });`,
    groups: [
      { kind: 'pool', peak: 3, taskCount: 8, fulfilled: 8, site: { line: 13 }, taskSite: { line: 8 } },
      { kind: 'chunk', peak: 3, taskCount: 9, fulfilled: 9, taskSite: { line: 17 } },
    ],
  },
  'nothing, of a function that goes on with itself at the end of each of several things it does': {
    source: `const { setTimeout: set } = globalThis;
function step(n, done) { set(done, 5 + n); }
function job(n, done) { let left = 3; const again = () => { step(n, () => { if (--left > 0) setImmediate(again); else done(); }); }; again(); }
for (const n of [1, 3, 6]) job(n, () => {});`,
    groups: [],
  },
  'a job of two timers, one in the callback of the other': {
    source: `const TIMES = [12, 30, 15, 20, 33];
function job(n, done) { setTimeout(() => setTimeout(() => done(), TIMES[n]), 10); }
let index = 0;
function next() { if (index < TIMES.length) job(index++, () => next()); }
next(); next();`,
    groups: [{ kind: 'pool', peak: 2, taskCount: 5, fulfilled: 5, site: { line: 4 }, taskSite: { line: 2 } }],
  },
  'a pool inside of an async function, and jobs that never end': {
    source: `${JOB}TIMES.splice(6, 2, 9000, 9000);
async function main() {
  await new Promise((resolve) => {
    let running = 0, index = 0;
    const next = () => { while (running < 3 && index < 8) { running++; job(index++, () => { running--; if (index === 8) resolve(); else next(); }); } };
    next();
  });
  setImmediate(() => process.exit());
}
main();`,
    groups: [{ kind: 'pool', peak: 3, taskCount: 8, pending: 2, site: { line: 7 }, taskSite: { line: 2 } }],
  },
  'jobs that read, pack and write a file, each by a callback of Node\'s': {
    source: `${FILES}function pack(file, done) {
  fs.readFile(file, (error, data) => zlib.deflate(data, (error, packed) => fs.writeFile(file + '.z', packed, (error) => { done(error); })));
}
function eachLimit(list, limit, work) {
  let index = 0, running = 0;
  function next() { while (running < limit && index < list.length) { running++; work(list[index++], () => { running--; next(); }); } }
  next();
}
eachLimit(files, 3, pack);`,
    groups: [{ kind: 'pool', peak: 3, taskCount: 8, fulfilled: 8, library: undefined, site: { line: 12 }, taskSite: { line: 7, function: 'pack' } }],
  },
  'a function that takes the next file in the callback of the one before': {
    source: `${FILES}function next() { if (files.length > 0) fs.readFile(files.shift(), () => { next(); }); }
next(); next();`,
    groups: [{ kind: 'pool', peak: 2, taskCount: 8, fulfilled: 8, taskSite: { line: 7, function: 'next' } }],
  },
  'keys that are derived, and names that are looked up': {
    source: `const crypto = require('node:crypto'); const dns = require('node:dns');
let keys = 0, names = 0;
const derive = () => { if (keys++ < 8) crypto.pbkdf2('secret', 'salt' + keys, 5000, 32, 'sha256', () => derive()); };
function find(done) { names++; dns.lookup('localhost', done); }
let running = 0;
function look() { while (running < 2 && names < 9) { running++; find(() => { running--; look(); }); } }
derive(); derive(); derive();
look();`,
    groups: [
      { kind: 'pool', peak: 3, taskCount: 8, fulfilled: 8, taskSite: { line: 3, function: 'derive' } },
      { kind: 'pool', taskCount: 9, fulfilled: 9, site: { line: 6 }, taskSite: { line: 4, function: 'find' } },
    ],
  },
  'answers to requests that are read to their end': {
    source: `const http = require('node:http');
const server = http.createServer((request, response) => { setTimeout(() => response.end('body'), 10 + (Number(request.url.slice(1)) % 3) * 8); });
function get(n, done) { http.get({ port: server.address().port, path: '/' + n }, (response) => { response.on('data', () => {}); response.on('end', () => done()); }); }
let sent = 0, running = 0, answered = 0;
function next() { while (running < 3 && sent < 9) { running++; get(sent++, () => { running--; if (++answered === 9) server.close(); else next(); }); } }
server.listen(0, () => next());`,
    groups: [{ kind: 'pool', peak: 3, taskCount: 9, fulfilled: 9, site: { line: 5 }, taskSite: { line: 3, function: 'get' } }],
  },
  'a Transform that holds its callback back while three are at work': {
    source: `${JOB}const { Readable, Transform, Writable, pipeline } = require('node:stream');
class Parallel extends Transform {
  running = 0; held = undefined; last = undefined;
  constructor() { super({ objectMode: true, highWaterMark: 4 }); }
  _transform(n, encoding, done) {
    this.running++;
    job(n % 8, () => {
      this.running--;
      this.push({ n });
      if (this.held) { const go = this.held; this.held = undefined; go(); } else if (this.last && this.running === 0) this.last();
    });
    if (this.running < 3) done(); else this.held = done;
  }
  _flush(done) { if (this.running > 0) this.last = done; else done(); }
}
const sink = new Writable({ objectMode: true, write(one, encoding, done) { done(); } });
pipeline(Readable.from([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]), new Parallel(), sink, () => {});`,
    groups: [{ kind: 'pool', peak: 3, taskCount: 12, fulfilled: 12, taskSite: { line: 2, function: 'job' } }],
  },
  'a task that tries again is one task': {
    source: `${FILES}let failures = 0;
function load(file, tries, done) {
  fs.readFile(tries === 0 ? file + '.missing' : file, (error) => { if (error) { failures++; load(file, tries + 1, done); } else done(); });
}
let running = 0;
function next() { while (running < 3 && files.length > 0) { running++; load(files.shift(), files.length % 3 === 1 ? 0 : 1, () => { running--; next(); }); } }
next();
process.on('exit', () => console.log(failures));`,
    groups: [{ kind: 'pool', peak: 3, taskCount: 8, fulfilled: 8, taskSite: { line: 8, function: 'load' } }],
  },
  'jobs that wait again and again, and events that say when one is through': {
    source: `const { EventEmitter } = require('node:events');
class Queue extends EventEmitter {
  constructor() { super(); this.free = 3; this.jobs = []; this.on('push', () => this.fill()); this.on('free', () => this.fill()); }
  push(job) { this.jobs.push(job); this.emit('push'); }
  fill() {
    while (this.free > 0 && this.jobs.length > 0) {
      this.free--;
      deliver(this.jobs.shift(), () => { this.free++; this.emit('free'); });
    }
  }
}
function deliver(job, done) {
  const server = new EventEmitter();
  let steps = 3;
  const speak = () => { if (steps-- === 0) done(); else setTimeout(() => server.emit('reply'), 6 + (job * 17) % 23); };
  server.on('reply', () => speak());
  speak();
}
const queue = new Queue();
for (let job = 0; job < 6; job++) queue.push(job);
setTimeout(() => { for (let job = 6; job < 10; job++) queue.push(job); }, 40);`,
    groups: [{ kind: 'pool', peak: 3, taskCount: 10, fulfilled: 10, site: { line: 8, function: 'fill' }, taskSite: { line: 12, function: 'deliver' } }],
  },
  'nothing, of files that are read at once, piece by piece, and of folders in folders': {
    source: `${FILES}const path = require('node:path');
for (const file of files) fs.readFile(file, () => {});
function pieces(file) {
  fs.open(file, 'r', (error, fd) => {
    const buffer = Buffer.alloc(256);
    const next = () => fs.read(fd, buffer, 0, 256, null, (error, size) => { if (size > 0) next(); else fs.close(fd, () => {}); });
    next();
  });
}
for (const file of files) pieces(file);
for (const one of ['a', 'b', 'c', 'd', 'a/a', 'a/b', 'b/a', 'b/b', 'c/a']) fs.mkdirSync(path.join(dir, one));
function walk(folder) { fs.readdir(folder, { withFileTypes: true }, (error, list) => { for (const one of list) if (one.isDirectory()) walk(path.join(folder, one.name)); }); }
walk(dir);
function poll(file, left) { fs.stat(file, () => { if (left > 0) setTimeout(() => poll(file, left - 1), 2); }); }
for (const file of files) poll(file, 5);`,
    groups: [],
  },
  'promises in front of a queue of callbacks, as one pool with the failures that the promises tell of': {
    source: `const TIMES = [12, 30, 45, 20, 33, 17, 25, 40];
class Queue {
  active = 0; waiting = [];
  submit(n) { return new Promise((resolve, reject) => { this.waiting.push({ n, resolve, reject }); this.next(); }); }
  next() {
    while (this.active < 2 && this.waiting.length > 0) {
      this.active++;
      const { n, resolve, reject } = this.waiting.shift();
      this.run(n, (error) => { this.active--; this.next(); if (error) reject(error); else resolve(n); });
    }
  }
  run(n, done) { setTimeout(() => done(n === 3 ? new Error('three') : undefined), TIMES[n]); }
}
const queue = new Queue();
Promise.allSettled(TIMES.map((_, n) => queue.submit(n))).then(() => {});`,
    groups: [{ kind: 'pool', peak: 2, taskCount: 8, fulfilled: 7, rejected: 1, site: { line: 15 }, taskSite: { line: 12, function: 'run' } }],
    queued: 5,
  },
  'promises in front of callbacks, as the pool of promises that they are': {
    source: `${FILES}const read = (file) => new Promise((resolve) => { fs.readFile(file, (error, data) => { resolve(data); }); });
async function worker() { while (files.length > 0) await read(files.shift()); }
Promise.all([worker(), worker()]);`,
    groups: [{ kind: 'pool', taskCount: 8, fulfilled: 8 }],
  },
  'promises whose executors wait, each called a tick after the one before': {
    source: `function archive(n) {
  return new Promise((resolve, reject) => { setTimeout(() => { if (n === 3) reject(new Error('empty')); else resolve(n); }, 15 + (n * 7) % 20); });
}
const docs = [0, 1, 2, 3, 4, 5, 6, 7, 8]; const next = (done) => process.nextTick(done, docs.shift());
function lane() { next((doc) => { if (doc !== undefined) archive(doc).then(lane, lane); }); }
lane(); lane(); lane();`,
    groups: [{ kind: 'pool', peak: 3, lanes: 3, taskCount: 9, fulfilled: 8, rejected: 1, site: { line: 5 }, taskSite: { line: 1, function: 'archive' } }],
  },
  'nothing, of timers that put themselves off again': {
    source: `let count = 0;
function tick() { if (count++ < 30) setTimeout(tick, 4); }
tick(); tick();
class Loop { left = 6; run() { if (this.left-- > 0) this.schedule(); } schedule() { setTimeout(() => this.run(), 5); } }
new Loop().run(); new Loop().run();
function poll(left) { ask(() => { if (left > 0) setTimeout(() => poll(left - 1), 5); }); }
function ask(answer) { setTimeout(answer, 3); }
poll(5); poll(5);`,
    groups: [],
  },
  'chunks: what is counted down calls for the next few': {
    source: `${JOB}function round(from, done) {
  let pending = 0;
  for (let n = from; n < Math.min(from + 3, 8); n++) { pending++; job(n, () => { if (--pending === 0) done(from + 3); }); }
}
const next = (from) => { if (from < 8) round(from, next); };
next(0);`,
    groups: [{ kind: 'chunk', peak: 3, taskCount: 8, fulfilled: 8, chunks: 3, library: undefined, site: { line: 5, function: 'round' }, taskSite: { line: 2, function: 'job' } }],
  },
  'chunks of several waits, the next of which a timer calls for': {
    source: `const { scrypt } = require('node:crypto');
function account(n, done) { scrypt('a', 'b', 16, { N: 256 }, () => { setTimeout(() => done(n), 10 + (n * 5) % 12); }); }
(function next(from) {
  let pending = 4;
  if (from < 12) [0, 1, 2, 3].forEach((i) => { account(from + i, () => { if (--pending === 0) setTimeout(next, 15, from + 4); }); });
})(0);`,
    groups: [{ kind: 'chunk', peak: 4, taskCount: 12, fulfilled: 12, chunks: 3, library: undefined, taskSite: { line: 2, function: 'account' } }],
  },
  'chunks, the next of which are put off until the loop has turned': {
    source: `${JOB}function all(list, work, done) {
  let pending = list.length;
  list.forEach((item) => { work(item, () => { if (--pending === 0) done(); }); });
}
(function next(from) {
  if (from < 8) all([...TIMES.keys()].slice(from, from + 4), job, () => setImmediate(next, from + 4));
})(0);`,
    groups: [{ kind: 'chunk', peak: 4, taskCount: 8, chunks: 2, site: { line: 5 }, taskSite: { line: 2, function: 'job' } }],
  },
  'a Transform that keeps its callback where it is full, and work that streams do': {
    source: `const { Readable, Transform } = require('node:stream'), { gzip } = require('node:zlib');
let running = 0, kept, flushed;
const over = () => { running--; const callback = kept; kept = undefined; if (callback) callback(); else if (running === 0) flushed?.(); };
const parallel = new Transform({ objectMode: true, highWaterMark: 1,
  transform(n, encoding, callback) { running++; if (running < 3) callback(); else kept = callback; pack(n, over); },
  flush(callback) { if (running === 0) callback(); else flushed = callback; },
});
function pack(n, done) { setTimeout(() => { gzip('text '.repeat(200), () => { done(); }); }, 10 + n * 7 % 20); }
Readable.from([1, 2, 3, 4, 5, 6, 7, 8, 9]).pipe(parallel).resume();`,
    groups: [{ kind: 'pool', peak: 3, taskCount: 9, fulfilled: 9, taskSite: { line: 8, function: 'pack' } }],
  },
  'a loop: each is called for when the one before is through': {
    source: `${JOB}const rows = [...TIMES.keys()];
function next() { if (rows.length > 0) job(rows.shift(), () => { next(); }); }
next();`,
    groups: [{ kind: 'sequential', peak: 1, taskCount: 8, fulfilled: 8, site: { line: 4, function: 'next' }, taskSite: { line: 2, function: 'job' } }],
  },
  'a loop of what a stream is given to write': {
    source: `${JOB}const { Readable, Writable } = require('node:stream');
const table = new Writable({ objectMode: true, write(n, encoding, done) { save(n, () => { done(); }); } });
function save(n, done) { job(n, () => { done(); }); }
Readable.from([0, 1, 2, 3, 4, 5]).pipe(table);`,
    groups: [{ kind: 'sequential', peak: 1, taskCount: 6, fulfilled: 6 }],
  },
  'jobs for what a stream says there is, which is paused while three are at work': {
    source: `${JOB}const { Readable } = require('node:stream');
const source = Readable.from([0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2]); let running = 0;
source.on('data', (n) => {
  if (++running >= 3) source.pause();
  job(n, () => { running--; if (source.isPaused()) source.resume(); });
});`,
    groups: [{ kind: 'pool', peak: 3, taskCount: 11, fulfilled: 11, taskSite: { line: 2, function: 'job' } }],
  },
  'loops of streams one behind the other, whose functions wait themselves': {
    source: `const { Readable, Transform, Writable, pipeline } = require('node:stream'), { gzip } = require('node:zlib');
const render = new Transform({ objectMode: true, transform(n, encoding, done) { setTimeout(() => done(null, n * 2), 12 + n); } });
const save = new Writable({ objectMode: true, write(n, encoding, done) { setTimeout(() => gzip('text', (error) => done(error)), 16); } });
pipeline(Readable.from([1, 2, 3, 4, 5, 6]), render, save, () => {});`,
    groups: [
      { kind: 'sequential', peak: 1, taskCount: 6, fulfilled: 6, site: { line: 2 }, taskSite: { line: 2, function: 'transform' } },
      { kind: 'sequential', peak: 1, taskCount: 6, fulfilled: 6, site: { line: 3 }, taskSite: { line: 3, function: 'write' } },
    ],
  },
  'a pool that begins with one at a time': {
    source: `${JOB}const rows = [...TIMES.keys()]; let room = 1, active = 0;
function fill() { while (active < room && rows.length > 0) { active++; job(rows.shift(), () => { active--; if (rows.length < 5) room = 3; fill(); }); } }
fill();`,
    groups: [{ kind: 'pool', peak: 3, taskCount: 8, fulfilled: 8, taskSite: { line: 2, function: 'job' } }],
  },
  'processes that a loop starts, which waits for an event until there is room': {
    source: `const { execFile } = require('node:child_process'), { EventEmitter, once } = require('node:events');
const bus = new EventEmitter(); let running = 0;
function compile(n) { execFile(process.execPath, ['-e', ''], () => { bus.emit('finished'); }); }
bus.on('finished', () => { running--; bus.emit('free'); });
(async function build() {
  for (let n = 0; n < 6; n++) { while (running >= 2) await once(bus, 'free'); running++; compile(n); }
})();`,
    groups: [{ kind: 'pool', peak: 2, taskCount: 6, fulfilled: 6, site: { line: 6, function: 'build' }, taskSite: { line: 3, function: 'compile' } }],
  },
  'processes, one of which fails and one of which takes too long and is killed': {
    source: `const { execFile } = require('node:child_process');
const codes = ['', '', 'process.exit(3)', '', 'setInterval(() => {}, 9999)', '']; let running = 0, at = 0;
function launch(n) { execFile(process.execPath, ['-e', codes[n]], { timeout: n === 4 ? 80 : 0 }, () => { running--; fill(); }); }
function fill() { while (running < 2 && at < codes.length) { running++; launch(at++); } }
fill();`,
    groups: [{ kind: 'pool', peak: 2, taskCount: 6, fulfilled: 4, rejected: 2, taskSite: { line: 3, function: 'launch' } }],
  },
  'nothing, of jobs begun in one go by an interval': {
    source: `${JOB}let ticks = 0;
const start = (n) => job(n, () => {});
const interval = setInterval(() => { if (++ticks === 3) clearInterval(interval); for (const n of [0, 3, 5]) start(n); }, 60);`,
    groups: [],
  },
  'nothing, of timers set at once, an interval and what is put off until there is quiet': {
    source: `for (let i = 0; i < 6; i++) setTimeout(() => {}, 10 + i);
let ticks = 0; const interval = setInterval(() => { if (ticks++ > 5) clearInterval(interval); quiet(); }, 5);
let last; function quiet() { clearTimeout(last); last = setTimeout(() => {}, 8); }`,
    groups: [],
  },
};

describe.each(runs)('a pool of callbacks alone is seen on Node $major with $backend', ({ major, backend }) => {
  for (const [name, { source, groups, queued, shorterThan }] of Object.entries(CASES)) {
    test(name, async (context) => {
      const node = needed(context, 'NODES', nodes.find((node) => node.major === major)?.path);
      const found = await observe(source, { node, backend, as: 'a.cjs' });
      expect(found).toMatchObject({ code: 0, err: '', dropped: 0 });
      expect(found.groups).toMatchObject(groups);
      expect(found.groups).toHaveLength(groups.length);
      const { tasks } = found.timeline;
      if (shorterThan !== undefined) for (const { id } of found.groups) for (const row of found.timeline.rowsOf(id)) expect(tasks.end[row] - tasks.start[row]).toBeLessThan(shorterThan);
      if (queued === undefined) return;
      expect(found.timeline.rowsOf(found.groups[0].id).filter((row) => tasks.queued[row] < tasks.start[row]).length).toBeGreaterThanOrEqual(queued);
    });
  }
});

test.for(NODE_MAJORS)('timers look and run on Node %i as they do alone', async (major, context) => {
  const source = `${JOB}const seen = [];
let index = 0; function next() { if (index < 8) job(index++, () => { seen.push(index); next(); }); }
next(); next();
const one = setTimeout(function mine(a, b) { seen.push([this === one, a, b]); throw new Error('thrown'); }, 20, 1, 2);
process.on('uncaughtException', (error) => { console.log(error.stack.split('\\n').slice(1, 4).map((line) => line.trim())); });
const all = []; for (const key in one) all.push(key);
console.log(all, Object.keys(one), Object.getOwnPropertyNames(Object.getPrototypeOf(one)).filter((key) => key !== '_onTimeout'), one.hasRef());
console.log(Object.getOwnPropertyDescriptor(one, '_onTimeout').writable, setTimeout.length, setTimeout.name, process.getActiveResourcesInfo());
const cleared = setTimeout(() => console.log('never'), 5); clearTimeout(cleared); console.log(cleared._onTimeout);
const again = setTimeout(() => seen.push('again'), 10); again.refresh(); again.unref(); console.log(again.hasRef());
setTimeout(() => seen.push('a'), 30); setTimeout(() => seen.push('b'), 30);
process.on('exit', () => console.log(seen.filter((what) => what === 'a' || what === 'b'), process.getActiveResourcesInfo()));`;
  const how: How = { node: needed(context, 'NODES', nodes.find((node) => node.major === major)?.path), as: 'a.cjs' };
  const plain = await runPlain(source, how);
  const { out, err, code, dropped } = await observe(source, how);
  expect({ out, err, code, dropped }).toEqual({ out: plain.out, err: '', code: 0, dropped: 0 });
});

test.for(NODE_MAJORS)('requests look and run on Node %i as they do alone', async (major, context) => {
  const source = `${FILES}const { executionAsyncResource, AsyncLocalStorage } = require('node:async_hooks'); const crypto = require('node:crypto'); const http = require('node:http');
const seen = []; const storage = new AsyncLocalStorage();
const told = (what) => { const resource = executionAsyncResource(); seen.push([what, storage.getStore(), Object.keys(resource).sort(), new Error(what).stack.split('\\n').filter((line) => !line.includes('callbackTrampoline')).slice(1, 5).map((line) => line.trim())]); };
function next() { if (files.length > 0) fs.readFile(files.shift(), () => { process.nextTick(() => seen.push('tick')); Promise.resolve().then(() => seen.push('then')); seen.push('sync'); next(); }); }
next();
storage.run('kept', () => fs.stat(dir, () => { told('stat'); crypto.pbkdf2('a', 'b', 1, 8, 'sha256', () => { told('key');
  zlib.gzip('text', () => { told('zlib'); const one = zlib.createGzip(); one.end(); one.resume(); one.on('end', () => { told('end'); fs.stat('nowhere', (error) => {
    told(error.message); fs.readFile(files[7] ?? dir, { signal: AbortSignal.abort() }, (error) => { told(error.name); throw new Error('thrown'); });
  }); }); }); }); }));
try { fs.stat(dir, 'no function'); } catch (error) { console.log(error.stack); }
try { zlib.gzip('text', { level: 77 }, () => {}); } catch (error) { console.log(error.stack); }
process.on('uncaughtException', (error) => { console.log(error.stack.split('\\n').slice(1, 4)); });
const request = http.get({ port: 1, host: '127.0.0.1' }); request.on('error', (error) => { console.log(error.message); });
console.log(Object.keys(request), Object.getOwnPropertyDescriptor(request, 'upgradeOrConnect').writable, process.getActiveResourcesInfo());
process.on('exit', () => console.log(seen.map((one) => JSON.stringify(one)).sort().join('\\n')));`;
  const how: How = { node: needed(context, 'NODES', nodes.find((node) => node.major === major)?.path), as: 'a.cjs' };
  const plain = await runPlain(source, how);
  const { out, err, code, dropped } = await observe(source, how);
  expect({ out, err, code, dropped }).toEqual({ out: plain.out, err: '', code: 0, dropped: 0 });
  expect(plain.out).toContain('"kept"');
});

test('promises in front of a queue of child processes are one pool with what they waited for', async () => {
  const source = `const { execFile } = require('node:child_process');
const waiting = []; let running = 0;
function next() {
  while (running < 2 && waiting.length > 0) {
    const { n, resolve, reject } = waiting.shift(); running++;
    execFile(process.execPath, ['-e', 'process.exit(' + (n === 2 ? 1 : 0) + ')'], (error) => { running--; if (error) reject(error); else resolve(n); next(); });
  }
}
const run = (n) => new Promise((resolve, reject) => { waiting.push({ n, resolve, reject }); next(); });
Promise.allSettled([0, 1, 2, 3, 4, 5].map(run)).then(() => {});`;
  const { groups, timeline, code } = await observe(source, { as: 'a.cjs' });
  expect(code).toBe(0);
  expect(groups).toMatchObject([{ kind: 'pool', peak: 2, taskCount: 6, fulfilled: 5, rejected: 1, site: { line: 10 } }]);
  expect(timeline.rowsOf(groups[0].id).some((row) => timeline.tasks.queued[row] < timeline.tasks.start[row])).toBe(true);
});

test('Node is asked for nothing that it announces as deprecated', async () => {
  const source = "process.on('warning', (warning) => console.log(warning.code)); require('node:fs').stat('.', () => { console.log('on'); });";
  const how: How = { as: 'a.cjs', nodeArgs: ['--pending-deprecation'] };
  const { out, err } = await observe(source, how);
  expect({ out, err }).toEqual({ out: 'on\n', err: '' });
});
