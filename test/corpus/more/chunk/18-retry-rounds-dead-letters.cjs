// @style chunked allSettled with a pause; whatever failed goes round again with a doubled wait, what is left after 3 rounds is dead letters
// @expect round-1: chunk tasks=12 conc=3 chunks=4 ok=5 error=7 peak=3
// @expect round-2: chunk tasks=7 conc=3 chunks=3 ok=3 error=4 peak=3
// @expect round-3: chunk tasks=4 conc=3 chunks=2 ok=3 error=1 peak=3
const gt = require('../gt.cjs');
const { promisify } = require('node:util');
const pause = promisify(setTimeout);

// how many times each recipient bounces before it takes the mail
const BOUNCES = [0, 1, 2, 0, 2, 1, 0, 9, 2, 0, 1, 0];
let g;
let round = 0;

async function mail(who) { // @task round-1 round-2 round-3
  const t = g.start(who);
  await pause(gt.ms(who + 20 * round, 15, 45));
  if (round <= BOUNCES[who]) throw t.fail(new Error(`mailbox ${who} full`), `round ${round}`);
  t.ok();
}

async function mailInSlices(people, size) {
  const again = [];
  for (let at = 0; at < people.length; at += size) {
    const slice = people.slice(at, at + size);
    const settled = await Promise.allSettled(slice.map(mail)); // @group round-1 round-2 round-3
    settled.forEach((s, k) => s.status === 'rejected' && again.push(slice[k]));
    if (at + size < people.length) await pause(25);
  }
  return again;
}

async function main() {
  let left = gt.range(12);
  while (left.length && round < 3) {
    round++;
    g = gt.group({ name: `round-${round}`, kind: 'chunk', combinator: 'allSettled', concurrency: 3, size: 3, declared: left.length });
    left = await mailInSlices(left, 3);
    g.end();
    if (left.length) await pause(20 * 2 ** round);
  }
  return { dead: left };
}

main().then(({ dead }) => { process.exitCode = dead.length === 1 ? 0 : 1; });
