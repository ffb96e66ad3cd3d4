// @style async next() { …; return next(); } started 3 times under Promise.all
// @expect rec: pool tasks=10 conc=3 ok=10 error=0 peak=3
import gt from '../gt.cjs';
const g = gt.group({ name: 'rec', kind: 'pool', concurrency: 3, declared: 10 });
const todo = gt.range(10);
async function job(i) { // @task rec
  const t = g.start(i);
  await new Promise((r) => setTimeout(r, gt.ms(i)));
  t.ok();
}
async function next() {
  if (!todo.length) return;
  await job(todo.shift());
  return next();
}
await Promise.all([next(), next(), next()]); // @group rec
g.end();
