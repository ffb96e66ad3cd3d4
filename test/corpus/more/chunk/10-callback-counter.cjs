// @style callbacks only: a batch counts down its pending calls, then setImmediate(next batch)
// @expect thumbs: chunk tasks=10 conc=4 chunks=3 ok=9 error=1 peak=4
const gt = require('../gt.cjs');
const g = gt.group({ name: 'thumbs', kind: 'chunk', combinator: 'none', concurrency: 4, size: 4, declared: 10 });

function resize(file, callback) { // @task thumbs
  const t = g.start(file);
  setTimeout(function () {
    if (file === 6) return callback(t.fail(new Error('not an image: ' + file)));
    t.ok();
    callback(null, { file: file, width: 120 });
  }, gt.ms(file));
}

function processBatch(batch, done) {
  let pending = batch.length;
  const results = [];
  batch.forEach(function (file, i) {
    resize(file, function (err, info) { // @group thumbs
      results[i] = err ? null : info;
      if (--pending === 0) done(results);
    });
  });
}

function processAll(files, size, done) {
  let all = [];
  (function next(offset) {
    if (offset >= files.length) return done(null, all);
    processBatch(files.slice(offset, offset + size), function (results) {
      all = all.concat(results);
      setImmediate(next, offset + size);
    });
  })(0);
}

processAll(gt.range(10), 4, function (err, all) {
  if (all.filter(Boolean).length !== 9) process.exitCode = 1;
  g.end(err ? 'error' : 'ok');
});
