// @style job queue limited twice (slots and a token bucket): async #next() returns when it may not run, else takes one job, try/catch to the job's own resolve/reject, finally calls #next(); a short timer asks again when only tokens lack
// @expect jobs: pool tasks=12 conc=3 ok=11 error=1 peak=3
import gt from '../gt.cjs';
const g = gt.group({ name: 'jobs', kind: 'pool', concurrency: 3, declared: 12 });

class ThrottledJobs {
  #jobs = [];
  #running = 0;
  #tokens;
  #filledAt = performance.now();
  #asking = null;

  constructor({ slots, perSecond, burst }) {
    Object.assign(this, { slots, perSecond, burst });
    this.#tokens = burst;
  }

  schedule(work, ...args) {
    return new Promise((resolve, reject) => {
      this.#jobs.push({ work, args, resolve, reject });
      this.#next();
    });
  }

  #refill() {
    const now = performance.now();
    this.#tokens = Math.min(this.burst, this.#tokens + ((now - this.#filledAt) / 1000) * this.perSecond);
    this.#filledAt = now;
  }

  #mayRun() {
    if (this.#running >= this.slots) return false;
    this.#refill();
    if (this.#tokens >= 1) return true;
    const lack = ((1 - this.#tokens) / this.perSecond) * 1000;
    this.#asking ??= setTimeout(() => { this.#asking = null; this.#next(); }, Math.ceil(lack));
    return false;
  }

  async #next() {
    if (this.#jobs.length === 0 || !this.#mayRun()) return;
    const job = this.#jobs.shift();
    this.#tokens -= 1;
    this.#running++;
    try {
      job.resolve(await job.work(...job.args));
    } catch (e) {
      job.reject(e);
    } finally {
      this.#running--;
      this.#next();
    }
  }
}

const queue = new ThrottledJobs({ slots: 3, perSecond: 80, burst: 4 });
async function translate(n, text) { // @task jobs
  const t = g.start(n);
  await new Promise((r) => setTimeout(r, gt.ms(n, 30, 70)));
  if (n === 8) throw t.fail(new Error('quota'));
  return t.ok([...text].reverse().join(''));
}
const replies = await Promise.all(gt.range(12).map((n) => queue.schedule(translate, n, 'text ' + n).catch((e) => e.message))); // @group jobs
g.end(replies.length === 12 ? 'ok' : 'error');
