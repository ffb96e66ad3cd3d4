// @style worker lanes without async: function next() { return fn(queue.shift()).then(next) }, three of them in Promise.all
// @expect pages: pool tasks=11 conc=3 ok=11 error=0 peak=3
'use strict';
const gt = require('../gt.cjs');
const g = gt.group({ name: 'pages', kind: 'pool', concurrency: 3, declared: 11 });
const queue = gt.range(11);
const index = {};

function load(n) {
  return new Promise(function (resolve) {
    setTimeout(function () { resolve('<h1>page ' + n + '</h1>'); }, gt.ms(n));
  });
}
function title(html) { return html.replace(/<[^>]+>/g, ''); }

function crawl(n) { // @task pages
  const t = g.start(n);
  return load(n).then(title).then(function (text) {
    index[text] = n;
    return t.ok(text);
  });
}

function next() { // @worker pages
  if (!queue.length) return Promise.resolve();
  return crawl(queue.shift()).then(next);
}

Promise.all([next(), next(), next()]).then(function () { g.end(); }); // @group pages
