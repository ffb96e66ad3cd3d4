// @style adaptive limit: +1 after every second success, halved on HTTP 429; refused ids go back into the queue as a new attempt
// @expect lookups: pool tasks=18 ok=15 error=3
import http from 'node:http';
import gt from '../gt.cjs';

const touchy = new Set([4, 9, 12]);
const api = http.createServer((req, res) => {
  const id = Number(new URL(req.url, 'http://x').searchParams.get('id'));
  const refuse = touchy.delete(id);
  setTimeout(() => {
    res.statusCode = refuse ? 429 : 200;
    res.end(JSON.stringify({ id, refuse }));
  }, refuse ? 20 : gt.ms(id, 25, 60));
});
await new Promise((ok) => api.listen(0, '127.0.0.1', ok));
const root = `http://127.0.0.1:${api.address().port}/?id=`;

const g = gt.group({ name: 'lookups', kind: 'pool', concurrency: 2, declared: 18, note: 'limit moves between 1 and 6' });

class AdaptiveLimiter {
  limit = 2;
  floor = 1;
  ceiling = 6;
  active = 0;
  streak = 0;
  todo = [];

  constructor(call) { this.call = call; }

  #good() {
    if (++this.streak % 2 === 0 && this.limit < this.ceiling) g.setConcurrency(++this.limit);
  }

  #bad() {
    this.streak = 0;
    const less = Math.max(this.floor, Math.floor(this.limit / 2));
    if (less !== this.limit) g.setConcurrency(this.limit = less);
  }

  drain(ids) {
    this.todo.push(...ids.map((id) => ({ id, attempt: 1 })));
    return new Promise((resolve) => {
      const fill = () => {
        if (!this.active && !this.todo.length) return resolve();
        while (this.active < this.limit && this.todo.length) {
          const job = this.todo.shift();
          this.active++;
          this.call(job) // @group lookups
            .then(() => this.#good(), () => {
              this.#bad();
              this.todo.push({ id: job.id, attempt: job.attempt + 1 });
            })
            .then(() => { this.active--; fill(); });
        }
      };
      fill();
    });
  }
}

async function lookup({ id, attempt }) { // @task lookups
  const t = g.start(`${id}.${attempt}`);
  const res = await fetch(root + id);
  const body = await res.json();
  if (res.status === 429) throw t.fail(new Error('slow down'), '429');
  return t.ok(body);
}

await new AdaptiveLimiter(lookup).drain(gt.range(15));
g.end();
api.closeAllConnections();
api.close();
