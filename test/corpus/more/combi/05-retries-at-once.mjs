// @style CLI: every link checked at once with retries and exponential backoff, allSettled for the summary
// @expect links: allSettled tasks=7 conc=7 ok=5 error=2 peak=7
import { setTimeout as wait } from 'node:timers/promises';
import gt from '../gt.cjs';

const g = gt.group({ name: 'links', kind: 'allSettled', combinator: 'allSettled', concurrency: 7, declared: 7 });

async function head(url, attempt) {
  await wait(gt.ms(url.n, 10, 40));
  if (url.broken || attempt < url.flaky) throw new Error('ECONNRESET');
  return 200;
}

async function check(url, { retries = 3, base = 10 } = {}) { // @task links
  const t = g.start(url.n);
  for (let attempt = 0; ; attempt++) {
    const a = t.attempt();
    try {
      const status = await head(url, attempt);
      a.ok();
      return t.ok(status);
    } catch (err) {
      a.fail();
      if (attempt >= retries) throw t.fail(err);
      await wait(base * 2 ** attempt);
    }
  }
}

const urls = gt.range(7).map((n) => ({ n, flaky: n % 3, broken: n === 2 || n === 5 }));
const results = await Promise.allSettled(urls.map((u) => check(u))); // @group links
g.end();
const dead = results.filter((r) => r.status === 'rejected').length;
process.exitCode = dead === 2 ? 0 : 1;
