// @style hedged request: a second replica is asked when the first has not answered after 40 ms, Promise.any takes the first
// @expect replicas: any tasks=2 conc=2 ok=2 error=0 peak=2 after=1
import { setTimeout as sleep } from 'node:timers/promises';
import gt from '../gt.cjs';
const g = gt.group({ name: 'replicas', kind: 'any', combinator: 'any', concurrency: 2, declared: 2 });
const latency = { primary: 160, secondary: 50 };

async function read(replica, key) { // @task replicas
  const t = g.start(replica);
  await sleep(latency[replica]);
  return t.ok({ replica, key });
}

async function hedged(key, { after }) {
  const first = read('primary', key);
  const second = sleep(after).then(() => read('secondary', key));
  return Promise.any([first, second]); // @group replicas
}

const { replica } = await hedged('user:1', { after: 40 });
g.end(replica === 'secondary' ? 'ok' : 'error');
