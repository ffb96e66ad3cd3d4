// @style workspace script runner: spawn per package when its dependencies are done, at most two children, Map of running promises and Promise.race
// @expect scripts: pool tasks=8 conc=2 ok=7 error=1 peak=2
// @proc
'use strict';
const { spawn } = require('child_process');
const gt = require('../gt.cjs');
const g = gt.group({ name: 'scripts', kind: 'pool', lib: 'child_process', concurrency: 2, declared: 8 });

const packages = [
  { name: 'core', deps: [] }, { name: 'icons', deps: [] }, { name: 'theme', deps: ['core'] }, { name: 'forms', deps: ['core'] },
  { name: 'table', deps: ['core', 'icons'] }, { name: 'docs', deps: ['theme', 'forms', 'table'] },
  { name: 'bench', deps: ['core'] }, { name: 'lint', deps: [] },
];
const scriptOf = (pkg, n) => `sleep 0.0${5 + (n % 3)}; exit ${pkg.name === 'bench' ? 3 : 0}`;

function runScript(pkg, n) { // @task scripts
  const t = g.start(pkg.name);
  return new Promise((resolve, reject) => {
    const child = spawn('/bin/sh', ['-c', scriptOf(pkg, n)], { stdio: 'ignore' });
    child.once('error', (err) => reject(t.fail(err)));
    child.once('close', (code) => {
      if (code === 0) resolve(t.ok(pkg.name));
      else reject(t.fail(new Error(`${pkg.name} exited with ${code}`)));
    });
  });
}

async function runAll(list, concurrency) {
  const waiting = list.map((pkg, n) => ({ pkg, n }));
  const running = new Map();
  const done = new Set();
  const failed = [];
  while (waiting.length || running.size) {
    const at = waiting.findIndex(({ pkg }) => pkg.deps.every((dep) => done.has(dep)));
    if (at >= 0 && running.size < concurrency) {
      const [{ pkg, n }] = waiting.splice(at, 1);
      running.set(pkg.name, runScript(pkg, n).catch((err) => failed.push(err)).then(() => {
        done.add(pkg.name);
        running.delete(pkg.name);
      }));
      continue;
    }
    await Promise.race(running.values()); // @group scripts
  }
  return failed;
}

runAll(packages, 2).then((failed) => {
  g.end();
  if (failed.length !== 1) process.exitCode = 1;
});
