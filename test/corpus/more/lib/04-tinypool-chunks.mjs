// @style tinypool with a worker as ESM, tasks submitted in chunks of Promise.all
// @lib tinypool
// @expect tp: pool tasks=6 conc=2 ok=6 error=0
import { Tinypool } from 'tinypool';
import gt from '../gt.cjs';
const g = gt.group({ name: 'tp', kind: 'pool', lib: 'tinypool', concurrency: 2, declared: 6 });
const pool = new Tinypool({ filename: new URL('../../lib/workers/burn.mjs', import.meta.url).href, minThreads: 2, maxThreads: 2 });
for (let i = 0; i < 6; i += 2) {
  const part = await Promise.all([i, i + 1].map((n) => pool.run({ i: n, ms: gt.ms(n, 20, 45) }))); // @group tp @task tp
  for (const d of part) g.add({ id: d.i, start: d.start, end: d.end });
}
g.end();
await pool.destroy();
