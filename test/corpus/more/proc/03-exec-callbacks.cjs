// @style child_process.exec by callbacks alone, two at a time, one command fails
// @expect cmds: pool tasks=7 conc=2 ok=6 error=1
const { exec } = require('child_process');
const gt = require('../gt.cjs');
const g = gt.group({ name: 'cmds', kind: 'pool', concurrency: 2, declared: 7 });
const queue = gt.range(7);
let active = 0, left = 7;
function next() { // @group cmds
  while (active < 2 && queue.length) {
    const i = queue.shift();
    active++;
    const t = g.start(i);
    exec(`sleep 0.0${3 + (i % 4)}; exit ${i === 2 ? 3 : 0}`, (err) => { // @task cmds
      if (err) t.fail(err); else t.ok();
      active--; left--;
      if (left === 0) g.end(); else next();
    });
  }
}
next(); // @group cmds
