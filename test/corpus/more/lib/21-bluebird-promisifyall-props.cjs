// @style const Promise = require('bluebird'): promisifyAll() of a callback API, Promise.map with concurrency, then Promise.props
// @lib bluebird
// @expect keys: pool tasks=9 conc=3 ok=9 error=0 peak=3
// @expect report: all tasks=3 conc=3 ok=3 error=0 peak=3
const Promise = require('bluebird');
const gt = require('../gt.cjs');
const keys = gt.group({ name: 'keys', kind: 'pool', lib: 'bluebird', concurrency: 3, declared: 9 });

class Store {
  read(key, cb) { // @task keys
    const t = keys.start(key);
    setTimeout(() => { t.ok(); cb(null, key * 2); }, gt.ms(key));
  }
}
const store = new Store();
Promise.promisifyAll(Store.prototype);

function summary(g, what, i) { // @task report
  const t = g.start(what);
  return Promise.delay(gt.ms(i + 40)).then(() => t.ok(what));
}

Promise.map(gt.range(9), (key) => store.readAsync(key), { concurrency: 3 }) // @group keys
  .tap(() => keys.end())
  .then((values) => {
    const g = gt.group({ name: 'report', kind: 'all', combinator: 'all', lib: 'bluebird', concurrency: 3, declared: 3 });
    return Promise.props({ count: values.length, min: summary(g, 'min', 0), max: summary(g, 'max', 1), sum: summary(g, 'sum', 2) }) // @group report
      .finally(() => g.end());
  });
