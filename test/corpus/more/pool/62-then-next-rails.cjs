// @style no async/await: const next = () => list.length ? fn(list.shift()).then(next, next) : undefined, N rails under Promise.all
// @expect thumbs: pool tasks=13 conc=3 ok=11 error=2 peak=3 lanes=3
var gt = require('../gt.cjs');
var g = gt.group({ name: 'thumbs', kind: 'pool', concurrency: 3, declared: 13 });
var photos = gt.range(13);
var failures = [];

function resize(photo, rail) { // @task thumbs
  var t = g.start(photo, { worker: rail });
  return new Promise(function (resolve, reject) {
    setTimeout(function () {
      if (photo === 4 || photo === 9) reject(t.fail(new Error('photo ' + photo + ' is truncated')));
      else resolve(t.ok(photo));
    }, gt.ms(photo));
  });
}

function startRail(rail) {
  function next() { // @worker thumbs
    if (!photos.length) return undefined;
    return resize(photos.shift(), rail).then(next, function (err) { failures.push(err); return next(); });
  }
  return Promise.resolve().then(next);
}

Promise.all([startRail(0), startRail(1), startRail(2)]).then(function () { g.end(); }); // @group thumbs
