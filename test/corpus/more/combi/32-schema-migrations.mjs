// @style migration runner: strictly one after another; two of the migrations (second file) run a backfill in chunks through the handed-in db
// @expect migrations: sequential tasks=4 conc=1 ok=4 error=0 peak=1
// @expect backfill-1: chunk tasks=8 conc=3 chunks=3 ok=8 error=0 peak=3 parent=migrations/m2-backfill-totals
// @expect backfill-2: chunk tasks=6 conc=2 chunks=3 ok=6 error=0 peak=2 parent=migrations/m4-backfill-currency
import gt from '../gt.cjs';
import { plan } from './lib-of-32-schema-migrations/plan.mjs';

class FakeDb {
  log = [];

  exec(sql, ms) {
    return new Promise((resolve) => {
      setTimeout(() => { this.log.push(sql); resolve(this.log.length); }, ms);
    });
  }
}

class MigrationContext {
  constructor(db, task) {
    this.db = db;
    this.task = task;
  }

  ids(n) { return Array.from({ length: n }, (_, i) => 1000 + i); }

  exec(sql, ms) { return this.db.exec(sql, ms); }

  async backfill(nr, ids, size, toSql) {
    const g = gt.group({ name: `backfill-${nr}`, kind: 'chunk', combinator: 'all', concurrency: size, size, declared: ids.length, parent: this.task });
    const touch = async (id) => { // @task backfill-*
      const t = g.start(id);
      await this.exec(toSql(id), gt.ms(nr * 100 + id, 20, 45));
      t.ok();
    };
    let from = 0;
    do {
      await Promise.all(ids.slice(from, from + size).map(touch)); // @group backfill-*
      from += size;
    } while (from < ids.length);
    g.end();
  }
}

class Runner {
  constructor(db) {
    this.db = db;
    this.applied = new Set();
    this.g = gt.group({ name: 'migrations', kind: 'sequential', concurrency: 1, declared: plan.length });
  }

  async apply(migration) { // @task migrations
    const t = this.g.start(migration.id);
    try {
      await migration.up(new MigrationContext(this.db, t));
    } catch (e) {
      throw t.fail(e);
    }
    this.applied.add(migration.id);
    return t.ok();
  }

  async migrate(list) {
    for (const migration of list) await this.apply(migration); // @group migrations
    this.g.end();
  }
}

const db = new FakeDb();
const runner = new Runner(db);
await runner.migrate(plan);
if (runner.applied.size !== 4 || db.log.length !== 18) process.exitCode = 1;
