// @style ES5: function lane() { if (!items.length) return; return f(items.pop()).then(lane) }, lanes under Promise.all
// @expect files: pool tasks=10 conc=2 ok=10 error=0 peak=2
var gt = require('../gt.cjs');
var g = gt.group({ name: 'files', kind: 'pool', concurrency: 2, declared: 10 });
var items = gt.range(10).reverse();
function upload(id) { // @task files
  var t = g.start(id);
  return new Promise(function (ok) { setTimeout(function () { t.ok(); ok(id); }, gt.ms(id)); });
}
function lane() {
  if (!items.length) return Promise.resolve();
  return upload(items.pop()).then(lane);
}
Promise.all([lane(), lane()]).then(function () { g.end(); }); // @group files
