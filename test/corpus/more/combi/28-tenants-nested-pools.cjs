// @style nightly job: tenants in chunks of two, inside each tenant a mapWithLimit(3) of its own behind a retrying store
// @expect tenants: chunk tasks=4 conc=2 chunks=2 ok=4 error=0 peak=2
// @expect docs-*: pool groups=4 tasks=7 conc=3 ok=7 error=0 peak=3 parent=tenants/*
const gt = require('../gt.cjs');

const sleep = ms => new Promise(res => setTimeout(res, ms));
const tenants = gt.group({ name: 'tenants', kind: 'chunk', combinator: 'all', concurrency: 2, size: 2, declared: 4 });

// lib/async-utils.js
exports.mapWithLimit = mapWithLimit;
function mapWithLimit(list, limit, iteratee) {
  const out = [];
  const entries = list.entries();
  const take = async () => { // @worker docs-*
    for (const [i, item] of entries) out[i] = await iteratee(item, i);
  };
  return Promise.all(new Array(Math.min(limit, list.length)).fill().map(take)).then(() => out); // @group docs-*
}
exports.inSlicesOf = async function inSlicesOf(n, list, fn) {
  const results = [];
  for (let i = 0; i < list.length; i += n) {
    const slice = list.slice(i, i + n);
    results.push(...await Promise.all(slice.map(entry => fn(entry)))); // @group tenants
  }
  return results;
};

// lib/store.js
const store = {
  attempts: new Map(),
  async put(key, ms) {
    await sleep(ms);
    const n = (this.attempts.get(key) || 0) + 1;
    this.attempts.set(key, n);
    if (key.endsWith('/3') && n === 1) throw new Error('ECONNRESET');
    return key;
  },
};
const withRetry = fn => function again(...args) {
  return fn(...args).catch(err => {
    if (err.message !== 'ECONNRESET') throw err;
    return again(...args);
  });
};
const put = withRetry((key, ms) => store.put(key, ms));

// jobs/reindex.js
class ReindexJob {
  async reindexTenant(tenant) { // @task tenants
    const t = tenants.start(tenant.id);
    await sleep(10); // open the index
    const g = gt.group({ name: 'docs-' + tenant.id, kind: 'pool', concurrency: 3, declared: 7, parent: t });
    await mapWithLimit(tenant.docs, 3, async doc => { // @task docs-*
      const d = g.start(doc);
      const key = await put(`${tenant.id}/${doc}`, gt.ms(tenant.id * 10 + doc, 15, 40));
      d.ok(key);
    });
    g.end();
    await sleep(5); // swap aliases
    return t.ok(tenant.id);
  }
  run(list) {
    return exports.inSlicesOf(2, list, tenant => this.reindexTenant(tenant));
  }
}

new ReindexJob().run(gt.range(4).map(id => ({ id, docs: gt.range(7) }))).then(() => tenants.end());
