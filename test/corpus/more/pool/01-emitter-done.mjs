// @style EventEmitter scheduler of async functions: 'ready' starts the next, events.once(…, 'end') waits
// @expect renders: pool tasks=9 conc=3 ok=9 error=0 peak=3
import { EventEmitter, once } from 'node:events';
import gt from '../gt.cjs';
const g = gt.group({ name: 'renders', kind: 'pool', concurrency: 3, declared: 9 });
const bus = new EventEmitter();
const frames = gt.range(9);
let open = 0;
async function render(f) { // @task renders
  const t = g.start(f);
  await new Promise((r) => setTimeout(r, gt.ms(f)));
  t.ok();
}
bus.on('ready', async () => {
  const f = frames.shift();
  if (f === undefined) { if (open === 0) bus.emit('end'); return; }
  open++;
  await render(f); // @group renders
  open--;
  bus.emit('ready');
});
const ended = once(bus, 'end');
for (let i = 0; i < 3; i++) bus.emit('ready');
await ended;
g.end();
