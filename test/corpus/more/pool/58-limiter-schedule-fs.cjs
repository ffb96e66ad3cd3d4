// @style prototype Limiter with schedule(fn, ...args); tasks use promisified fs in a chain and release the slot in finally
// @expect copies: pool tasks=10 conc=4 ok=10 error=0 peak=4
'use strict';
const fs = require('fs');
const os = require('os');
const path = require('path');
const util = require('util');
const gt = require('../gt.cjs');
const g = gt.group({ name: 'copies', kind: 'pool', concurrency: 4, declared: 10 });

const readFile = util.promisify(fs.readFile);
const writeFile = util.promisify(fs.writeFile);
const unlink = util.promisify(fs.unlink);
const wait = util.promisify(setTimeout);

function Limiter(max) {
  this.max = max;
  this.active = 0;
  this.backlog = [];
}
Limiter.prototype.schedule = function (fn, ...args) {
  return new Promise((resolve, reject) => {
    this.backlog.push(() => fn(...args).then(resolve, reject));
    this.drain();
  });
};
Limiter.prototype.drain = function () {
  if (this.active >= this.max || this.backlog.length === 0) return;
  this.active++;
  this.backlog.shift()().finally(() => {
    this.active--;
    this.drain();
  });
};

const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'copies-'));
function copy(n) { // @task copies
  const t = g.start(n);
  const target = path.join(dir, `copy-${n}`);
  return readFile(__filename)
    .then((data) => wait(gt.ms(n, 15, 60)).then(() => writeFile(target, data)))
    .then(() => unlink(target))
    .then(() => t.ok(target));
}

const limiter = new Limiter(4);
Promise.all(gt.range(10).map((n) => limiter.schedule(copy, n))) // @group copies
  .then(() => g.end())
  .finally(() => fs.rmdirSync(dir));
