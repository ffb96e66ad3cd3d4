// @style it-parallel: a generator of thunks, parallel(source, { concurrency, ordered }), for await
// @lib it-parallel
// @expect blocks: pool tasks=10 conc=3 ok=10 error=0 peak=3
import parallel from 'it-parallel';
import gt from '../gt.cjs';
const g = gt.group({ name: 'blocks', kind: 'pool', lib: 'it-parallel', concurrency: 3, declared: 10 });
const sleep = (ms) => new Promise((r) => setTimeout(r, ms));
async function* jobs() {
  for (const n of gt.range(10)) {
    yield async () => { // @task blocks
      const t = g.start(n);
      await sleep(gt.ms(n));
      return t.ok(n);
    };
  }
}
const got = [];
for await (const n of parallel(jobs(), { concurrency: 3, ordered: false })) got.push(n); // @group blocks
g.end();
