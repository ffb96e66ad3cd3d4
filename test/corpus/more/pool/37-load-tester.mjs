// @style load tester: N virtual users, each in a loop of requests with think time, latencies and percentiles at the end
import http from 'node:http';
import { once } from 'node:events';
import gt from '../gt.cjs';

const USERS = 4;
const REQUESTS_PER_USER = 5;

const server = http.createServer((req, res) => {
  const n = Number(new URL(req.url, 'http://x').searchParams.get('n'));
  setTimeout(() => res.end('ok'), gt.ms(n, 15, 45));
}).listen(0, '127.0.0.1');
await once(server, 'listening');

const agent = new http.Agent({ keepAlive: true });
const target = { host: '127.0.0.1', port: server.address().port, agent };
const hits = gt.group({ name: 'hits', kind: 'pool', concurrency: USERS, declared: USERS * REQUESTS_PER_USER });
const latencies = [];
const think = (ms) => new Promise((r) => setTimeout(r, ms));

function hit(user, n) { // @task hits
  const t = hits.start(`${user}/${n}`, { worker: user });
  const begin = performance.now();
  return new Promise((resolve, reject) => {
    const req = http.get({ ...target, path: `/?n=${user * REQUESTS_PER_USER + n}` }, (res) => {
      res.resume();
      res.on('end', () => {
        latencies.push(performance.now() - begin);
        t.ok();
        resolve(res.statusCode);
      });
    });
    req.on('error', (err) => reject(t.fail(err)));
  });
}

async function virtualUser(user) { // @worker hits
  for (let n = 0; n < REQUESTS_PER_USER; n++) {
    await hit(user, n);
    await think(5 + user);
  }
}

const percentile = (list, p) => [...list].sort((a, b) => a - b)[Math.min(list.length - 1, Math.floor(list.length * p))];

const users = [];
for (let u = 0; u < USERS; u++) users.push(virtualUser(u));
await Promise.all(users); // @group hits
hits.end();

const summary = { count: latencies.length, p50: percentile(latencies, 0.5), p95: percentile(latencies, 0.95) };
if (summary.count !== 20 || summary.p95 < summary.p50) process.exitCode = 1;
agent.destroy();
server.close();
