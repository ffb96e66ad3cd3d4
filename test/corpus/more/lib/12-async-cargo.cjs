// @style async.cargo with a payload of 4: the worker saves its batch by Promise.all
// @lib async
// @expect rows: chunk tasks=10 conc=4 chunks=3 ok=10 error=0 peak=4
const async = require('async');
const gt = require('../gt.cjs');
const g = gt.group({ name: 'rows', kind: 'chunk', combinator: 'all', lib: 'async', concurrency: 4, size: 4, declared: 10 });
const sleep = (ms) => new Promise((r) => setTimeout(r, ms));
const saved = [];
async function saveRow(row) { // @task rows
  const t = g.start(row.id);
  await sleep(gt.ms(row.id, 20, 60));
  saved.push(row.id);
  t.ok();
}
const cargo = async.cargo(async (batch) => {
  await Promise.all(batch.map(saveRow)); // @group rows
}, 4);
cargo.drain(() => g.end());
cargo.push(gt.range(10).map((id) => ({ id, name: 'row ' + id })));
