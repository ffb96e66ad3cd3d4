/** Calls of one function that may be the workers of one pool, which no combinator holds together. */
import { Looks } from '../looks';
import type { PromiseNode } from '../promises/promise-node';
import type { WorkerPool } from '../combinators/worker-pool';

/** As many calls of a crew are kept before those that are long over are let go of. */
const MAX_IDLE = 256;
/** The first events of a kind, with each of which is looked again whether there are workers. */
const OFTEN = 8;

/** Calls of one function, started from one part of the program: workers of one pool, if they are workers. */
export class Crew {
  readonly lanes: PromiseNode[] = [];
  pool: WorkerPool | undefined;
  /** When to look at all of them. */
  readonly looks = new Looks();
  /** Tasks that were handed to them from outside. */
  handedIn = 0;
  /** Whether one of them called a place again and again. */
  hasLoops = false;
  /** Id of the latest of them when nobody ran the last time. */
  private idleAt = 0;

  /** @param areWorkers whether those who came before them, of the same function, were workers */
  constructor(readonly areWorkers = false) {}

  enroll(lane: PromiseNode): void {
    if (this.lanes.length >= MAX_IDLE && isTimeToLook(this.lanes.length)) this.lanes.splice(0, this.lanes.length, ...this.lanes.filter(({ isRetired }) => !isRetired));
    this.lanes.push(lane);
  }

  /** Those who were called since nobody ran; nobody does now. */
  sinceIdle(): readonly PromiseNode[] {
    const { idleAt } = this;
    this.idleAt = this.lanes.at(-1)?.id ?? idleAt;
    return this.lanes.filter(({ id }) => id > idleAt);
  }

  get isActive(): boolean { return this.pool?.isActive ?? this.lanes.some((lane) => lane.isPending); }
}

/** Seldomer the longer nothing has come of it: a function may call a place a million times. */
export const isTimeToLook = (count: number): boolean => count <= OFTEN || (count & (count - 1)) === 0;
