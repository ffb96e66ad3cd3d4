// @style class Importer with private #flush(), rows added one at a time, allSettled and retry of what failed
// @expect import: chunk tasks=14 conc=4 chunks=4 ok=11 error=3 peak=4
import gt from '../gt.cjs';
import { setTimeout as pause } from 'node:timers/promises';
const g = gt.group({ name: 'import', kind: 'chunk', combinator: 'allSettled', concurrency: 4, size: 4, declared: 14 });
let flushes = 0;
class Importer {
  #buffer = []; #failed = [];
  constructor(size) { this.size = size; }
  async #insert(row, slot) { // @task import
    const t = g.start(row.id + (row.again ? 'r' : ''), { chunk: flushes, slot });
    await pause(gt.ms(row.id));
    if (!row.again && row.id % 4 === 1) throw t.fail(new Error('deadlock'));
    t.ok();
  }
  async #flush() {
    const rows = this.#buffer.splice(0, this.size);
    const results = await Promise.allSettled(rows.map((row, slot) => this.#insert(row, slot))); // @group import
    flushes++;
    results.forEach((r, i) => { if (r.status === 'rejected') this.#failed.push({ ...rows[i], again: true }); });
  }
  async run(rows) {
    for (const row of rows) {
      this.#buffer.push(row);
      if (this.#buffer.length >= this.size) await this.#flush();
    }
    if (this.#buffer.length) await this.#flush();
    this.#buffer = this.#failed.splice(0);
    while (this.#buffer.length) await this.#flush();
  }
}
await new Importer(4).run(gt.range(11).map((id) => ({ id })));
g.end();
