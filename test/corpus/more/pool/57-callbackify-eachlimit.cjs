// @style node-style eachLimit(items, limit, iteratee, callback) made a promise by util.promisify; the promise task goes in by util.callbackify
// @expect archives: pool tasks=9 conc=3 ok=9 error=0 peak=3
'use strict';
const util = require('util');
const gt = require('../gt.cjs');
const g = gt.group({ name: 'archives', kind: 'pool', concurrency: 3, declared: 9 });

function eachLimit(items, limit, iteratee, callback) {
  let index = 0, running = 0, failed = false;
  function replenish() {
    while (running < limit && index < items.length && !failed) {
      running++;
      iteratee(items[index++], (err) => { // @group archives
        running--;
        if (failed) return;
        if (err) { failed = true; return callback(err); }
        if (index >= items.length && running === 0) return callback(null);
        replenish();
      });
    }
  }
  replenish();
}
const eachLimitAsync = util.promisify(eachLimit);

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const sizes = new Map();
function compress(n) { // @task archives
  const t = g.start(n);
  return sleep(gt.ms(n, 10, 40))
    .then(() => Math.round(1000 * gt.rnd(n)))
    .then((size) => sleep(10).then(() => { sizes.set(n, size); t.ok(); }));
}

eachLimitAsync(gt.range(9), 3, util.callbackify(compress)).then(() => g.end()); // @group archives
