// @style a promise for each command, put before a queue of callbacks over execFile, three at a time; one Promise.all
// @expect cmds: pool tasks=9 conc=3 ok=9 error=0
const { execFile } = require('child_process');
const gt = require('../gt.cjs');
const g = gt.group({ name: 'cmds', kind: 'pool', concurrency: 3, declared: 9 });
const waiting = [];
let running = 0;
function pump() {
  while (running < 3 && waiting.length > 0) {
    const { i, resolve, reject } = waiting.shift();
    running++;
    const t = g.start(i);
    execFile('sleep', [`0.0${3 + (i % 5)}`], (error) => { // @task cmds
      running--;
      if (error) reject(t.fail(error)); else resolve(t.ok(i));
      pump();
    });
  }
}
function run(i) {
  return new Promise((resolve, reject) => {
    waiting.push({ i, resolve, reject });
    pump(); // @group cmds
  });
}
Promise.all(gt.range(9).map(run)).then(() => g.end()); // @group cmds
