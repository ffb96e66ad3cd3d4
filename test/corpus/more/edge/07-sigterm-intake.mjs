// @style TCP line protocol -> Intake limiter fed by 'line' events; the process sends itself SIGTERM: what runs is finished, what waits is dropped
// @expect lines: pool tasks=7 conc=3 ok=7 error=0 peak=3 notStarted=5
import { createServer, connect } from 'node:net';
import { createInterface } from 'node:readline';
import gt from '../gt.cjs';

// ms per line; the fourth one to end (line 3, after 150 ms) is followed by SIGTERM
const WORK = [30, 70, 110, 120, 120, 120, 60, 30, 30, 30, 30, 30];

class Intake {
  #waiting = [];
  #active = 0;
  #closing = null;

  constructor(limit, handler) {
    this.limit = limit;
    this.handler = handler;
  }

  accept(line) {
    if (this.#closing) return false;
    this.#waiting.push(line);
    this.#fill();
    return true;
  }

  #fill() {
    while (this.#active < this.limit && this.#waiting.length) this.#begin(this.#waiting.shift());
    if (this.#active === 0) this.#closing?.();
  }

  async #begin(line) {
    this.#active++;
    try {
      await this.handler(line); // @group lines
    } finally {
      this.#active--;
      this.#fill();
    }
  }

  /** stop taking work; resolves when the running lines are through */
  close() {
    const dropped = this.#waiting.splice(0).length;
    return new Promise((resolve) => {
      this.#closing = () => resolve(dropped);
      this.#fill();
    });
  }
}

const g = gt.group({ name: 'lines', kind: 'pool', concurrency: 3, declared: WORK.length });
let finished = 0;
async function handle(line) { // @task lines
  const t = g.start(Number(line));
  await new Promise((r) => setTimeout(r, WORK[t.id]));
  t.ok();
  if (++finished === 4) process.kill(process.pid, 'SIGTERM');
}

const intake = new Intake(3, handle);
const server = createServer((socket) => {
  createInterface({ input: socket }).on('line', (line) => intake.accept(line)); // @group lines
});

process.once('SIGTERM', async () => {
  const dropped = await intake.close();
  g.end();
  client.destroy();
  server.close();
  process.exitCode = dropped === 5 ? 0 : 1;
});

let client;
server.listen(0, '127.0.0.1', () => {
  client = connect(server.address().port, '127.0.0.1');
  client.write(WORK.map((_, n) => `${n}\n`).join(''));
});
