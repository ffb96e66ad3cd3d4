// @style SQS-like queue with receive / delete / visibility: 3 consumers poll and handle, a failed message comes back after a while
// @expect messages: pool tasks=12 conc=3 ok=10 error=2 peak=3 lanes=3
'use strict';
const gt = require('../gt.cjs');

const sleep = (ms) => new Promise((r) => setTimeout(r, ms));

class FakeSqs {
  #visible = []; #hidden = new Map();
  constructor(visibilityMs) { this.visibilityMs = visibilityMs; }
  send(body) { this.#visible.push({ body, receives: 0 }); }
  async receive() {
    await sleep(2);
    const msg = this.#visible.shift();
    if (!msg) return null;
    msg.receives++;
    this.#hide(msg, this.visibilityMs);
    return msg;
  }
  delete(msg) {
    clearTimeout(this.#hidden.get(msg));
    this.#hidden.delete(msg);
  }
  changeVisibility(msg, ms) {
    this.delete(msg);
    this.#hide(msg, ms);
  }
  #hide(msg, ms) {
    this.#hidden.set(msg, setTimeout(() => { this.#hidden.delete(msg); this.#visible.push(msg); }, ms));
  }
  get depth() { return this.#visible.length + this.#hidden.size; }
}

const g = gt.group({ name: 'messages', kind: 'pool', concurrency: 3, declared: 12 });
const stats = { empty: 0, handled: 0, failed: 0 };

class InvoiceHandler {
  async handle(msg, w) { // @task messages
    const t = g.start(`${msg.body.n}#${msg.receives}`, { worker: w });
    await sleep(gt.ms(msg.body.n + 30 * msg.receives, 10, 45));
    if (msg.body.n % 6 === 1 && msg.receives === 1) throw t.fail(new Error('template service is down'));
    t.ok();
  }
}

class Consumer {
  constructor(id, sqs, handler) { Object.assign(this, { id, sqs, handler }); }
  async run() { // @worker messages
    while (this.sqs.depth > 0) {
      const msg = await this.sqs.receive();
      if (!msg) {
        stats.empty++;
        await sleep(9);
        continue;
      }
      try {
        await this.handler.handle(msg, this.id);
        this.sqs.delete(msg);
        stats.handled++;
      } catch {
        stats.failed++;
        this.sqs.changeVisibility(msg, 60);
      }
    }
  }
}

async function main() {
  const sqs = new FakeSqs(5000);
  for (const n of gt.range(10)) sqs.send({ n });
  const handler = new InvoiceHandler();
  const consumers = gt.range(3).map((id) => new Consumer(id, sqs, handler));
  await Promise.all(consumers.map((c) => c.run())); // @group messages
  g.end();
  if (stats.handled !== 10 || stats.failed !== 2) process.exitCode = 2;
}

main();
