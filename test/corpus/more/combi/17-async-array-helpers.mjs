// @style company utility module: asyncMap, asyncFilter (unbounded), asyncForEach, asyncReduce (one by one), used one after the other
// @expect prices: all tasks=7 conc=7 ok=7 error=0 peak=7
// @expect stock: all tasks=7 conc=7 ok=7 error=0 peak=7
// @expect labels: sequential tasks=5 conc=1 ok=5 error=0 peak=1
// @expect total: sequential tasks=5 conc=1 ok=5 error=0 peak=1
import gt from '../gt.cjs';

/* ===== @acme/async-array (inlined) ===== */
const asyncMap = (list, fn) => Promise.all(list.map(fn)); // @group prices

const asyncFilter = async (list, predicate) => {
  const keep = await Promise.all(list.map(predicate)); // @group stock
  return list.filter((_, i) => keep[i]);
};

const asyncForEach = async (list, fn) => {
  for (let i = 0; i < list.length; i++) {
    await fn(list[i], i, list); // @group labels
  }
};

const asyncReduce = async (list, fn, initial) => {
  let acc = initial;
  for (const item of list) acc = await fn(acc, item); // @group total
  return acc;
};
/* ===== end ===== */

const io = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const G = {
  prices: () => gt.group({ name: 'prices', kind: 'all', combinator: 'all', concurrency: 7, declared: 7 }),
  stock: () => gt.group({ name: 'stock', kind: 'all', combinator: 'all', concurrency: 7, declared: 7 }),
  labels: () => gt.group({ name: 'labels', kind: 'sequential', concurrency: 1, declared: 5 }),
  total: () => gt.group({ name: 'total', kind: 'sequential', concurrency: 1, declared: 5 }),
};

let g = G.prices();
const priced = await asyncMap(gt.range(7), async (sku) => { // @task prices
  const t = g.start(sku);
  await io(gt.ms(sku, 20, 80));
  return t.ok({ sku, cents: 100 + sku });
});
g.end();

g = G.stock();
const available = await asyncFilter(priced, async ({ sku }) => { // @task stock
  const t = g.start(sku);
  await io(gt.ms(10 + sku, 20, 80));
  return t.ok(sku !== 2 && sku !== 5);
});
g.end();

g = G.labels();
await asyncForEach(available, async (item, i) => { // @task labels
  const t = g.start(item.sku);
  await io(gt.ms(20 + i, 15, 45));
  item.label = `SKU-${item.sku}`;
  t.ok();
});
g.end();

g = G.total();
const total = await asyncReduce(available, async (sum, item) => { // @task total
  const t = g.start(item.sku);
  await io(gt.ms(30 + item.sku, 15, 45));
  return t.ok(sum + item.cents);
}, 0);
g.end();

if (total !== 100 * 5 + 0 + 1 + 3 + 4 + 6) process.exitCode = 1;
