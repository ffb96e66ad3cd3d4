// @style channel: bursts are pushed into a hand-made async-iterable channel, three consumers read the same one with for await
// @expect posts: pool tasks=13 conc=3 ok=13 error=0 peak=3 lanes=3
import gt from '../gt.cjs';
const g = gt.group({ name: 'posts', kind: 'pool', concurrency: 3, declared: 13 });
const END = Symbol('end');

class Channel {
  #buffer = []; #readers = []; #closed = false;
  push(item) {
    const reader = this.#readers.shift();
    if (reader) reader(item); else this.#buffer.push(item);
  }
  close() {
    this.#closed = true;
    for (const reader of this.#readers.splice(0)) reader(END);
  }
  next() {
    if (this.#buffer.length) return Promise.resolve(this.#buffer.shift());
    if (this.#closed) return Promise.resolve(END);
    return new Promise((resolve) => this.#readers.push(resolve));
  }
  async *[Symbol.asyncIterator]() {
    for (let item = await this.next(); item !== END; item = await this.next()) yield item;
  }
}

const publish = (n, seat) => new Promise((resolve) => { // @task posts
  const t = g.start(n, { worker: seat });
  setTimeout(() => resolve(t.ok(n)), gt.ms(n, 25, 70));
});

async function consumer(channel, seat) { // @worker posts
  let handled = 0;
  for await (const n of channel) {
    await publish(n, seat);
    handled++;
  }
  return handled;
}

const channel = new Channel();
const crew = ['ada', 'bo', 'cy'].map((_, seat) => consumer(channel, seat));
let n = 0;
for (const burst of [6, 4, 3]) {
  for (let k = 0; k < burst; k++) channel.push(n++);
  await new Promise((r) => setTimeout(r, 45));
}
channel.close();
await Promise.all(crew); // @group posts
g.end();
