/** Queues that tasks, requests or events feed while they do other things: one group, in none of those who brought a job. */
import { describe, expect, test } from 'vitest';
import { observe } from './observed';

const SLEEP = 'const sleep = (ms) => new Promise((r) => setTimeout(r, ms));\n';
const QUEUE = `${SLEEP}class Queue {
  waiting = []; active = 0; idle = null;
  constructor(limit) { this.limit = limit; }
  push(job) { this.waiting.push(job); this.pump(); }
  onIdle() { return this.active + this.waiting.length === 0 ? Promise.resolve() : new Promise((r) => { this.idle = r; }); }
  pump() {
    while (this.active < this.limit && this.waiting.length > 0) {
      this.active++;
      this.waiting.shift()().catch(() => {}).finally(() => { this.active--; this.pump(); if (this.active + this.waiting.length === 0) this.idle?.(); });
    }
  }
}
`;
const RUNNER = `${SLEEP}class Jobs {
  waiting = []; running = 0;
  constructor(fn, limit) { this.fn = fn; this.limit = limit; }
  enqueue(data) { this.waiting.push(data); this.next(); }
  next() { if (this.running < this.limit && this.waiting.length > 0) { this.running++; this.work(this.waiting.shift()); } }
  async work(data) { try { await this.fn(data); } catch { /* it is counted elsewhere */ } finally { this.running--; this.next(); } }
}
`;
const limiter = (max: number): string => `let active = 0; const waiting = [];
const next = () => {
  if (active >= ${max} || waiting.length === 0) return;
  active++;
  const { fn, resolve, reject } = waiting.shift();
  fn().then(resolve, reject).finally(() => { active--; next(); });
};
const limit = (fn) => new Promise((resolve, reject) => { waiting.push({ fn, resolve, reject }); next(); });
`;
const SERVER = `import http from 'node:http';
const serve = async (handle) => {
  const server = http.createServer(async (req, res) => { await handle(+req.url.slice(1)); res.end('ok'); });
  await new Promise((r) => server.listen(0, '127.0.0.1', r));
  const { port } = server.address();
  await Promise.all([...Array(12).keys()].map(async (i) => { await (await fetch('http://127.0.0.1:' + port + '/' + i)).text(); }));
  return server;
};
`;
const WORKERS = 'const items = [...Array(12).keys()];\nawait Promise.all([1, 2, 3].map(async () => { while (items.length > 0) await handle(items.shift()); }));';

describe.each(['v8', 'async_hooks'] as const)('a queue that others feed, %s', (backend) => {
  const observed = async (code: string): Promise<string[]> => {
    const { groups } = await observe(code, { backend, as: 'a.mjs' });
    return groups.map(({ kind, taskCount, peak, taskSite, parent }) => `${kind} ${taskCount} ${peak} ${taskSite?.function}${parent ? ' inside' : ''}`);
  };

  test('workers bring jobs that nobody awaits', async () => {
    expect(await observed(`${QUEUE}const mails = new Queue(2);
async function send(id) { await sleep(25 + id); }
async function handle(id) { await sleep(10 + id); mails.push(() => send(id)); await sleep(5); }
${WORKERS}`)).toEqual(['pool 12 3 handle', 'pool 12 2 send']);
  });

  test('thousands of jobs, taken for granted where the next was always called: not what `finally` makes itself where none is left', async () => {
    expect(await observed(`${QUEUE}const tick = () => new Promise((r) => setImmediate(r));
const mails = new Queue(4); let next = 0;
async function send() { await tick(); await tick(); }
async function handle() { await tick(); mails.push(() => send()); await tick(); }
await Promise.all(Array.from({ length: 8 }, async () => { while (next < 3000) await handle(next++); }));`)).toEqual(['pool 3000 8 handle', 'pool 3000 4 send']);
  });

  test('hundreds of jobs of which every third returns at once', async () => {
    expect(await observed(`${QUEUE}const tick = () => new Promise((r) => setImmediate(r));
const mails = new Queue(4); let next = 0;
async function send(id) { if (id % 3 > 0) await tick(); }
async function handle(id) { await tick(); mails.push(() => send(id)); await tick(); }
await Promise.all(Array.from({ length: 8 }, async () => { while (next < 600) await handle(next++); }));`)).toEqual(['pool 600 8 handle', 'pool 600 4 send']);
  });

  test('the jobs are run by an async function that calls the next', async () => {
    expect(await observed(`${RUNNER}const jobs = new Jobs(notify, 3);
async function notify(id) { await sleep(20 + id); if (id === 3) throw new Error('bounced'); }
async function handle(id) { await sleep(3 + id); jobs.enqueue(id); jobs.enqueue(id + 1); await sleep(4); }
${WORKERS}`)).toEqual(['pool 12 3 handle', 'pool 24 3 notify']);
  });

  test('requests of a server bring jobs', async () => {
    expect(await observed(`${SERVER}${QUEUE}const mails = new Queue(2);
async function send(id) { await sleep(25 + id); }
const server = await serve(async function handle(id) { await sleep(10 + id); mails.push(() => send(id)); await sleep(5); });
await sleep(300);
server.close();`)).toContain('pool 12 2 send');
  });

  test('requests of a server wait for the results of a limiter', async () => {
    expect(await observed(`${SERVER}${SLEEP}${limiter(2)}async function query(id) { await sleep(25 + id); return { id }; }
const server = await serve(async function handle(id) { await sleep(10 + id); const row = await limit(() => query(id)); await sleep(5); return row; });
server.close();`)).toContain('pool 12 2 query');
  });

  test('what runs in the wake of a function that is over is no loop of its', async () => {
    expect(await observed(`${SERVER.replace('async (req, res) => { await handle(+req.url.slice(1)); res.end(\'ok\'); }', 'handle')}${SLEEP}${limiter(3)}async function query(id) { await sleep(25 + id); return id; }
const server = await serve(async function handle(req, res) { try { res.end(String(await limit(() => query(+req.url.slice(1))))); } catch { res.end(); } });
server.close();`)).toContain('pool 12 3 query');
  });

  test('what is begun in a first go, and topped up by a timer from then on', async () => {
    const runner = `${SLEEP}const jobs = [], open = new Set(); let stopped;
async function render(id) { await sleep(30 + id * 37 % 50); }
function tick() { while (open.size < 3 && jobs.length > 0) launch(jobs.shift()); }
function launch(id) { open.add(id); render(id).finally(() => { open.delete(id); if (jobs.length + open.size === 0) stopped(); }); }
`;
    for (const timer of ['setInterval(tick, 8)', 'setInterval(() => { outer(); }, 8); function outer() { tick(); }']) {
      expect(await observed(`${runner}async function main() { jobs.push(0, 1, 2, 3, 4, 5); const timer = ${timer}; tick(); await sleep(90); jobs.push(6, 7, 8, 9, 10); await new Promise((r) => { stopped = r; }); clearInterval(timer); }
await main();`)).toEqual(['pool 11 3 render']);
    }
  });

  test('a timer that begins what a function had begun at once, and never as many', async () => {
    expect(await observed(`${SLEEP}async function load(id) { await sleep(20 + id); }
const refresh = (id) => { load(id); };
async function main() { for (let id = 0; id < 3; id++) refresh(id); let id = 3; await new Promise((r) => { const timer = setInterval(() => { refresh(id); if (++id > 8) { clearInterval(timer); r(); } }, 40); }); await sleep(50); }
await main();`)).not.toContain('pool 9 3 load');
  });

  test('requests enter a gate, which nobody but Node leads them to', async () => {
    expect(await observed(`${SERVER.replace('async (req, res) => { await handle(+req.url.slice(1)); res.end(\'ok\'); }', 'handle')}${SLEEP}
const gate = { open: 3, line: [], async enter() { if (this.open > 0) this.open--; else await new Promise((r) => { this.line.push(r); }); }, leave() { const next = this.line.shift(); if (next) next(); else this.open++; } };
async function render(id) { await sleep(20 + id * 5); return 'page ' + id; }
const server = await serve(async (req, res) => { await gate.enter(); try { res.end(await render(+req.url.slice(1))); } finally { gate.leave(); } });
server.close();`)).toContain('pool 12 3 render');
  });

  test('one job at a time is a loop beside the tasks', async () => {
    expect(await observed(`${QUEUE}const log = new Queue(1);
async function write(id) { await sleep(9 + id % 3); }
async function handle(id) { await sleep(10 + id); log.push(() => write(id)); await sleep(30); }
${WORKERS}`)).toEqual(['pool 12 3 handle', 'sequential 12 1 write']);
  });

  test('tasks of chunks bring jobs of two kinds to two queues of one class', async () => {
    expect(await observed(`${QUEUE}class Bound extends Queue { constructor(limit, fn) { super(limit); this.fn = fn; } add(x) { this.push(() => this.fn(x)); } }
async function index(id) { await sleep(20 + id); }
async function mail(id) { await sleep(30 + id); }
const indexing = new Bound(2, index), mails = new Bound(3, mail);
async function handle(id) { await sleep(5 + id); indexing.add(id); mails.add(id); await sleep(4); }
const items = [...Array(12).keys()];
for (let i = 0; i < 12; i += 4) await Promise.all(items.slice(i, i + 4).map(handle));`)).toEqual(['chunk 12 4 handle', 'pool 12 2 index', 'pool 12 3 mail']);
  });

  test('a loop that a task began, and that goes on with what others bring, is inside of none', async () => {
    expect(await observed(`${SLEEP}const lines = []; let busy = false;
async function append(line) { await sleep(6 + line % 3); }
async function drain() { if (busy) return; busy = true; while (lines.length > 0) await append(lines.shift()); busy = false; }
async function handle(id) { await sleep(5 + id); lines.push(id); drain(); await sleep(3); lines.push(id); drain(); }
${WORKERS}`)).toEqual(['pool 12 3 handle', 'sequential 24 1 append']);
  });

  test('a task that waits until its own queue is through has a pool of its own, also where another one has nothing to do', async () => {
    expect(await observed(`${QUEUE}async function save(id) { await sleep(15 + id); }
async function tenant(n) {
  const queue = new Queue(2);
  for (let i = 0; i < (n === 2 ? 0 : 6); i++) queue.push(() => save(i + n));
  await queue.onIdle();
  await sleep(5);
}
await Promise.all([1, 2, 3, 4].map(tenant));`)).toEqual(['all 4 4 tenant', 'pool 6 2 save inside', 'pool 6 2 save inside', 'pool 6 2 save inside']);
  });

  test.each(['await queue.onIdle(); await sleep(5);', 'await sleep(5);'])('a task with a queue of its own has a pool of its own: %s', async (end) => {
    expect(await observed(`${QUEUE}async function save(id) { await sleep(15 + id); }
async function tenant(n) {
  const queue = new Queue(2);
  await sleep(n);
  for (let i = 0; i < 6; i++) queue.push(() => save(i + n));
  ${end}
}
await Promise.all([1, 2, 3].map(tenant));`)).toEqual(['all 3 3 tenant', 'pool 6 2 save inside', 'pool 6 2 save inside', 'pool 6 2 save inside']);
  });
});
