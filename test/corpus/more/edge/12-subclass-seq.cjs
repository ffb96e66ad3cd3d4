// @style global.Promise replaced, reduce over then
// @expect s: sequential tasks=6 conc=1 ok=6 error=0 peak=1
const gt = require('../gt.cjs');
globalThis.Promise = class Traced extends Promise {};
const g = gt.group({ name: 's', kind: 'sequential', concurrency: 1, declared: 6 });
function step(i) { // @task s
  const t = g.start(i);
  return new Promise((r) => setTimeout(() => { t.ok(); r(i); }, gt.ms(i)));
}
[0, 1, 2, 3, 4, 5].reduce((p, i) => p.then(() => step(i)), Promise.resolve()).then(() => g.end()); // @group s
