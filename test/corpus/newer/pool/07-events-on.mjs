// @style events.on(eventTarget, 'job') as the queue: for await takes the next event, starts it, and waits with Promise.race while two are busy
// @minNode 22
// @expect uploads: pool tasks=9 conc=2 ok=9 error=0 peak=2
import { on } from 'node:events';
import gt from '../gt.cjs';

const g = gt.group({ name: 'uploads', kind: 'pool', concurrency: 2, declared: 9 });
const wait = (ms) => new Promise((done) => setTimeout(done, ms));

class Inbox extends EventTarget {
  deliver(id) { this.dispatchEvent(new CustomEvent('job', { detail: { id } })); }
}

const upload = async ({ id }) => { // @task uploads
  const t = g.start(id);
  for (let part = 0; part < 2; part++) await wait(gt.ms(id * 2 + part, 10, 35));
  t.ok();
};

const inbox = new Inbox();
const closing = new AbortController();
const queue = on(inbox, 'job', { signal: closing.signal });
for (const id of gt.range(5)) inbox.deliver(id);
setTimeout(() => gt.range(4).forEach((k) => inbox.deliver(5 + k)), 60);

const busy = new Set();
let taken = 0;
try {
  for await (const [{ detail: job }] of queue) {
    const running = upload(job).then(() => busy.delete(running));
    busy.add(running);
    if (++taken === 9) closing.abort();
    if (busy.size === 2) await Promise.race(busy); // @group uploads
  }
} catch (err) {
  if (err.name !== 'AbortError') throw err;
}
await Promise.all(busy);
g.end();
