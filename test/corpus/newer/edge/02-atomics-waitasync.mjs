// @style counting semaphore in a SharedArrayBuffer: Atomics.waitAsync until a permit is free, Atomics.notify at release in a finally
// @minNode 22
// @hard waiters are woken by Atomics.notify, outside promises, timers and callbacks of the script
// @expect frames: pool tasks=8 conc=2 ok=8 error=0 peak=2
import gt from '../gt.cjs';

const g = gt.group({ name: 'frames', kind: 'pool', concurrency: 2, declared: 8 });
const permits = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
Atomics.store(permits, 0, 2);

async function down() {
  for (;;) {
    const free = Atomics.load(permits, 0);
    if (free > 0) {
      if (Atomics.compareExchange(permits, 0, free, free - 1) === free) return;
      continue;
    }
    const waiting = Atomics.waitAsync(permits, 0, 0);
    if (waiting.async) await waiting.value;
  }
}

function up() {
  Atomics.add(permits, 0, 1);
  Atomics.notify(permits, 0, 1);
}

async function frame(n) {
  await down();
  try {
    const t = g.start(n); // @task frames
    await new Promise((done) => setTimeout(done, gt.ms(n)));
    t.ok();
  } finally {
    up();
  }
}

await Promise.all(gt.range(8).map((n) => frame(n))); // @group frames
g.end();
