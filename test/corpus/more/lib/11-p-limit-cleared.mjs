// @style p-limit with rejectOnClear: a fatal task calls limit.clearQueue(), what runs goes on, the rest never starts
// @lib p-limit
// @expect imports: pool tasks=6 conc=3 ok=5 error=1 peak=3 notStarted=5
import pLimit from 'p-limit';
import gt from '../gt.cjs';
const g = gt.group({ name: 'imports', kind: 'pool', lib: 'p-limit', concurrency: 3, declared: 11 });
const sleep = (ms) => new Promise((r) => setTimeout(r, ms));
const limit = pLimit({ concurrency: 3, rejectOnClear: true });
const cost = [40, 60, 80, 50, 90, 100];
async function importFile(n) { // @task imports
  const t = g.start(n);
  await sleep(cost[n] ?? 30);
  if (n === 3) {
    limit.clearQueue();
    throw t.fail(new Error('disk full'));
  }
  return t.ok(n);
}
const outcome = await Promise.allSettled(gt.range(11).map((n) => limit(importFile, n))); // @group imports
g.end();
void outcome.filter((o) => o.status === 'rejected').length;
