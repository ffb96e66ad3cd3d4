// @style class with private methods: while (true) { page = await api.page(cursor); if empty break; Promise.all over the page }
// @expect orders: chunk tasks=13 conc=5 chunks=3 ok=13 error=0 peak=5
import { setTimeout as sleep } from 'node:timers/promises';
import gt from '../gt.cjs';

const g = gt.group({ name: 'orders', kind: 'chunk', combinator: 'all', concurrency: 5, size: 5, declared: 13 });

class OrderApi {
  #orders = gt.range(13).map((id) => ({ id, total: id * 10 }));

  async page(cursor, limit) {
    await sleep(12);
    return { items: this.#orders.slice(cursor, cursor + limit), next: cursor + limit };
  }
}

class OrderImporter {
  #api;
  #pageSize;
  #imported = new Map();

  constructor(api, { pageSize = 5 } = {}) {
    this.#api = api;
    this.#pageSize = pageSize;
  }

  get count() {
    return this.#imported.size;
  }

  async #importOne(order) { // @task orders
    const t = g.start(order.id);
    await sleep(gt.ms(order.id));
    this.#imported.set(order.id, order);
    t.ok();
  }

  async run() {
    let cursor = 0;
    while (true) {
      const { items, next } = await this.#api.page(cursor, this.#pageSize);
      if (items.length === 0) break;
      await Promise.all(items.map((order) => this.#importOne(order))); // @group orders
      cursor = next;
    }
    return this.count;
  }
}

await new OrderImporter(new OrderApi()).run();
g.end();
