// @style three levels of three kinds: regions under Promise.all, in each a race between replicas, then its partitions one after the other
// @why nested constructs of different kinds; the losers of the races go on while the sequences of both regions interleave
// @expect regions: all tasks=2 conc=2 ok=2 error=0 peak=2
// @expect replicas-*: race groups=2 tasks=3 conc=3 ok=3 error=0 peak=3 after=2 parent=regions/*
// @expect parts-*: sequential groups=2 tasks=4 conc=1 ok=4 error=0 peak=1 parent=regions/*
import gt from '../gt.cjs';

const later = (ms, v) => new Promise((r) => { setTimeout(r, ms, v); });

async function connect(g, replica, latency) { // @task replicas-*
  const t = g.start(replica); // @task replicas-*
  await later(latency);
  return t.ok({ replica });
}

const copyPart = (g, part, ms) => { // @task parts-*
  const t = g.start(part); // @task parts-*
  return later(ms).then(() => later(5)).then(() => t.ok(part));
};

async function copyParts(g, [head, ...tail], salt) {
  if (head === undefined) return [];
  const one = await copyPart(g, head, gt.ms(salt + head, 15, 35));
  return [one, ...await copyParts(g, tail, salt)];
}

const regions = gt.group({ name: 'regions', kind: 'all', combinator: 'all', concurrency: 2, declared: 2 });

async function copyRegion(region, latencies) { // @task regions
  const t = regions.start(region); // @task regions
  const r = gt.group({ name: `replicas-${region}`, kind: 'race', combinator: 'race', concurrency: 3, declared: 3, parent: t });
  await Promise.race(latencies.map((ms, k) => connect(r, k, ms))); // @group replicas-*
  r.end();
  const s = gt.group({ name: `parts-${region}`, kind: 'sequential', concurrency: 1, declared: 4, parent: t });
  const parts = await copyParts(s, [0, 1, 2, 3], region.length * 10); // @group parts-*
  s.end();
  return t.ok(parts);
}

await Promise.all([ // @group regions
  copyRegion('north', [70, 20, 95]),
  copyRegion('south', [35, 80, 110]),
]);
regions.end();
