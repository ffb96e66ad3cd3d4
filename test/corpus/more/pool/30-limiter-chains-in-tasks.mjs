// @style semaphore with run(fn) as acquire().then(fn).finally(release), two inside of tasks
// @expect items: all tasks=10 conc=10 ok=10 error=0 peak=10
// @expect net: pool tasks=10 conc=3 ok=10 error=0 peak=3
// @expect db: pool tasks=10 conc=2 ok=10 error=0 peak=2
import gt from '../gt.cjs';
const sleep = (ms) => new Promise((r) => setTimeout(r, ms));
const items = gt.group({ name: 'items', kind: 'all', concurrency: 10, declared: 10 });
const net = gt.group({ name: 'net', kind: 'pool', concurrency: 3, declared: 10 });
const db = gt.group({ name: 'db', kind: 'pool', concurrency: 2, declared: 10 });
class Semaphore {
  constructor(n) { this.free = n; this.queue = []; }
  acquire() {
    if (this.free > 0) { this.free--; return Promise.resolve(); }
    return new Promise((r) => this.queue.push(r));
  }
  release() { const n = this.queue.shift(); if (n) n(); else this.free++; }
  run(fn) { return this.acquire().then(() => fn()).finally(() => this.release()); }
}
const netL = new Semaphore(3), dbL = new Semaphore(2);
async function fetchPage(i) { // @task net
  const t = net.start(i);
  await sleep(gt.ms(i, 20, 60));
  return t.ok(i);
}
async function save(i) { // @task db
  const t = db.start(i);
  await sleep(gt.ms(i + 50, 20, 40));
  return t.ok(i);
}
async function handle(i) { // @task items
  const t = items.start(i);
  const page = await netL.run(() => fetchPage(i)); // @group net
  await dbL.run(() => save(page)); // @group db
  t.ok();
}
await Promise.all(gt.range(10).map(handle)); // @group items
items.end(); net.end(); db.end();
