// @style one pool helper, three runs at once with different limits
// @expect a: pool tasks=6 conc=2 ok=6 error=0 peak=2
// @expect b: pool tasks=6 conc=3 ok=6 error=0 peak=3
// @expect c: pool tasks=6 conc=4 ok=6 error=0 peak=4
// @expect runs: all tasks=3 conc=3 ok=3 error=0 peak=3
import gt from '../gt.cjs';
const sleep = (ms) => new Promise((r) => setTimeout(r, ms));
async function task(g, i, add) { const t = g.start(i); await sleep(gt.ms(i + add)); t.ok(); } // @task a b c
async function each(list, limit, fn) {
  const active = new Set();
  for (const x of list) {
    const p = fn(x).finally(() => active.delete(p));
    active.add(p);
    if (active.size >= limit) await Promise.race(active); // @group a b c
  }
  await Promise.all(active);
}
const run = async (name, n, limit, add) => { // @task runs
  const t = top.start(name);
  const g = gt.group({ name, kind: 'pool', concurrency: limit, declared: n });
  await each(gt.range(n), limit, (i) => task(g, i, add));
  g.end(); t.ok();
};
const top = gt.group({ name: 'runs', kind: 'all', combinator: 'all', concurrency: 3, declared: 3 });
await Promise.all([run('a', 6, 2, 0), run('b', 6, 3, 20), run('c', 6, 4, 40)]); // @group runs
top.end();
