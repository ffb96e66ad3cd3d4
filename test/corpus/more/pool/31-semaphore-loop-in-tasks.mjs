// @style withSlot(semaphore, fn) twice in a row in each task, and one task that fails on the way
// @expect items: allSettled tasks=10 conc=10 ok=9 error=1 peak=10
// @expect net: pool tasks=10 conc=3 ok=9 error=1 peak=3
// @expect db: pool tasks=18 conc=2 ok=18 error=0 peak=2
import gt from '../gt.cjs';
const sleep = (ms) => new Promise((r) => setTimeout(r, ms));
const items = gt.group({ name: 'items', kind: 'allSettled', concurrency: 10, declared: 10 });
const net = gt.group({ name: 'net', kind: 'pool', concurrency: 3, declared: 10 });
const db = gt.group({ name: 'db', kind: 'pool', concurrency: 2, declared: 18 });
const makeSem = (n) => ({ free: n, queue: [] });
async function withSlot(sem, fn) {
  if (sem.free > 0) sem.free -= 1;
  else await new Promise((r) => sem.queue.push(r));
  try { return await fn(); }
  finally { const next = sem.queue.shift(); if (next) next(); else sem.free += 1; }
}
const netL = makeSem(3), dbL = makeSem(2);
await Promise.allSettled(gt.range(10).map(async (i) => { // @task items @group items
  const t = items.start(i);
  await sleep(gt.ms(i + 7, 5, 15));
  try {
    await withSlot(netL, async () => { // @group net @task net
      const t = net.start(i);
      await sleep(gt.ms(i, 20, 60));
      if (i === 4) throw t.fail(new Error('404'));
      t.ok();
    });
    for (let k = 0; k < 2; k++) {
      await withSlot(dbL, async () => { // @group db @task db
        const t = db.start(i + '.' + k);
        await sleep(gt.ms(i * 2 + k + 50, 20, 40));
        t.ok();
      });
    }
  } catch (e) { throw t.fail(e); }
  t.ok();
}));
items.end(); net.end(); db.end();
