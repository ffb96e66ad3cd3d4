// @style no async/await: batches.reduce((p, batch) => p.then(() => Promise.all(batch.map(fn))), Promise.resolve())
// @expect docs: chunk tasks=10 conc=4 chunks=3 ok=10 error=0 peak=4
const gt = require('../gt.cjs');
const g = gt.group({ name: 'docs', kind: 'chunk', combinator: 'all', concurrency: 4, size: 4, declared: 10 });
function indexDoc(id) { // @task docs
  const t = g.start(id);
  return new Promise(function (resolve) {
    setTimeout(resolve, gt.ms(id));
  }).then(function () {
    return t.ok(id);
  });
}
const batches = [];
gt.range(10).forEach(function (id, i) {
  if (i % 4 === 0) batches.push([]);
  batches[batches.length - 1].push(id);
});
let indexed = 0;
batches.reduce(function (chain, batch) {
  return chain.then(function () {
    return Promise.all(batch.map(indexDoc)); // @group docs
  }).then(function (ids) {
    indexed += ids.length;
  });
}, Promise.resolve()).then(function () {
  g.end();
  if (indexed !== 10) process.exitCode = 1;
});
