// @style two p-limit limiters inside of tasks that do more than that
// @lib p-limit
// @expect items: all tasks=12 conc=12 ok=12 error=0 peak=12
// @expect net: pool tasks=12 conc=3 ok=12 error=0 peak=3
// @expect db: pool tasks=12 conc=2 ok=12 error=0 peak=2
import pLimit from 'p-limit';
import gt from '../gt.cjs';
const items = gt.group({ name: 'items', kind: 'all', concurrency: 12, declared: 12 });
const net = gt.group({ name: 'net', kind: 'pool', lib: 'p-limit', concurrency: 3, declared: 12 });
const db = gt.group({ name: 'db', kind: 'pool', lib: 'p-limit', concurrency: 2, declared: 12 });
const sleep = (ms) => new Promise((r) => setTimeout(r, ms));
const netL = pLimit(3), dbL = pLimit(2);
async function fetchPage(i) { // @task net
  const t = net.start(i);
  await sleep(gt.ms(i, 20, 60));
  return t.ok(i);
}
async function save(i) { // @task db
  const t = db.start(i);
  await sleep(gt.ms(i + 50, 20, 40));
  return t.ok(i);
}
await Promise.all(gt.range(12).map(async (i) => { // @task items @group items
  const t = items.start(i);
  const page = await netL(() => fetchPage(i)); // @group net
  await dbL(() => save(page)); // @group db
  t.ok();
}));
items.end(); net.end(); db.end();
