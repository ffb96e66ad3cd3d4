// @style crawler class with private queue, running counter and seen set; pages found while crawling are queued; http on localhost
// @expect pages: pool tasks=15 conc=3 ok=14 error=1 peak=3
import http from 'node:http';
import { once } from 'node:events';
import gt from '../gt.cjs';

const g = gt.group({ name: 'pages', kind: 'pool', concurrency: 3, declared: 15 });
const site = http.createServer((req, res) => {
  const n = Number(req.url.slice(1));
  const links = [2 * n + 1, 2 * n + 2, 0].filter((k) => k < 15).map((k) => `<a href="/${k}">page ${k}</a>`);
  setTimeout(() => {
    res.statusCode = n === 9 ? 500 : 200;
    res.end(`<html>${links.join('\n')}</html>`);
  }, gt.ms(n, 15, 45));
}).listen(0, '127.0.0.1');
await once(site, 'listening');

class Crawler {
  #limit; #origin; #queue = []; #running = 0; #seen = new Set(); #finish;
  pages = [];
  errors = [];

  constructor(origin, { concurrency }) {
    this.#origin = origin;
    this.#limit = concurrency;
  }

  crawl(path) {
    return new Promise((resolve) => {
      this.#finish = resolve;
      this.#enqueue(path);
    });
  }

  #enqueue(path) {
    if (this.#seen.has(path)) return;
    this.#seen.add(path);
    this.#queue.push(path);
    this.#next();
  }

  #next() {
    while (this.#running < this.#limit && this.#queue.length > 0) {
      this.#running++;
      this.#visit(this.#queue.shift()) // @group pages
        .catch((err) => this.errors.push(err))
        .finally(() => {
          this.#running--;
          if (this.#running === 0 && this.#queue.length === 0) this.#finish(this.pages.length);
          else this.#next();
        });
    }
  }

  async #visit(path) { // @task pages
    const t = g.start(path);
    const res = await fetch(this.#origin + path);
    const html = await res.text();
    if (!res.ok) throw t.fail(new Error(`${path}: HTTP ${res.status}`));
    this.pages.push(path);
    for (const [, href] of html.matchAll(/href="([^"]+)"/g)) this.#enqueue(href);
    t.ok();
  }
}

const crawler = new Crawler(`http://127.0.0.1:${site.address().port}`, { concurrency: 3 });
await crawler.crawl('/0'); // @group pages
g.end();
site.closeAllConnections();
site.close();
