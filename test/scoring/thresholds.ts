/**
 * The least mean score of a folder's `normal` scripts, 0 to 1, on every Node and with either backend. Raised as capture
 * grows; 0 means that the score is only recorded. A folder of the corpus that is missing here fails the test.
 */
export const THRESHOLDS: Readonly<Record<string, number>> = {
  chunk: 0.95,
  combi: 0.9,
  edge: 0.9,
  lib: 0.9,
  pool: 0.9,
  proc: 0,
  ts: 0.9,
};

/** The least mean score of any folder's scripts whose tasks run in other threads or processes. Those end where the machine lets them. */
export const OTHER_THREADS = 0.75;

/** The least mean score of the scripts beside the corpus, by folder: pools, loops and helpers as other hands write them, and what only newer Nodes can run. */
export const BESIDE = { more: 0.93, newer: 0.9 };
