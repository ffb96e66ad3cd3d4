// @style TypeScript (.mts): three lanes share ONE lazy iterator made with Iterator.concat / filter / map; seen-map with getOrInsertComputed
// @minNode 26
// @expect encode: pool tasks=12 conc=3 ok=12 error=0 peak=3 lanes=3
import { scheduler } from 'node:timers/promises';
import gt from '../gt.cjs';

interface Job { readonly id: number; readonly preset: 'hd' | 'sd' }

const g = gt.group({ name: 'encode', kind: 'pool', concurrency: 3, declared: 12 });

function* backfill(): Generator<number, void, unknown> {
  let id = 100;
  while (id < 105) yield id++;
}

const jobs = Iterator.concat(gt.range(8) as number[], backfill())
  .filter((id: number) => id !== 3)
  .map((id: number): Job => ({ id, preset: id % 2 === 0 ? 'hd' : 'sd' }));

const perPreset = new Map<Job['preset'], number[]>();

async function encode({ id, preset }: Job, lane: number): Promise<void> { // @task encode
  const t = g.start(id, { worker: lane });
  await scheduler.wait(gt.ms(id) as number);
  perPreset.getOrInsertComputed(preset, () => []).push(id);
  t.ok();
}

async function lane(n: number): Promise<number> { // @worker encode
  let done = 0;
  for (const job of jobs) {
    await encode(job, n);
    done += 1;
  }
  return done;
}

const counts: readonly number[] = await Promise.all(Array.from({ length: 3 }, (_, n) => lane(n))); // @group encode
g.end();
if (counts.reduce((a, b) => a + b, 0) !== 12) process.exitCode = 2;
