// @style async generator pages through a Link header while 3 consumers share it; every repo loads its parts with Promise.all; mirrors race for the upload
import http from 'node:http';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import gt from '../gt.cjs';

// ---- API ----------------------------------------------------------------------------------------
const flaky = new Map([['/repos/2/issues', 1], ['/repos/5/commits', 2]]);
const api = http.createServer(async (req, res) => {
  const url = new URL(req.url, 'http://api');
  const left = flaky.get(url.pathname) ?? 0;
  if (left) {
    flaky.set(url.pathname, left - 1);
    res.statusCode = 502;
    return res.end('bad gateway');
  }
  if (url.pathname === '/repos') {
    const page = Number(url.searchParams.get('page'));
    if (page < 2) res.setHeader('link', `</repos?page=${page + 1}>; rel="next"`);
    return res.end(JSON.stringify([0, 1, 2].map((k) => ({ id: page * 3 + k }))));
  }
  await delay(gt.ms(url.pathname.length * 7 + Number(url.pathname.split('/')[2] || 0), 20, 50));
  res.end('[]');
});
api.listen(0, '127.0.0.1');
await once(api, 'listening');
const origin = `http://127.0.0.1:${api.address().port}`;

// ---- client with retry -----------------------------------------------------------------------------
const backoff = (n) => delay(8 * (n + 1));

async function request(path) {
  let last;
  for (const n of [0, 1, 2, 3]) {
    const res = await fetch(new URL(path, origin));
    const text = await res.text();
    if (res.status < 500) return { data: JSON.parse(text), next: /<([^>]+)>; rel="next"/.exec(res.headers.get('link') ?? '')?.[1] };
    last = new Error(`${path}: ${res.status}`);
    await backoff(n);
  }
  throw last;
}

async function* allRepos() {
  let path = '/repos?page=0';
  while (path) {
    const { data, next } = await request(path);
    yield* data;
    path = next;
  }
}

// ---- phase 1: repos, three at a time, with three calls inside each ------------------------------------
const repos = gt.group({ name: 'repos', kind: 'pool', concurrency: 3, declared: 9 });
const report = new Map();

async function loadPart(parts, id, what) { // @task parts-*
  const t = parts.start(what);
  const { data } = await request(`/repos/${id}/${what}`);
  return t.ok(data);
}

async function loadRepo({ id }, lane) { // @task repos
  const t = repos.start(id, { worker: lane });
  const parts = gt.group({ name: `parts-${id}`, kind: 'all', combinator: 'all', concurrency: 3, declared: 3, parent: t });
  const [issues, commits, tags] = await Promise.all(['issues', 'commits', 'tags'].map((what) => loadPart(parts, id, what))); // @group parts-*
  parts.end();
  await delay(10);
  report.set(id, { issues, commits, tags });
  t.ok();
}

const stream = allRepos();
const consumers = [];
for (let lane = 0; lane < 3; lane++) {
  consumers.push((async () => { // @worker repos
    for (;;) {
      const { value, done } = await stream.next();
      if (done) return;
      await loadRepo(value, lane);
    }
  })());
}
await Promise.all(consumers); // @group repos
repos.end();

// ---- phase 2: the report goes to whichever mirror answers first ------------------------------------------
const mirrors = gt.group({ name: 'mirrors', kind: 'any', combinator: 'any', concurrency: 3, declared: 3 });
async function push(mirror, ms) { // @task mirrors
  const t = mirrors.start(mirror);
  await delay(ms);
  if (mirror === 'eu') throw t.fail(new Error('eu is read-only'));
  await request(`/upload/${mirror}`).catch((err) => { throw t.fail(err); });
  return t.ok(mirror);
}
await Promise.any([push('eu', 10), push('us', 40), push('asia', 160)]); // @group mirrors
mirrors.end();
setTimeout(() => { api.closeAllConnections(); api.close(); }, 300); // the slow mirrors may finish
