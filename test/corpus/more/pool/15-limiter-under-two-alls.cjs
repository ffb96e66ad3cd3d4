// @style one limiter closure shared by two functions that each end with a Promise.all, both under a third one
// @expect both: all tasks=2 conc=2 ok=2 error=0 peak=2
// @expect loads: pool tasks=12 conc=3 ok=12 error=0 peak=3
const gt = require('../gt.cjs');
const both = gt.group({ name: 'both', kind: 'all', combinator: 'all', concurrency: 2, declared: 2 });
const g = gt.group({ name: 'loads', kind: 'pool', combinator: 'all', concurrency: 3, declared: 12 });
function createLimit(max) {
  let active = 0; const queue = [];
  const next = () => { active--; queue.shift()?.(); };
  return (fn, ...args) => new Promise((resolve, reject) => {
    const run = () => { active++; fn(...args).then(resolve, reject).finally(next); };
    if (active < max) run(); else queue.push(run);
  });
}
const limit = createLimit(3);
async function load(i) { // @task loads
  const t = g.start(i);
  await new Promise((r) => setTimeout(r, gt.ms(i, 20, 60)));
  return t.ok(i);
}
const ends = (t) => (list) => { t.ok(); return list.length; };
async function users() { const t = both.start('users'); return Promise.all(gt.range(6).map((i) => limit(load, i))).then(ends(t)); } // @group loads @task both
async function orders() { const t = both.start('orders'); return Promise.all(gt.range(6).map((i) => limit(load, i + 6))).then(ends(t)); } // @group loads @task both
Promise.all([users(), orders()]).then(() => { both.end(); g.end(); }); // @group both
