// @style semaphore with an async acquire() taken inside of the task, one for two calls of a helper that run at once
// @expect both: all tasks=2 conc=2 ok=2 error=0 peak=2
// @expect saves: pool tasks=12 conc=3 ok=12 error=0 peak=3
import gt from '../gt.cjs';
const both = gt.group({ name: 'both', kind: 'all', combinator: 'all', concurrency: 2, declared: 2 });
const g = gt.group({ name: 'saves', kind: 'pool', combinator: 'all', concurrency: 3, declared: 12 });
class Semaphore {
  constructor(free) { this.free = free; this.waiting = []; }
  async acquire() { if (this.free > 0) this.free--; else await new Promise((go) => this.waiting.push(go)); }
  release() { const next = this.waiting.shift(); if (next) next(); else this.free++; }
}
const slots = new Semaphore(3);
async function store(i) { // @task saves
  await slots.acquire();
  const t = g.start(i);
  try {
    await new Promise((r) => setTimeout(r, gt.ms(i, 20, 60)));
    return t.ok(i);
  } finally { slots.release(); }
}
async function saveAll(ids) { // @task both
  const t = both.start(ids[0]);
  const saved = await Promise.all(ids.map(store)); // @group saves
  return t.ok(saved.length);
}
await Promise.all([saveAll([0, 1, 2, 3, 4, 5]), saveAll([6, 7, 8, 9, 10, 11])]); // @group both
both.end();
g.end();
