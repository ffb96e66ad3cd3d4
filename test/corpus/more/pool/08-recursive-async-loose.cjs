// @style async next() that calls itself without await, started twice in a for loop, a callback at the end
// @expect rec: pool tasks=9 conc=2 ok=9 error=0 peak=2
const gt = require('../gt.cjs');
const g = gt.group({ name: 'rec', kind: 'pool', concurrency: 2, declared: 9 });
let i = 0, live = 0;
const wait = (ms) => new Promise((r) => setTimeout(r, ms));
async function job(n) { // @task rec
  const t = g.start(n);
  await wait(gt.ms(n));
  t.ok();
}
async function next() {
  if (i >= 9) { if (!live) g.end(); return; }
  live++;
  await job(i++); // @group rec
  live--;
  next();
}
for (let k = 0; k < 2; k++) next(); // @group rec
