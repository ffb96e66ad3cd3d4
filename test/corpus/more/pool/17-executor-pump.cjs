// @style an executor class: submit gives a promise, a pump starts what fits; futures are awaited one after the other, as with Java's get()
// @expect jobs: pool tasks=12 conc=3 ok=11 error=1
const gt = require('../gt.cjs');
const g = gt.group({ name: 'jobs', kind: 'pool', concurrency: 3, declared: 12 });
class Executor {
  constructor(threads) { this.threads = threads; this.active = 0; this.queue = []; }
  submit(fn) {
    return new Promise((resolve, reject) => {
      this.queue.push({ fn, resolve, reject });
      this.pump();
    });
  }
  pump() {
    while (this.active < this.threads && this.queue.length > 0) {
      const { fn, resolve, reject } = this.queue.shift();
      this.active++;
      fn().then(resolve, reject).finally(() => { this.active--; this.pump(); }); // @group jobs
    }
  }
}
const pause = (ms) => new Promise((done) => setTimeout(done, ms));
async function job(i, submitted) { // @task jobs
  const t = g.start(i, { submitted });
  await pause(gt.ms(i, 20, 60));
  if (i === 5) throw t.fail(new Error('job 5'));
  return t.ok(i);
}
async function main() {
  const executor = new Executor(3);
  const futures = gt.range(12).map((i) => { const at = performance.now(); return executor.submit(() => job(i, at)); }); // @group jobs
  for (const future of futures) await future.catch(() => undefined);
  g.end();
}
main();
