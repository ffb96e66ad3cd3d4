// @style cache warmer with es-toolkit's Semaphore: only a miss takes a permit, a hit answers at once; Promise.all over all keys
// @lib es-toolkit
// @expect origin: pool tasks=10 conc=3 ok=9 error=1 peak=3
import { Semaphore, delay, partition, uniq } from 'es-toolkit';
import gt from '../gt.cjs';

class Origin {
  #permits = new Semaphore(3);
  calls = 0;
  group = gt.group({ name: 'origin', kind: 'pool', lib: 'es-toolkit', concurrency: 3, declared: 10 });

  async fetch(key) {
    await this.#permits.acquire();
    const t = this.group.start(key); // @task origin
    try {
      const n = this.calls++;
      await delay(gt.ms(Number(key.slice(1)), 20, 60));
      if (key === 'p7') throw new Error('410 gone');
      return t.ok({ key, n });
    } catch (err) {
      throw t.fail(err);
    } finally {
      this.#permits.release();
    }
  }
}

class PageCache {
  #store = new Map();
  stats = { hits: 0, misses: 0, gone: 0 };
  constructor(origin, snapshot) {
    this.origin = origin;
    for (const key of snapshot) this.#store.set(key, { key, warm: true });
  }
  has(key) { return this.#store.has(key); }
  async get(key) {
    const hit = this.#store.get(key);
    if (hit) { this.stats.hits++; return hit; }
    this.stats.misses++;
    try {
      const page = await this.origin.fetch(key);
      this.#store.set(key, page);
      return page;
    } catch {
      this.stats.gone++;
      return null;
    }
  }
}

async function loadSnapshot() {
  await delay(6); // what the last instance left in redis
  return ['p1', 'p4', 'p9', 'p12'];
}

const origin = new Origin();
const cache = new PageCache(origin, await loadSnapshot());
const sitemap = uniq(gt.range(14).map((i) => `p${i}`));
const [known, cold] = partition(sitemap, (key) => cache.has(key));
await Promise.all([...cold, ...known].map((key) => cache.get(key))); // @group origin
origin.group.end();
const { hits, misses, gone } = cache.stats;
if (hits !== 4 || misses !== 10 || gone !== 1) process.exitCode = 2;
