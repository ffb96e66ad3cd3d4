// @style connection pool class: AsyncDisposableStack owns the connections, `await using` for the pool (top level) and for every lease
// @minNode 24
// @expect queries: pool tasks=10 conc=3 ok=10 error=0 peak=3 lanes=3
import { setImmediate as turn, setTimeout as sleep } from "node:timers/promises";
import gt from "../gt.cjs";

const g = gt.group({ name: "queries", kind: "pool", concurrency: 3, declared: 10 });

class Connection {
    constructor(id) { this.id = id; this.open = true; }
    async query(n) { // @task queries
        const t = g.start(n, { worker: this.id });
        await turn();
        await sleep(gt.ms(n));
        return t.ok({ n, via: this.id });
    }
    async [Symbol.asyncDispose]() { await turn(); this.open = false; }
}

class Lease {
    #back;
    constructor(connection, back) { this.connection = connection; this.#back = back; }
    async [Symbol.asyncDispose]() { this.#back(this.connection); }
}

class ConnectionPool {
    #owned = new AsyncDisposableStack();
    #idle = [];
    #waiting = [];

    constructor(size) {
        for (let id = 0; id < size; id++) this.#idle.push(this.#owned.use(new Connection(id)));
    }
    async checkout() {
        const connection = this.#idle.shift() ?? await new Promise((resolve) => this.#waiting.push(resolve));
        return new Lease(connection, (c) => {
            const waiter = this.#waiting.shift();
            if (waiter) waiter(c); else this.#idle.push(c);
        });
    }
    async [Symbol.asyncDispose]() { await this.#owned.disposeAsync(); }
}

await using pool = new ConnectionPool(3);

async function select(n) {
    await using lease = await pool.checkout();
    return await lease.connection.query(n);
}

const rows = await Promise.all(gt.range(10).map(select)); // @group queries
g.end();
if (new Set(rows.map((r) => r.via)).size !== 3) process.exitCode = 2;
