// @style deferreds ({ promise, resolve, reject }) in a queue: push() returns deferred.promise, two slots
// @expect prints: pool tasks=9 conc=2 ok=9 error=0 peak=2
'use strict';
var gt = require('../gt.cjs');
var g = gt.group({ name: 'prints', kind: 'pool', concurrency: 2, declared: 9 });

function defer() {
  var d = {};
  d.promise = new Promise(function (resolve, reject) { d.resolve = resolve; d.reject = reject; });
  return d;
}

function createQueue(worker, concurrency) {
  var pending = [];
  var busy = 0;
  function process() {
    while (busy < concurrency && pending.length) start(pending.shift());
  }
  function start(entry) {
    busy++;
    worker(entry.data).then(function (value) {
      busy--;
      entry.deferred.resolve(value);
      process();
    }, function (err) {
      busy--;
      entry.deferred.reject(err);
      process();
    });
  }
  return {
    push: function (data) {
      var deferred = defer();
      pending.push({ data: data, deferred: deferred });
      process();
      return deferred.promise;
    },
  };
}

function print(page) { // @task prints
  var t = g.start(page);
  var d = defer();
  setTimeout(function () { d.resolve(t.ok('page ' + page)); }, gt.ms(page));
  return d.promise;
}

var printer = createQueue(print, 2);
Promise.all(gt.range(9).map(function (page) { return printer.push(page); })).then(function (pages) { // @group prints
  g.end();
  return pages.join('\n');
});
