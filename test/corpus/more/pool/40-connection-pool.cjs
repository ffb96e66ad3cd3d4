// @style database connection pool: connect() hands out a client or waits, withClient() releases it, reports use it all at once
const gt = require('../gt.cjs');

const queries = gt.group({ name: 'queries', kind: 'pool', concurrency: 3, declared: 13 });
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

class Client {
  static #ids = 0;
  id = Client.#ids++;
  async query(text, ms) {
    await sleep(ms);
    if (/^drop/.test(text)) throw new Error('permission denied');
    return { rows: [{ text }] };
  }
}

class ConnectionPool {
  #idle = [];
  #waiters = [];
  #size = 0;
  constructor({ max }) { this.max = max; }

  connect() {
    if (this.#idle.length) return Promise.resolve(this.#idle.pop());
    if (this.#size < this.max) {
      this.#size++;
      return Promise.resolve(new Client());
    }
    return new Promise((resolve) => this.#waiters.push(resolve));
  }

  release(client) {
    const waiter = this.#waiters.shift();
    if (waiter) waiter(client);
    else this.#idle.push(client);
  }

  async withClient(fn) {
    const client = await this.connect();
    try {
      return await fn(client);
    } finally {
      this.release(client);
    }
  }
}

const pool = new ConnectionPool({ max: 3 });
const statements = gt.range(13).map((n) => (n === 7 ? 'drop table users' : `select * from report_${n}`));

const runReport = (text, n) => pool.withClient(async (client) => { // @task queries
  const t = queries.start(n, { worker: client.id });
  try {
    const { rows } = await client.query(text, gt.ms(n, 20, 60));
    return t.ok(rows);
  } catch (err) {
    throw t.fail(err);
  }
});

async function main() {
  const failed = [];
  const reports = await Promise.all(statements.map((text, n) => runReport(text, n).catch((err) => { failed.push(err); }))); // @group queries
  queries.end();
  if (reports.filter(Boolean).length !== 12 || failed.length !== 1) process.exitCode = 1;
}
main();
