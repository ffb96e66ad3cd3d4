// @style a limiter of a subclass of Promise, tasks by then
// @expect s: pool tasks=12 conc=3 ok=12 error=0 peak=3
const gt = require('../gt.cjs');
class Deferred extends Promise { static get [Symbol.species]() { return Deferred; } }
const g = gt.group({ name: 's', kind: 'pool', concurrency: 3, declared: 12 });
let active = 0; const queue = [];
const next = () => { active--; if (queue.length) queue.shift()(); };
const limit = (fn, ...args) => new Deferred((resolve, reject) => { // @group s
  const run = () => { active++; fn(...args).then(resolve, reject).finally(next); };
  if (active < 3) run(); else queue.push(run);
});
const crawl = (i) => { // @task s
  const t = g.start(i);
  return new Deferred((r) => setTimeout(r, gt.ms(i))).then(() => t.ok(i));
};
Deferred.all(Array.from({ length: 12 }, (_, i) => limit(crawl, i))).then(() => g.end());
