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

interface Case { readonly source: string; readonly groups: readonly object[] }

const CASES: Readonly<Record<string, Case>> = {
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
  'a job of two timers, one in the callback of the other': {
    source: `const TIMES = [12, 30, 15, 20, 33];
function job(n, done) { setTimeout(() => setTimeout(() => done(), TIMES[n]), 10); }
let index = 0;
function next() { if (index < TIMES.length) job(index++, () => next()); }
next(); next();`,
    groups: [{ kind: 'pool', peak: 2, taskCount: 5, fulfilled: 5, site: { line: 4 }, taskSite: { line: 2 } }],
  },
  'a pool inside of an async function, and jobs that never end': {
    source: `${JOB}async function main() {
  await new Promise((resolve) => {
    let running = 0, index = 0;
    const next = () => { while (running < 3 && index < 8) { running++; job(index++, () => { running--; if (index === 8) resolve(); else next(); }); } };
    next();
  });
  setImmediate(() => process.exit());
}
main();`,
    groups: [{ kind: 'pool', peak: 3, taskCount: 8, pending: 2, site: { line: 6 }, taskSite: { line: 2 } }],
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
  'nothing, of timers set at once, an interval and what is put off until there is quiet': {
    source: `for (let i = 0; i < 6; i++) setTimeout(() => {}, 10 + i);
let ticks = 0; const interval = setInterval(() => { if (ticks++ > 5) clearInterval(interval); quiet(); }, 5);
let last; function quiet() { clearTimeout(last); last = setTimeout(() => {}, 8); }`,
    groups: [],
  },
};

describe.each(runs)('a pool of callbacks alone is seen on Node $major with $backend', ({ major, backend }) => {
  for (const [name, { source, groups }] of Object.entries(CASES)) {
    test(name, async (context) => {
      const node = needed(context, 'NODES', nodes.find((node) => node.major === major)?.path);
      const found = await observe(source, { node, backend, as: 'a.cjs' });
      expect(found).toMatchObject({ code: 0, err: '', dropped: 0 });
      expect(found.groups).toMatchObject(groups);
      expect(found.groups).toHaveLength(groups.length);
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
