// @style an executor whose threads are async loops started on demand; submit gives a promise that the thread settles; nobody awaits the threads
// @expect jobs: pool tasks=14 conc=4 ok=14 error=0
import gt from '../gt.cjs';
const g = gt.group({ name: 'jobs', kind: 'pool', concurrency: 4, declared: 14 });
class ThreadPool {
  #queue = []; #waiting = []; #alive = 0; #max;
  constructor(max) { this.#max = max; }
  submit(task) {
    return new Promise((resolve, reject) => {
      const job = { task, resolve, reject };
      const waiting = this.#waiting.shift();
      if (waiting) waiting(job);
      else if (this.#alive < this.#max) { this.#alive++; this.#thread(job); } // @group jobs
      else this.#queue.push(job);
    });
  }
  async #thread(first) { // @worker jobs
    for (let job = first; job; job = this.#queue.shift() ?? await this.#next()) {
      try { job.resolve(await job.task()); } catch (error) { job.reject(error); } // @group jobs
    }
  }
  #next() { return new Promise((resolve) => this.#waiting.push(resolve)); }
  close() { for (const resolve of this.#waiting.splice(0)) resolve(undefined); }
}
const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
async function resize(i, submitted) { // @task jobs
  const t = g.start(i, { submitted });
  await sleep(gt.ms(i, 20, 70));
  return t.ok(i);
}
const pool = new ThreadPool(4);
const futures = [];
for (let i = 0; i < 14; i++) { const at = performance.now(); futures.push(pool.submit(() => resize(i, at))); }
for (const future of futures) await future;
pool.close();
g.end();
