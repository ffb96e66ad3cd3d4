// @style Bottleneck with a reservoir that is refilled every 250 ms, schedule({ priority, id }, fn, arg), stop() at the end
// @lib bottleneck
// @expect sms: pool tasks=10 conc=2 ok=9 error=1 peak=2
const Bottleneck = require('bottleneck');
const gt = require('../gt.cjs');

const g = gt.group({ name: 'sms', kind: 'pool', lib: 'bottleneck', concurrency: 2, declared: 10 });
const limiter = new Bottleneck({ maxConcurrent: 2, reservoir: 6, reservoirRefreshAmount: 6, reservoirRefreshInterval: 250 });
const failures = [];
limiter.on('failed', (err, info) => { failures.push(info.options.id); });

function send(i, to) { // @task sms
  const t = g.start(i);
  return new Promise((resolve, reject) => {
    setTimeout(() => {
      if (to.endsWith('7')) reject(t.fail(new Error('unreachable ' + to)));
      else resolve(t.ok({ to }));
    }, gt.ms(i, 20, 45));
  });
}

async function main() {
  const numbers = gt.range(10).map((i) => '+49-170-' + i);
  const sent = await Promise.allSettled(numbers.map((to, i) => limiter.schedule({ priority: i < 3 ? 1 : 5, id: to }, send, i, to))); // @group sms
  g.end();
  await limiter.stop();
  if (failures.length !== 1 || sent.length !== 10) process.exitCode = 9;
}
main();
