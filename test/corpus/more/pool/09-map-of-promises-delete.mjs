// @style Map id -> promise, waitForOne() helper with race over values, TypeScript-compiled look
// @expect sync: pool tasks=10 conc=3 ok=10 error=0 peak=3
import gt from '../gt.cjs';
const g = gt.group({ name: 'sync', kind: 'pool', concurrency: 3, declared: 10 });
export class Syncer {
  inflight = new Map();
  async waitForOne() { await Promise.race(this.inflight.values()); }
  async syncOne(id) { // @task sync
    const t = g.start(id);
    await new Promise((r) => setTimeout(r, gt.ms(id)));
    t.ok();
  }
  async run(ids) {
    for (const id of ids) {
      while (this.inflight.size >= 3) await this.waitForOne(); // @group sync
      this.inflight.set(id, this.syncOne(id).finally(() => this.inflight.delete(id))); // @group sync
    }
    await Promise.all(this.inflight.values()); // @group sync
  }
}
await new Syncer().run(gt.range(10));
g.end();
