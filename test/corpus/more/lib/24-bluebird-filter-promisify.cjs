// @style Bluebird.promisifyAll(client) and Bluebird.filter(keys, fn, { concurrency: 3 })
// @lib bluebird
// @expect keys: pool tasks=10 conc=3 ok=10 error=0 peak=3
'use strict';
const Promise = require('bluebird');
const gt = require('../gt.cjs');

const g = gt.group({ name: 'keys', kind: 'pool', lib: 'bluebird', concurrency: 3, declared: 10 });

/** a client of the old sort: callbacks only */
function Client() { this.data = new Map(gt.range(10).map((i) => ['session:' + i, { ttl: i % 3 }])); }
Client.prototype.ttl = function ttl(key, callback) {
  const n = Number(key.split(':')[1]);
  setTimeout(() => callback(null, this.data.get(key).ttl), gt.ms(n, 20, 70));
};
Promise.promisifyAll(Client.prototype);

const client = new Client();
const isExpired = function (key) { // @task keys
  const t = g.start(key);
  return client.ttlAsync(key).then(function (ttl) {
    t.ok();
    return ttl === 0;
  });
};

Promise.resolve(Array.from(client.data.keys()))
  .filter(isExpired, { concurrency: 3 }) // @group keys
  .tap((expired) => { if (expired.length !== 4) process.exitCode = 9; })
  .finally(() => g.end());
