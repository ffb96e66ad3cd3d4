// @style load tester: a fixed array of promise slots and a list of free slot numbers; exec() waits for a race of all slots
// @expect hits: pool tasks=13 conc=3 ok=12 error=1 peak=3
const http = require('http');
const { once } = require('events');
const gt = require('../gt.cjs');

const g = gt.group({ name: 'hits', kind: 'pool', concurrency: 3, declared: 13 });

function slotRunner(n) {
  const slots = Array(n).fill(null);
  const free = [...slots.keys()];
  const release = (slot) => { slots[slot] = null; free.push(slot); };
  return {
    async exec(fn) {
      while (free.length === 0) await Promise.race(slots); // @group hits
      const slot = free.shift();
      slots[slot] = fn(slot).then( // @group hits
        (timing) => { release(slot); return timing; },
        (err) => { release(slot); return { error: err.message }; },
      );
    },
    done: () => Promise.all(slots.filter(Boolean)),
  };
}

const stats = { ok: 0, bad: 0, total: 0 };

function get(port, path) {
  return new Promise((resolve, reject) => {
    const req = http.get({ host: '127.0.0.1', port, path, agent: false }, (res) => {
      res.resume();
      res.on('end', () => resolve(res.statusCode));
    });
    req.on('error', reject);
  });
}

async function hit(port, n, slot) { // @task hits
  const t = g.start(n, { worker: slot });
  const began = process.hrtime.bigint();
  const status = await get(port, '/item/' + n);
  stats.total++;
  if (status >= 500) { stats.bad++; throw t.fail(new Error('status ' + status)); }
  stats.ok++;
  return t.ok(Number(process.hrtime.bigint() - began) / 1e6);
}

async function main() {
  const server = http.createServer((req, res) => {
    const n = Number(req.url.split('/').pop());
    setTimeout(() => { res.statusCode = n === 8 ? 503 : 200; res.end('ok'); }, gt.ms(n));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();

  const runner = slotRunner(3);
  for (const n of gt.range(13)) {
    await runner.exec((slot) => hit(port, n, slot)); // @group hits
  }
  await runner.done();
  g.end();
  server.close();
  if (stats.ok !== 12 || stats.bad !== 1) process.exitCode = 1;
}

main();
