// @style race over raw promises of an async function, cleaned by a then beside
// @expect read: pool tasks=10 conc=3 ok=10 error=0 peak=3
import { setTimeout as after } from 'node:timers/promises';
import gt from '../gt.cjs';
const g = gt.group({ name: 'read', kind: 'pool', concurrency: 3, declared: 10 });
const tasks = new Map();
async function load(i) { // @task read
  tasks.set(i, g.start(i));
  await after(gt.ms(i));
  return i;
}
const busy = new Set();
for (const i of gt.range(10)) {
  const p = load(i);
  busy.add(p);
  p.then((n) => { tasks.get(n).ok(); busy.delete(p); });
  if (busy.size >= 3) await Promise.race(busy); // @group read
}
await Promise.all(busy);
g.end();
