// @style request dispatcher with three priority lanes behind one limit, withResolvers by hand, a queued call is cancelled by its AbortSignal before it had a slot
// @expect calls: pool tasks=15 conc=3 ok=15 error=0 peak=3 notStarted=1
'use strict';
const { setTimeout: sleep } = require('node:timers/promises');
const gt = require('../gt.cjs');

const g = gt.group({ name: 'calls', kind: 'pool', concurrency: 3, declared: 16 });

function withResolvers() {
  let resolve, reject;
  const promise = new Promise((res, rej) => { resolve = res; reject = rej; });
  return { promise, resolve, reject };
}

class Dispatcher {
  #lanes = new Map([['interactive', []], ['batch', []], ['backfill', []]]);
  #running = 0;
  #limit;
  served = { interactive: 0, batch: 0, backfill: 0 };

  constructor(limit) { this.#limit = limit; }

  submit(lane, fn, { signal } = {}) {
    const { promise, resolve, reject } = withResolvers();
    promise.catch(() => {}); // callers may look at it late
    if (signal?.aborted) { reject(signal.reason); return promise; }
    const entry = { fn, resolve, reject };
    const queue = this.#lanes.get(lane);
    signal?.addEventListener('abort', () => {
      const at = queue.indexOf(entry);
      if (at >= 0) { queue.splice(at, 1); reject(signal.reason); }
    }, { once: true });
    queue.push(entry);
    this.#next();
    return promise;
  }

  #next() {
    while (this.#running < this.#limit) {
      const lane = [...this.#lanes].find(([, queue]) => queue.length > 0);
      if (!lane) return;
      const [name, queue] = lane;
      const { fn, resolve, reject } = queue.shift();
      this.#running++;
      this.served[name]++;
      fn().then(resolve, reject).finally(() => { this.#running--; this.#next(); });
    }
  }
}

async function callApi(id, lo = 20, hi = 60) { // @task calls
  const t = g.start(id);
  await sleep(gt.ms(Number(id.slice(1)), lo, hi));
  return t.ok({ id, at: Date.now() });
}

async function main() {
  const dispatcher = new Dispatcher(3);
  const superseded = new AbortController();

  const backfill = gt.range(5).map((n) => dispatcher.submit('backfill', () => callApi('f' + n), { signal: n === 4 ? superseded.signal : undefined }));
  const batch = gt.range(6).map((n) => dispatcher.submit('batch', () => callApi('b' + (10 + n))));
  superseded.abort(new Error('a newer version of row 4 is queued'));

  // people at a keyboard come while the machine's work is under way
  const interactive = [];
  await sleep(25);
  for (const n of gt.range(3)) interactive.push(dispatcher.submit('interactive', () => callApi('i' + (20 + n), 10, 30)));
  await sleep(30);
  interactive.push(dispatcher.submit('interactive', () => callApi('i23', 10, 30)), dispatcher.submit('interactive', () => callApi('i24', 10, 30)));

  const all = await Promise.allSettled([...interactive, ...batch, ...backfill]); // @group calls
  g.end();
  const cancelled = all.filter((r) => r.status === 'rejected');
  if (cancelled.length !== 1 || dispatcher.served.batch !== 6) throw new Error('unexpected outcome');
}

main();
