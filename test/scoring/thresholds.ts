/**
 * The least mean score of a folder's `normal` scripts, 0 to 1, on every Node and with either backend. Raised as capture
 * grows; 0 means that the score is only recorded. A folder of the corpus that is missing here fails the test.
 */
export const THRESHOLDS: Readonly<Record<string, number>> = {
  chunk: 0.95,
  combi: 0.9,
  edge: 0.85,
  lib: 0.9,
  pool: 0.9,
  proc: 0,
  ts: 0.9,
};
