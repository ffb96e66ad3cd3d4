// @style adaptive concurrency (additive increase, multiplicative decrease): the limit follows the answers of the upstream
// @expect calls: pool tasks=20 ok=19 error=1 peak=6
import gt from '../gt.cjs';

const g = gt.group({ name: 'calls', kind: 'pool', concurrency: 2, declared: 20 });
const sleep = (ms) => new Promise((r) => setTimeout(r, ms));

class AimdLimiter {
  #limit; #inFlight = 0; #streak = 0; #waiting = [];
  constructor({ initial = 2, min = 1, max = 6 } = {}) {
    this.#limit = initial;
    this.min = min;
    this.max = max;
  }

  #acquire() {
    if (this.#inFlight < this.#limit) {
      this.#inFlight++;
      return Promise.resolve();
    }
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #release() {
    this.#inFlight--;
    while (this.#inFlight < this.#limit && this.#waiting.length > 0) {
      this.#inFlight++;
      this.#waiting.shift()();
    }
  }

  #adjust(limit) {
    if (limit === this.#limit) return;
    this.#limit = limit;
    g.setConcurrency(limit);
  }

  async schedule(fn) {
    await this.#acquire();
    try {
      const value = await fn();
      if (++this.#streak >= 3) {
        this.#streak = 0;
        this.#adjust(Math.min(this.max, this.#limit + 1));
      }
      return value;
    } catch (err) {
      this.#streak = 0;
      if (err.status === 429) this.#adjust(Math.max(this.min, Math.floor(this.#limit / 2)));
      throw err;
    } finally {
      this.#release();
    }
  }
}

async function call(id) { // @task calls
  const t = g.start(id);
  await sleep(35);
  if (id === 12) throw t.fail(Object.assign(new Error('Too Many Requests'), { status: 429 }));
  return t.ok({ id });
}

const limiter = new AimdLimiter();
const throttled = [];
await Promise.all( // @group calls
  gt.range(20).map((id) => limiter.schedule(() => call(id)).catch((err) => { throttled.push(err); })),
);
g.end();
