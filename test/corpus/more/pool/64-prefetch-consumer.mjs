// @style message consumer with prefetch: for await (... of on(broker, 'message')), the handler is not awaited, once(broker, 'ack') while 3 are out
// @expect messages: pool tasks=10 conc=3 ok=9 error=1 peak=3
import { EventEmitter, on, once } from 'node:events';
import gt from '../gt.cjs';
const g = gt.group({ name: 'messages', kind: 'pool', concurrency: 3, declared: 10 });
const sleep = (ms) => new Promise((r) => setTimeout(r, ms));
const broker = new EventEmitter();
const closing = new AbortController();
let inFlight = 0;
let settled = 0;

async function handle(msg) { // @task messages
  const t = g.start(msg.id);
  await sleep(gt.ms(msg.id, 30, 80));
  if (msg.id === 5) throw t.fail(new Error('poison message'));
  t.ok();
}

async function consume(prefetch) {
  for await (const [msg] of on(broker, 'message', { signal: closing.signal })) {
    while (inFlight >= prefetch) await once(broker, 'settled');
    inFlight++;
    handle(msg) // @group messages
      .then(() => broker.emit('ack', msg), (err) => broker.emit('nack', msg, err))
      .finally(() => { inFlight--; broker.emit('settled'); });
  }
}

broker.on('settled', () => { if (++settled === 10) closing.abort(); });

const consumer = consume(3).catch((err) => { if (err.name !== 'AbortError') throw err; });
for (const id of gt.range(10)) {
  broker.emit('message', { id });
  if (id % 4 === 3) await sleep(10); // they come in bursts
}
await consumer;
g.end();
