/**
 * What a thread went through besides tasks, as columns: it may have been blocked, have collected garbage, have had requests
 * in libuv's thread pool, or have made promises too fast to be watched. All times are milliseconds after the run's `timeOrigin`.
 */

export const ActivityKind = {
  /**
   * The event loop was held up from `start` to `end`: no timer and no answer could be served. Measured by a timer that came
   * late, so `start` is exact where the thread had been idle before, and else up to 25 ms early. Stretches below 40 ms are not told.
   */
  blocked: 1,
  /** A pause for garbage collection. `count`: `GcKind`. */
  gc: 2,
  /**
   * Requests that Node had given to libuv's thread pool and whose answers had not arrived. `count`: how many at `end`, and from
   * there on until the thread's next row; `most`: the most at once since `start`; `limit`: threads of the pool. That a thread of
   * the pool works on a request is not told by anybody: at most `limit` are in work, the rest wait, over all threads of a process.
   */
  requests: 3,
  /** Promises came too fast to watch each: tasks that began then are missing. `count`: reactions that nobody looked at. Rows may adjoin. */
  unwatched: 4,
} as const;

/** As `perf_hooks.constants.NODE_PERFORMANCE_GC_*` has them. */
export const GcKind = { scavenge: 1, minorMarkSweep: 2, markSweepCompact: 4, incremental: 8, weakCallbacks: 16 } as const;

/** A struct of arrays. Rows are only ever added; those of one thread and kind follow one another in time. */
export interface ActivityColumns {
  /** Rows in use; the arrays may be longer. */
  length: number;
  start: Float64Array;
  end: Float64Array;
  /** `Thread.id`. */
  thread: Uint32Array;
  count: Uint32Array;
  most: Uint32Array;
  limit: Uint32Array;
  /** `ActivityKind`. */
  kind: Uint8Array;
}

/** One row of `ActivityColumns`. */
export interface Activity {
  readonly thread: number;
  readonly kind: number;
  readonly start: number;
  readonly end: number;
  readonly count: number;
  readonly most: number;
  readonly limit: number;
}

/** Bytes a row takes over all columns. */
export const ACTIVITY_ROW_BYTES = 2 * 8 + 4 * 4 + 1;

export function createActivityColumns(capacity: number): ActivityColumns {
  return {
    length: 0, start: new Float64Array(capacity), end: new Float64Array(capacity), thread: new Uint32Array(capacity),
    count: new Uint32Array(capacity), most: new Uint32Array(capacity), limit: new Uint32Array(capacity), kind: new Uint8Array(capacity),
  };
}

/** Copies rows `from` to `until` (exclusive) of `source` into `target`, whose first free row is `at`. */
export function copyActivity(source: ActivityColumns, from: number, until: number, target: ActivityColumns, at: number): void {
  target.start.set(source.start.subarray(from, until), at);
  target.end.set(source.end.subarray(from, until), at);
  target.thread.set(source.thread.subarray(from, until), at);
  target.count.set(source.count.subarray(from, until), at);
  target.most.set(source.most.subarray(from, until), at);
  target.limit.set(source.limit.subarray(from, until), at);
  target.kind.set(source.kind.subarray(from, until), at);
}
