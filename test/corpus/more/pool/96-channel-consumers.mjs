// @style hand-made async channel with put/close; three named consumers for-await on the same channel while a timer feeds it
// @expect lines: pool tasks=13 conc=3 ok=13 error=0 peak=3 lanes=3
import gt from '../gt.cjs';

const g = gt.group({ name: 'lines', kind: 'pool', concurrency: 3, declared: 13 });

class Channel {
  #buffer = [];
  #takers = [];
  #closed = false;
  put(value) {
    if (this.#closed) throw new Error('channel is closed');
    const taker = this.#takers.shift();
    if (taker) taker({ value, done: false });
    else this.#buffer.push(value);
  }
  close() {
    this.#closed = true;
    for (const taker of this.#takers.splice(0)) taker({ value: undefined, done: true });
  }
  [Symbol.asyncIterator]() {
    return {
      next: () => {
        if (this.#buffer.length) return Promise.resolve({ value: this.#buffer.shift(), done: false });
        if (this.#closed) return Promise.resolve({ value: undefined, done: true });
        return new Promise((resolve) => this.#takers.push(resolve));
      },
    };
  }
}

const shipped = { amber: 0, blue: 0, coral: 0 };

async function ship(line, lane) { // @task lines
  const t = g.start(line.seq, { worker: lane });
  await new Promise((r) => setTimeout(r, gt.ms(line.seq)));
  t.ok();
}

const logs = new Channel();
const consumers = Object.keys(shipped).map(async (name, lane) => { // @worker lines
  for await (const line of logs) {
    await ship(line, lane);
    shipped[name]++;
  }
});

let seq = 0;
const tail = setInterval(() => {
  logs.put({ seq: seq++, text: 'GET / 200' });
  if (seq % 4 === 0) logs.put({ seq: seq++, text: 'GET /favicon.ico 404' });
  if (seq >= 13) {
    clearInterval(tail);
    logs.close();
  }
}, 6);

await Promise.all(consumers); // @group lines
g.end();
if (Object.values(shipped).reduce((a, b) => a + b) !== 13) process.exitCode = 1;
