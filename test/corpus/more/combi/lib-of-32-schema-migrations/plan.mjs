// The migrations of this release, in order. `db` is what Runner hands in.
export const plan = [
  {
    id: 'm1-create-orders',
    async up(db) {
      await db.exec('create table orders (id int, total int)', 20);
      await db.exec('create index on orders (id)', 15);
    },
  },
  {
    id: 'm2-backfill-totals',
    async up(db) {
      await db.backfill(1, db.ids(8), 3, (id) => `update orders set total = 0 where id = ${id}`); // @group backfill-*
    },
  },
  {
    id: 'm3-add-currency',
    async up(db) {
      await db.exec('alter table orders add currency text', 45);
    },
  },
  {
    id: 'm4-backfill-currency',
    async up(db) {
      await db.backfill(2, db.ids(6), 2, (id) => `update orders set currency = 'KRW' where id = ${id}`); // @group backfill-*
      await db.exec('alter table orders alter currency set not null', 20);
    },
  },
];
