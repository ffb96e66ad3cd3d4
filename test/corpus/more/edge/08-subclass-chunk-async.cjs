// @style global.Promise replaced by a counting subclass, chunk loop of async functions
// @expect s: chunk tasks=12 conc=4 chunks=3 ok=12 error=0 peak=4
const gt = require('../gt.cjs');
class Counted extends Promise { static n = 0; constructor(fn) { super(fn); Counted.n++; } }
globalThis.Promise = Counted;
const g = gt.group({ name: 's', kind: 'chunk', combinator: 'all', concurrency: 4, size: 4, declared: 12 });
const sleep = (ms) => new Promise((r) => { setTimeout(r, ms); });
async function load(i) { // @task s
  const t = g.start(i);
  await sleep(gt.ms(i));
  t.ok();
  return i;
}
(async () => {
  const ids = Array.from({ length: 12 }, (_, i) => i);
  while (ids.length) await Promise.all(ids.splice(0, 4).map(load)); // @group s
  g.end();
})();
