// @style job poller: setInterval takes up to 3 due jobs from a table, Promise.all, a busy flag skips the ticks in between
// @expect due: chunk tasks=8 conc=3 chunks=3 ok=8 error=0 peak=3
import { EventEmitter, once } from 'node:events';
import gt from '../gt.cjs';
const g = gt.group({ name: 'due', kind: 'chunk', combinator: 'all', concurrency: 3, size: 3, declared: 8 });
const sleep = (ms) => new Promise((r) => setTimeout(r, ms));
const table = gt.range(8).map((id) => ({ id, state: 'waiting' }));

class Poller extends EventEmitter {
  busy = false;
  start(every) { this.timer = setInterval(() => this.tick(), every); return this; }
  stop() { clearInterval(this.timer); this.emit('stopped'); }
  async tick() {
    if (this.busy) return;
    const jobs = table.filter((job) => job.state === 'waiting').slice(0, 3);
    if (jobs.length === 0) return this.stop();
    this.busy = true;
    try {
      await Promise.all(jobs.map((job) => this.handle(job))); // @group due
    } finally {
      this.busy = false;
    }
  }
  async handle(job) { // @task due
    const t = g.start(job.id);
    job.state = 'running';
    await sleep(gt.ms(job.id));
    job.state = 'done';
    t.ok();
  }
}

await once(new Poller().start(20), 'stopped');
g.end();
