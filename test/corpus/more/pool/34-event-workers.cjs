// @style workers are EventEmitters: 'idle' asks for work, the dispatcher answers with run(job); no promise is awaited
// @expect prints: pool tasks=10 conc=3 ok=10 error=0 peak=3 lanes=3
const { EventEmitter } = require('events');
const gt = require('../gt.cjs');
const g = gt.group({ name: 'prints', kind: 'pool', concurrency: 3, declared: 10 });
const sleep = (ms) => new Promise((r) => setTimeout(r, ms));

class Printer extends EventEmitter {
  constructor(id) {
    super();
    this.id = id;
  }
  start() { this.emit('idle'); }
  async run(job) { // @task prints
    const t = g.start(job, { worker: this.id });
    await sleep(gt.ms(job));
    t.ok();
    setImmediate(() => this.emit('idle'));
  }
}

const jobs = gt.range(10);
const printers = gt.range(3).map((id) => new Printer(id));
let stopped = 0;
for (const printer of printers) {
  printer.on('idle', () => {
    const job = jobs.shift();
    if (job !== undefined) printer.run(job); // @group prints
    else if (++stopped === printers.length) g.end();
  });
}
printers.forEach((printer) => printer.start());
