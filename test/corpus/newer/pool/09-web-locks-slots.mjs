// @style Web Locks as slots: navigator.locks.request(`slot-${n % 3}`, callback) for every item under Promise.all
// @minNode 24
// @hard lanes are native Web Locks: who waits and who runs is decided inside node
// @expect exports: pool tasks=9 conc=3 ok=9 error=0 peak=3 lanes=3
import gt from '../gt.cjs';

const g = gt.group({ name: 'exports', kind: 'pool', concurrency: 3, declared: 9 });
const SLOTS = 3;
const sleep = (ms) => new Promise((r) => setTimeout(r, ms));

async function exportSheet(n) { // @task exports
  const t = g.start(n, { worker: n % SLOTS });
  await sleep(gt.ms(n));
  return t.ok(`sheet-${n}.csv`);
}

const inSlot = (n) => navigator.locks.request(`slot-${n % SLOTS}`, { mode: 'exclusive' }, () => exportSheet(n));

const names = await Promise.all(gt.range(9).map(inSlot)); // @group exports
g.end();
const { held, pending } = await navigator.locks.query();
if (names.length !== 9 || held.length + pending.length > 0) process.exitCode = 2;
