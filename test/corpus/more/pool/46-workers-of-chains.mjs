// @style async worker loops over plain-function tasks: new Promise around http.get, then JSON, then a check that may throw
// @expect gets: pool tasks=10 conc=3 ok=9 error=1 peak=3 lanes=3
import http from 'node:http';
import gt from '../gt.cjs';
const g = gt.group({ name: 'gets', kind: 'pool', concurrency: 3, declared: 10 });

const server = http.createServer((req, res) => {
  const n = Number(req.url.split('/').pop());
  setTimeout(() => res.writeHead(n === 6 ? 404 : 200).end(JSON.stringify({ n })), gt.ms(n, 20, 60));
});
const listen = () => new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server.address().port)));

const request = (url) => new Promise((resolve, reject) => {
  http.get(url, { agent: false }, (res) => {
    let text = '';
    res.setEncoding('utf8');
    res.on('data', (part) => { text += part; });
    res.on('end', () => resolve({ status: res.statusCode, text }));
  }).on('error', reject);
});

function getItem(base, n, worker) { // @task gets
  const t = g.start(n, { worker });
  return request(`${base}/items/${n}`)
    .then(({ status, text }) => {
      if (status !== 200) throw t.fail(new Error('HTTP ' + status));
      return t.ok(JSON.parse(text));
    });
}

const base = `http://127.0.0.1:${await listen()}`;
const ids = gt.range(10);
const items = [];
async function worker(w) { // @worker gets
  while (ids.length) {
    const id = ids.shift();
    try {
      items.push(await getItem(base, id, w));
    } catch (err) {
      items.push({ n: id, error: err.message });
    }
  }
}
await Promise.all([worker(0), worker(1), worker(2)]); // @group gets
g.end();
server.close();
