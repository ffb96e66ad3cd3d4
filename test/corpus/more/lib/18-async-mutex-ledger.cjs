// @style order desk: three hand-written workers over a shared list, and inside every order an async-mutex guards the ledger file
// @lib async-mutex
// @expect orders: pool tasks=9 conc=3 ok=9 error=0 peak=3 lanes=3
// @expect ledger: pool tasks=9 conc=1 ok=9 error=0 peak=1 parent=orders/*
const fs = require("fs/promises");
const os = require("os");
const path = require("path");
const { Mutex } = require("async-mutex");
const gt = require("../gt.cjs");

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const ledgerFile = path.join(os.tmpdir(), `ledger-${process.pid}.json`);
const ledgerLock = new Mutex();

const orderTruth = gt.group({ name: "orders", kind: "pool", concurrency: 3, declared: 9 });
const ledgerTruth = gt.group({
    name: "ledger", kind: "pool", lib: "async-mutex", concurrency: 1, declared: 9,
    parent: { g: orderTruth, id: "*" },
});

// read - modify - write: must never happen twice at a time
async function appendToLedger(order) { // @task ledger
    const t = ledgerTruth.start(order.id);
    const ledger = JSON.parse(await fs.readFile(ledgerFile, "utf8"));
    await sleep(gt.ms(order.id + 40, 5, 15));
    ledger.push({ order: order.id, amount: order.amount });
    await fs.writeFile(ledgerFile, JSON.stringify(ledger));
    t.ok();
}

async function fulfil(order, clerk) { // @task orders
    const t = orderTruth.start(order.id, { worker: clerk });
    await sleep(gt.ms(order.id, 20, 60)); // pick and pack
    await ledgerLock.runExclusive(() => appendToLedger(order)); // @group ledger
    await sleep(10); // label
    t.ok();
}

async function main() {
    await fs.writeFile(ledgerFile, "[]");
    const orders = gt.range(9).map((id) => ({ id, amount: 10 + id }));

    const clerks = [];
    for (let clerk = 0; clerk < 3; clerk++) {
        clerks.push(
            (async () => { // @worker orders
                for (;;) {
                    const order = orders.shift();
                    if (!order) return;
                    await fulfil(order, clerk);
                }
            })()
        );
    }
    await Promise.all(clerks); // @group orders
    orderTruth.end();
    ledgerTruth.end();

    const ledger = JSON.parse(await fs.readFile(ledgerFile, "utf8"));
    await fs.unlink(ledgerFile);
    if (ledger.length !== 9) throw new Error("lost update");
}

main();
