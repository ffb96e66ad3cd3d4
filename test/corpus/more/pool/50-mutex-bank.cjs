// @style class Mutex: lock() returns an unlock function, await mutex.lock() ... finally unlock(); the bank-account race of tutorials
// @expect withdrawals: pool tasks=6 conc=1 ok=4 error=2 peak=1 lanes=1
const gt = require('../gt.cjs');

class Mutex {
  constructor() {
    this._locking = Promise.resolve();
    this._locked = false;
  }
  isLocked() {
    return this._locked;
  }
  lock() {
    this._locked = true;
    let unlockNext;
    const willLock = new Promise((resolve) => (unlockNext = resolve));
    willLock.then(() => (this._locked = false));
    const willUnlock = this._locking.then(() => unlockNext);
    this._locking = this._locking.then(() => willLock);
    return willUnlock;
  }
}

const g = gt.group({ name: 'withdrawals', kind: 'pool', concurrency: 1, declared: 6 });
const mutex = new Mutex();
let balance = 100;

const readBalance = () => new Promise((r) => setTimeout(() => r(balance), 8));
const writeBalance = (v) => new Promise((r) => setTimeout(() => { balance = v; r(); }, 12));

async function withdraw(amount, i) {
  const unlock = await mutex.lock();
  const t = g.start(i); // @task withdrawals
  try {
    const current = await readBalance();
    if (current < amount) throw t.fail(new Error('insufficient funds'));
    await writeBalance(current - amount);
    return t.ok(balance);
  } finally {
    unlock();
  }
}

(async function () {
  await Promise.all([30, 20, 90, 25, 60, 5].map((a, i) => withdraw(a, i).catch((e) => e.message))); // @group withdrawals
  g.end(balance === 20 ? 'ok' : 'error');
})();
