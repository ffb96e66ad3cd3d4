// @style chunks of query builders: objects that begin their work when somebody calls their then, as knex, mongoose and Prisma make them
// @expect rows: chunk tasks=9 conc=3 chunks=3 ok=8 error=1 peak=3
import gt from '../gt.cjs';
const g = gt.group({ name: 'rows', kind: 'chunk', combinator: 'allSettled', concurrency: 3, size: 3, declared: 9 });
class Query {
  constructor(table) { this.table = table; this.filters = []; }
  where(filter) { this.filters.push(filter); return this; }
  then(resolve, reject) {
    const [{ id }] = this.filters;
    const t = g.start(id);
    const done = new Promise((ok, fail) => setTimeout(() => {
      if (id === 4) fail(t.fail(new Error('deadlock'))); else ok(t.ok({ id }));
    }, gt.ms(id)));
    return done.then(resolve, reject);
  }
}
const find = (id) => new Query('users').where({ id });
for (let i = 0; i < 9; i += 3) await Promise.allSettled([i, i + 1, i + 2].map(find)); // @group rows @task rows
g.end();
