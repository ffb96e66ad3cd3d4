// @style limiter closure (p-limit by hand): const limit = createLimiter(3); Promise.all(list.map((x) => limit(fn, x)))
// @expect prices: pool tasks=12 conc=3 ok=10 error=2 peak=3
const gt = require('../gt.cjs');
const g = gt.group({ name: 'prices', kind: 'pool', concurrency: 3, declared: 12 });
const sleep = (ms) => new Promise((r) => setTimeout(r, ms));

function createLimiter(max) {
  const waiting = [];
  let active = 0;

  const release = () => {
    active--;
    const start = waiting.shift();
    if (start) start();
  };
  const run = async (fn, args, settle) => {
    active++;
    const result = (async () => fn(...args))();
    settle(result);
    try { await result; } catch { /* the caller sees it */ }
    release();
  };
  return (fn, ...args) => new Promise((settle) => {
    if (active < max) run(fn, args, settle);
    else waiting.push(() => run(fn, args, settle));
  });
}

async function fetchPrice(symbol) { // @task prices
  const t = g.start(symbol);
  await sleep(gt.ms(symbol));
  if (symbol % 5 === 4) throw t.fail(new Error(`unknown symbol ${symbol}`));
  return t.ok({ symbol, price: 10 * symbol });
}

async function main() {
  const limit = createLimiter(3);
  const prices = await Promise.all(gt.range(12).map((s) => limit(fetchPrice, s).catch(() => null))); // @group prices
  g.end();
  if (prices.filter(Boolean).length !== 10) process.exitCode = 1;
}
main();
