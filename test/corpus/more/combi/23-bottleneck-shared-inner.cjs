// @style Bottleneck wrap() outside; all tasks schedule() their calls on one shared Bottleneck inside
// @lib bottleneck
// @expect syncs: pool tasks=5 conc=2 ok=5 error=0 peak=2
// @expect calls: pool tasks=20 conc=3 ok=20 error=0 peak=3 parent=syncs/*
const Bottleneck = require("bottleneck");
const gt = require("../gt.cjs");

const syncs = gt.group({ name: "syncs", kind: "pool", lib: "bottleneck", concurrency: 2, declared: 5 });
const calls = gt.group({ name: "calls", kind: "pool", lib: "bottleneck", concurrency: 3, declared: 20, parent: { g: syncs, id: "*" } });

const accounts = new Bottleneck({ maxConcurrent: 2 });
const remote = new Bottleneck({ maxConcurrent: 3 });

function callApi(account, resource) { // @task calls
  const t = calls.start(`${account}/${resource}`);
  return new Promise(function (resolve) {
    setTimeout(resolve, gt.ms(account * 4 + resource, 15, 45));
  }).then(function () {
    return t.ok(resource);
  });
}

function syncAccount(account) { // @task syncs
  const t = syncs.start(account);
  const pulls = gt.range(4).map(function (resource) {
    return remote.schedule(callApi, account, resource); // @group calls
  });
  return Promise.all(pulls).then(function (all) { // @group calls
    return t.ok(all.length);
  });
}

const sync = accounts.wrap(syncAccount);
Promise.all(gt.range(5).map((account) => sync(account))).then(function () { // @group syncs
  calls.end();
  syncs.end();
});
