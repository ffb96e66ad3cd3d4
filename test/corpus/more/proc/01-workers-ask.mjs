// @style worker_threads: workers ask for work by a message, answered with the next item or null; no promise a task
// @expect th: pool tasks=8 conc=2 ok=8 error=0
import { Worker, isMainThread, parentPort } from 'node:worker_threads';
import { once } from 'node:events';
import gt from '../gt.cjs';
const sleep = (ms) => new Promise((r) => setTimeout(r, ms));
if (!isMainThread) {
  parentPort.postMessage({ type: 'ready' });
  parentPort.on('message', async (m) => {
    if (m === null) { parentPort.close(); return; }
    const start = gt.abs();
    await sleep(m.ms);
    parentPort.postMessage({ type: 'done', id: m.id, start, end: gt.abs() });
  });
} else {
  const g = gt.group({ name: 'th', kind: 'pool', concurrency: 2, declared: 8 });
  const jobs = gt.range(8).map((id) => ({ id, ms: gt.ms(id, 15, 45) }));
  const give = (w) => w.postMessage(jobs.shift() ?? null); // @task th
  const start = (n) => {
    const w = new Worker(new URL(import.meta.url));
    w.on('message', (m) => {
      if (m.type === 'done') g.add({ id: m.id, start: m.start, end: m.end, worker: n });
      give(w); // @group th
    });
    return once(w, 'exit');
  };
  await Promise.all([0, 1].map(start)); // @group th
  g.end();
}
