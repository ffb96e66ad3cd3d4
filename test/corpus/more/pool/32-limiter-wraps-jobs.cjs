// @style createLimiter(n) by hand (what p-limit does): queue, active, limit(fn) returns a promise
// @expect repos: pool tasks=11 conc=3 ok=10 error=1 peak=3
const gt = require('../gt.cjs');
const g = gt.group({ name: 'repos', kind: 'pool', concurrency: 3, declared: 11 });
const sleep = (ms) => new Promise((r) => setTimeout(r, ms));

function createLimiter(concurrency) {
  const queue = [];
  let active = 0;
  const next = () => {
    active--;
    if (queue.length > 0) queue.shift()();
  };
  const run = async (fn, resolve, args) => {
    active++;
    const result = (async () => fn(...args))();
    resolve(result);
    try { await result; } catch {}
    next();
  };
  return (fn, ...args) => new Promise((resolve) => {
    const start = () => run(fn, resolve, args);
    if (active < concurrency) start();
    else queue.push(start);
  });
}

async function cloneRepo(id, depth) { // @task repos
  const t = g.start(id);
  await sleep(gt.ms(id) * depth);
  if (id === 5) throw t.fail(new Error('repository not found'));
  return t.ok(id);
}

const limit = createLimiter(3);
Promise.allSettled(gt.range(11).map((id) => limit(cloneRepo, id, 1))) // @group repos
  .then((all) => g.end(all.filter((r) => r.status === 'rejected').length === 1 ? 'ok' : 'error'));
