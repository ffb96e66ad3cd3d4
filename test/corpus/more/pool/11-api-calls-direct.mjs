// @style a race-and-set pool straight over an API: (f) => readFile(f).then(…), no async function of its own
// @expect read: pool tasks=10 conc=3 ok=10 error=0 peak=3
import { setTimeout as after } from 'node:timers/promises';
import gt from '../gt.cjs';
const g = gt.group({ name: 'read', kind: 'pool', concurrency: 3, declared: 10 });
const tasks = new Map();
function load(i) { // @task read
  tasks.set(i, g.start(i));
  return after(gt.ms(i), i);
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
