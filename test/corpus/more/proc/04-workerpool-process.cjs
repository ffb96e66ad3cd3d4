// @style workerpool with child processes as workers, its methods called through a proxy
// @lib workerpool
// @expect th: pool tasks=7 conc=2 ok=7 error=0
const workerpool = require('workerpool');
const gt = require('../gt.cjs');
const g = gt.group({ name: 'th', kind: 'pool', lib: 'workerpool', concurrency: 2, declared: 7 });
const pool = workerpool.pool(`${__dirname}/../../lib/workers/burn-workerpool.cjs`, { minWorkers: 2, maxWorkers: 2, workerType: 'process' });
async function main() {
  const worker = await pool.proxy();
  const done = await Promise.all(gt.range(7).map((i) => worker.burn({ i, ms: gt.ms(i, 25, 60) }))); // @group th @task th
  for (const d of done) g.add({ id: d.i, start: d.start, end: d.end });
  g.end();
  await pool.terminate();
}
main();
