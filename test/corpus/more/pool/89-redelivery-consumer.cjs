// @style queue consumer as a closure: a run loop that races when it is full, else receives one message; failures are nacked and delivered again; start/stop around it
// @expect messages: pool tasks=12 conc=3 ok=10 error=2 peak=3
const gt = require('../gt.cjs');
const g = gt.group({ name: 'messages', kind: 'pool', concurrency: 3, declared: 12 });
const sleep = (ms) => new Promise((r) => setTimeout(r, ms));

function memorySource(bodies) {
  const ready = bodies.map((body) => ({ body, tries: 0 }));
  let unsettled = ready.length;
  return {
    async receive() { await new Promise(setImmediate); return ready.shift() ?? null; },
    ack() { unsettled--; },
    nack(m) { m.tries++; ready.push(m); },
    get empty() { return unsettled === 0; },
  };
}

function createConsumer({ source, handler, width, onEvent = () => {} }) {
  let status = 'idle', loop = null;
  const active = new Set();

  async function settle(message) {
    try {
      await handler(message);
      source.ack(message);
    } catch (cause) {
      onEvent({ type: 'nack', cause });
      source.nack(message);
    }
  }
  async function runLoop() {
    while (status === 'running') {
      if (active.size >= width) {
        await Promise.race(active).catch(() => {}); // @group messages
        continue;
      }
      const message = await source.receive();
      if (message === null) {
        if (source.empty) break;
        await sleep(8);
        continue;
      }
      const p = settle(message).finally(() => active.delete(p)); // @group messages
      active.add(p);
    }
    await Promise.allSettled([...active]);
  }
  return {
    start() { status = 'running'; loop = runLoop(); return loop; },
    async stop() { status = 'stopping'; await loop; status = 'stopped'; },
  };
}

async function handle({ body, tries }) { // @task messages
  const t = g.start(`${body}.${tries}`);
  await sleep(gt.ms(body));
  if ((body === 2 || body === 6) && tries === 0) throw t.fail(new Error('lease lost'));
  t.ok();
}
const consumer = createConsumer({ source: memorySource(gt.range(10)), handler: handle, width: 3 });
consumer.start().then(() => consumer.stop()).then(() => g.end());
