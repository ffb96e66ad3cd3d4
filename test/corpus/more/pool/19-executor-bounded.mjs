// @style an executor with a bounded queue: what does not fit is refused at once, by a rejected promise; the workers run until it is shut down
// @expect jobs: pool tasks=10 conc=3 ok=7 error=3
import { setTimeout as sleep } from 'node:timers/promises';
import gt from '../gt.cjs';
const g = gt.group({ name: 'jobs', kind: 'pool', concurrency: 3, declared: 10 });
class RejectedExecution extends Error {}
class BoundedExecutor {
  constructor(threads, size) {
    Object.assign(this, { size, queue: [], idle: [], shut: false });
    this.threads = Array.from({ length: threads }, () => this.work()); // @group jobs
  }
  execute(run) {
    const job = { run };
    job.done = new Promise((resolve, reject) => Object.assign(job, { resolve, reject }));
    const worker = this.idle.shift();
    if (worker) worker(job);
    else if (this.queue.length < this.size) this.queue.push(job);
    else job.reject(g.start('refused').fail(new RejectedExecution('the queue is full')));
    return job.done;
  }
  async work() { // @worker jobs
    while (!this.shut || this.queue.length > 0) {
      const job = this.queue.shift() ?? await new Promise((resolve) => this.idle.push(resolve));
      if (!job) return;
      await job.run().then(job.resolve, job.reject); // @group jobs
    }
  }
  shutdown() { this.shut = true; for (const worker of this.idle.splice(0)) worker(undefined); return Promise.all(this.threads); } // @group jobs
}
async function send(i, submitted) { // @task jobs
  const t = g.start(i, { submitted });
  await sleep(gt.ms(i, 25, 60));
  return t.ok(i);
}
const executor = new BoundedExecutor(3, 4);
await sleep(1);
const results = [];
for (let i = 0; i < 10; i++) { const at = performance.now(); results.push(executor.execute(() => send(i, at)).catch(() => undefined)); }
for (const result of results) await result;
await executor.shutdown();
g.end();
