// @style price/mirror client: Promise.any over wrapped fetches with one AbortController each, the losers aborted, their rests swallowed by allSettled
// @expect mirrors: any tasks=4 conc=4 ok=1 error=3 peak=4
import http from 'node:http';
import gt from '../gt.cjs';
const g = gt.group({ name: 'mirrors', kind: 'any', combinator: 'any', concurrency: 4, declared: 4 });
const plan = { north: [30, 502], east: [90, 200], south: [400, 200], west: [600, 200] };
const server = http.createServer((req, res) => {
  const [wait, code] = plan[req.url.slice(1)];
  setTimeout(() => res.writeHead(code).end('{"blob":"x"}'), wait);
});
await new Promise((ready) => server.listen(0, '127.0.0.1', ready));
const root = `http://127.0.0.1:${server.address().port}/`;

async function pull(name, signal) {
  const res = await fetch(root + name, { signal });
  if (!res.ok) throw new Error(`${name}: ${res.status}`);
  return res.json();
}

async function firstOf(names) {
  const controllers = names.map(() => new AbortController());
  const failures = [];
  const wrapped = names.map(async (name, index) => { // @task mirrors
    const t = g.start(name);
    try {
      const result = await pull(name, controllers[index].signal);
      return t.ok({ index, result });
    } catch (error) {
      failures.push({ name, why: String(error) });
      throw t.fail(error);
    }
  });
  try {
    const winner = await Promise.any(wrapped); // @group mirrors
    g.end();
    controllers.forEach((c, i) => { if (i !== winner.index) c.abort(); });
    void Promise.allSettled(wrapped);
    return winner.result;
  } catch {
    return { failed: failures.at(-1) };
  }
}
await firstOf(Object.keys(plan));
await new Promise((r) => setTimeout(r, 20));
server.closeAllConnections();
server.close();
