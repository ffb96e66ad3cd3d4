// @style a subclass of Promise with cancel() instead of the global, pool by race over a set
// @expect s: pool tasks=12 conc=3 ok=12 error=0 peak=3
const gt = require('../gt.cjs');
class Cancelable extends Promise { cancel() { this.cancelled = true; } }
const g = gt.group({ name: 's', kind: 'pool', concurrency: 3, declared: 12 });
const fetchPage = (i) => new Cancelable((resolve) => { // @task s
  const t = g.start(i);
  setTimeout(() => { t.ok(); resolve(i); }, gt.ms(i));
});
(async () => {
  const running = new Set();
  for (let i = 0; i < 12; i++) { // @group s
    const p = fetchPage(i).finally(() => running.delete(p));
    running.add(p);
    if (running.size >= 3) await Promise.race(running);
  }
  await Promise.all(running);
  g.end();
})();
