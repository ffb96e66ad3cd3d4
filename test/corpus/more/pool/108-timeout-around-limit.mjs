// @style uptime monitor: probe(host) = deadline(limit(() => ping(host)), ms): the caller gives up after the deadline, the ping keeps its slot until it is through; await limit.idle() at the end
// @expect pings: pool tasks=12 conc=4 ok=11 error=1 peak=4
import gt from '../gt.cjs';

const g = gt.group({ name: 'pings', kind: 'pool', concurrency: 4, declared: 12 });

function concurrency(max) {
  const backlog = [];
  let active = 0;
  let onIdle = [];
  const settle = () => {
    active--;
    if (backlog.length) launch(backlog.shift());
    else if (!active) { onIdle.forEach((f) => f()); onIdle = []; }
  };
  const launch = async ({ fn, resolve, reject }) => {
    active++;
    try { resolve(await fn()); } catch (e) { reject(e); }
    settle();
  };
  const limit = (fn) => new Promise((resolve, reject) => {
    const entry = { fn, resolve, reject };
    active < max ? launch(entry) : backlog.push(entry);
  });
  limit.idle = () => (active || backlog.length ? new Promise((r) => onIdle.push(r)) : Promise.resolve());
  return limit;
}

class DeadlineError extends Error { name = 'DeadlineError'; }

function deadline(promise, ms) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new DeadlineError(`no answer in ${ms} ms`)), ms);
    promise.then(
      (v) => { clearTimeout(timer); resolve(v); },
      (e) => { clearTimeout(timer); reject(e); },
    );
  });
}

const limit = concurrency(4);

async function ping(host, n) { // @task pings
  const t = g.start(host);
  await new Promise((r) => setTimeout(r, n === 1 || n === 6 ? 420 : gt.ms(n, 20, 60)));
  if (n === 9) throw t.fail(new Error('ECONNREFUSED'));
  return t.ok({ host, up: true });
}

async function probe(host, n) {
  try {
    return await deadline(limit(() => ping(host, n)), 300); // @group pings
  } catch (err) {
    return { host, up: false, reason: err instanceof DeadlineError ? 'timeout' : err.message };
  }
}

const statuses = await Promise.all(gt.range(12).map((n) => probe(`node-${n}.internal`, n))); // @group pings
await limit.idle();
g.end();
const down = statuses.filter((s) => !s.up);
if (down.length !== 3) process.exitCode = 1;
