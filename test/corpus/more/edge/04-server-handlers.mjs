// @style an http server: every request runs its own Promise.all of three queries (AsyncLocalStorage), a client pool of 3 keeps it busy
// @expect req-*: all groups=8 tasks=3 conc=3 ok=3 error=0 peak=3
// @expect clients: pool tasks=8 conc=3 ok=8 error=0 peak=3 lanes=3
import { AsyncLocalStorage } from 'node:async_hooks';
import http from 'node:http';
import gt from '../gt.cjs';
const sleep = (ms) => new Promise((r) => setTimeout(r, ms));
const context = new AsyncLocalStorage();

async function query(what, k) { // @task req-*
  const { g, id } = context.getStore();
  const t = g.start(what);
  await sleep(gt.ms(id * 3 + k, 15, 50));
  return t.ok({ what, id });
}

async function profile(req, res) {
  const { g, id } = context.getStore();
  const [user, cart, ads] = await Promise.all([query('user', 0), query('cart', 1), query('ads', 2)]); // @group req-*
  g.end();
  res.setHeader('content-type', 'application/json');
  res.end(JSON.stringify({ id, user, cart, ads }));
}

const server = http.createServer((req, res) => {
  const id = Number(req.url.split('/').pop());
  const g = gt.group({ name: 'req-' + id, kind: 'all', combinator: 'all', concurrency: 3, declared: 3 });
  context.run({ id, g }, () => profile(req, res));
});
await new Promise((r) => server.listen(0, '127.0.0.1', r));

const clients = gt.group({ name: 'clients', kind: 'pool', concurrency: 3, declared: 8 });
const { port } = server.address();
async function visit(id, w) { // @task clients
  const t = clients.start(id, { worker: w });
  const res = await fetch(`http://127.0.0.1:${port}/profile/${id}`);
  await res.json();
  t.ok();
}
const ids = gt.range(8).values();
const client = async (_, w) => { for (const id of ids) await visit(id, w); }; // @worker clients
await Promise.all(Array.from({ length: 3 }, client)); // @group clients
clients.end();
server.closeAllConnections();
server.close();
