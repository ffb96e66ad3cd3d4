// @style p-map over an async iterable with an AbortSignal: aborted by a task, what runs goes on, the rest never starts
// @lib p-map
// @expect scans: pool tasks=7 conc=3 ok=7 error=0 peak=3 notStarted=5 after=2
import pMap from 'p-map';
import gt from '../gt.cjs';
const g = gt.group({ name: 'scans', kind: 'pool', lib: 'p-map', concurrency: 3, declared: 12 });
const sleep = (ms) => new Promise((r) => setTimeout(r, ms));
const quota = new AbortController();
let used = 0;
async function* hosts() { for (let n = 0; n < 12; n++) yield `10.0.0.${n}`; }
const took = [40, 60, 85, 60, 65, 130, 140, 110, 30, 30, 30, 30];
const scan = async (host, n) => { // @task scans
  const t = g.start(n);
  await sleep(took[n]);
  if (++used === 5) quota.abort(new Error('quota used up'));
  return t.ok(host);
};
try {
  await pMap(hosts(), scan, { concurrency: 3, signal: quota.signal }); // @group scans
  g.end();
} catch {
  g.end('error');
}
