// @style N workers share one async generator: for await (const job of jobs) — each takes the next one
// @expect gen: pool tasks=9 conc=3 ok=9 error=0 peak=3
import gt from '../gt.cjs';
const g = gt.group({ name: 'gen', kind: 'pool', concurrency: 3, declared: 9 });
const sleep = (ms) => new Promise((r) => setTimeout(r, ms));
async function* jobs() { for (let i = 0; i < 9; i++) { yield i; } }
const handle = async (i) => { // @task gen
  const t = g.start(i);
  await sleep(gt.ms(i));
  t.ok();
};
const source = jobs();
const consumer = async () => {
  for (;;) {
    const { value, done } = await source.next();
    if (done) break;
    await handle(value);
  }
};
await Promise.all([consumer(), consumer(), consumer()]); // @group gen
g.end();
