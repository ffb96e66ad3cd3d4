// @style tinypool with child processes as workers
// @lib tinypool
// @expect tp: pool tasks=6 conc=2 ok=6 error=0
import { Tinypool } from 'tinypool';
import gt from '../gt.cjs';
const g = gt.group({ name: 'tp', kind: 'pool', lib: 'tinypool', concurrency: 2, declared: 6 });
const pool = new Tinypool({ runtime: 'child_process', filename: new URL('../../lib/workers/burn.mjs', import.meta.url).href, minThreads: 2, maxThreads: 2 });
const done = await Promise.all(gt.range(6).map((i) => pool.run({ i, ms: gt.ms(i, 25, 60) }))); // @group tp @task tp
for (const d of done) g.add({ id: d.i, start: d.start, end: d.end });
g.end();
await pool.destroy();
