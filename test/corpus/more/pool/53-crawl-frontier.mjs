// @style crawler class: frontier, visited set, four workers that wait for new links while others are still busy, local http server
// @expect pages: pool tasks=17 conc=4 ok=16 error=1 peak=4 lanes=4
import http from 'node:http';
import gt from '../gt.cjs';

// page n links to 3n+1 … 3n+5, with many links met twice
const LAST = 15;
const server = http.createServer((req, res) => {
  const n = Number(req.url.slice(1) || 0);
  setTimeout(() => {
    if (n === 99) { res.statusCode = 404; return res.end(); }
    const targets = gt.range(5).map((k) => 3 * n + 1 + k).filter((k) => k <= LAST);
    if (n === 2) targets.push(99);
    res.setHeader('content-type', 'text/html');
    res.end(`<title>page ${n}</title><a href="/">home</a>${targets.map((k) => `<a href="/${k}#top">p</a>`).join('')}`);
  }, gt.ms(n, 10, 50));
});
await new Promise((r) => server.listen(0, '127.0.0.1', r));

const g = gt.group({ name: 'pages', kind: 'pool', concurrency: 4 });

class Crawler {
  #frontier = []; #visited = new Set(); #busy = 0; #news = null;
  pages = new Map();
  broken = [];
  constructor({ origin, workers }) { this.origin = origin; this.workers = workers; }

  async run(start) {
    this.#enqueue(start);
    const lanes = Array.from({ length: this.workers }, (_, w) => this.#lane(w));
    await Promise.all(lanes); // @group pages
    return this.pages;
  }

  #enqueue(href) {
    const url = new URL(href, this.origin);
    url.hash = '';
    if (url.origin !== this.origin || this.#visited.has(url.href)) return;
    this.#visited.add(url.href);
    this.#frontier.push(url);
  }

  async #lane(w) { // @worker pages
    for (;;) {
      const url = this.#frontier.shift();
      if (!url) {
        if (this.#busy === 0) return this.#tell();
        await this.#change();
        continue;
      }
      this.#busy++;
      try {
        const links = await this.#visit(url, w);
        for (const href of links) this.#enqueue(href);
      } catch (err) {
        this.broken.push({ url: url.pathname, err: err.message });
      } finally {
        this.#busy--;
        this.#tell();
      }
    }
  }

  async #visit(url, w) { // @task pages
    const t = g.start(url.pathname, { worker: w });
    const res = await fetch(url);
    const html = await res.text();
    if (!res.ok) throw t.fail(new Error(`HTTP ${res.status}`));
    this.pages.set(url.pathname, /<title>(.*?)<\/title>/.exec(html)[1]);
    return t.ok([...html.matchAll(/href="([^"]+)"/g)].map((m) => m[1]));
  }

  #change() {
    if (!this.#news) {
      this.#news = {};
      this.#news.promise = new Promise((r) => (this.#news.resolve = r));
    }
    return this.#news.promise;
  }
  #tell() { this.#news?.resolve(); this.#news = null; }
}

const crawler = new Crawler({ origin: `http://127.0.0.1:${server.address().port}`, workers: 4 });
const pages = await crawler.run('/');
g.end();
if (pages.size !== LAST + 1 || crawler.broken.length !== 1) throw new Error(`${pages.size} pages`);
server.closeAllConnections();
server.close();
