/** The language of pictures: groups of tasks on lanes. All times are milliseconds after the run's `timeOrigin`. */

/** A place in the user's source: after source maps, 1-based line and column. */
export interface Site {
  /** Absolute path, or the URL where the code is no file. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** Name of the enclosing function; empty at the top level of a module or where it has none. */
  readonly function: string;
}

export const GROUP_KINDS = ['chunk', 'pool', 'all', 'allSettled', 'race', 'any', 'sequential'] as const;
export type GroupKind = (typeof GROUP_KINDS)[number];
export type Combinator = 'all' | 'allSettled' | 'race' | 'any';

/** How a task or a group stands. The numbers are what columns and the wire hold. */
export const TaskState = { pending: 0, fulfilled: 1, rejected: 2 } as const;
export type TaskState = (typeof TaskState)[keyof typeof TaskState];
/** Bit set beside the state in `TaskColumns.state`: settled after its group had already rejected or been won. */
export const IGNORED = 4;
export const STATE_MASK = 3;
/** Bits set beside `rejected`: somebody called it off; it took too long for whoever waited, and its work may go on. */
export const ABORTED = 8;
export const TIMED_OUT = 16;
export type StateName = keyof typeof TaskState;
export const stateName = (bits: number): StateName =>
  (bits & STATE_MASK) === TaskState.fulfilled ? 'fulfilled' : (bits & STATE_MASK) === TaskState.rejected ? 'rejected' : 'pending';

/** The figures of one group; CONTRACT.md says how idle is counted for each kind. */
export interface Metrics {
  /** Milliseconds from the first task's start to the last one's end, or to now while one runs. */
  readonly makespanMs: number;
  readonly busyMs: number;
  readonly idleMs: number;
  /** busy / (busy + idle), 0 to 1; 0 for a group without any time in it. */
  readonly utilization: number;
}

/** One run of one piece of concurrency. */
export interface Group {
  /** Unique in the run, from 1. */
  readonly id: number;
  /** `Thread.id`. */
  readonly thread: number;
  readonly kind: GroupKind;
  readonly combinator?: Combinator;
  /** What it is called, where it has a name: the pool of a log's threads. */
  readonly name?: string;
  /** Of one with a name, what runs on its lanes; threads unless it is said. */
  readonly lanesOf?: 'operations';
  /** npm name of the library that runs it. */
  readonly library?: string;
  /** Where the group starts. */
  readonly site?: Site;
  /** The task's function. */
  readonly taskSite?: Site;
  /** The task (id unique in the run) of the group it runs inside. */
  readonly parent?: { readonly group: number; readonly task: number };
  /** The limit the code sets, when it can be known. */
  readonly declared?: number;
  /** Where two runs are shown at once, which of them it is of: 1 or 2. */
  readonly run?: number;
  /** Where two runs are shown at once, when its own one ended, in milliseconds: pending tasks have worked up to there. */
  readonly until?: number;
  /** The most tasks ever running at once. */
  readonly peak: number;
  readonly lanes: number;
  /** Number of chunks; undefined unless `kind` is `chunk`. */
  readonly chunks?: number;
  readonly start: number;
  /** Undefined while a task of it is pending. */
  readonly end?: number;
  readonly status: StateName;
  readonly taskCount: number;
  readonly fulfilled: number;
  readonly rejected: number;
  readonly pending: number;
  readonly metrics: Metrics;
}

/**
 * Tasks as a struct of arrays, row i of each array is one task. The same shape is the host's table (row = id − 1)
 * and a batch on its way to a view (rows in any order, each one replacing what was known under its id).
 */
export interface TaskColumns {
  /** Rows in use; the arrays may be longer. */
  length: number;
  /** Unique in the run, from 1, dense. */
  id: Uint32Array;
  /** `Group.id`; 0 once the task belongs to no group any more. */
  group: Uint32Array;
  /** 1-based, in start order within the group. */
  ordinal: Uint32Array;
  /** 1-based. */
  lane: Uint32Array;
  /** 1-based; 0 where the group is no chunk group. */
  chunk: Uint32Array;
  /** Since when it waited; NaN where it did not. */
  queued: Float64Array;
  start: Float64Array;
  /** NaN while it is pending. */
  end: Float64Array;
  /** `TaskState` | `IGNORED` | `ABORTED` or `TIMED_OUT`. */
  state: Uint8Array;
}

/** Bytes a row takes over all columns of `TaskColumns`. */
export const TASK_ROW_BYTES = 5 * 4 + 3 * 8 + 1;

export function createTaskColumns(capacity: number): TaskColumns {
  return {
    length: 0,
    id: new Uint32Array(capacity), group: new Uint32Array(capacity), ordinal: new Uint32Array(capacity),
    lane: new Uint32Array(capacity), chunk: new Uint32Array(capacity),
    queued: new Float64Array(capacity), start: new Float64Array(capacity), end: new Float64Array(capacity),
    state: new Uint8Array(capacity),
  };
}
