// @style global.Promise replaced by a subclass; tasks are chains of then; allSettled over chunks
// @expect s: chunk tasks=9 conc=3 chunks=3 ok=6 error=3 peak=3
const gt = require('../gt.cjs');
class P extends Promise {}
globalThis.Promise = P;
const g = gt.group({ name: 's', kind: 'chunk', combinator: 'allSettled', concurrency: 3, size: 3, declared: 9 });
const wait = (ms) => new Promise((r) => setTimeout(r, ms));
const check = (i) => { // @task s
  const t = g.start(i);
  return wait(gt.ms(i)).then(() => { if (i % 3 === 1) throw t.fail(new Error('no ' + i)); return t.ok(i); });
};
(async () => {
  for (let i = 0; i < 9; i += 3) {
    await Promise.allSettled([i, i + 1, i + 2].map(check)); // @group s
  }
  g.end();
})();
