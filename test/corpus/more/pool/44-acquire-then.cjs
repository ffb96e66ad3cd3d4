// @style prototype Semaphore, sem.acquire().then(() => download(x)).finally(release), one download fails and is caught
// @expect downloads: pool tasks=11 conc=3 ok=10 error=1 peak=3
'use strict';
const gt = require('../gt.cjs');
const g = gt.group({ name: 'downloads', kind: 'pool', concurrency: 3, declared: 11 });

function Semaphore(max) {
  this.max = max;
  this.taken = 0;
  this.queue = [];
}
Semaphore.prototype.acquire = function () {
  if (this.taken < this.max) {
    this.taken++;
    return Promise.resolve(this);
  }
  return new Promise((resolve) => this.queue.push(resolve));
};
Semaphore.prototype.release = function () {
  if (this.queue.length) this.queue.shift()(this);
  else this.taken--;
};

function delay(ms) { return new Promise((resolve) => setTimeout(resolve, ms)); }

function download(n) { // @task downloads
  const t = g.start(n);
  return delay(gt.ms(n, 10, 40))
    .then(() => {
      if (n === 6) throw t.fail(new Error('410 Gone'));
      return delay(gt.ms(n + 30, 10, 30));
    })
    .then(() => t.ok('file ' + n));
}

const sem = new Semaphore(3);
const errors = [];
const all = gt.range(11).map((n) => // @group downloads
  sem.acquire()
    .then(() => download(n))
    .catch((err) => { errors.push(err); })
    .finally(() => sem.release()));
Promise.all(all).then(() => g.end()); // @group downloads
