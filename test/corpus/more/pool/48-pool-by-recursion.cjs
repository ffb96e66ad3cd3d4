// @style asyncPool, ES6 version: recursive enqueue(), executing array, Promise.race(executing), r.then(() => enqueue())
// @expect pings: pool tasks=11 conc=3 ok=11 error=0 peak=3
'use strict';
const gt = require('../gt.cjs');

function asyncPool(poolLimit, array, iteratorFn) {
  let i = 0;
  const ret = [];
  const executing = [];
  const enqueue = function () {
    if (i === array.length) {
      return Promise.resolve();
    }
    const item = array[i++];
    const p = Promise.resolve().then(() => iteratorFn(item, array));
    ret.push(p);

    let r = Promise.resolve();

    if (poolLimit <= array.length) {
      const e = p.then(() => executing.splice(executing.indexOf(e), 1));
      executing.push(e);
      if (executing.length >= poolLimit) {
        r = Promise.race(executing); // @group pings
      }
    }
    return r.then(() => enqueue());
  };
  return enqueue().then(() => Promise.all(ret));
}

const g = gt.group({ name: 'pings', kind: 'pool', concurrency: 3, declared: 11 });

const timeout = i => new Promise(resolve => { // @task pings
  const t = g.start(i);
  setTimeout(() => resolve(t.ok(i)), gt.ms(i, 10, 40));
});

asyncPool(3, gt.range(11), timeout).then(results => {
  g.end(results.length === 11 ? 'ok' : 'error');
});
