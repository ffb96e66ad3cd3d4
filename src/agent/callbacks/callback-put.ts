/** A callback that is waited for, as part of some job: by a timer, or by a request to the system. */
import type { ProgramFrame } from '../stacks/program-calls';
import type { LibraryTask } from '../adapters/sink';
import { Rounds } from './callback-rounds';

/** A job may wait for one thing after the other. */
const MAX_STEPS = 16;

/** What the callback is waited for with. */
export interface Wait {
  /** Whether the callback ran, or never will. */
  readonly isOver: boolean;
  /** A request, and no timer. */
  readonly isRequest: boolean;
  /** Whether it was called off before it was due, as a time limit is. @param now milliseconds of the thread's clock */
  isCalledOff(now: number): boolean;
  /** The number Node knows by now what runs the callback; 0 where none is to be had. */
  id(): number;
  /** Milliseconds of the thread's clock when to look whether it is over; undefined where its end is told of. */
  due(now: number): number | undefined;
  /** Milliseconds of the thread's clock when it was over, where that was noted. */
  readonly endedAt: number | undefined;
}

/** A job that is through, of what is no pool yet. Milliseconds of the thread's clock. */
export interface Through {
  readonly start: number;
  /** When the first of its kind began, each of which called for the next one: where those are attempts, they are one task. */
  readonly since: number;
  readonly end: number;
  readonly isRenewed: boolean;
}

/** What one function waits for, call by call. */
export class Family {
  readonly pending = new Set<Put>();
  /** What is through, as long as it is no pool yet. */
  readonly through: Through[] = [];
  readonly rounds = new Rounds();
  /** Number of the group, once it is told for a pool. */
  group = 0;
  /** Whether it was told for lanes that renew themselves. */
  isLanes = false;
  /** The function by which a job of a pool says that it is through; 0 as long as it is not known. */
  teller = 0;
  /** The function that is the pool; 0 as long as it is none. */
  pool = 0;
  count = 0;
  /** What was waited for last. */
  latest: Put | undefined;
  /** How many were not the first that a library's task waited for so: where few are, the family is but how that library's tasks work. */
  own = 0;
  /** The library's task in whose function the latest began. */
  latestIn: LibraryTask | undefined;
  /** How many began in no other's wake. */
  lanes = 0;
  /** How many were called for, one after the other. */
  inSeries = 0;
  /** Whether two of them were ever at work at once. */
  wereAtOnce = false;
  /** How many were called for by the callback of the one before itself. */
  renewals = 0;
  /** Whether one called for several that way, or ended and called for none: those are no lanes. */
  isTree = false;
  /** Whose next jobs its callbacks call for, as a timer's do that a job sets when it is through: it is no part of one. */
  callsFor: Family | undefined;
  /** Whether a timer was called off before it was due: its timers are time limits for something else, and no work. */
  hasTimeLimits = false;

  /**
   * @param job the function that waits
   * @param callers it and who called it first, innermost first
   * @param handed the function that a library calls, it or one that called it; undefined where none does
   * @param owner the async function that ran; 0 for none
   */
  constructor(readonly job: ProgramFrame, readonly callers: readonly ProgramFrame[], readonly handed: ProgramFrame | undefined, readonly owner: number) {}

  /** Whether a function begins calls of it, and is no call of it itself. @param fn its number */
  isCalledBy(fn: number): boolean { return fn !== this.job.fn && this.callers.some((caller) => caller.fn === fn); }
}

/** The run of code that something was put off in. */
export interface Origin {
  readonly tick: number;
  /** The async function that ran, else the promise whose reaction it was; 0 for neither. */
  readonly promise: number;
}

/** Where a function waits, and for whom it was called. */
export interface Call {
  /** Node's number of the callback that runs. */
  readonly run: number;
  /** Stack ids of the place in the function, and of that in its caller (0 where it has none), each with the callers of that. */
  readonly place: number;
  readonly callers: number;
  readonly origin: Origin;
}

/** From the start of waiting to the end of the job that waits. */
export class Put {
  task = 0;
  /** The job that it is a step of. */
  outer: Put | undefined;
  readonly steps = new Set<Put>();
  isThrough = false;
  /** Whether its end is to be seen though it is no task yet. */
  isWatched = false;
  /** Whether its own callback called for the next of its kind. */
  isRenewed = false;
  /** The number Node knows it by; 0 until it was asked for. */
  id = 0;
  /** Where the first of those began in whose callbacks it came about. */
  readonly origin: Origin;

  /**
   * @param start milliseconds of the thread's clock
   * @param since when the first of those began that called for it one after the other
   * @param cause in whose callback it began
   */
  constructor(readonly family: Family, readonly wait: Wait, readonly call: Call, readonly start: number, readonly since: number, public cause: Put | undefined) {
    this.origin = cause?.origin ?? call.origin;
  }

  get isOver(): boolean { return this.wait.isOver; }
  /** Whether it, or a step of its job, is still to come. */
  get isRunning(): boolean { return !this.isOver || [...this.steps].some((step) => step.isRunning); }

  /** Whether what a function waits for next is waited for beside it, by the same call: one is a request, the other a timer that limits its time. */
  isBeside(wait: Wait, { run, place, callers }: Call): boolean {
    const { call } = this;
    return call.run === run && call.callers === callers && call.place !== place && this.wait.isRequest !== wait.isRequest && !this.isThrough;
  }

  /** Whether it is but a further step of a job, of the same function. */
  get isFurtherStep(): boolean { return this.outer?.family === this.family; }

  /** The job of another function that it is a step of, or that what it is a further step of is one of. */
  get ofJob(): Put | undefined { return this.isFurtherStep ? this.outer?.outer : this.outer; }

  /** Whether it is a task, or a step of some pool's job. */
  get isInPool(): boolean { return this.outward((put) => put.task !== 0) !== undefined; }

  /** Whether its end is to be seen, or that of a job that it is a step of. */
  get isFollowed(): boolean { return this.outward((put) => put.task !== 0 || put.isWatched) !== undefined; }

  /** Whether it is of a round, or a step of one that is. */
  get isOfRound(): boolean { return this.outward((put) => put.isWatched) !== undefined; }

  /** The job of the given family that it is part of, if any: the one whose end the program tells of in its callback. */
  jobOf(family: Family): Put | undefined { return this.outward((put) => put.family === family); }

  /** The family of those that a function waits for, which it is of, or a job that it is part of. */
  familyOf(fn: number): Family | undefined { return this.outward((put) => put.family.job.fn === fn)?.family; }

  /** The pool's job, it or one that it is part of, which said that it is through: in its callback these functions run. */
  toldThrough(frames: readonly ProgramFrame[]): Put | undefined {
    return this.outward(({ task, family: { teller } }) => task !== 0 && teller !== 0 && frames.some(({ fn }) => fn === teller));
  }

  /** Whether nothing but requests leads from a job to this step of its. */
  isRequestsOnlySince(job: Put): boolean { return this.outward((put) => put === job || !put.wait.isRequest) === job && job.wait.isRequest; }

  /** @returns the innermost that is wanted, of it and the jobs it is a step of */
  private outward(isWanted: (put: Put) => boolean, steps = MAX_STEPS): Put | undefined {
    if (isWanted(this)) return this;
    return steps > 1 ? this.outer?.outward(isWanted, steps - 1) : undefined;
  }
}
