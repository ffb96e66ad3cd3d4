// @style ReadWriteLock with a fair line: neighbouring readers share, a writer is alone; everything submitted by one Promise.all
// @expect visits: pool tasks=12 ok=12 error=0 peak=4
import gt from '../gt.cjs';

const g = gt.group({ name: 'visits', kind: 'pool', concurrency: null, declared: 12, note: 'readers share, writers alone' });

class ReadWriteLock {
  #readers = 0;
  #writing = false;
  #line = [];

  read(fn) { return this.#enter('r', fn); }
  write(fn) { return this.#enter('w', fn); }

  async #enter(mode, fn) {
    await new Promise((admit) => {
      this.#line.push({ mode, admit });
      this.#advance();
    });
    try {
      return await fn();
    } finally {
      if (mode === 'r') this.#readers--;
      else this.#writing = false;
      this.#advance();
    }
  }

  #advance() {
    while (this.#line.length && !this.#writing) {
      const [{ mode, admit }] = this.#line;
      if (mode === 'w' && this.#readers > 0) return;
      this.#line.shift();
      if (mode === 'r') this.#readers++;
      else this.#writing = true;
      admit();
    }
  }
}

const lock = new ReadWriteLock();
const page = { text: 'empty', version: 0 };
const nap = (ms) => new Promise((r) => setTimeout(r, ms));

async function look(n) { // @task visits
  const t = g.start(n);
  await nap(gt.ms(n, 25, 60));
  return t.ok(page.version);
}
async function edit(n) { // @task visits
  const t = g.start(n);
  const { version } = page;
  await nap(gt.ms(n, 15, 30));
  page.version = version + 1;
  return t.ok(page.version);
}

const plan = 'rrrwrrrrwrwr';
await Promise.all([...plan].map((kind, n) => (kind === 'r' ? lock.read(() => look(n)) : lock.write(() => edit(n))))); // @group visits
g.end(page.version === 3 ? 'ok' : 'error');
