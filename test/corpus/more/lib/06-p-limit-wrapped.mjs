// @style p-limit awaited inside an async arrow under Promise.all, with work after it that takes no time
// @lib p-limit
// @expect names: pool tasks=9 conc=3 ok=9 error=0 peak=3
import pLimit from 'p-limit';
import gt from '../gt.cjs';
const g = gt.group({ name: 'names', kind: 'pool', lib: 'p-limit', concurrency: 3, declared: 9 });
const limit = pLimit(3);
async function fetchUser(i) { // @task names
  const t = g.start(i);
  await new Promise((r) => setTimeout(r, gt.ms(i)));
  return t.ok({ name: 'u' + i });
}
const names = await Promise.all(gt.range(9).map(async (i) => { // @group names
  const user = await limit(() => fetchUser(i)); // @group names
  return user.name;
}));
g.end();
void names;
