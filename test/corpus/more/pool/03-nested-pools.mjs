// @style pool of 2 (albums), each with a pool of 2 (photos) inside, by one generic helper
// @expect albums: pool tasks=4 conc=2 ok=4 error=0 peak=2
// @expect photos-*: pool groups=4 tasks=4 conc=2 ok=4 error=0 peak=2 parent=albums/*
import gt from '../gt.cjs';
const sleep = (ms) => new Promise((r) => setTimeout(r, ms));
async function pooled(items, n, fn) {
  const it = items[Symbol.iterator]();
  await Promise.all(Array.from({ length: n }, async () => { for (const x of it) await fn(x); })); // @group albums photos-*
}
const top = gt.group({ name: 'albums', kind: 'pool', concurrency: 2, declared: 4 });
await pooled(gt.range(4), 2, async function album(a) { // @task albums
  const t = top.start(a);
  const g = gt.group({ name: 'photos-' + a, kind: 'pool', concurrency: 2, declared: 4, parent: t });
  await pooled(gt.range(4), 2, async function photo(p) { // @task photos-*
    const u = g.start(p);
    await sleep(gt.ms(a * 10 + p, 15, 40));
    u.ok();
  });
  g.end();
  t.ok();
});
top.end();
