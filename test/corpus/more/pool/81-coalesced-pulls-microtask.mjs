// @style per-key pull scheduler: request(key) queues a key once, a running key is marked dirty and queued again when it ends; queueMicrotask(drain), at most 2 run, waiters' resolvers settled in then/catch/finally
// @expect pulls: pool tasks=8 conc=2 ok=7 error=1 peak=2
import gt from '../gt.cjs';
const g = gt.group({ name: 'pulls', kind: 'pool', concurrency: 2, declared: 8 });

class PullScheduler {
  #entries = new Map();
  #ready = [];
  #open = 0;
  #max;

  constructor(max) {
    this.#max = max;
  }

  request(key, pull) {
    return new Promise((resolve, reject) => {
      let entry = this.#entries.get(key);
      if (!entry) this.#entries.set(key, (entry = { pull, running: false, queued: false, dirty: false, now: [], later: [] }));
      entry.pull = pull;
      entry.later.push({ resolve, reject });
      if (entry.running) entry.dirty = true;
      else if (!entry.queued) this.#enqueue(key, entry);
    });
  }

  #enqueue(key, entry) {
    entry.queued = true;
    this.#ready.push(key);
    queueMicrotask(() => this.#drain());
  }

  #drain() {
    while (this.#open < this.#max) {
      const key = this.#ready.shift();
      if (key === undefined) return;
      const entry = this.#entries.get(key);
      if (!entry?.queued || entry.running) continue;
      Object.assign(entry, { queued: false, running: true, dirty: false, now: entry.later.splice(0) });
      this.#open++;
      void entry.pull(key) // @group pulls
        .then((v) => entry.now.forEach((w) => w.resolve(v)))
        .catch((e) => entry.now.forEach((w) => w.reject(e)))
        .finally(() => {
          this.#open--;
          entry.running = false;
          if (entry.dirty) this.#enqueue(key, entry);
          else this.#entries.delete(key);
          this.#drain();
        });
    }
  }
}

const runs = {};
async function pullDocument(key) { // @task pulls
  const nr = (runs[key] = (runs[key] ?? 0) + 1);
  const t = g.start(`${key}#${nr}`);
  await new Promise((r) => setTimeout(r, gt.ms(key.charCodeAt(0) + nr, 40, 70)));
  if (key === 'd') throw t.fail(new Error('document d is gone'));
  return t.ok(nr);
}

const pulls = new PullScheduler(2);
const asked = [...'abcdef', 'a', 'c'].map((key) => pulls.request(key, pullDocument)); // a and c fall together with what is queued
await new Promise((r) => setTimeout(r, 15));
asked.push(pulls.request('a', pullDocument), pulls.request('b', pullDocument)); // both are running: run again
await Promise.allSettled(asked);
g.end();
