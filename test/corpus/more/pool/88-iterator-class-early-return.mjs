// @style class with Symbol.asyncIterator / next() / return(): results as they complete; the consumer breaks out early
// @expect probes: pool tasks=8 conc=3 ok=8 error=0 peak=3 notStarted=6
import gt from '../gt.cjs';

const g = gt.group({ name: 'probes', kind: 'pool', concurrency: 3, declared: 14 });

class AsCompleted {
  #source;
  #fn;
  #limit;
  #flying = new Set();
  #landed = [];

  constructor(iterable, fn, { limit }) {
    this.#source = iterable[Symbol.iterator]();
    this.#fn = fn;
    this.#limit = limit;
  }

  static over(iterable, fn, options) {
    return new AsCompleted(iterable, fn, options);
  }

  #refill() {
    while (this.#flying.size < this.#limit) {
      const { done, value } = this.#source.next();
      if (done) break;
      const flight = this.#fn(value).then((result) => {
        this.#flying.delete(flight);
        this.#landed.push(result);
      });
      this.#flying.add(flight);
    }
  }

  [Symbol.asyncIterator]() {
    return this;
  }

  async next() {
    if (!this.#landed.length) {
      this.#refill();
      if (!this.#flying.size) return { done: true, value: undefined };
      await Promise.race(this.#flying); // @group probes
    }
    return { done: false, value: this.#landed.shift() };
  }

  async return(value) {
    this.#source.return?.();
    await Promise.allSettled(this.#flying); // let what runs come to its end
    return { done: true, value };
  }
}

const durations = [40, 70, 100, 45, 110, 60, 120, 90];
const probe = async (replica) => { // @task probes
  const t = g.start(replica);
  await new Promise((done) => setTimeout(done, durations[replica]));
  return t.ok({ replica, lagMs: replica * 3 });
};

const healthy = [];
for await (const status of AsCompleted.over(gt.range(14), probe, { limit: 3 })) {
  healthy.push(status.replica);
  if (healthy.length === 6) break; // a quorum is enough
}
g.end();
