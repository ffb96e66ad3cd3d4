// @style an unhandled rejection in an async event handler kills the process in the middle of a chunk loop
// @exit 1
// @stderr
// @expect rows: chunk tasks=6 conc=3 chunks=2 ok=4 error=0 pending=2 peak=3 notStarted=3
import { EventEmitter } from 'node:events';
import gt from '../gt.cjs';
const g = gt.group({ name: 'rows', kind: 'chunk', combinator: 'all', concurrency: 3, size: 3, declared: 9 });
const sleep = (ms) => new Promise((r) => setTimeout(r, ms));
const dur = [40, 60, 50, /* chunk 2 */ 40, 400, 400, /* never */ 40, 40, 40];

class Migration extends EventEmitter {
  async copy(row) { // @task rows
    const t = g.start(row);
    await sleep(dur[row]);
    t.ok();
    if (row === 3) this.emit('checkpoint', row);
  }
  async run(rows, size) {
    for (let from = 0; from < rows.length; from += size) {
      const part = rows.slice(from, from + size);
      await Promise.all(part.map((row) => this.copy(row))); // @group rows
    }
  }
}

const migration = new Migration();
migration.on('checkpoint', async (row) => { // nobody catches what this throws
  await sleep(30);
  throw new Error(`cannot write checkpoint ${row}`);
});
await migration.run(gt.range(9), 3);
g.end();
