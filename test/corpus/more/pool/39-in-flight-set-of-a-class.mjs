// @style log shipper: lines are buffered, a full buffer is uploaded, two uploads in flight at most (race over a Set), flush at close
import { setTimeout as sleep } from 'node:timers/promises';
import gt from '../gt.cjs';

const uploads = gt.group({ name: 'uploads', kind: 'pool', concurrency: 2, declared: 9 });

class LogShipper {
  #buffer = [];
  #inFlight = new Set();
  #sequence = 0;
  shipped = 0;
  dropped = 0;

  constructor({ batchSize, maxInFlight, endpoint }) {
    Object.assign(this, { batchSize, maxInFlight, endpoint });
  }

  async write(line) {
    this.#buffer.push(line);
    if (this.#buffer.length >= this.batchSize) await this.flush();
  }

  async flush() {
    if (this.#buffer.length === 0) return;
    const lines = this.#buffer.splice(0);
    while (this.#inFlight.size >= this.maxInFlight) await Promise.race(this.#inFlight); // @group uploads
    const job = this.upload(this.#sequence++, lines)
      .then((n) => { this.shipped += n; }, () => { this.dropped += lines.length; })
      .finally(() => this.#inFlight.delete(job));
    this.#inFlight.add(job);
  }

  async upload(sequence, lines) { // @task uploads
    const t = uploads.start(sequence);
    try {
      const { accepted } = await this.endpoint.put(sequence, lines.join('\n'));
      return t.ok(accepted);
    } catch (err) {
      throw t.fail(err);
    }
  }

  async close() {
    await this.flush();
    await Promise.all(this.#inFlight); // @group uploads
  }
}

const endpoint = {
  async put(sequence, body) {
    await sleep(gt.ms(sequence, 35, 75));
    if (sequence === 4) throw new Error('413 payload too large');
    return { accepted: body.split('\n').length };
  },
};

async function* tail(count) {
  for (let i = 0; i < count; i++) {
    if (i % 5 === 0) await sleep(3);
    yield `2024-05-01T00:00:${String(i % 60).padStart(2, '0')}Z line ${i}`;
  }
}

const shipper = new LogShipper({ batchSize: 6, maxInFlight: 2, endpoint });
for await (const line of tail(50)) await shipper.write(line);
await shipper.close();
uploads.end();
if (shipper.shipped !== 44 || shipper.dropped !== 6) process.exitCode = 1;
