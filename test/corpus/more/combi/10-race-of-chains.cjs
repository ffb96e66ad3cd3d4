// @style Promise.race over mirrors, each a two-step chain; the first one wins and the others end later
// @expect mirrors: race tasks=4 conc=4 ok=4 error=0 peak=4 after=3
const gt = require('../gt.cjs');
const g = gt.group({ name: 'mirrors', kind: 'race', combinator: 'race', concurrency: 4, declared: 4 });
const delay = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const mirrors = [
  { host: 'eu', connect: 30, first: 60 },
  { host: 'us', connect: 20, first: 35 },
  { host: 'asia', connect: 50, first: 70 },
  { host: 'au', connect: 40, first: 75 },
];

function firstByte(mirror) { // @task mirrors
  const t = g.start(mirror.host);
  return delay(mirror.connect)
    .then(() => delay(mirror.first))
    .then(() => t.ok(mirror.host));
}

Promise.race(mirrors.map((mirror) => firstByte(mirror))) // @group mirrors
  .then((host) => {
    g.end();
    return delay(40).then(() => 'downloaded from ' + host);
  });
