// @style rxjs chunks: bufferCount(3), concatMap(batch => Promise.all(...))
// @lib rxjs
// @expect bc: chunk tasks=9 conc=3 chunks=3 ok=9 error=0 peak=3
const { range, bufferCount, concatMap } = require('rxjs');
const gt = require('../gt.cjs');
const g = gt.group({ name: 'bc', kind: 'chunk', combinator: 'all', lib: 'rxjs', concurrency: 3, size: 3, declared: 9 });
const sleep = (ms) => new Promise((r) => setTimeout(r, ms));
async function index(i) { // @task bc
  const t = g.start(i);
  await sleep(gt.ms(i));
  t.ok();
}
range(0, 9).pipe(bufferCount(3), concatMap((batch) => Promise.all(batch.map(index)))) // @group bc
  .subscribe({ complete: () => g.end() });
