'use strict';
// child side of 04-fork-idle-list
const now = () => performance.timeOrigin + performance.now();
const isPrime = (n) => { for (let d = 2; d * d <= n; d++) if (n % d === 0) return false; return n > 1; };
process.on('message', (job) => {
  if (job === 'exit') return process.disconnect();
  const start = now();
  let largest = 0;
  for (let n = job.from; now() - start < job.ms; n++) if (isPrime(n)) largest = n;
  process.send({ id: job.id, largest, start, end: now() });
});
