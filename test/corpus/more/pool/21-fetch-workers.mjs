// @style three workers in a loop, each of which fetches and reads the answer with nothing of their own in between
// @expect pages: pool tasks=8 conc=3 ok=8 error=0 peak=3
import http from 'node:http';
import gt from '../gt.cjs';
const server = http.createServer((q, s) => setTimeout(() => s.end('{}'), gt.ms(Number(q.url.slice(1).split('?')[0])))).listen(0);
await new Promise((r) => server.on('listening', r));
const url = `http://127.0.0.1:${server.address().port}`;
await (await fetch(`${url}/0`)).text(); // the first one loads what fetch needs
const g = gt.group({ name: 'pages', kind: 'pool', concurrency: 3, declared: 8 });
const todo = gt.range(8);
const worker = async () => {
  for (let i; (i = todo.shift()) !== undefined;) {
    const t = g.start(i);
    const answer = await fetch(`${url}/${i}?token=none`); // @task pages
    t.ok(await answer.json());
  }
};
await Promise.all([worker(), worker(), worker()]); // @group pages @worker pages
g.end();
server.close();
server.closeAllConnections();
