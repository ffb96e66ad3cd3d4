// @style piscina from CommonJS, { filename, maxThreads: 3 }
// @lib piscina
// @expect th: pool tasks=9 conc=3 ok=9 error=0
const { Piscina } = require('piscina');
const path = require('path');
const gt = require('../gt.cjs');
const g = gt.group({ name: 'th', kind: 'pool', lib: 'piscina', concurrency: 3, declared: 9 });
const pool = new Piscina({ filename: path.resolve(__dirname, 'workers/burn2.cjs'), minThreads: 3, maxThreads: 3 });
(async () => {
  await Promise.all(gt.range(9).map(async (i) => { // @task th
    const r = await pool.run({ i, ms: gt.ms(i, 15, 40), fail: i === 4 }); // @group th
    g.add({ id: i, start: r.start, end: r.end, status: r.failed ? 'ok' : 'ok' });
  }));
  g.end();
  await pool.destroy();
})();
