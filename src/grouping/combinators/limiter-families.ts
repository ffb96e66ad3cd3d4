/** Whose work the calls of a function are: a limiter's, where those of others of its elements were. What comes of them is drawn as it begins (`works-ahead.ts`). */
import type { Family } from '../families/family';
import type { LimitedPool } from './limited-pool';

export class LimiterFamilies {
  /** `several` where that cannot be told. */
  private readonly pools = new WeakMap<Family, LimitedPool | 'several'>();
  /** What a pool's work was taken for before any of its elements told. */
  private readonly assumed = new WeakMap<LimitedPool, Family>();

  /** The pool that a call of a function may be the work of; undefined where it is none's, or may be several's. */
  poolOf(family: Family): LimitedPool | undefined {
    const pool = this.pools.get(family);
    if (pool === undefined || pool === 'several' || pool.callCount === 0 || !pool.isWaiting) return undefined;
    if (pool.isMistaken) { this.giveUp(family, pool); return undefined; }
    return pool;
  }

  /** The first elements of a pool began calls of a function each, and the others nothing yet. */
  assume(family: Family, pool: LimitedPool): void {
    this.assumed.set(pool, family);
    this.add(family, pool);
  }

  /** An element of a pool turned out to have had a call of a function for its work. */
  follow(family: Family, pool: LimitedPool): void {
    const assumed = this.assumed.get(pool);
    this.assumed.delete(pool);
    if (assumed && assumed !== family) {
      this.pools.delete(assumed);
      pool.dropAhead();
    }
    this.add(family, pool);
  }

  private giveUp(family: Family, pool: LimitedPool): void {
    pool.dropAhead();
    this.pools.set(family, 'several');
  }

  private add(family: Family, pool: LimitedPool): void {
    const before = this.pools.get(family);
    if (before === pool || before === 'several') return;
    if (before?.isWaiting === true) {
      // Two limiters at once: nobody knows whose a call is.
      this.giveUp(family, before);
      return;
    }
    this.pools.set(family, pool);
    for (const call of family.separable() ?? []) pool.expect(call);
  }
}
