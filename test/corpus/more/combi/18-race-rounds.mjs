// @style Promise.race over mirrors in a retry loop: the first round is lost (the fastest one rejects), losers go on under the next round
// @expect round-0: race tasks=3 conc=3 ok=2 error=1 peak=3 after=2
// @expect round-1: race tasks=3 conc=3 ok=3 error=0 peak=3 after=2
import gt from '../gt.cjs';
const sleep = (ms) => new Promise((r) => setTimeout(r, ms));
const mirrors = [
  { name: 'eu', ms: [110, 95], up: [true, true] },
  { name: 'us', ms: [30, 160], up: [false, true] },
  { name: 'ap', ms: [150, 40], up: [true, true] },
];

async function head(g, mirror, round) { // @task round-0 round-1
  const t = g.start(mirror.name);
  await sleep(mirror.ms[round]);
  if (!mirror.up[round]) throw t.fail(new Error('503 from ' + mirror.name));
  return t.ok(mirror.name);
}

async function fastest(retries) {
  for (let round = 0; ; round++) {
    const g = gt.group({ name: 'round-' + round, kind: 'race', combinator: 'race', concurrency: 3, declared: 3 });
    try {
      const winner = await Promise.race(mirrors.map((m) => head(g, m, round))); // @group round-0 round-1
      g.end();
      return winner;
    } catch (e) {
      g.end('error');
      if (round >= retries) throw e;
      await sleep(15);
    }
  }
}
await fastest(3);
