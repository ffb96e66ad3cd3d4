// @style Go-like channels of capacity 2: one reader, three resizers, one writer
// @difficulty hard: three stages overlap, each runs on promises kept in the channel
// @expect reads: sequential tasks=9 conc=1 ok=9 error=0 peak=1
// @expect resizes: pool tasks=9 conc=3 ok=9 error=0 peak=3 lanes=3
// @expect writes: sequential tasks=9 conc=1 ok=9 error=0 peak=1
import gt from '../gt.cjs';

const sleep = (ms) => new Promise((r) => setTimeout(r, ms));
class Channel {
  #buf = []; #takers = []; #putters = []; #closed = false; #cap;
  constructor(cap) { this.#cap = cap; }
  async put(v) {
    if (this.#takers.length) return void this.#takers.shift()({ value: v, done: false });
    this.#buf.push(v);
    if (this.#buf.length > this.#cap) await new Promise((r) => this.#putters.push(r));
  }
  next() {
    if (this.#buf.length) {
      const value = this.#buf.shift();
      this.#putters.shift()?.();
      return Promise.resolve({ value, done: false });
    }
    if (this.#closed) return Promise.resolve({ value: undefined, done: true });
    return new Promise((r) => this.#takers.push(r));
  }
  close() { this.#closed = true; for (const t of this.#takers.splice(0)) t({ value: undefined, done: true }); }
  [Symbol.asyncIterator]() { return this; }
}

const raw = new Channel(2);
const small = new Channel(2);
const reads = gt.group({ name: 'reads', kind: 'sequential', concurrency: 1, declared: 9 });
const resizes = gt.group({ name: 'resizes', kind: 'pool', concurrency: 3, declared: 9 });
const writes = gt.group({ name: 'writes', kind: 'sequential', concurrency: 1, declared: 9 });

async function readImage(n) { const t = reads.start(n); await sleep(gt.ms(n, 10, 25)); return t.ok({ n }); } // @task reads
async function resize(img, w) { const t = resizes.start(img.n, { worker: w }); await sleep(gt.ms(img.n + 30, 50, 90)); return t.ok(img); } // @task resizes
async function writeImage(img) { const t = writes.start(img.n); await sleep(gt.ms(img.n + 60, 10, 20)); t.ok(); } // @task writes

async function reader() {
  for (let n = 0; n < 9; n++) await raw.put(await readImage(n)); // @group reads
  raw.close();
}
async function resizer(w) { // @worker resizes
  for await (const img of raw) await small.put(await resize(img, w)); // @group resizes
}
async function writer() {
  for await (const img of small) await writeImage(img); // @group writes
}

const written = writer();
reader();
await Promise.all([resizer(0), resizer(1), resizer(2)]); // @group resizes
small.close();
await written;
reads.end(); resizes.end(); writes.end();
