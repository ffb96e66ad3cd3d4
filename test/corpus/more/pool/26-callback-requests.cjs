// @style http.get with callbacks: each answer that was read to its end has its lane ask for the next page; a failure is asked again
// @expect pages: pool tasks=11 conc=3 ok=11 error=0 peak=3
const http = require('http');
const gt = require('../gt.cjs');
const g = gt.group({ name: 'pages', kind: 'pool', concurrency: 3, declared: 11 });
const tries = new Map();
const server = http.createServer((request, response) => {
  const n = Number(request.url.slice(1));
  const count = (tries.get(n) ?? 0) + 1;
  tries.set(n, count);
  setTimeout(() => { response.statusCode = n % 5 === 3 && count === 1 ? 503 : 200; response.end('page '.repeat(200)); }, 20 + (n % 4) * 9);
});
const agent = new http.Agent({ keepAlive: true });
const pages = gt.range(11);
let running = 0;

function page(n, done) { // @task pages
  const t = g.start(n);
  const ask = () => {
    http.get({ agent, port: server.address().port, path: `/${n}` }, (response) => {
      let size = 0;
      response.on('data', (chunk) => { size += chunk.length; });
      response.on('end', () => {
        if (response.statusCode === 503) return ask();
        t.ok();
        done(null, size);
      });
    });
  };
  ask();
}
function next() {
  while (running < 3 && pages.length > 0) {
    running++;
    page(pages.shift(), () => { // @group pages
      running--;
      if (pages.length > 0) next(); else if (running === 0) { g.end(); server.close(); agent.destroy(); }
    });
  }
}
server.listen(0, () => { next(); }); // @group pages
