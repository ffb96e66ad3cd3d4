// @style PriorityExecutor with a binary heap: submit(fn, { priority }) gives a promise, the callers wait for all of them
// @expect exports: pool tasks=12 conc=2 ok=11 error=1 peak=2
'use strict';

const gt = require('../gt.cjs');
const g = gt.group({ name: 'exports', kind: 'pool', concurrency: 2, declared: 12 });

function Heap(compare) {
  const a = [];
  const swap = (i, j) => { const x = a[i]; a[i] = a[j]; a[j] = x; };
  return {
    get size() { return a.length; },
    push(v) {
      let i = a.push(v) - 1;
      while (i > 0) {
        const up = (i - 1) >> 1;
        if (compare(a[i], a[up]) >= 0) break;
        swap(i, up);
        i = up;
      }
    },
    pop() {
      const top = a[0];
      const last = a.pop();
      if (a.length) {
        a[0] = last;
        for (let i = 0; ;) {
          let min = i;
          const l = 2 * i + 1, r = l + 1;
          if (l < a.length && compare(a[l], a[min]) < 0) min = l;
          if (r < a.length && compare(a[r], a[min]) < 0) min = r;
          if (min === i) break;
          swap(i, min);
          i = min;
        }
      }
      return top;
    },
  };
}

class PriorityExecutor {
  #heap = Heap((x, y) => y.priority - x.priority || x.seq - y.seq);
  #active = 0;
  #seq = 0;
  #scheduled = false;

  constructor(slots) { this.slots = slots; }

  submit(fn, { priority = 0 } = {}) {
    const { promise, resolve, reject } = this.#deferred();
    this.#heap.push({ fn, priority, seq: this.#seq++, resolve, reject });
    this.#tick();
    return promise;
  }

  #deferred() {
    const d = {};
    d.promise = new Promise((resolve, reject) => Object.assign(d, { resolve, reject }));
    return d;
  }

  #tick() { // let a whole burst of submits sort itself before anything starts
    if (this.#scheduled) return;
    this.#scheduled = true;
    queueMicrotask(() => {
      this.#scheduled = false;
      while (this.#active < this.slots && this.#heap.size) this.#execute(this.#heap.pop());
    });
  }

  async #execute({ fn, resolve, reject }) {
    this.#active += 1;
    try {
      resolve(await fn());
    } catch (e) {
      reject(e);
    } finally {
      this.#active -= 1;
      this.#tick();
    }
  }
}

function exportReport(report) { // @task exports
  const t = g.start(report.id);
  return new Promise((resolve, reject) => {
    setTimeout(() => {
      if (report.id === 8) reject(t.fail(new Error('disk full')));
      else resolve(t.ok(report.id));
    }, gt.ms(report.id));
  });
}

const executor = new PriorityExecutor(2);
const plans = ['free', 'pro', 'enterprise'];

async function main() {
  const reports = gt.range(12).map((id) => ({ id, plan: plans[id % 3] }));
  const pending = reports.map((r) => executor.submit(() => exportReport(r), { priority: plans.indexOf(r.plan) }));
  await Promise.allSettled(pending); // @group exports
  g.end();
}

main();
