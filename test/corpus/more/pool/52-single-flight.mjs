// @style price service: equal requests in flight share one promise (Map), the real fetches wait for one of three slots
// @expect quotes: pool tasks=15 conc=3 ok=15 error=0 peak=3
// @hard Promise.all waits for 24 promises, 15 of them are fetches and nine are shared
import gt from '../gt.cjs';
import { setTimeout as sleep } from 'node:timers/promises';

const g = gt.group({ name: 'quotes', kind: 'pool', concurrency: 3, declared: 15 });

class QuoteLoader {
  #running = 0;
  #waiting = [];
  #inflight = new Map();
  hits = 0;
  constructor(concurrency) { this.concurrency = concurrency; }

  load(symbol) {
    const pending = this.#inflight.get(symbol);
    if (pending) { this.hits++; return pending; }
    const task = this.#slot(() => this.#fetchQuote(symbol)).finally(() => this.#inflight.delete(symbol));
    this.#inflight.set(symbol, task);
    return task;
  }

  async #slot(fn) {
    if (this.#running >= this.concurrency) await new Promise((resolve) => this.#waiting.push(resolve));
    else this.#running++;
    try {
      return await fn();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running--;
    }
  }

  async #fetchQuote(symbol) { // @task quotes
    const t = g.start(symbol);
    await sleep(gt.ms(symbol.charCodeAt(0), 25, 55));
    return t.ok({ symbol, price: 100 + symbol.charCodeAt(0) });
  }
}

const loader = new QuoteLoader(3);
const wanted = [...'ABCADEBFAGCHDIAJBEKLMNOK'];
const quotes = await Promise.all(wanted.map((symbol) => loader.load(symbol))); // @group quotes
g.end();
if (quotes.length !== 24 || loader.hits !== 9) throw new Error('dedupe is broken');
