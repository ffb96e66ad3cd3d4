// @style MessageChannel: every Worker gets a port of its own (transferList), jobs are pulled by the worker ("ready") instead of pushed
// @lib worker_threads
// @difficulty other-thread-or-process
import { Worker, MessageChannel, isMainThread, workerData, threadId } from 'node:worker_threads';
import { createHash } from 'node:crypto';
import gt from '../gt.cjs';

const self = new URL(import.meta.url);

function threadMain({ port }) {
  port.on('message', async (job) => {
    if (!job) return port.close();
    const done = await digest(job);
    port.postMessage({ ready: true, done });
  });
  port.postMessage({ ready: true });
}

async function digest({ id, ms }) { // @task digests
  const start = gt.abs();
  const hash = createHash('sha256');
  for (let i = 0; i < 40; i++) hash.update(String(id * i));
  await new Promise((r) => setTimeout(r, ms));
  return { id, hex: hash.digest('hex'), start, end: gt.abs(), tid: threadId };
}

function mainMain() {
  const g = gt.group({ name: 'digests', kind: 'pool', lib: 'worker_threads', concurrency: 3, declared: 11 });
  const jobs = gt.range(11).map((id) => ({ id, ms: gt.ms(id, 20, 50) }));

  const serve = (lane) => new Promise((resolve, reject) => { // @worker digests
    const { port1, port2 } = new MessageChannel();
    const worker = new Worker(self, { workerData: { port: port2 }, transferList: [port2] });
    worker.once('error', reject);
    worker.once('exit', resolve);
    port1.on('message', ({ done }) => {
      if (done) g.add({ id: done.id, start: done.start, end: done.end, tid: done.tid, worker: lane });
      port1.postMessage(jobs.shift() ?? null); // @task digests
    });
  });

  return Promise.all(gt.range(3).map(serve)).then(() => g.end()); // @group digests
}

if (isMainThread) await mainMain();
else threadMain(workerData);
