// @style explicit resource management: `using lease = await permits.take()` gives the permit back at the end of the block, also when the body throws
// @minNode 24
// @expect crawl: pool tasks=12 conc=3 ok=10 error=2 peak=3
import gt from '../gt.cjs';

const g = gt.group({ name: 'crawl', kind: 'pool', concurrency: 3, declared: 12 });

class Permits {
  #free;
  #line = [];

  constructor(n) {
    this.#free = n;
  }

  async take() {
    if (this.#free > 0) {
      this.#free--;
    } else {
      const { promise, resolve } = Promise.withResolvers();
      this.#line.push(resolve);
      await promise;
    }
    return { [Symbol.dispose]: () => this.#give() };
  }

  #give() {
    const next = this.#line.shift();
    if (next) next();
    else this.#free++;
  }
}

const sleep = (ms) => new Promise((r) => setTimeout(r, ms));
const permits = new Permits(3);

async function crawl(page) {
  using lease = await permits.take();
  const t = g.start(page); // @task crawl
  await sleep(gt.ms(page));
  if (page % 6 === 5) throw t.fail(new Error(`page ${page}: 404`));
  return t.ok(page);
}

const results = await Promise.allSettled(gt.range(12).map(crawl)); // @group crawl
g.end();
const { fulfilled, rejected } = Object.groupBy(results, (r) => r.status);
if (fulfilled.length !== 10 || rejected.length !== 2) process.exitCode = 2;
