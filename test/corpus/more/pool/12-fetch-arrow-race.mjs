// @style mapLimit(list, 3, (n) => fetch(url + n)): the tasks are calls of fetch itself
// @expect gets: pool tasks=9 conc=3 ok=9 error=0 peak=3
import http from 'node:http';
import gt from '../gt.cjs';
const server = http.createServer((req, res) => { setTimeout(() => res.end('x'), gt.ms(Number(req.url.slice(1)))); });
await new Promise((r) => server.listen(0, '127.0.0.1', r));
const base = `http://127.0.0.1:${server.address().port}/`;
await (await fetch(base + 1)).text(); // the first one loads what fetch needs
const g = gt.group({ name: 'gets', kind: 'pool', concurrency: 3, declared: 9 });
async function mapLimit(list, limit, fn) {
  const running = new Set();
  for (const x of list) {
    const t = g.start(x);
    const p = fn(x);
    running.add(p);
    p.then(() => { t.ok(); running.delete(p); });
    if (running.size >= limit) await Promise.race(running); // @group gets
  }
  await Promise.all(running);
}
await mapLimit(gt.range(9), 3, (n) => fetch(base + n)); // @task gets
g.end();
server.closeAllConnections(); server.close();
