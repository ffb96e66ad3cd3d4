// @style a Map of p-queues, one queue of 1 for every sender, made on first use; enqueue() refuses when a line is full, urgent letters get a priority
// @lib p-queue
// @expect sender-*: pool groups=3 conc=1 error=0 peak=1
import PQueue from 'p-queue';
import gt from '../gt.cjs';

const truth = new Map();
const pause = (ms) => new Promise((done) => setTimeout(done, ms));

class Outbox {
  #lines = new Map();
  #longest;
  refused = [];

  constructor(longest) { this.#longest = longest; }

  #lineOf(sender) {
    let line = this.#lines.get(sender);
    if (!line) {
      line = new PQueue({ concurrency: 1 });
      line.on('idle', () => { this.lastIdle = sender; });
      this.#lines.set(sender, line);
      truth.set(sender, gt.group({ name: `sender-${sender}`, kind: 'pool', lib: 'p-queue', concurrency: 1 }));
    }
    return line;
  }

  async enqueue(letter, deliver) {
    const line = this.#lineOf(letter.sender);
    if (line.size >= this.#longest) {
      this.refused.push(letter.id);
      throw new RangeError(`sender ${letter.sender} has too many letters waiting`);
    }
    return line.add(() => deliver(letter), { priority: letter.urgent ? 10 : 0 }); // @group sender-*
  }

  async settle() {
    for (const line of this.#lines.values()) await line.onIdle();
  }
}

async function post(letter) { // @task sender-*
  const t = truth.get(letter.sender).start(letter.id);
  await pause(gt.ms(letter.id, 15, 45));
  t.ok();
}

const outbox = new Outbox(4);
const letters = gt.range(14).map((id) => ({ id, sender: [1, 2, 1, 3, 1, 1, 2][id % 7], urgent: id === 5 }));
for (const letter of letters) {
  outbox.enqueue(letter, post).catch(() => {});
  if (letter.id % 5 === 4) await pause(10);
}
await outbox.settle();
for (const g of truth.values()) g.end();
