// @style cluster: the primary hands one job at a time to each of 2 workers, the answer calls for the next
// @expect jobs: pool tasks=8 conc=2 ok=8 error=0 peak=2 lanes=2
const cluster = require('cluster');
if (cluster.isPrimary) primary(); else worker();

function worker() {
  process.on('message', (job) => {
    setTimeout(() => process.send({ id: job.id, value: job.id ** 2 }), job.ms);
  });
  process.send('ready');
}

function primary() {
  const gt = require('../gt.cjs');
  const g = gt.group({ name: 'jobs', kind: 'pool', lib: 'cluster', concurrency: 2, declared: 8 });
  const todo = gt.range(8).map((id) => ({ id, ms: gt.ms(id, 25, 65) }));
  const values = [];
  const ask = (w, nr) => new Promise((resolve) => { // @task jobs
    const job = todo.shift();
    const t = g.start(job.id, { worker: nr });
    w.once('message', (answer) => { t.ok(); resolve(answer.value); });
    w.send(job);
  });
  async function drive(w, nr) { // @worker jobs
    while (todo.length) values.push(await ask(w, nr));
  }
  const workers = [cluster.fork(), cluster.fork()];
  async function start() {
    await Promise.all(workers.map(drive)); // @group jobs
    g.end();
    for (const w of workers) w.disconnect();
  }
  let ready = 0;
  for (const w of workers) w.once('message', () => { if (++ready === workers.length) start(); });
}
