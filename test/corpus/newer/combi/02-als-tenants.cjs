// @style AsyncLocalStorage.run per tenant under allSettled, Promise.all of different calls inside each; one tenant fails, Object.groupBy for the report
// @minNode 22
// @expect tenants: allSettled tasks=4 conc=4 ok=3 error=1 peak=4
// @expect calls-*: all groups=4 tasks=3 conc=3 peak=3 pending=0 parent=tenants/*
const { AsyncLocalStorage } = require('node:async_hooks');
const gt = require('../gt.cjs');

const als = new AsyncLocalStorage();
const sleep = (ms) => new Promise((resolve) => { setTimeout(resolve, ms); });
const top = gt.group({ name: 'tenants', kind: 'allSettled', combinator: 'allSettled', concurrency: 4, declared: 4 });

async function call(table) { // @task calls-*
  const { tenant, g } = als.getStore();
  const t = g.start(table);
  await sleep(gt.ms(tenant * 3 + table.length, 20, 70));
  if (tenant === 2 && table === 'users') throw t.fail(new Error('no such schema'));
  return t.ok(`${tenant}.${table}`);
}

async function migrate() { // @task tenants
  const { tenant } = als.getStore();
  const t = top.start(tenant);
  const g = gt.group({ name: `calls-${tenant}`, kind: 'all', combinator: 'all', concurrency: 3, declared: 3, parent: t });
  try {
    const done = await als.run({ tenant, g }, () => Promise.all([call('users'), call('invoices'), call('log')])); // @group calls-*
    g.end();
    return t.ok(done);
  } catch (e) {
    g.end('error');
    throw t.fail(new Error(`tenant ${tenant}`, { cause: e }));
  }
}

exports.done = Promise.allSettled([0, 1, 2, 3].map((tenant) => als.run({ tenant }, migrate))).then((results) => { // @group tenants
  top.end();
  const { rejected = [] } = Object.groupBy(results, ({ status }) => status);
  if (rejected[0]?.reason.message !== 'tenant 2') process.exitCode = 2;
});
