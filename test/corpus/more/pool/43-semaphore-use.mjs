// @style class Semaphore with private fields and use(fn): acquire, run, release in finally
// @expect queries: pool tasks=10 conc=3 ok=10 error=0 peak=3
import gt from '../gt.cjs';
const g = gt.group({ name: 'queries', kind: 'pool', concurrency: 3, declared: 10 });

class Semaphore {
  #free;
  #waiters = [];
  constructor(count) { this.#free = count; }
  #acquire() {
    if (this.#free > 0) {
      this.#free -= 1;
      return Promise.resolve();
    }
    return new Promise((resolve) => this.#waiters.push(resolve));
  }
  #release() {
    const waiter = this.#waiters.shift();
    if (waiter) waiter();
    else this.#free += 1;
  }
  use(fn) {
    return this.#acquire().then(fn).finally(() => this.#release());
  }
}

const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const execute = (sql) => wait(gt.ms(sql.length * 7 + Number(sql.at(-1)), 20, 70)).then(() => [{ sql }]);

function findUser(id) { // @task queries
  const t = g.start(id);
  return execute(`select * from users where id = ${id}`)
    .then(([row]) => t.ok(row));
}

const sem = new Semaphore(3);
const users = await Promise.all(gt.range(10).map((id) => sem.use(() => findUser(id)))); // @group queries
g.end();
if (users.length !== 10) throw new Error('missing users');
