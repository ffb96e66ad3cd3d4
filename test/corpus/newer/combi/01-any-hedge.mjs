// @style hedged request: Promise.any over replicas that start one after the other, the winner aborts the losers; the helper is called twice
// @minNode 22
// @expect hedge-price: any tasks=3 conc=3 ok=1 error=2 peak=3
// @expect hedge-stock: any tasks=3 conc=3 ok=1 error=2 peak=3
import { scheduler } from 'node:timers/promises';
import gt from '../gt.cjs';

const latency = { price: [70, 60, 200], stock: [300, 300, 40] };
const down = new Set(['price/0']);

async function ask(g, key, replica, signal) { // @task hedge-price hedge-stock
  const t = g.start(replica);
  try {
    await scheduler.wait(replica * 30, { signal });
    await scheduler.wait(latency[key][replica], { signal });
    if (down.has(`${key}/${replica}`)) throw new Error(`replica ${replica} is down`);
    return t.ok({ key, replica });
  } catch (e) {
    throw t.fail(e);
  }
}

async function hedged(key, replicas = 3) {
  const g = gt.group({ name: `hedge-${key}`, kind: 'any', combinator: 'any', concurrency: 3, declared: 3 });
  const losers = new AbortController();
  try {
    return await Promise.any(Array.from({ length: replicas }, (_, r) => ask(g, key, r, losers.signal))); // @group hedge-price hedge-stock
  } finally {
    g.end();
    losers.abort();
  }
}

const price = await hedged('price');
const stock = await hedged('stock');
if (price.replica !== 1 || stock.replica !== 2) process.exitCode = 2;
