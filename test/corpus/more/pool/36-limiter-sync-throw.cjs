// @style tasks that throw before they return a promise, in a limiter that calls them inside then()
// @expect parse: pool tasks=10 conc=3 ok=8 error=2 peak=3
const gt = require('../gt.cjs');
const g = gt.group({ name: 'parse', kind: 'pool', concurrency: 3, declared: 10 });
const delay = (ms, value) => new Promise((resolve) => setTimeout(resolve, ms, value));
class Limiter {
  constructor(max) { this.max = max; this.active = 0; this.queue = []; }
  run(fn) {
    return new Promise((resolve, reject) => {
      this.queue.push({ fn, resolve, reject });
      this.next();
    });
  }
  next() {
    if (this.active >= this.max || this.queue.length === 0) return;
    const { fn, resolve, reject } = this.queue.shift();
    this.active++;
    Promise.resolve().then(fn).then(resolve, reject).finally(() => { this.active--; this.next(); });
  }
}
function parse(n) { // @task parse
  const t = g.start(n);
  if (n === 2 || n === 7) throw t.fail(new SyntaxError('line ' + n));
  return delay(gt.ms(n, 20, 60), n).then((v) => t.ok(v));
}
const limiter = new Limiter(3);
Promise.allSettled(gt.range(10).map((n) => limiter.run(() => parse(n)))) // @group parse
  .then((outcome) => {
    g.end();
    return outcome.filter((o) => o.status === 'rejected').map((o) => o.reason.message);
  });
