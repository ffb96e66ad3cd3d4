// @style tasks are put into p-limit and nobody looks at the promises: the first rejection is unhandled and ends the process
// @lib p-limit
// @exit 1
// @stderr
// @expect jobs: pool tasks=6 conc=2 ok=3 error=1 pending=2 peak=2 notStarted=4
import pLimit from 'p-limit';
import gt from '../gt.cjs';
const g = gt.group({ name: 'jobs', kind: 'pool', lib: 'p-limit', concurrency: 2, declared: 10 });
const sleep = (ms) => new Promise((r) => setTimeout(r, ms));
const limit = pLimit(2);
const duration = [40, 70, 80, 80, 300, 300, 40, 40, 40, 40];

async function convert(i) { // @task jobs
  const t = g.start(i);
  await sleep(duration[i]);
  if (i === 3) throw t.fail(new RangeError(`frame ${i} is out of range`));
  t.ok();
}

function enqueue(list) {
  for (const i of list) limit(convert, i); // @group jobs
}

enqueue(gt.range(10));
