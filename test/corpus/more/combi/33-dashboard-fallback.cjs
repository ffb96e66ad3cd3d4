// @style controller -> service -> client: Promise.all over three different methods, one of them asks mirrors with Promise.any, then allSettled over widgets
// @expect page: all tasks=3 conc=3 ok=3 error=0 peak=3
// @expect mirrors: any tasks=3 conc=3 ok=2 error=1 peak=3 after=1 parent=page/rates
// @expect widgets: allSettled tasks=5 conc=5 ok=3 error=2 peak=5
'use strict';
const gt = require('../gt.cjs');

class HttpError extends Error {
  constructor(status, where) { super(`${status} from ${where}`); this.status = status; }
}

class Client {
  get(where, ms, status = 200) {
    return new Promise((resolve, reject) => setTimeout(() => {
      if (status >= 400) reject(new HttpError(status, where)); else resolve({ where, status });
    }, ms));
  }
}

class RatesService {
  constructor(client, mirrors) { this.client = client; this.mirrors = mirrors; }

  async ask(g, mirror) { // @task mirrors
    const t = g.start(mirror.host);
    try {
      const answer = await this.client.get(mirror.host, mirror.ms, mirror.status);
      return t.ok(answer);
    } catch (e) { throw t.fail(e); }
  }

  async latest(parent) {
    const g = gt.group({ name: 'mirrors', kind: 'any', combinator: 'any', concurrency: 3, declared: 3, parent });
    const first = await Promise.any(this.mirrors.map((m) => this.ask(g, m))); // @group mirrors
    g.end();
    return first;
  }
}

class DashboardController {
  constructor({ client, rates }) { this.client = client; this.rates = rates; }

  async profile(g) { const t = g.start('profile'); const r = await this.client.get('users/1', 30); return t.ok(r); } // @task page
  async orders(g) { const t = g.start('orders'); const r = await this.client.get('orders', 90); return t.ok(r); } // @task page
  async ratesBox(g) { const t = g.start('rates'); const r = await this.rates.latest(t); return t.ok(r); } // @task page

  async widget(g, name, i) { // @task widgets
    const t = g.start(name);
    try {
      const r = await this.client.get(`widgets/${name}`, gt.ms(i), i % 2 ? 503 : 200);
      return t.ok(r);
    } catch (e) { throw t.fail(e); }
  }

  async show() {
    const g = gt.group({ name: 'page', kind: 'all', combinator: 'all', concurrency: 3, declared: 3 });
    const [profile, orders, rates] = await Promise.all([this.profile(g), this.orders(g), this.ratesBox(g)]); // @group page
    g.end();
    const names = ['weather', 'news', 'todo', 'chat', 'stocks'];
    const w = gt.group({ name: 'widgets', kind: 'allSettled', combinator: 'allSettled', concurrency: 5, declared: names.length });
    const boxes = await Promise.allSettled(names.map((name, i) => this.widget(w, name, i))); // @group widgets
    w.end();
    return { profile, orders, rates, boxes: boxes.filter((b) => b.status === 'fulfilled').length };
  }
}

const client = new Client();
const rates = new RatesService(client, [
  { host: 'fx-1', ms: 25, status: 502 },
  { host: 'fx-2', ms: 55 },
  { host: 'fx-3', ms: 140 },
]);
new DashboardController({ client, rates }).show().then((page) => {
  process.exitCode = page.rates.where === 'fx-2' && page.boxes === 3 ? 0 : 1;
});
