/**
 * Which groups of a run are compared, and what the comparison says. The experiment behind it: the same tasks run once in
 * chunks and once through a pool, one after the other; then the two are drawn from the same left edge and the time
 * between their ends is bracketed.
 */
import type { Group, Site } from '../../src/model/timeline';

/** A chunk group and a pool group over the same number of tasks. */
export interface Pair {
  readonly chunk: number;
  readonly pool: number;
  /** True once both have ended: only then the difference is known. */
  readonly settled: boolean;
}

export interface Saving {
  /** Group ids. */
  readonly longer: number;
  readonly shorter: number;
  readonly savedMs: number;
  /** How much less the shorter one took, −1 to 0. */
  readonly change: number;
}

/** A pool has no task running between one that ends and the next: so long it may be silent and still count as going on. */
const GRACE_MS = 500;
const MOST_CANDIDATES = 64;

/**
 * A chunk and a pool group pair up when they stand at the same place of the run (at its top, or in the same task) and
 * hold as many tasks. While the later one still runs it has fewer: it pairs up on trust, as long as that can still come true.
 * Each group is in one pair at the most; the same task function and nearness in time decide.
 * @param now milliseconds after `timeOrigin`
 */
export function pairsOf(groups: readonly Group[], over: boolean, now: number): Pair[] {
  // What is compared there is one run with the other.
  if (areOfTwoRuns(groups)) return [];
  // By the task they run in, so that thousands of inner groups need not be held against each other.
  const pools = new Map<number | undefined, Group[]>();
  for (const pool of groups) if (pool.kind === 'pool') {
    const mates = pools.get(pool.parent?.task);
    if (mates) mates.push(pool); else pools.set(pool.parent?.task, [pool]);
  }
  for (const each of pools.values()) each.sort((a, b) => a.start - b.start);
  const pairs: Pair[] = [];
  for (const chunk of groups.filter((group) => group.kind === 'chunk').sort((a, b) => a.start - b.start)) {
    const free = pools.get(chunk.parent?.task) ?? [];
    let best: { pool: Group; settled: boolean; distance: number } | undefined;
    for (const pool of nearest(free, chunk.start)) {
      const settled = match(chunk, pool, over, now);
      if (settled === undefined) continue;
      const distance = Math.abs(chunk.start - pool.start) + (sameSite(chunk.taskSite, pool.taskSite) ? 0 : 1e12);
      if (!best || distance < best.distance) best = { pool, settled, distance };
    }
    if (!best) continue;
    free.splice(free.indexOf(best.pool), 1);
    pairs.push({ chunk: chunk.id, pool: best.pool.id, settled: best.settled });
  }
  return pairs;
}

/** Of very many pools only those that began nearest are looked at. @param pools by start */
function nearest(pools: readonly Group[], start: number): readonly Group[] {
  if (pools.length <= MOST_CANDIDATES) return pools;
  let low = 0;
  let high = pools.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (pools[middle].start < start) low = middle + 1; else high = middle;
  }
  return pools.slice(Math.max(0, low - MOST_CANDIDATES / 2), low + MOST_CANDIDATES / 2);
}

/** What the shorter of two groups saves against the longer one, by the host's own figures. */
export function savingOf(a: Group, b: Group): Saving {
  const [longer, shorter] = a.metrics.makespanMs >= b.metrics.makespanMs ? [a, b] : [b, a];
  const savedMs = longer.metrics.makespanMs - shorter.metrics.makespanMs;
  return { longer: longer.id, shorter: shorter.id, savedMs, change: longer.metrics.makespanMs > 0 ? -savedMs / longer.metrics.makespanMs : 0 };
}

/**
 * Groups from top to bottom: as they started, but the second of a pair right below the first. Where two runs are shown at once,
 * their host has numbered the groups in the order in which they are to stand.
 */
export function stackOrder(groups: readonly Group[], pairs: readonly Pair[]): Group[] {
  if (areOfTwoRuns(groups)) return [...groups].sort((a, b) => a.id - b.id);
  const partner = new Map<number, number>();
  for (const { chunk, pool } of pairs) partner.set(chunk, pool).set(pool, chunk);
  const byId = new Map(groups.map((group) => [group.id, group]));
  const order = new Set<Group>();
  for (const group of [...groups].sort((a, b) => a.start - b.start || a.id - b.id)) {
    order.add(group);
    const other = byId.get(partner.get(group.id) ?? 0);
    if (other) order.add(other);
  }
  return [...order];
}

/** @returns whether the pair is settled; undefined where the two are none */
function match(chunk: Group, pool: Group, over: boolean, now: number): boolean | undefined {
  const [earlier, later] = chunk.start <= pool.start ? [chunk, pool] : [pool, chunk];
  if (earlier.end === undefined || earlier.taskCount < 2) return undefined;
  if (later.end !== undefined && later.taskCount === earlier.taskCount) return true;
  const goesOn = !over && (later.end === undefined || now - later.end < GRACE_MS);
  return goesOn && later.taskCount <= earlier.taskCount ? false : undefined;
}

/** Whether two runs are shown at once. */
export const areOfTwoRuns = (groups: readonly Group[]): boolean => groups[0]?.run !== undefined;

const sameSite = (a: Site | undefined, b: Site | undefined): boolean =>
  a !== undefined && b !== undefined && a.file === b.file && a.line === b.line && a.column === b.column;
