// @style undici Pool.request() by 3 worker loops against a local server, one answer is a 503
// @lib undici
// @expect items: pool tasks=10 conc=3 ok=9 error=1 peak=3 lanes=3
import http from 'node:http';
import { once } from 'node:events';
import { Pool } from 'undici';
import gt from '../gt.cjs';
const g = gt.group({ name: 'items', kind: 'pool', lib: 'undici', concurrency: 3, declared: 10 });
const server = http.createServer((req, res) => {
  const id = Number(req.url.split('/').pop());
  setTimeout(() => {
    res.writeHead(id === 6 ? 503 : 200, { 'content-type': 'application/json' });
    res.end(JSON.stringify({ id }));
  }, gt.ms(id, 20, 60));
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const client = new Pool(`http://127.0.0.1:${server.address().port}`, { connections: 3 });
const items = [];
async function getItem(id, w) { // @task items
  const t = g.start(id, { worker: w });
  const { statusCode, body } = await client.request({ path: `/items/${id}`, method: 'GET' });
  const data = await body.json();
  if (statusCode >= 400) throw t.fail(new Error(`HTTP ${statusCode}`));
  items.push(t.ok(data));
}
const ids = gt.range(10);
async function loop(w) { // @worker items
  while (ids.length > 0) {
    const id = ids.shift();
    try { await getItem(id, w); } catch { items.push(null); }
  }
}
await Promise.all([loop(0), loop(1), loop(2)]); // @group items
g.end();
await client.close();
server.close();
