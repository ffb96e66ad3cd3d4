/** What an inspection finds: a place in a source where work runs at the same time, or needlessly does not. */
import type { Combinator } from '../model/timeline';

/**
 * - `chunk`: a combinator awaited once a round of a loop, or of a function that calls itself
 * - `pool`: hand-written: workers that take from one list, a set that is raced, a semaphore, a queue with a counter
 * - `library`: a pool, limiter or queue of a package
 * - `unbounded`: a combinator over as many tasks as there are items
 * - `together`: a combinator over a number of tasks that the source fixes
 * - `sequential`: one awaited after the other, though none needs the one before
 * - `forEach`: tasks that nobody awaits
 * - `limiterInLoop`: a limiter made anew for each item, which limits nothing
 */
export const PLACE_KINDS = ['chunk', 'pool', 'library', 'unbounded', 'together', 'sequential', 'forEach', 'limiterInLoop'] as const;
export type PlaceKind = (typeof PLACE_KINDS)[number];

export interface Place {
  readonly kind: PlaceKind;
  /** Where the call begins; 1-based. */
  readonly line: number;
  readonly column: number;
  /** The line on which it ends; 1-based. */
  readonly endLine: number;
  /** Name of the enclosing function; empty at the top level or where it has none. */
  readonly function: string;
  readonly combinator?: Combinator;
  /** npm name of the library, for `library` and `limiterInLoop`. */
  readonly library?: string;
  /** The limit, or the size of a chunk, where the source says it. */
  readonly limit?: number;
}
