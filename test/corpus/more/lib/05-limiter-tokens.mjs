// @style limiter's RateLimiter: await limiter.removeTokens(1) before each call, all under Promise.all
// @lib limiter
// @expect rl: pool tasks=8 conc=4 ok=8 error=0
import { RateLimiter } from 'limiter';
import gt from '../gt.cjs';
const g = gt.group({ name: 'rl', kind: 'pool', lib: 'limiter', concurrency: 4, declared: 8 });
const limiter = new RateLimiter({ tokensPerInterval: 4, interval: 100 });
const sleep = (ms) => new Promise((r) => setTimeout(r, ms));
async function request(i) {
  await limiter.removeTokens(1);
  const t = g.start(i); // @task rl
  await sleep(gt.ms(i, 15, 45));
  t.ok();
}
await Promise.all(gt.range(8).map(request)); // @group rl
g.end();
