// @style hand-made async iterator (Channel with next/return), three named consumers share it with for await; then two writers under one Promise.all
// @expect readings: pool tasks=14 conc=3 ok=14 error=0 peak=3 lanes=3
// @expect finish: all tasks=2 conc=2 ok=2 error=0 peak=2
import { setTimeout as delay } from 'node:timers/promises';
import gt from '../gt.cjs';

// 채널: 값이 없으면 next()가 기다리고, close() 뒤에는 done
class Channel {
  buffer = [];
  readers = [];
  closed = false;

  push(value) {
    const reader = this.readers.shift();
    if (reader) reader({ value, done: false });
    else this.buffer.push(value);
  }

  close() {
    this.closed = true;
    for (const reader of this.readers.splice(0)) reader({ value: undefined, done: true });
  }

  [Symbol.asyncIterator]() {
    return {
      next: () => {
        if (this.buffer.length) return Promise.resolve({ value: this.buffer.shift(), done: false });
        if (this.closed) return Promise.resolve({ value: undefined, done: true });
        return new Promise((resolve) => this.readers.push(resolve));
      },
      return: () => Promise.resolve({ value: undefined, done: true }),
    };
  }
}

const sensors = (channel, total) => {
  let n = 0;
  const timer = setInterval(() => {
    channel.push({ seq: n, celsius: 20 + (n % 7) }); n++;
    channel.push({ seq: n, celsius: 20 + (n % 7) }); n++;
    if (n >= total) { clearInterval(timer); channel.close(); }
  }, 10);
};

const store = { rows: [], index: null, totals: null };
const g = gt.group({ name: 'readings', kind: 'pool', concurrency: 3, declared: 14 });

async function persist(reading, who) { // @task readings
  const t = g.start(reading.seq, { worker: who });
  await delay(gt.ms(reading.seq, 30, 80));
  store.rows.push(reading);
  t.ok();
}

async function consumer(channel, who) { // @worker readings
  for await (const reading of channel) await persist(reading, who);
  return who;
}

async function writeIndex(f) { // @task finish
  const t = f.start('index');
  await delay(35);
  store.index = new Map(store.rows.map((r, i) => [r.seq, i]));
  return t.ok(store.index.size);
}

async function writeTotals(f) { // @task finish
  const t = f.start('totals');
  await delay(25);
  store.totals = store.rows.reduce((sum, r) => sum + r.celsius, 0);
  return t.ok(store.totals);
}

const channel = new Channel();
sensors(channel, 14);
const names = ['anna', 'bora', 'chul'];
await Promise.all(names.map((who) => consumer(channel, who))); // @group readings
g.end();

const f = gt.group({ name: 'finish', kind: 'all', combinator: 'all', concurrency: 2, declared: 2 });
const [size] = await Promise.all([writeIndex(f), writeTotals(f)]); // @group finish
f.end();
if (size !== 14) process.exitCode = 1;
