// @style one runner object used again and again: run() three times at once inside of the tasks of a Promise.all, then twice more after each other
// @expect stores: all tasks=3 conc=3 ok=3 error=0 peak=3
// @expect stock-*: pool groups=3 tasks=5 conc=2 ok=5 error=0 peak=2 parent=stores/*
// @expect totals: pool tasks=4 conc=2 ok=4 error=0 peak=2
// @expect reports: pool tasks=6 conc=3 ok=6 error=0 peak=3
import gt from '../gt.cjs';

const runner = {
  width: 2,
  wide(n) { return Object.create(this, { width: { value: n } }); },
  run(items, work) {
    const { width } = this;
    return new Promise((resolve, reject) => {
      const out = [];
      let started = 0, running = 0;
      const pump = () => {
        if (started === items.length && running === 0) { resolve(out); return; }
        for (; running < width && started < items.length; started++) {
          const slot = started;
          running++;
          work(items[slot]) // @group stock-* totals reports
            .then((value) => { out[slot] = value; running--; pump(); })
            .catch(reject);
        }
      };
      pump();
    });
  },
};

const pause = (ms) => new Promise((r) => setTimeout(r, ms));
const job = (group, offset) => function (n) { // @task stock-* totals reports
  const t = group.start(n);
  return pause(gt.ms(n + offset, 15, 50)).then(() => t.ok(n + offset));
};

const stores = gt.group({ name: 'stores', kind: 'all', combinator: 'all', concurrency: 3, declared: 3 });
const takeStock = (store) => { // @task stores
  const t = stores.start(store);
  const stock = gt.group({ name: `stock-${store}`, kind: 'pool', concurrency: 2, declared: 5, parent: t });
  return runner.run(gt.range(5), job(stock, store * 10)).then((counts) => { stock.end(); return t.ok(counts); });
};

Promise.all([0, 1, 2].map(takeStock)) // @group stores
  .then((counts) => {
    stores.end();
    const totals = gt.group({ name: 'totals', kind: 'pool', concurrency: 2, declared: 4 });
    return runner.run(counts.flat().slice(0, 4), job(totals, 40)).then(() => totals.end());
  })
  .then(() => {
    const reports = gt.group({ name: 'reports', kind: 'pool', concurrency: 3, declared: 6 });
    return runner.wide(3).run(gt.range(6), job(reports, 60)).then(() => reports.end());
  });
