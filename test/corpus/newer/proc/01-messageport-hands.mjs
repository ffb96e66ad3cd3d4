// @style class Hand around a Worker and a MessageChannel port (rpc with Promise.withResolvers), `await using` terminates them; three hands share one iterator
// @minNode 24
// @thread
// @expect hire: all tasks=3 conc=3 ok=3 error=0 peak=3
// @expect primes: pool tasks=9 conc=3 ok=9 error=0
import { MessageChannel, Worker, isMainThread, workerData } from 'node:worker_threads';
import { once } from 'node:events';
import gt from '../gt.cjs';

function countPrimes(upTo, ms) {
  const until = performance.now() + ms;
  let found;
  do {
    found = 0;
    for (let n = 2; n < upTo; n++) {
      let d = 2;
      while (d * d <= n && n % d) d++;
      if (d * d > n) found++;
    }
  } while (performance.now() < until);
  return found;
}

if (isMainThread) {
  const crew = gt.group({ name: 'hire', kind: 'all', combinator: 'all', concurrency: 3, declared: 3 });

  class Hand {
    #worker;
    #port;
    #calls = new Map();

    static async hire(lane) { // @task hire
      const t = crew.start(lane);
      const { port1, port2 } = new MessageChannel();
      const hand = new Hand();
      hand.lane = lane;
      hand.#worker = new Worker(new URL(import.meta.url), { workerData: { port: port2 }, transferList: [port2] });
      hand.#port = port1.on('message', ({ id, ...answer }) => {
        const call = hand.#calls.get(id);
        hand.#calls.delete(id);
        call?.resolve(answer);
      });
      await once(hand.#worker, 'online');
      await hand.call('hello', { upTo: 2, ms: 0 });
      return t.ok(hand);
    }

    call(id, work) {
      const call = Promise.withResolvers();
      this.#calls.set(id, call);
      this.#port.postMessage({ id, ...work });
      return call.promise;
    }

    async [Symbol.asyncDispose]() {
      this.#port.close();
      await this.#worker.terminate();
    }
  }

  await using stack = new AsyncDisposableStack();
  const hired = await Promise.all([0, 1, 2].map(Hand.hire)); // @group hire
  crew.end();
  const hands = hired.map((hand) => stack.use(hand));

  const g = gt.group({ name: 'primes', kind: 'pool', lib: 'worker_threads', concurrency: 3, declared: 9 });
  const count = async (hand, id) => { // @task primes
    const { start, end, found } = await hand.call(id, { upTo: 500, ms: gt.ms(id, 15, 40) });
    g.add({ id, start, end, worker: hand.lane });
    return found;
  };
  const ids = gt.range(9).values();
  const lane = async (hand) => { for (const id of ids) await count(hand, id); }; // @worker primes
  await Promise.all(hands.map(lane)); // @group primes
  g.end();
} else {
  const { port } = workerData;
  port.on('message', ({ id, upTo, ms }) => {
    const start = gt.abs();
    const found = countPrimes(upTo, ms);
    port.postMessage({ id, found, start, end: gt.abs() });
  });
}
