// @style the WorkerPool of the Node docs: AsyncResource per task, 'free' event, callback API promisified, ArrayBuffers transferred both ways
// @expect images: pool tasks=7 conc=2 ok=7 error=0
const { AsyncResource } = require('node:async_hooks');
const { EventEmitter } = require('node:events');
const path = require('node:path');
const { promisify } = require('node:util');
const { Worker } = require('node:worker_threads');
const gt = require('../gt.cjs');

const kTaskInfo = Symbol('kTaskInfo');
const kFreed = Symbol('kFreed');

class PoolTask extends AsyncResource {
  constructor(callback) { super('PoolTask'); this.callback = callback; }
  done(err, result) { this.runInAsyncScope(this.callback, null, err, result); this.emitDestroy(); }
}

class WorkerPool extends EventEmitter {
  constructor(numThreads) {
    super();
    this.workers = [];
    this.free = [];
    this.tasks = [];
    for (let i = 0; i < numThreads; i++) this.addWorker(i);
    this.on(kFreed, () => {
      if (this.tasks.length === 0) return;
      const { task, callback } = this.tasks.shift();
      this.runTask(task, callback);
    });
  }
  addWorker(index) {
    const worker = new Worker(path.resolve(__dirname, 'workers/blur-worker.cjs'), { workerData: { index } });
    worker.on('message', (result) => {
      worker[kTaskInfo].done(null, result);
      worker[kTaskInfo] = null;
      this.free.push(worker);
      this.emit(kFreed);
    });
    worker.on('error', (err) => { if (worker[kTaskInfo]) worker[kTaskInfo].done(err, null); else this.emit('error', err); });
    this.workers.push(worker);
    this.free.push(worker);
  }
  runTask(task, callback) {
    if (this.free.length === 0) { this.tasks.push({ task, callback }); return; }
    const worker = this.free.pop();
    worker[kTaskInfo] = new PoolTask(callback);
    worker.postMessage(task, [task.pixels]);
  }
  close() { for (const worker of this.workers) worker.terminate(); }
}

const g = gt.group({ name: 'images', kind: 'pool', lib: 'worker_threads', concurrency: 2, declared: 7 });
const pool = new WorkerPool(2);
const run = promisify(pool.runTask.bind(pool));

const blur = (id) => run({ id, ms: gt.ms(id, 15, 45), pixels: new Uint8Array(1 << 16).fill(id).buffer }); // @task images

(async () => {
  const done = await Promise.all(gt.range(7).map(blur)); // @group images
  for (const d of done) g.add({ id: d.id, start: d.start, end: d.end, tid: d.tid, worker: d.index });
  g.end();
  pool.close();
  if (done.some((d) => d.pixels.byteLength !== 1 << 16)) process.exitCode = 9;
})();
