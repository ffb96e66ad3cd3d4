// @style sharded work: one promise chain per account key (events of an account in order, accounts side by side)
// @expect postings: pool tasks=14 conc=4 ok=13 error=1 peak=4 lanes=4
// @hard lanes are promise chains built up front
import gt from '../gt.cjs';

/**
 * KeyedQueue - serialises work per key.
 * Used in our payments service since two postings on the same account must never overlap.
 */
class KeyedQueue {
  constructor() {
    this.tails = new Map();
  }

  enqueue(key, work) {
    const before = this.tails.get(key) ?? Promise.resolve();
    const mine = before.then(() => work());
    const settled = mine.then(noop, noop);
    this.tails.set(key, settled);
    settled.then(() => {
      if (this.tails.get(key) === settled) this.tails.delete(key);
    });
    return mine;
  }

  get busyKeys() {
    return [...this.tails.keys()];
  }
}
function noop() {}

const ACCOUNTS = ['DE01', 'FR77', 'IT13', 'PL42'];
const balances = Object.fromEntries(ACCOUNTS.map((iban) => [iban, 100]));
const group = gt.group({ name: 'postings', kind: 'pool', concurrency: ACCOUNTS.length, declared: 14 });

async function post({ id, iban, amount }) { // @task postings
  const t = group.start(id, { worker: ACCOUNTS.indexOf(iban) });
  const current = balances[iban];
  await new Promise((r) => setTimeout(r, gt.ms(id, 20, 65)));
  if (current + amount < 0) {
    throw t.fail(new RangeError(`${iban} would be overdrawn`));
  }
  balances[iban] = current + amount;
  return t.ok(balances[iban]);
}

const postings = gt.range(14).map((id) => ({
  id,
  iban: ACCOUNTS[(id * 3 + (id >> 2)) % ACCOUNTS.length],
  amount: id === 8 ? -5000 : 10 - id,
}));

const queue = new KeyedQueue();
const outcomes = await Promise.allSettled(postings.map((p) => queue.enqueue(p.iban, () => post(p)))); // @group postings
group.end();

const refused = outcomes.filter((o) => o.status === 'rejected').length;
if (refused !== 1 || queue.busyKeys.length > 0) process.exitCode = 1;
