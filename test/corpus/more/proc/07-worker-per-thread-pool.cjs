// @style a pool of worker_threads by hand: run(task) gives a promise, idle threads take what waits, in a class
// @expect th: pool tasks=9 conc=3 ok=9 error=0
const { Worker } = require('worker_threads');
const gt = require('../gt.cjs');
const g = gt.group({ name: 'th', kind: 'pool', concurrency: 3, declared: 9 });
class WorkerPool {
  constructor(file, size) {
    this.idle = gt.range(size).map(() => new Worker(file));
    this.queue = [];
  }
  run(data) {
    return new Promise((resolve, reject) => {
      this.queue.push({ data, resolve, reject });
      this.next();
    });
  }
  next() {
    while (this.idle.length > 0 && this.queue.length > 0) {
      const worker = this.idle.pop();
      const { data, resolve } = this.queue.shift();
      worker.once('message', (answer) => {
        this.idle.push(worker);
        resolve(answer);
        this.next();
      });
      worker.postMessage(data);
    }
  }
  close() { for (const worker of this.idle) worker.terminate(); }
}
const pool = new WorkerPool(`${__dirname}/workers/answers.cjs`, 3);
Promise.all(gt.range(9).map((i) => pool.run({ i, ms: gt.ms(i, 20, 50) }))).then((done) => { // @group th @task th
  for (const d of done) g.add({ id: d.i, start: d.start, end: d.end, tid: d.tid });
  g.end();
  pool.close();
});
