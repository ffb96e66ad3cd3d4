// @style uptime probe: four rounds over the same four targets with a pause between, then alerts are sent one by one to the people on call
// @stderr
// @expect probes: chunk tasks=16 conc=4 chunks=4 ok=14 error=2 peak=4
// @expect alerts: sequential tasks=2 conc=1 ok=2 error=0 peak=1
'use strict';
const gt = require('../gt.cjs');
const ROUNDS = 4;
const INTERVAL = 30;
const wait = (ms) => new Promise((r) => setTimeout(r, ms));

const targets = ['shop', 'api', 'auth', 'cdn'].map((name, id) => ({ id, name, url: `https://${name}.example.test/health` }));
const history = new Map(targets.map((t) => [t.name, []]));
const g = gt.group({ name: 'probes', kind: 'chunk', combinator: 'all', concurrency: 4, size: 4, declared: ROUNDS * 4 });

async function request(target, round) {
  await wait(gt.ms(target.id + round * 7, 15, 60));
  if (target.name === 'auth' && round >= 2) throw new Error('ECONNREFUSED');
  return 200;
}

async function probe(target, round) { // @task probes
  const t = g.start(`${target.name}#${round}`);
  const started = Date.now();
  try {
    const status = await request(target, round);
    history.get(target.name).push({ round, status, ms: Date.now() - started });
    t.ok();
  } catch (err) {
    history.get(target.name).push({ round, error: err.message });
    t.fail(err);
  }
}

function incidents() {
  const out = [];
  for (const [name, entries] of history) {
    const failed = entries.filter((e) => e.error);
    if (failed.length >= 2) out.push({ name, since: failed[0].round, error: failed[0].error });
  }
  return out;
}

class Pager {
  constructor(people) { this.people = people; }
  async notify(incident) {
    const alerts = gt.group({ name: 'alerts', kind: 'sequential', concurrency: 1, declared: this.people.length });
    const send = async (person) => { // @task alerts
      const t = alerts.start(person);
      await wait(25 + person.length * 4);
      console.error(`to ${person}: ${incident.name} is down (${incident.error})`);
      t.ok();
    };
    for (const person of this.people) await send(person); // @group alerts
    alerts.end();
  }
}

async function main() {
  for (let round = 0; round < ROUNDS; round++) {
    await Promise.all(targets.map((target) => probe(target, round))); // @group probes
    if (round < ROUNDS - 1) await wait(INTERVAL);
  }
  g.end();
  const [incident] = incidents();
  if (incident) await new Pager(['maria', 'jo']).notify(incident);
}
main();
