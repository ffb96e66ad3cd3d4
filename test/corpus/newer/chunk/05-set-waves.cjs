// @style dependency waves with the new Set methods: everything whose needs are a subset of what is up starts together; Set#union / #difference between the waves
// @minNode 22
// @expect boot: chunk tasks=9 chunks=4 ok=9 error=0 peak=3
'use strict';
const { setTimeout: sleep } = require('node:timers/promises');
const gt = require('../gt.cjs');

const g = gt.group({ name: 'boot', kind: 'chunk', combinator: 'all', concurrency: null, size: null, declared: 9 });

const services = {
  config: [], clock: [],
  logger: ['config'], db: ['config'], cache: ['config', 'clock'],
  users: ['db', 'cache'], search: ['db'], audit: ['logger', 'db'],
  http: ['users', 'search', 'audit'],
};
const needs = new Map(Object.entries(services).map(([name, list]) => [name, new Set(list)]));

async function boot(name, wave, k) { // @task boot
  const t = g.start(name, { chunk: wave });
  await sleep(gt.ms(wave * 10 + k, 20, 70));
  t.ok();
}

async function main() {
  let up = new Set();
  let down = new Set(needs.keys());
  for (let wave = 0; down.size > 0; wave++) {
    const ready = new Set([...down].filter((name) => needs.get(name).isSubsetOf(up)));
    if (ready.size === 0) throw new Error('dependency cycle', { cause: [...down] });
    await Promise.all([...ready].map((name, k) => boot(name, wave, k))); // @group boot
    up = up.union(ready);
    down = down.difference(ready);
  }
}

main().then(() => g.end());
