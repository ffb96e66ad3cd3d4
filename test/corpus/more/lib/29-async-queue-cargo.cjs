// @style async: queue() of async functions, its results are then pushed into a cargoQueue() of 2 workers x 3 rows; both with await q.drain()
// @lib async
// @expect fetch: pool tasks=12 conc=4 ok=11 error=1 peak=4
// @expect insert: pool tasks=4 conc=2 ok=4 error=0 peak=2
'use strict';
const async = require('async');
const { setTimeout: sleep } = require('timers/promises');
const gt = require('../gt.cjs');

const db = {
  tables: { prices: [] },
  async bulkInsert(table, rows, ms) {
    await sleep(ms);
    this.tables[table].push(...rows);
    return rows.length;
  },
};

const vendor = {
  async article(nr) {
    await sleep(gt.ms(nr));
    if (nr === 5) throw Object.assign(new Error('gone'), { code: 'E_GONE' });
    return { nr, price: nr * 1.19 };
  },
};

async function stageFetch(numbers) {
  const g = gt.group({ name: 'fetch', kind: 'pool', lib: 'async', concurrency: 4, declared: numbers.length });
  const rows = [];
  const lost = [];
  const q = async.queue(async (nr) => { // @group fetch @task fetch
    const t = g.start(nr);
    try {
      const row = await vendor.article(nr);
      rows.push(row);
      return t.ok(row);
    } catch (e) {
      throw t.fail(e);
    }
  }, 4);
  q.error((err, nr) => lost.push(`${nr}:${err.code}`));
  q.push(numbers); // @group fetch
  await q.drain();
  g.end();
  return { rows, lost };
}

async function stageInsert(rows) {
  const g = gt.group({ name: 'insert', kind: 'pool', lib: 'async', concurrency: 2, declared: 4 });
  let batchNo = 0;
  const cargo = async.cargoQueue(async function insertBatch(batch) { // @group insert @task insert
    const t = g.start(batchNo++);
    const n = await db.bulkInsert('prices', batch, gt.ms(50 + batch.length + t.id));
    return t.ok(n);
  }, 2, 3);
  cargo.push(rows); // @group insert
  await cargo.drain();
  g.end();
}

(async function importPrices() {
  const { rows, lost } = await stageFetch(gt.range(12));
  await stageInsert(rows);
  if (db.tables.prices.length !== 11 || lost[0] !== '5:E_GONE') process.exitCode = 1;
})();
