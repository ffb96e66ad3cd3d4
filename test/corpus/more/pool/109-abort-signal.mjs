// @style AbortController: one task goes over the quota and aborts, the running ones reject with AbortError, the rest never starts
// @expect downloads: pool tasks=7 conc=3 ok=4 error=3 peak=3 lanes=3 notStarted=13
import { setTimeout as sleep } from 'node:timers/promises';
import gt from '../gt.cjs';
const g = gt.group({ name: 'downloads', kind: 'pool', concurrency: 3, declared: 20 });
const controller = new AbortController();
const { signal } = controller;
const dur = [40, 60, 80, 50, 70, 150, 150];
async function download(i, w) { // @task downloads
  const t = g.start(i, { worker: w });
  try {
    await sleep(dur[i], null, { signal });
    if (i === 4) {
      const err = new Error('quota exceeded');
      controller.abort(err);
      throw err;
    }
    t.ok();
  } catch (err) {
    throw t.fail(err, err.name);
  }
}
const queue = gt.range(20);
async function worker(w) { // @worker downloads
  while (queue.length && !signal.aborted) await download(queue.shift(), w);
}
const ended = await Promise.allSettled([worker(0), worker(1), worker(2)]); // @group downloads
g.end(ended.some((e) => e.status === 'rejected') ? 'error' : 'ok');
