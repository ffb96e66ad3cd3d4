// @style class PrioritySemaphore: acquire(priority) resolves the most urgent waiter; everything is started under Promise.all
// @expect queries: pool tasks=12 conc=2 ok=11 error=1 peak=2
const gt = require('../gt.cjs');

class PrioritySemaphore {
  constructor(n) { this.free = n; this.waiters = []; }
  acquire(priority = 0) {
    if (this.free > 0) { this.free -= 1; return Promise.resolve(); }
    return new Promise((resolve) => {
      const at = this.waiters.findIndex((w) => w.priority < priority);
      const waiter = { priority, resolve };
      if (at < 0) this.waiters.push(waiter); else this.waiters.splice(at, 0, waiter);
    });
  }
  release() {
    const w = this.waiters.shift();
    if (w) w.resolve(); else this.free += 1;
  }
}

const g = gt.group({ name: 'queries', kind: 'pool', concurrency: 2, declared: 12 });
const sem = new PrioritySemaphore(2);

async function query(n) { // @task queries
  const t = g.start(n);
  await new Promise((r) => setTimeout(r, gt.ms(n, 20, 60)));
  if (n === 4) throw t.fail(new Error('deadlock detected'));
  t.ok();
}

async function guarded(n) {
  await sem.acquire(n % 3);
  try {
    await query(n); // @group queries
  } finally {
    sem.release();
  }
}

Promise.all(gt.range(12).map((n) => guarded(n).catch(() => null))).then(() => g.end()); // @group queries
