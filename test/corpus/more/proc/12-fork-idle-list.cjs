// @style child_process.fork: children in an idle list, one job at a time each, waiting jobs in a queue; the children are told to exit
// @expect primes: pool tasks=8 conc=2 ok=8 error=0
'use strict';
const { fork } = require('child_process');
const path = require('path');
const gt = require('../gt.cjs');

const g = gt.group({ name: 'primes', kind: 'pool', lib: 'child_process', concurrency: 2, declared: 8 });
const idle = [];
const waiting = [];
const children = gt.range(2).map(() => fork(path.join(__dirname, 'workers', 'prime-child.cjs')));
idle.push(...children);

function dispatch() {
  while (idle.length && waiting.length) {
    const child = idle.shift();
    const { job, resolve } = waiting.shift();
    child.once('message', (answer) => {
      g.add({ id: answer.id, start: answer.start, end: answer.end, pid: child.pid });
      idle.push(child);
      resolve(answer.largest);
      dispatch();
    });
    child.send(job);
  }
}

function largestPrime(id) { // @task primes
  return new Promise((resolve) => {
    waiting.push({ job: { id, from: 1000 * (id + 1), ms: gt.ms(id, 15, 45) }, resolve });
    dispatch();
  });
}

Promise.all(gt.range(8).map(largestPrime)).then((list) => { // @group primes
  g.end();
  for (const child of children) child.send('exit');
  if (list.some((n) => !(n > 1))) process.exitCode = 9;
});
