// @style crawler: http.get in a promise, Set of seen URLs, Map of what is in flight, Promise.race of its values; links found add work
// @expect crawl: pool tasks=13 conc=3 ok=12 error=1 peak=3
const http = require('http');
const gt = require('../gt.cjs');
const g = gt.group({ name: 'crawl', kind: 'pool', concurrency: 3 });

const server = http.createServer((req, res) => {
  const n = Number(req.url.slice(2));
  const links = [2 * n + 1, 2 * n + 2, 1].filter((k) => k < 13).map((k) => `<a href="/p${k}">`);
  setTimeout(() => {
    res.writeHead(n === 9 ? 404 : 200, { 'content-type': 'text/html', connection: 'close' });
    res.end(`<html>${links.join('')}</html>`);
  }, gt.ms(n, 20, 60));
});
function get(url) {
  return new Promise((resolve, reject) => {
    http.get(url, (res) => {
      let body = '';
      res.setEncoding('utf8');
      res.on('data', (part) => { body += part; });
      res.on('end', () => (res.statusCode === 200 ? resolve(body) : reject(new Error(`${res.statusCode} ${url}`))));
    }).on('error', reject);
  });
}
async function visit(base, path) { // @task crawl
  const t = g.start(path);
  try {
    const html = await get(base + path);
    return t.ok([...html.matchAll(/href="(.*?)"/g)].map((m) => m[1]));
  } catch (err) {
    throw t.fail(err);
  }
}
async function crawl(base, limit) {
  const seen = new Set(['/p0']);
  const frontier = ['/p0'];
  const inFlight = new Map();
  const dead = [];
  while (frontier.length || inFlight.size) {
    while (frontier.length && inFlight.size < limit) {
      const path = frontier.shift();
      const job = visit(base, path).then((links) => {
        for (const link of links) if (!seen.has(link)) { seen.add(link); frontier.push(link); }
      }).catch((err) => { dead.push(err.message); }).finally(() => { inFlight.delete(path); });
      inFlight.set(path, job);
    }
    await Promise.race(inFlight.values()); // @group crawl
  }
  return { pages: seen.size, dead };
}
server.listen(0, '127.0.0.1', () => {
  crawl(`http://127.0.0.1:${server.address().port}`, 3).then(() => { g.end(); server.close(); });
});
