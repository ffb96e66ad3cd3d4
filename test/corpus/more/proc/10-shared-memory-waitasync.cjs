// @style SharedArrayBuffer mailboxes: store + notify hands over the job, Atomics.waitAsync awaits the state, Atomics.add counts; a rail per worker
// @difficulty other-thread-or-process
// @expect cells: pool tasks=12 conc=2 ok=12 error=0 peak=2 lanes=2
const { Worker, isMainThread, workerData } = require('worker_threads');
const IDLE = 0, JOB = 1, QUIT = 2; // state[w]; input[w] is the duration; [COUNT] counts what was done
const COUNT = 2;
if (!isMainThread) {
  const { state, input, w } = workerData;
  Atomics.store(state, w, IDLE);
  Atomics.notify(state, w);
  for (;;) {
    Atomics.wait(state, w, IDLE);
    if (Atomics.load(state, w) === QUIT) break;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, input[w]);
    Atomics.add(input, COUNT, 1);
    Atomics.store(state, w, IDLE);
    Atomics.notify(state, w);
  }
} else {
  const gt = require('../gt.cjs');
  const g = gt.group({ name: 'cells', kind: 'pool', concurrency: 2, declared: 12 });
  const state = new Int32Array(new SharedArrayBuffer(8)).fill(-1);
  const input = new Int32Array(new SharedArrayBuffer(12));
  const queue = gt.range(12);
  const until = async (w, was) => { const r = Atomics.waitAsync(state, w, was); if (r.async) await r.value; };
  async function compute(i, w) { // @task cells
    const t = g.start(i, { worker: w });
    input[w] = gt.ms(i, 40, 110);
    Atomics.store(state, w, JOB);
    Atomics.notify(state, w);
    await until(w, JOB);
    t.ok();
  }
  async function lane(w) { // @worker cells
    new Worker(__filename, { workerData: { state, input, w } });
    await until(w, -1);
    while (queue.length) await compute(queue.shift(), w);
    Atomics.store(state, w, QUIT);
    Atomics.notify(state, w);
  }
  Promise.all([lane(0), lane(1)]).then(() => { // @group cells
    if (Atomics.load(input, COUNT) !== 12) throw new Error('lost a job');
    g.end();
  });
}
