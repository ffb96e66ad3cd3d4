// @style a subclass of Promise whose then is timed (an APM), workers over a shared index
// @expect s: pool tasks=14 conc=3 ok=14 error=0 peak=3
const gt = require('../gt.cjs');
class Timed extends Promise {
  constructor(fn) { super(fn); this.at = Date.now(); }
  then(a, b) { return super.then(a, b); }
}
globalThis.Promise = Timed;
const g = gt.group({ name: 's', kind: 'pool', concurrency: 3, declared: 14 });
const job = (i) => new Promise((resolve) => { // @task s
  const t = g.start(i);
  setTimeout(() => resolve(t.ok(i)), gt.ms(i));
});
let at = 0;
const worker = async () => { while (at < 14) await job(at++); }; // @worker s
Promise.all([worker(), worker(), worker()]).then(() => g.end()); // @group s
