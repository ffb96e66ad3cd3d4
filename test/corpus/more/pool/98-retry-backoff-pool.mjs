// @style new Promise(resolve => pump) pool whose task retries inside itself with growing delays against a local http server that answers 503 at first; one gives up
// @expect coupons: pool tasks=8 conc=2 ok=7 error=1 peak=2
import http from 'node:http';
import gt from '../gt.cjs';

const seen = new Map();
const server = http.createServer((req, res) => {
  const n = Number(req.url.split('/').pop());
  const times = (seen.get(n) ?? 0) + 1;
  seen.set(n, times);
  const status = n === 5 || (n % 3 === 1 && times === 1) ? 503 : 200;
  setTimeout(() => { res.statusCode = status; res.end('{}'); }, gt.ms(n, 10, 30));
});
await new Promise((up) => server.listen(0, '127.0.0.1', up));
const agent = new http.Agent({ keepAlive: true });
const port = server.address().port;

const status = (n) => new Promise((resolve, reject) => {
  http.get({ port, host: '127.0.0.1', path: `/coupons/${n}`, agent }, (res) => { res.resume(); res.on('end', () => resolve(res.statusCode)); }).on('error', reject);
});

const g = gt.group({ name: 'coupons', kind: 'pool', concurrency: 2, declared: 8 });

async function redeem(n) { // @task coupons
  const t = g.start(n);
  for (let tries = 0; tries < 3; tries++) {
    const a = t.attempt();
    const code = await status(n);
    if (code === 200) { a.ok(); return t.ok(n); }
    a.fail();
    await new Promise((r) => setTimeout(r, 10 * 2 ** tries));
  }
  throw t.fail(new Error(`coupon ${n}: gave up`));
}

function forEachLimit(list, limit, fn) {
  return new Promise((resolve) => {
    const errors = [];
    let at = 0, running = 0;
    const pump = () => {
      if (at === list.length && running === 0) return resolve(errors);
      for (; running < limit && at < list.length; at++) {
        running++;
        fn(list[at]).catch((e) => errors.push(e)).then(() => { running--; pump(); });
      }
    };
    pump();
  });
}

const errors = await forEachLimit(gt.range(8), 2, redeem); // @group coupons
g.end(errors.length === 1 ? 'ok' : 'error');
agent.destroy();
server.close();
