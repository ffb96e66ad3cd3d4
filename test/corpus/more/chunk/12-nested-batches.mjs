// @style chunks inside chunks: every shop of a chunk of 2 syncs its own products in chunks of 3 (one helper, called from within itself)
// @expect shops: chunk tasks=4 conc=2 chunks=2 ok=4 error=0 peak=2
// @expect products-*: chunk groups=4 tasks=7 conc=3 chunks=3 ok=7 error=0 peak=3 parent=shops/*
import gt from '../gt.cjs';
const sleep = (ms) => new Promise((r) => setTimeout(r, ms));

async function eachBatch(list, size, fn) {
  for (let at = 0; at < list.length; at += size) {
    await Promise.all(list.slice(at, at + size).map((item) => fn(item))); // @group shops products-*
  }
}

const shops = gt.group({ name: 'shops', kind: 'chunk', combinator: 'all', concurrency: 2, size: 2, declared: 4 });

async function syncShop(shop) { // @task shops
  const t = shops.start(shop);
  await sleep(gt.ms(shop, 5, 20)); // its list of products
  const products = gt.group({ name: `products-${shop}`, kind: 'chunk', combinator: 'all', concurrency: 3, size: 3, declared: 7, parent: t });
  await eachBatch(gt.range(7), 3, async (sku) => { // @task products-*
    const p = products.start(sku);
    await sleep(gt.ms(shop * 7 + sku, 10, 40));
    p.ok();
  });
  products.end();
  t.ok();
}

await eachBatch(gt.range(4), 2, syncShop);
shops.end();
