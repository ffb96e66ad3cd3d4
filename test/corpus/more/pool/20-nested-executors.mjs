// @style two executors of one class, tasks of the outer one wait for tasks of the inner one; one Promise.all over the promises of the outer tasks
// @expect api: pool tasks=10 conc=5 ok=10 error=0
// @expect client: pool tasks=10 conc=2 ok=10 error=0
import gt from '../gt.cjs';
const api = gt.group({ name: 'api', kind: 'pool', concurrency: 5, declared: 10 });
const client = gt.group({ name: 'client', kind: 'pool', concurrency: 2, declared: 10 });
const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
class Executor {
  queue = []; idle = 0; threads = 0;
  constructor(size) { this.size = size; }
  submit(run) {
    const task = { run };
    task.done = new Promise((resolve) => { task.end = resolve; });
    this.queue.push(task);
    if (this.threads < this.size) { this.threads++; this.thread(); } // @group api client
    return task.done;
  }
  async thread() {
    for (let task = this.queue.shift(); task; task = this.queue.shift()) {
      await task.run(); // @group api client
      task.end();
    }
    this.threads--;
  }
}
const [apiExecutor, clientExecutor] = [new Executor(5), new Executor(2)];
async function request(i, submitted) { // @task api
  const t = api.start(i, { submitted });
  await sleep(gt.ms(i, 20, 40));
  const at = performance.now();
  await clientExecutor.submit(() => call(i, at, t));
  t.ok();
}
async function call(i, submitted) { // @task client
  const t = client.start(i, { submitted });
  await sleep(gt.ms(i + 20, 30, 50));
  t.ok();
}
await Promise.all(gt.range(10).map((i) => { const at = performance.now(); return apiExecutor.submit(() => request(i, at)); })); // @group api
api.end(); client.end();
