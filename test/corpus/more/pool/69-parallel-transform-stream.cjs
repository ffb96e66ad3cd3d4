// @style LimitedParallelStream extends Transform: _transform starts the work, done() is held back while it is full; pipeline()
// @lib node:stream
// @expect urls: pool tasks=12 conc=3 ok=11 error=1 peak=3
const { Readable, Transform, Writable, pipeline } = require('stream');
const gt = require('../gt.cjs');
const g = gt.group({ name: 'urls', kind: 'pool', lib: 'node:stream', concurrency: 3, declared: 12 });

class LimitedParallelStream extends Transform {
  constructor(concurrency, userTransform) {
    super({ objectMode: true });
    this.concurrency = concurrency;
    this.userTransform = userTransform;
    this.running = 0;
    this.continueCb = null;
    this.terminateCb = null;
  }
  _transform(item, enc, done) {
    this.running++;
    this.userTransform(item, this._onComplete.bind(this)); // @group urls
    if (this.running < this.concurrency) done();
    else this.continueCb = done;
  }
  _flush(done) {
    if (this.running > 0) this.terminateCb = done;
    else done();
  }
  _onComplete(result) {
    this.running--;
    this.push(result);
    const cont = this.continueCb;
    this.continueCb = null;
    if (cont) cont();
    if (this.running === 0 && this.terminateCb) this.terminateCb();
  }
}
function checkUrl(n, done) { // @task urls
  const t = g.start(n);
  setTimeout(() => {
    const up = n !== 5;
    if (up) t.ok(); else t.fail(new Error('ENOTFOUND'));
    done({ n, up });
  }, gt.ms(n));
}
const report = [];
pipeline(
  Readable.from(gt.range(12)),
  new LimitedParallelStream(3, checkUrl),
  new Writable({ objectMode: true, write(line, enc, cb) { report.push(line); cb(); } }),
  (err) => g.end(err ? 'error' : 'ok'),
);
