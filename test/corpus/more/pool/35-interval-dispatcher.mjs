// @style setInterval scans a table of jobs, starts 'queued' ones while fewer than 2 are 'running', a deferred ends it
// @expect cron: pool tasks=8 conc=2 ok=8 error=0
import gt from '../gt.cjs';
const g = gt.group({ name: 'cron', kind: 'pool', concurrency: 2, declared: 8 });
const sleep = (ms) => new Promise((r) => setTimeout(r, ms));
const table = gt.range(8).map((id) => ({ id, state: 'queued' }));
const count = (state) => table.filter((job) => job.state === state).length;

let finish;
const finished = new Promise((resolve) => { finish = resolve; });

async function execute(job) { // @task cron
  const t = g.start(job.id);
  job.state = 'running';
  await sleep(gt.ms(job.id, 30, 70));
  job.state = 'done';
  t.ok();
}

const timer = setInterval(() => {
  for (const job of table) {
    if (count('running') >= 2) break;
    if (job.state === 'queued') execute(job); // @group cron
  }
  if (count('done') === table.length) {
    clearInterval(timer);
    finish();
  }
}, 10);

await finished;
g.end();
