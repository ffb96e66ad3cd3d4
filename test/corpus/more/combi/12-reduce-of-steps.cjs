// @style list.reduce((p, x) => p.then(() => task(x)), Promise.resolve()) where a task is a chain of three steps
// @expect deploys: sequential tasks=5 conc=1 ok=5 error=0 peak=1
'use strict';
var gt = require('../gt.cjs');
var g = gt.group({ name: 'deploys', kind: 'sequential', concurrency: 1, declared: 5 });

function step(label, ms) {
  return function (log) {
    return new Promise(function (resolve) {
      setTimeout(function () { resolve(log.concat(label)); }, ms);
    });
  };
}
function deploy(server) { // @task deploys
  var t = g.start(server);
  return step('stop', gt.ms(server, 10, 20))([])
    .then(step('copy', gt.ms(server + 10, 15, 40)))
    .then(step('start', 10))
    .then(function (log) { return t.ok(log.join(' ')); });
}

gt.range(5).reduce(function (p, server) {
  return p.then(function () { return deploy(server); }); // @group deploys
}, Promise.resolve()).then(function () { g.end(); }); // @group deploys
