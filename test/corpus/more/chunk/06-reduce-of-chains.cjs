// @style chunks.reduce((p, chunk) => p.then(...)), every task is get(id).then(parse).then(save), not one async function
// @expect accounts: chunk tasks=11 conc=4 chunks=3 ok=11 error=0 peak=4
'use strict';
const gt = require('../gt.cjs');
const g = gt.group({ name: 'accounts', kind: 'chunk', combinator: 'all', concurrency: 4, size: 4, declared: 11 });
const table = [];

function get(id) {
  return new Promise(function (resolve) {
    setTimeout(function () { resolve('{"id":' + id + ',"name":"account ' + id + '"}'); }, gt.ms(id, 15, 60));
  });
}
function parse(text) { return JSON.parse(text); }
function save(row) {
  return new Promise(function (resolve) {
    setTimeout(function () { table.push(row); resolve(row); }, 10);
  });
}
function importAccount(id) { // @task accounts
  const t = g.start(id);
  return get(id).then(parse).then(save).then(function (row) { return t.ok(row.id); });
}

const chunks = [];
const ids = gt.range(11);
while (ids.length) chunks.push(ids.splice(0, 4));

chunks.reduce(function (previous, chunk) {
  return previous.then(function (done) {
    return Promise.all(chunk.map(function (id) { return importAccount(id); })) // @group accounts
      .then(function (part) { return done.concat(part); });
  });
}, Promise.resolve([])).then(function (all) {
  if (all.length !== table.length) throw new Error('lost a row');
  g.end();
});
