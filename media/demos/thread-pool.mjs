// Java's ThreadPoolExecutor(core, max, keepAlive, queue, rejection), written down as promises, and how to tune it.
//
//   node thread-pool.mjs                                  the document's example: ten tasks, core 2, max 4, a queue of 2
//   node thread-pool.mjs --queue 10                       a queue for all: only the two core threads ever work
//   node thread-pool.mjs --rejection abort                what does not fit is refused
//   node thread-pool.mjs --inner 2                        nested executors, the inner one too small: the outer one starves
//   node thread-pool.mjs --burst 150                      so many tasks at once that any queue overflows
//   node thread-pool.mjs --connections 20                 fork-join with 7 and 20 where nothing else limits
import { setTimeout as sleep } from 'node:timers/promises';
import { tellFigures, tellScale, tellTable } from './lib/figures.mjs';
import { readParameters } from './lib/parameters.mjs';
import { padEnd, say } from './lib/say.mjs';

const REJECTIONS = ['callerRuns', 'abort', 'discard', 'discardOldest'];
const parameters = readParameters('A thread pool of Java: core, max, queue and what is rejected; nested executors; fork-join with 7 and 20', {
  tasks:       { is: 10, from: 1, to: 1000, about: 'tasks, submitted one after the other at once' },
  takes:       { is: 1000, from: 1, to: 60_000, about: 'how long a task takes, ms; each next one a tenth longer' },
  core:        { is: 2, from: 0, to: 1000, atMost: 'max', about: 'threads that stay' },
  max:         { is: 4, from: 1, to: 1000, about: 'threads at the most' },
  queue:       { is: 2, from: 0, to: 10_000, about: 'tasks that can wait' },
  keepAlive:   { is: 500, from: 0, to: 60_000, about: 'how long a thread beyond core waits for work, ms' },
  rejection:   { is: 'all', of: ['all', ...REJECTIONS], about: 'what becomes of a task that fits nowhere' },
  requests:    { is: 6, from: 1, to: 100, about: 'requests to the nested executors, one after the other' },
  burst:       { is: 35, from: 1, to: 1000, about: 'tasks at once for the nested executors' },
  inner:       { is: 0, from: 0, to: 100, about: 'threads of an inner executor that is too small; 0: leave that out' },
  connections: { is: 5, from: 1, to: 100, about: 'connections the blocking calls of the fork-join pool share' },
  scale:       { is: 0.3, from: 0.01, to: 10, step: 0.01, about: 'every time is multiplied by this' },
});
const { tasks, takes, core, max, queue, keepAlive, rejection, requests, burst, inner, connections, scale } = parameters;
/** Tasks of a request. */
const PARTS = 25;
const work = (ms) => sleep(ms * scale);

/** A task: what it does, and where it went. */
class Task {
  outcome = 'waits';
  thread = 0;
  constructor(number, run) {
    Object.assign(this, { number, run });
    this.done = new Promise((resolve, reject) => { Object.assign(this, { end: resolve, refuse: reject }); });
    this.done.catch(() => {});   // who waits for it is told of an error; nobody has to wait
  }
}

class ThreadPoolExecutor {
  threads = 0;     // alive
  made = [];       // all there ever were
  queued = [];     // tasks that wait for a thread
  idle = [];       // threads that wait for a task
  isShut = false;

  constructor(settings) { Object.assign(this, settings); }

  /** @returns a promise where the submitting thread has to run the task itself, and cannot go on before */
  submit(task) {
    if (this.threads < this.core) return this.startThread(task);
    // A queue of 0 hands tasks over to a thread that waits, the last that came; else it is the first one's turn.
    const thread = this.queue > 0 ? this.idle.shift() : this.idle.pop();
    if (thread) return thread.take(task);
    if (this.queued.length < this.queue) {
      if (this.threads === 0) return this.startThread(task);
      this.queued.push(task);
      return;
    }
    if (this.threads < this.max) return this.startThread(task);
    return this.reject(task);
  }

  reject(task) {
    switch (this.rejection) {
      case 'callerRuns': return this.run(task, 'ran by the caller', 0);
      case 'abort': return this.refuse(task);
      case 'discard': return this.discard(task);
      case 'discardOldest':
        // Without a queue nothing is older. (Java then discards and submits until its stack is full.)
        if (this.queue === 0) return this.discard(task);
        this.discard(this.queued.shift());
        return this.submit(task);
    }
  }

  refuse(task) {
    task.outcome = 'rejected';
    task.refuse(new Error('RejectedExecutionException'));
  }

  /** Nobody is told: the promise of a discarded task is never settled. */
  discard(task) { task.outcome = 'discarded'; }

  startThread(task) {
    this.threads++;
    this.made.push(this.thread(this.made.length + 1, task));
  }

  /** A thread: its first task, then whatever waits, until nothing has come for too long. */
  async thread(number, task) {
    while (task) {
      await this.run(task, 'ran', number);
      task = this.queued.shift() ?? (this.isShut ? undefined : await this.nextTask());
    }
    this.threads--;
  }

  /** The next task that is submitted; none where the thread is beyond core and has waited for `keepAlive`. */
  nextTask() {
    return new Promise((resolve) => {
      const thread = { take: (task) => { clearTimeout(timer); resolve(task); } };
      const timer = this.threads > this.core ? setTimeout(() => {
        this.idle.splice(this.idle.indexOf(thread), 1);
        if (this.threads > this.core) resolve(undefined);
        else this.idle.push(thread);
      }, this.keepAlive * scale) : undefined;
      this.idle.push(thread);
    });
  }

  async run(task, outcome, thread) {
    task.thread = thread;
    task.from = performance.now();
    await task.run();
    task.to = performance.now();
    this.finish(task, outcome);
  }

  finish(task, outcome) {
    task.outcome = outcome;
    task.end();
  }

  /** Takes no more tasks: threads go home when the queue is empty. */
  shutdown() {
    this.isShut = true;
    for (const thread of this.idle.splice(0)) thread.take(undefined);
  }

  async awaitTermination() { await Promise.all(this.made); }
}

/** The document's example: tasks that come all at once. @returns how many were done */
async function submitAll(policy) {
  const executor = new ThreadPoolExecutor({ core, max, keepAlive, queue, rejection: policy });
  const all = [];
  const began = performance.now();
  let longest = 0;
  for (let i = 0; i < tasks; i++) {
    const task = new Task(i + 1, () => work(takes * (1 + i / 10)));
    all.push(task);
    await executor.submit(task);
    longest = Math.max(longest, executor.queued.length);
  }
  executor.shutdown();
  await executor.awaitTermination();

  console.log(`\n${say`${policy}: core ${core}, max ${max}, a queue of ${queue}; at most ${longest} waited`}`);
  drawThreads(all, began, performance.now());
  const outcomes = { 'ran': say`ran`, 'ran by the caller': say`ran by the caller`, 'rejected': say`rejected`, 'discarded': say`discarded` };
  for (const [outcome, words] of Object.entries(outcomes)) {
    const some = all.filter((task) => task.outcome === outcome);
    if (some.length > 0) console.log(`  ${words}: ${some.map(({ number }) => number).join(' ')}`);
  }
  return all.filter(({ to }) => to !== undefined).length;
}

/** Threads as lanes, from left to right, in characters. */
function drawThreads(all, began, ended) {
  const WIDTH = 72;
  const column = (at) => Math.round((at - began) / (ended - began) * WIDTH);
  const lanes = [...new Set(all.filter(({ to }) => to !== undefined).map(({ thread }) => thread))].sort((a, b) => (a || Infinity) - (b || Infinity));
  for (const lane of lanes.slice(0, 20)) {
    const row = new Array(WIDTH).fill(' ');
    for (const { number, from, to } of all.filter(({ thread, to }) => thread === lane && to !== undefined)) {
      const text = String(number);
      for (let x = column(from); x < column(to) - 1 && x < WIDTH; x++) row[x] = text[x - column(from)] ?? '─';
    }
    console.log(`  ${padEnd(lane === 0 ? say`the caller` : say`thread ${lane}`, 10)} │${row.join('')}`);
  }
}

/**
 * Nested executors: each task of the outer one, apiExecutor, works a while, then submits a call to the inner one,
 * clientExecutor, and waits for it: its thread is taken, and does nothing.
 * @param requests how many, one after the other @param parts tasks of a request, all at once
 * @returns ms in all, ms that a task waits for its call and takes from its submission to its end, and the largest heap seen, in MB
 */
async function nested([api, client], requests, parts) {
  const executor = ([core, max, queue]) => new ThreadPoolExecutor({ core, max, queue, keepAlive: 1000, rejection: 'callerRuns' });
  const [outer, innerOne] = [executor(api), executor(client)];
  let waited = 0;
  let answered = 0;
  let heap = 0;
  const looking = setInterval(() => { heap = Math.max(heap, process.memoryUsage().heapUsed / 1e6); }, 10);
  const start = performance.now();
  for (let request = 0; request < requests; request++) {
    const submitted = performance.now();
    const tasks = Array.from({ length: parts }, () => new Task(0, async () => {
      await work(120);
      const call = new Task(0, () => work(80));
      const asked = performance.now();
      await innerOne.submit(call);
      await call.done;
      waited += performance.now() - asked;
      answered += performance.now() - submitted;
    }));
    for (const task of tasks) await outer.submit(task);
    await Promise.all(tasks.map(({ done }) => done));
  }
  const elapsed = performance.now() - start;
  clearInterval(looking);
  for (const one of [outer, innerOne]) {
    one.shutdown();
    await one.awaitTermination();
  }
  return { elapsed, waited: waited / (requests * parts), answered: answered / (requests * parts), heap };
}

/** Blocking calls on a pool of a fixed size: each holds its thread, and one of a few connections. */
async function forkJoin(threads) {
  const executor = new ThreadPoolExecutor({ core: threads, max: threads, keepAlive: 0, queue: 10_000, rejection: 'abort' });
  let free = connections;
  const line = [];
  const calls = Array.from({ length: 60 }, () => new Task(0, async () => {
    if (free > 0) free--; else await new Promise((go) => line.push(go));
    await work(200);
    const next = line.shift();
    if (next) next(); else free++;
  }));
  const start = performance.now();
  for (const call of calls) await executor.submit(call);
  executor.shutdown();
  await executor.awaitTermination();
  return performance.now() - start;
}

tellScale(scale, takes / 1000);
const rows = [];
const isExample = tasks === 10 && core === 2 && max === 4 && (queue === 2 || queue === 10);
for (const policy of rejection === 'all' ? REJECTIONS : [rejection]) {
  const done = await submitAll(policy);
  rows.push({ figure: policy, label: `${policy}: tasks done`, unit: '', measured: done, documented: isExample ? policy === 'callerRuns' ? 10 : Math.min(10, max + queue) : undefined, expected: policy === 'callerRuns' ? tasks : Math.min(tasks, max + queue) });
}

// [core, max, queue] of apiExecutor and clientExecutor: as they were, the first set right, both set right.
const SETTINGS = { before: [[10, 100, 25], [10, 100, 25]], first: [[20, 100, 25], [10, 100, 25]], both: [[20, 100, 25], [10, 30, 50]] };
const DOCUMENTED = { sequential: { before: 37.2, first: 29.5, both: 27.3 }, concurrent: { before: 6.4, first: 3.2, both: 3.6 } };
const inDocument = (ms) => ms / scale;
/** Whether it is another load than what the first setting just takes. */
const isBurst = (set) => set === 'concurrent' && burst !== 35;
for (const set of ['sequential', 'concurrent']) {
  const seen = {};
  for (const [name, setting] of Object.entries(SETTINGS)) seen[name] = await (set === 'sequential' ? nested(setting, requests, PARTS) : nested(setting, 1, burst));
  const less = (times, name) => (1 - times[name] / times.before) * 100;
  const took = Object.fromEntries(Object.entries(seen).map(([name, { elapsed }]) => [name, elapsed]));
  const percent = (value) => `${value.toFixed(1).replace('-', '−')} %`;
  tellTable({
    table: 'settings', subject: set, title: set === 'sequential' ? `${requests} requests of ${PARTS} tasks, one request after the other` : `${burst} tasks at once`,
    columns: {
      setting: 'setting', api: 'apiExecutor', client: 'clientExecutor', time: 's', less: 'less by', waited: 'waits for its call, ms', answered: 'answered after, ms', heap: 'heap, MB',
      documentedTime: 'document: s', documentedLess: 'less by',
    },
    rows: Object.entries(SETTINGS).map(([name, [api, client]]) => {
      const { elapsed, waited, answered, heap } = seen[name];
      return [name, api.join('/'), client.join('/'), (inDocument(elapsed) / 1000).toFixed(2), name === 'before' ? '–' : percent(less(took, name)), inDocument(waited).toFixed(0), inDocument(answered).toFixed(0), heap.toFixed(1),
        isBurst(set) ? '–' : DOCUMENTED[set][name].toFixed(1), isBurst(set) || name === 'before' ? '–' : percent(less(DOCUMENTED[set], name))];
    }),
  });
  for (const name of ['first', 'both']) {
    rows.push({ figure: `${set}-${name}`, label: `${set}, ${name === 'first' ? 'the first set right' : 'both set right'}: less by`, unit: '%', measured: less(took, name), documented: isBurst(set) ? undefined : less(DOCUMENTED[set], name) });
  }
}

if (inner > 0) {
  const { elapsed, waited } = await nested([SETTINGS.before[0], [inner, inner, 10_000]], 1, burst);
  console.log(`\n${say`An inner executor of ${inner}: ${(inDocument(elapsed) / 1000).toFixed(2)} s. An outer task waits ${inDocument(waited).toFixed(0)} ms for a call of 80 ms: its thread is taken and idle, and the outer executor starves.`}`);
  rows.push({ figure: 'starved', label: `inner executor of ${inner}: waiting for a call`, unit: 'ms', measured: inDocument(waited), expected: 80, atLeast: true });
}

const seven = await forkJoin(7);
const twenty = await forkJoin(20);
console.log(`\n${say`Fork-join, 60 blocking calls that share ${connections} connections: ${(seven / scale / 1000).toFixed(2)} s on 7 threads, ${(twenty / scale / 1000).toFixed(2)} s on 20`}`);
rows.push({ figure: 'forkJoin', label: 'fork-join, 20 threads for 7: less by', unit: '%', measured: (1 - twenty / seven) * 100, documented: 0, expected: (1 - Math.min(connections, 7) / Math.min(connections, 20)) * 100 });

tellFigures(parameters, rows, 'the document measured a service with calls of its own lengths, which it does not give; here a task works 120 ms and then waits for a call of 80 ms. '
  + 'At once, 35 tasks just fit the first setting: ten run, 25 queue, and twice the core threads need about half as long. Of 150 (--burst 150) most fit neither core nor queue: they start '
  + 'threads up to max in any setting, what core is matters little, and an inner executor of 30 threads holds up what one of 100 would not. '
  + 'That 20 threads were no faster than 7 means that something else limited its calls: here that is the number of connections.');
