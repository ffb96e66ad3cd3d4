// @style class BulkWriter: await writer.add(doc) flushes when the buffer is full, filled from a paged async generator (for await), close() flushes the rest
// @expect docs: chunk tasks=13 conc=5 chunks=3 ok=13 error=0 peak=5
import gt from '../gt.cjs';
const g = gt.group({ name: 'docs', kind: 'chunk', combinator: 'all', concurrency: 5, size: 5, declared: 13 });
const sleep = (ms) => new Promise((r) => setTimeout(r, ms));

class BulkWriter {
  #buffer = [];
  #size;
  #write;
  written = 0;
  constructor(size, write) { this.#size = size; this.#write = write; }
  async add(doc) {
    this.#buffer.push(doc);
    if (this.#buffer.length >= this.#size) await this.flush();
  }
  async flush() {
    if (this.#buffer.length === 0) return;
    const docs = this.#buffer;
    this.#buffer = [];
    await Promise.all(docs.map((doc) => this.#write(doc))); // @group docs
    this.written += docs.length;
  }
  close() { return this.flush(); }
}

async function* cursor(total, pageSize) {
  for (let from = 0; from < total; from += pageSize) {
    await sleep(8); // the page comes from the database
    for (let id = from; id < Math.min(from + pageSize, total); id++) yield { id };
  }
}

const writer = new BulkWriter(5, async ({ id }) => { // @task docs
  const t = g.start(id);
  await sleep(gt.ms(id));
  t.ok();
});
for await (const doc of cursor(13, 4)) await writer.add(doc);
await writer.close();
g.end();
