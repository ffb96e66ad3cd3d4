// @style albums in chunks of two by reduce; inside of every album Promise.all over its three photos, then a zip step
// @expect albums: chunk tasks=6 conc=2 chunks=3 ok=6 error=0 peak=2
// @expect photos-*: all groups=6 tasks=3 conc=3 ok=3 error=0 peak=3 parent=albums/*
'use strict';
const gt = require('../gt.cjs');
const albums = gt.group({ name: 'albums', kind: 'chunk', combinator: 'all', concurrency: 2, size: 2, declared: 6 });
const pairs = [[0, 1], [2, 3], [4, 5]];
const delay = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

function photo(g, album, k) { // @task photos-*
  const t = g.start(k);
  return delay(gt.ms(album * 3 + k, 15, 50)).then(() => t.ok(Buffer.alloc(8, k)));
}
function photos(album, parent) {
  const g = gt.group({ name: 'photos-' + album, kind: 'all', combinator: 'all', concurrency: 3, declared: 3, parent });
  return Promise.all([0, 1, 2].map((k) => photo(g, album, k))) // @group photos-*
    .then((list) => { g.end(); return list; });
}
function album(id) { // @task albums
  const t = albums.start(id);
  return delay(15)
    .then(() => photos(id, t))
    .then(Buffer.concat)
    .then((zip) => delay(10).then(() => t.ok(zip.length)));
}

pairs.reduce((p, pair) => p.then(() => Promise.all(pair.map((id) => album(id)))), Promise.resolve()) // @group albums
  .then(() => albums.end());
