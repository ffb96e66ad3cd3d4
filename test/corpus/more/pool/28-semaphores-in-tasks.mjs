// @style two semaphores, acquired and released one after the other in the middle of each task
// @expect items: all tasks=12 conc=12 ok=12 error=0 peak=12
// @expect net: pool tasks=12 conc=3 ok=12 error=0 peak=3
// @expect db: pool tasks=12 conc=2 ok=12 error=0 peak=2
import gt from '../gt.cjs';
const items = gt.group({ name: 'items', kind: 'all', concurrency: 12, declared: 12 });
const net = gt.group({ name: 'net', kind: 'pool', concurrency: 3, declared: 12 });
const db = gt.group({ name: 'db', kind: 'pool', concurrency: 2, declared: 12 });
const sleep = (ms) => new Promise((r) => setTimeout(r, ms));
class Semaphore {
  constructor(n) { this.free = n; this.queue = []; }
  acquire() {
    if (this.free > 0) { this.free--; return Promise.resolve(); }
    return new Promise((r) => this.queue.push(r));
  }
  release() { const n = this.queue.shift(); if (n) n(); else this.free++; }
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
async function work(i) { // @task items
  const t = items.start(i);
  await sleep(gt.ms(i + 20, 5, 20));
  await netL.acquire(); // @group net
  let page;
  try { page = await fetchPage(i); } finally { netL.release(); } // @group net
  await sleep(5);
  await dbL.acquire(); // @group db
  try { await save(page); } finally { dbL.release(); } // @group db
  t.ok();
}
await Promise.all(gt.range(12).map(work)); // @group items
items.end(); net.end(); db.end();
