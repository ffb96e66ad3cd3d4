// @style the script forks itself once per shard (two at a time); every child is a program of its own with a pool of 3, and sends a report before it goes
// @expect shards: pool tasks=3 conc=2 ok=3 error=0 peak=2 lanes=2
// @expect inner-*: pool groups=3 tasks=7 conc=3 ok=7 error=0 peak=3 lanes=3 parent=shards/*
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const self = fileURLToPath(import.meta.url);
const [flag, payload] = process.argv.slice(2);

if (flag === '--shard') await child(JSON.parse(payload));
else await parent();

async function child({ urls }) {
  const clock = () => performance.timeOrigin + performance.now();
  const done = [];
  const pending = urls.entries();

  async function check(id, ms, lane) { // @task inner-*
    const start = clock();
    await new Promise((r) => setTimeout(r, ms));
    done.push({ id, start, end: clock(), worker: lane });
  }

  const lanes = [0, 1, 2].map(async (lane) => { // @worker inner-*
    for (const [id, ms] of pending) await check(id, ms, lane);
  });
  await Promise.all(lanes); // @group inner-*
  process.send(done, () => process.disconnect());
}

async function parent() {
  const { default: gt } = await import('../gt.cjs');
  const g = gt.group({ name: 'shards', kind: 'pool', lib: 'child_process', concurrency: 2, declared: 3 });

  async function runShard(shard, lane) { // @task shards
    const t = g.start(shard, { worker: lane });
    const urls = gt.range(7).map((k) => gt.ms(shard * 10 + k, 25, 60));
    const proc = fork(self, ['--shard', JSON.stringify({ urls })], { silent: true });
    let report;
    proc.on('message', (m) => { report = m; });
    const [code] = await once(proc, 'exit');
    if (code !== 0) throw t.fail(new Error(`shard ${shard}: exit ${code}`));
    const inner = gt.group({ name: 'inner-' + shard, kind: 'pool', concurrency: 3, declared: 7, parent: t });
    inner.startAt = t.startAt;
    for (const row of report.sort((a, b) => a.start - b.start)) inner.add(row);
    inner.end();
    return t.ok(report.length);
  }

  const shards = [0, 1, 2];
  const runner = async (lane) => { // @worker shards
    let total = 0;
    while (shards.length) total += await runShard(shards.shift(), lane);
    return total;
  };
  await Promise.all([runner(0), runner(1)]); // @group shards
  g.end();
}
