// @style async by its deep ESM import path: async/eachLimit.js with async iteratee
// @lib async
// @expect e: pool tasks=9 conc=3 ok=9 error=0 peak=3
import eachLimit from 'async/eachLimit.js';
import gt from '../gt.cjs';
const g = gt.group({ name: 'e', kind: 'pool', lib: 'async', concurrency: 3, declared: 9 });
await eachLimit(gt.range(9), 3, async (i) => { // @group e @task e
  const t = g.start(i);
  await new Promise((r) => setTimeout(r, gt.ms(i)));
  t.ok();
});
g.end();
