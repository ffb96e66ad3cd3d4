// @style AbortController: the first failure aborts the tasks that run (timers/promises with signal), workers stop taking work
// @expect parts: pool tasks=7 conc=3 ok=4 error=3 peak=3 lanes=3 notStarted=7
import { setTimeout as sleep } from 'node:timers/promises';
import gt from '../gt.cjs';
const g = gt.group({ name: 'parts', kind: 'pool', concurrency: 3, declared: 14 });
const controller = new AbortController();
const { signal } = controller;
const took = [40, 60, 80, 50, 250, 260, 30];

async function uploadPart(n, w) { // @task parts
  const t = g.start(n, { worker: w });
  try {
    await sleep(took[n] ?? 50, null, { signal });
    if (n === 6) throw new Error('checksum mismatch');
    return t.ok({ part: n, etag: n.toString(16) });
  } catch (err) {
    throw t.fail(err, err.name);
  }
}
const parts = gt.range(14);
async function uploader(w) { // @worker parts
  while (!signal.aborted && parts.length) {
    try {
      await uploadPart(parts.shift(), w);
    } catch (err) {
      controller.abort(err);
      throw err;
    }
  }
}
try {
  await Promise.all(gt.range(3).map((w) => uploader(w))); // @group parts
  g.end();
} catch {
  g.end('error');
}
