// @style class Limiter { use(fn) }, two of them inside of tasks under Promise.all
// @expect items: all tasks=12 conc=12 ok=12 error=0 peak=12
// @expect net: pool tasks=12 conc=3 ok=12 error=0 peak=3
// @expect db: pool tasks=12 conc=2 ok=12 error=0 peak=2
import gt from '../gt.cjs';
const items = gt.group({ name: 'items', kind: 'all', concurrency: 12, declared: 12 });
const net = gt.group({ name: 'net', kind: 'pool', concurrency: 3, declared: 12 });
const db = gt.group({ name: 'db', kind: 'pool', concurrency: 2, declared: 12 });
const sleep = (ms) => new Promise((r) => setTimeout(r, ms));
class Limiter {
  constructor(n) { this.free = n; this.queue = []; }
  async use(fn) {
    if (this.free > 0) this.free--; else await new Promise((r) => this.queue.push(r));
    try { return await fn(); } finally { const n = this.queue.shift(); if (n) n(); else this.free++; }
  }
}
const netL = new Limiter(3), dbL = new Limiter(2);
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
await Promise.all(gt.range(12).map(async (i) => { // @task items @group items
  const t = items.start(i);
  const page = await netL.use(() => fetchPage(i)); // @group net
  await dbL.use(() => save(page)); // @group db
  t.ok();
}));
items.end(); net.end(); db.end();
