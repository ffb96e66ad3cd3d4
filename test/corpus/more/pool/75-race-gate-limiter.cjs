// @style makeGate(n): the caller itself loops while (pending.size >= n) await Promise.race(pending), then adds fn(...).finally(delete); no queue, all waiters wake and look again
// @expect hashes: pool tasks=12 conc=4 ok=12 error=0 peak=4
const { createHash } = require('node:crypto');
const { readFile } = require('node:fs/promises');
const { setTimeout: rest } = require('node:timers/promises');
const gt = require('../gt.cjs');
const g = gt.group({ name: 'hashes', kind: 'pool', concurrency: 4, declared: 12 });

const makeGate = (limit = 4) => {
  const pending = new Set();
  return async (fn, ...args) => {
    while (pending.size >= limit) {
      await Promise.race(pending);
    }
    const mine = Promise.resolve(fn(...args)).finally(() => {
      pending.delete(mine);
    });
    pending.add(mine);
    return await mine;
  };
};

const hashFile = async (file, salt) => { // @task hashes
  const t = g.start(salt);
  const data = await readFile(file);
  await rest(gt.ms(salt));
  return t.ok(createHash('sha1').update(data).update(String(salt)).digest('hex'));
};

async function main() {
  const gate = makeGate();
  const sums = await Promise.all(gt.range(12).map((salt) => gate(hashFile, __filename, salt))); // @group hashes
  g.end(new Set(sums).size === 12 ? 'ok' : 'error');
}
main();
