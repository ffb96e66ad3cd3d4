// @style callbacks only: a batch of forEach() with a countdown, the last callback starts the next batch through setImmediate; no promise at all
// @difficulty hard: no promise and no combinator, batches by countdown
// @expect thumbs: chunk tasks=9 conc=4 chunks=3 ok=9 error=0 peak=4
const fs = require('fs');
const gt = require('../gt.cjs');
const g = gt.group({ name: 'thumbs', kind: 'chunk', concurrency: 4, size: 4, declared: 9 });

function eachBatch(list, size, iteratee, finished) {
  let offset = 0;
  (function nextBatch() {
    const batch = list.slice(offset, offset + size);
    offset += size;
    if (!batch.length) return finished();
    let left = batch.length;
    batch.forEach((item) => iteratee(item, () => {
      left -= 1;
      if (left === 0) setImmediate(nextBatch);
    }));
  })();
}

function makeThumb(n, callback) { // @task thumbs
  const t = g.start(n);
  fs.readFile(__filename, (err, data) => {
    if (err) { t.fail(err); return callback(err); }
    setTimeout(() => {
      t.ok();
      callback(null, data.length);
    }, gt.ms(n));
  });
}

eachBatch(gt.range(9), 4, makeThumb, () => g.end()); // @group thumbs
