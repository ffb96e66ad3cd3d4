// @style two importers at the same time under one Promise.all: one works in chunks, the other with a worker pool
// @expect importers: all tasks=2 conc=2 ok=2 error=0 peak=2
// @expect users: chunk tasks=8 conc=4 chunks=2 ok=8 error=0 peak=4 parent=importers/users
// @expect files: pool tasks=9 conc=2 ok=9 error=0 peak=2 lanes=2 parent=importers/files
const gt = require('../gt.cjs');
const sleep = (ms) => new Promise((r) => setTimeout(r, ms));
const top = gt.group({ name: 'importers', kind: 'all', combinator: 'all', concurrency: 2, declared: 2 });

async function importUsers() { // @task importers
  const self = top.start('users');
  const g = gt.group({ name: 'users', kind: 'chunk', combinator: 'all', concurrency: 4, size: 4, declared: 8, parent: self });
  const saveUser = async (id) => { // @task users
    const t = g.start(id);
    await sleep(gt.ms(id));
    t.ok();
  };
  for (let i = 0; i < 8; i += 4) {
    await Promise.all(gt.range(8).slice(i, i + 4).map(saveUser)); // @group users
  }
  g.end();
  self.ok();
}

async function importFiles() { // @task importers
  const self = top.start('files');
  const g = gt.group({ name: 'files', kind: 'pool', concurrency: 2, declared: 9, parent: self });
  const todo = gt.range(9);
  async function copyFile(n, w) { // @task files
    const t = g.start(n, { worker: w });
    await sleep(gt.ms(n + 50, 15, 50));
    t.ok();
  }
  async function copier(w) { // @worker files
    while (todo.length > 0) await copyFile(todo.shift(), w);
  }
  await Promise.all([copier(0), copier(1)]); // @group files
  g.end();
  self.ok();
}

Promise.all([importUsers(), importFiles()]).then(() => top.end()); // @group importers
