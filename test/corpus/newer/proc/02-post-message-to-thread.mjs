// @style postMessageToThread both ways ('workerMessage' events, no ports), free thread ids in an array, in-flight Set + Promise.race; ready over a BroadcastChannel
// @minNode 22
// @thread
// @expect packs: pool tasks=8 conc=2 ok=8 error=0
import { BroadcastChannel, Worker, isMainThread, parentPort, postMessageToThread, threadId } from 'node:worker_threads';
import { deflateSync } from 'node:zlib';
import gt from '../gt.cjs';

const ready = new BroadcastChannel('ready');

if (!isMainThread) {
  parentPort.once('message', () => ready.close()); // keeps the thread alive until the main one says goodbye
  process.on('workerMessage', async (message, from) => {
    const start = gt.abs();
    const until = performance.now() + message.ms;
    let bytes = 0;
    while (performance.now() < until) bytes = deflateSync(Buffer.alloc(4096, message.id)).length;
    const end = gt.abs();
    await postMessageToThread(from, { id: message.id, bytes, start, end, tid: threadId });
  });
  ready.postMessage(threadId);
} else {
  const calls = new Map();
  process.on('workerMessage', (answer) => {
    calls.get(answer.id)(answer);
    calls.delete(answer.id);
  });

  const free = [];
  const bothReady = Promise.withResolvers();
  ready.onmessage = ({ data: tid }) => { if (free.push(tid) === 2) bothReady.resolve(); };
  const threads = [0, 1].map(() => new Worker(new URL(import.meta.url)));
  await bothReady.promise;
  ready.close();

  const g = gt.group({ name: 'packs', kind: 'pool', lib: 'worker_threads', concurrency: 2, declared: 8 });

  async function pack(id, tid) { // @task packs
    const { promise, resolve } = Promise.withResolvers();
    calls.set(id, resolve);
    await postMessageToThread(tid, { id, ms: gt.ms(id, 15, 45) });
    const { start, end } = await promise;
    g.add({ id, start, end, tid });
  }

  const inflight = new Set();
  for (const id of gt.range(8)) {
    if (free.length === 0) await Promise.race(inflight); // @group packs
    const tid = free.shift();
    const p = pack(id, tid).finally(() => { free.push(tid); inflight.delete(p); });
    inflight.add(p);
  }
  await Promise.all(inflight);
  g.end();
  for (const thread of threads) thread.postMessage('bye');
}
