// @style worker_threads: calls by number over a proxy, three at once on one worker, answered out of order by postMessage({ result: await … })
// @expect rpc: pool tasks=9 conc=3 ok=9 error=0
import { Worker, isMainThread, parentPort } from 'node:worker_threads';
import gt from '../gt.cjs';
if (!isMainThread) {
  const api = { async square(x) { const start = gt.abs(); await new Promise((r) => setTimeout(r, gt.ms(x, 15, 45))); return { id: x, start, end: gt.abs() }; } };
  parentPort.on('message', async ({ id, method, args }) => { parentPort.postMessage({ id, result: await api[method](...args) }); });
} else {
  const worker = new Worker(new URL(import.meta.url));
  const calls = new Map(); let seq = 0;
  worker.on('message', ({ id, result }) => { calls.get(id)(result); calls.delete(id); });
  const api = new Proxy({}, { get: (_, method) => (...args) => new Promise((resolve) => { const id = ++seq; calls.set(id, resolve); worker.postMessage({ id, method, args }); }) });
  const g = gt.group({ name: 'rpc', kind: 'pool', concurrency: 3, declared: 9 });
  const q = gt.range(9);
  const one = async (i) => { const m = await api.square(i); g.add({ id: i, start: m.start, end: m.end }); }; // @task rpc
  await Promise.all([1, 2, 3].map(async () => { while (q.length) await one(q.shift()); })); // @group rpc @task rpc
  g.end();
  await worker.terminate();
}
