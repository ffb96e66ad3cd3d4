// @style calls of fetch that nobody waits for together: each goes on by a reaction of its own
// @expect pings: all tasks=5 conc=5 ok=5 error=0 peak=5
import http from 'node:http';
import gt from '../gt.cjs';
const server = http.createServer((q, s) => setTimeout(() => s.end('ok'), gt.ms(Number(q.url.slice(1))))).listen(0);
await new Promise((r) => server.on('listening', r));
const url = `http://127.0.0.1:${server.address().port}`;
await (await fetch(`${url}/0`)).text(); // the first one loads what fetch needs
const g = gt.group({ name: 'pings', kind: 'all', concurrency: 5, declared: 5 });
let left = 5;
for (const i of gt.range(5)) {
  const t = g.start(i);
  fetch(`${url}/${i}`).then((answer) => { // @group pings @task pings
    t.ok();
    return answer.text();
  }).then(() => {
    if (--left > 0) return;
    g.end();
    server.close();
    server.closeAllConnections();
  });
}
