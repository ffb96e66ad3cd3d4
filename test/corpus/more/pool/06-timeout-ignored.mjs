// @style worker pool with Promise.race([task, timeout]) per item: the worker goes on, the late work ends unseen
// @expect lookups: pool tasks=8 conc=2 ok=6 error=2 peak=2 lanes=2
import gt from '../gt.cjs';
const g = gt.group({ name: 'lookups', kind: 'pool', concurrency: 2, declared: 8 });
const sleep = (ms) => new Promise((r) => setTimeout(r, ms));
const withTimeout = (p, ms) => { let id; return Promise.race([p, new Promise((_, no) => { id = setTimeout(() => no(new Error('timeout')), ms); })]).finally(() => clearTimeout(id)); };
const q = gt.range(8);
async function lookup(i, w) { // @task lookups
  const t = g.start(i, { worker: w });
  try { await withTimeout(sleep(i === 2 || i === 5 ? 250 : gt.ms(i, 15, 40)), 70); t.ok(); } catch (e) { t.fail(e); }
}
const run = async (w) => { while (q.length) await lookup(q.shift(), w); }; // @worker lookups
await Promise.all([run(0), run(1)]); // @group lookups
g.end();
