// @style limiter: await limiter.removeTokens(1) before every call, in two worker loops
// @lib limiter
// @expect quotes: pool tasks=9 conc=2 ok=9 error=0 peak=2 lanes=2
const { RateLimiter } = require('limiter');
const gt = require('../gt.cjs');
const g = gt.group({ name: 'quotes', kind: 'pool', lib: 'limiter', concurrency: 2, declared: 9 });
const sleep = (ms) => new Promise((r) => setTimeout(r, ms));
const limiter = new RateLimiter({ tokensPerInterval: 4, interval: 120 });
const symbols = gt.range(9);
const quotes = new Map();
async function quote(symbol, w) { // @task quotes
  const t = g.start(symbol, { worker: w });
  await sleep(gt.ms(symbol, 25, 60));
  quotes.set(symbol, 100 + symbol);
  t.ok();
}
async function loop(w) { // @worker quotes
  for (;;) {
    await limiter.removeTokens(1);
    const symbol = symbols.shift();
    if (symbol === undefined) return;
    await quote(symbol, w);
  }
}
Promise.all([0, 1].map(loop)).then(() => g.end()); // @group quotes
