// @style breadth-first crawler over a local http site: one level after another, inside a level a pool of 3 runners on a shared frontier; a dead link fails its page
// @expect depth-0: pool tasks=3 conc=3 ok=3 error=0 peak=3
// @expect depth-1: pool tasks=6 conc=3 ok=6 error=0 peak=3
// @expect depth-2: pool tasks=8 conc=3 ok=7 error=1 peak=3
import { createServer } from 'node:http';
import gt from '../gt.cjs';

const site = {
  '/a': ['/a/1', '/a/2'], '/b': ['/b/1', '/a'], '/c': ['/c/1', '/c/2', '/c/3'],
  '/a/1': ['/x/0', '/x/1'], '/a/2': ['/x/2'], '/b/1': ['/x/3', '/x/4'], '/c/1': ['/x/5'], '/c/2': ['/x/6', '/a/1'], '/c/3': ['/x/7'],
  '/x/0': [], '/x/1': [], '/x/2': [], '/x/3': [], '/x/4': [], '/x/6': [], '/x/7': [],
};
const order = Object.keys(site);
const server = createServer((req, res) => setTimeout(() => {
  const links = site[req.url];
  res.writeHead(links ? 200 : 404, { 'content-type': 'text/html' });
  res.end((links ?? []).map((href) => `<a href="${href}">${href}</a>`).join('\n'));
}, gt.ms(order.indexOf(req.url) + 1, 20, 60)));

class Crawler {
  seen = new Set();
  broken = [];

  constructor(base, { maxDepth, parallel }) {
    Object.assign(this, { base, maxDepth, parallel });
  }

  async crawl(seeds) {
    let frontier = seeds;
    for (let depth = 0; depth <= this.maxDepth && frontier.length; depth++) {
      for (const url of frontier) this.seen.add(url);
      this.level = gt.group({ name: 'depth-' + depth, kind: 'pool', concurrency: this.parallel, declared: frontier.length });
      frontier = await this.crawlLevel(frontier); // @group depth-0 depth-1 depth-2
      this.level.end();
    }
    return this.seen.size;
  }

  async crawlLevel(urls) {
    const found = new Set();
    const queue = urls.values();
    const runner = async (lane) => { // @worker depth-0 depth-1 depth-2
      for (const url of queue) {
        try {
          for (const link of await this.visit(url, lane)) if (!this.seen.has(link)) found.add(link);
        } catch (e) {
          this.broken.push(url);
        }
      }
    };
    await Promise.all(Array.from({ length: this.parallel }, (_, lane) => runner(lane))); // @group depth-0 depth-1 depth-2
    return [...found];
  }

  async visit(url, lane) { // @task depth-0 depth-1 depth-2
    const t = this.level.start(url, { worker: lane });
    const res = await fetch(this.base + url);
    const html = await res.text();
    if (!res.ok) throw t.fail(new Error(`${res.status} ${url}`));
    return t.ok([...html.matchAll(/href="([^"]+)"/g)].map((m) => m[1]));
  }
}

server.listen(0, '127.0.0.1', async () => {
  const crawler = new Crawler(`http://127.0.0.1:${server.address().port}`, { maxDepth: 2, parallel: 3 });
  await crawler.crawl(['/a', '/b', '/c']);
  server.closeAllConnections();
  server.close();
});
