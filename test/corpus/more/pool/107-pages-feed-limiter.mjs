// @style shop export: a cursor loop awaits page after page and hands every product to a limiter at once, without waiting; after the last page await Promise.all(pending)
// @expect pages: sequential tasks=5 conc=1 ok=5 error=0 peak=1
// @expect products: pool tasks=23 conc=4 ok=23 error=0 peak=4
import http from 'node:http';
import gt from '../gt.cjs';

const TOTAL = 23;
const PER_PAGE = 5;
const server = http.createServer((req, res) => {
  const url = new URL(req.url, 'http://shop');
  const after = Number(url.searchParams.get('after') ?? 0);
  const product = /^\/products\/(\d+)/.exec(url.pathname);
  const reply = (body, ms) => setTimeout(() => res.end(JSON.stringify(body)), ms);
  if (product) return reply({ id: +product[1], stock: +product[1] * 3 }, gt.ms(+product[1], 30, 75));
  const ids = gt.range(TOTAL).slice(after, after + PER_PAGE);
  reply({ ids, next: after + PER_PAGE < TOTAL ? after + PER_PAGE : null }, 20);
});
await new Promise((r) => server.listen(0, '127.0.0.1', r));
const base = `http://127.0.0.1:${server.address().port}`;
const getJson = async (path) => (await fetch(base + path)).json();

const limiter = (() => {
  const q = [];
  let n = 0;
  const next = () => { n -= 1; q.shift()?.(); };
  return {
    async schedule(fn, ...args) {
      if (n >= 4) await new Promise((r) => q.push(r));
      n += 1;
      try { return await fn(...args); } finally { next(); }
    },
  };
})();

const pages = gt.group({ name: 'pages', kind: 'sequential', combinator: 'none', concurrency: 1, declared: 5 });
const products = gt.group({ name: 'products', kind: 'pool', concurrency: 4, declared: TOTAL });

async function fetchPage(cursor) { // @task pages
  const t = pages.start(cursor);
  const page = await getJson(`/list?after=${cursor}`);
  return t.ok(page);
}

async function exportProduct(id) { // @task products
  const t = products.start(id);
  const details = await getJson(`/products/${id}`);
  return t.ok(`${details.id};${details.stock}`);
}

const pending = [];
let cursor = 0;
while (cursor !== null) {
  const page = await fetchPage(cursor); // @group pages
  for (const id of page.ids) pending.push(limiter.schedule(exportProduct, id)); // @group products
  cursor = page.next;
}
pages.end();
const lines = await Promise.all(pending); // @group products
products.end();
if (lines.length !== TOTAL) process.exitCode = 1;
server.closeAllConnections();
server.close();
