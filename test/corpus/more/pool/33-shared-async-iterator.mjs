// @style an async generator of messages shared by N consumers, each with for await
// @expect messages: pool tasks=10 conc=3 ok=10 error=0 peak=3 lanes=3
import { setTimeout as sleep } from 'node:timers/promises';
import gt from '../gt.cjs';
const g = gt.group({ name: 'messages', kind: 'pool', concurrency: 3, declared: 10 });

async function* receive(total) {
  for (let n = 0; n < total; n++) {
    await sleep(2); // the poll of the broker
    yield { n, body: `message ${n}` };
  }
}

async function handle(message, consumer) { // @task messages
  const t = g.start(message.n, { worker: consumer });
  await sleep(gt.ms(message.n, 30, 70));
  t.ok();
}

const messages = receive(10);
const consume = async (consumer) => { // @worker messages
  for await (const message of messages) {
    await handle(message, consumer);
  }
};

await Promise.all(gt.range(3).map(consume)); // @group messages
g.end();
