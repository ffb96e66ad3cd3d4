// @style Readable.from(list).forEach(fn, { concurrency: 3, signal }): the first hit aborts the stream, its neighbours end with AbortError, the rest never starts
// @lib node:stream
// @minNode 22
// @expect scan: pool tasks=7 conc=3 ok=5 error=2 peak=3
const { Readable } = require('node:stream');
const { setTimeout: wait } = require('node:timers/promises');
const gt = require('../gt.cjs');

const g = gt.group({ name: 'scan', kind: 'pool', lib: 'node:stream', concurrency: 3, declared: 10 });
const cost = [30, 50, 70, 60, 260, 60, 260, 40, 40, 40];

let found;
const stop = new AbortController();

async function scan(host, { signal }) { // @task scan
  const t = g.start(host);
  try {
    await wait(cost[host], undefined, { signal });
    t.ok();
  } catch (err) {
    throw t.fail(err);
  }
  if (host === 5) {
    found = host;
    stop.abort(new Error('found it'));
  }
}

(async function main() {
  try {
    await Readable.from(gt.range(10)).forEach(scan, { concurrency: 3, signal: stop.signal }); // @group scan
    g.end();
  } catch (err) {
    g.end('error');
    if (err.name !== 'AbortError') throw err;
  }
  if (found !== 5) process.exitCode = 2;
})();
