// @style a bucket of tokens that an interval refills; an async wrapper takes one before each call, all under Promise.all
// @expect calls: pool tasks=9 conc=2 ok=9 error=0
const gt = require('../gt.cjs');
const g = gt.group({ name: 'calls', kind: 'pool', combinator: 'all', concurrency: 2, declared: 9 });
class Bucket {
  constructor(size, every) { this.tokens = this.size = size; this.waiting = []; this.timer = setInterval(() => this.refill(), every); }
  refill() { if (this.tokens < this.size) this.tokens++; this.drain(); }
  drain() { while (this.tokens > 0 && this.waiting.length > 0) { this.tokens--; this.waiting.shift()(); } }
  take() { return new Promise((go) => { this.waiting.push(go); this.drain(); }); }
  stop() { clearInterval(this.timer); }
}
const bucket = new Bucket(2, 30);
async function callApi(i) { // @task calls
  const t = g.start(i);
  await new Promise((r) => setTimeout(r, gt.ms(i, 35, 55)));
  return t.ok(i);
}
async function limited(i) { await bucket.take(); return callApi(i); } // @task calls
(async () => {
  await Promise.all(gt.range(9).map((i) => limited(i))); // @group calls
  g.end();
  bucket.stop();
})();
