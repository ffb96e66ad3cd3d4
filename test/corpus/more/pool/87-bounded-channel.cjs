// @style bounded channel: put() waits while the buffer is full, consumers `for await (const x of channel)`, close() lets them go
// @expect grains: pool tasks=13 conc=3 ok=13 error=0 peak=3 lanes=3
const gt = require('../gt.cjs');
const g = gt.group({ name: 'grains', kind: 'pool', concurrency: 3, declared: 13 });

function channel(capacity) {
  const buffer = [];
  const takers = [];
  const putters = [];
  let closed = false;

  const take = () => {
    if (buffer.length) {
      const value = buffer.shift();
      const putter = putters.shift();
      if (putter) putter();
      return Promise.resolve({ value, done: false });
    }
    if (closed) return Promise.resolve({ value: undefined, done: true });
    return new Promise((resolve) => takers.push(resolve));
  };

  return {
    async put(value) {
      const taker = takers.shift();
      if (taker) return taker({ value, done: false });
      while (buffer.length >= capacity) await new Promise((room) => putters.push(room));
      buffer.push(value);
    },
    close() {
      closed = true;
      takers.splice(0).forEach((taker) => taker({ value: undefined, done: true }));
    },
    [Symbol.asyncIterator]: () => ({ next: take }),
  };
}

const mill = channel(2);

async function farmer() {
  for (const sack of gt.range(13)) await mill.put(sack);
  mill.close();
}

async function grind(sack, stone) { // @task grains
  const t = g.start(sack, { worker: stone });
  await new Promise((r) => setTimeout(r, gt.ms(sack)));
  t.ok();
}

async function miller(stone) { // @worker grains
  for await (const sack of mill) await grind(sack, stone);
}

(async () => {
  const millers = [0, 1, 2].map(miller);
  await Promise.all([farmer(), ...millers]); // @group grains
  g.end();
})();
