/** What the two backends have in common. */
import type { HotStretches } from './promises/hot-stretches';
import type { Observer } from './promises/observer';
import type { PoolRequests } from './process/pool-requests';

/** Keeps the agent out of its own way: what it does itself makes promises too. */
export interface Guard {
  busy: boolean;
  /** Errors swallowed: the program must not see them, the run says that they happened. */
  failures: number;
  /** The hook that V8 or Node calls: stacks are cut off above it. */
  hook: (...args: never[]) => unknown;
  /** The same for what settles. */
  settledHook: (...args: never[]) => unknown;
  /** Gives the parent of the promise being made, of which only a step of Node's own code was kept, a number: other code comes to stand on it. */
  takeOut: (parent: Promise<unknown> | undefined) => number;
  /** The number a promise is known by; 0 where it is not known. */
  idOf: (promise: object) => number;
  /** A number that no promise has, for one that is not V8's. */
  newId: () => number;
}

export interface Hooks {
  readonly observer: Observer;
  readonly guard: Guard;
  readonly requests: PoolRequests;
  readonly hot: HotStretches;
}
