// @style function* batched(iterable, size) over a Map, for-of with await Promise.all, entries destructured
// @expect prices: chunk tasks=11 conc=4 chunks=3 ok=11 error=0 peak=4
import gt from '../gt.cjs';
const g = gt.group({ name: 'prices', kind: 'chunk', combinator: 'all', concurrency: 4, size: 4, declared: 11 });
const sleep = (ms) => new Promise((r) => setTimeout(r, ms));
const stock = new Map(gt.range(11).map((i) => [`sku-${i}`, { id: i, price: 100 + i }]));

function* batched(iterable, size) {
  let batch = [];
  for (const item of iterable) {
    batch.push(item);
    if (batch.length === size) {
      yield batch;
      batch = [];
    }
  }
  if (batch.length > 0) yield batch;
}
const fetchPrice = async (id) => {
  await sleep(gt.ms(id, 10, 40));
  return 90 + id;
};
async function updatePrice([sku, row]) { // @task prices
  const t = g.start(row.id);
  const price = await fetchPrice(row.id);
  await sleep(5);
  return t.ok([sku, { ...row, price }]);
}
for (const batch of batched(stock, 4)) {
  const updated = await Promise.all(batch.map(updatePrice)); // @group prices
  for (const [sku, row] of updated) stock.set(sku, row);
}
g.end();
