import type { Group } from '../../../src/model/timeline';

/** A group as a host would send it, for tests that look at groups alone. */
export const makeGroup = (change: Partial<Group> & { makespanMs?: number } = {}): Group => {
  const { makespanMs = 1000, ...rest } = change;
  const start = rest.start ?? 0;
  return {
    id: 1, thread: 1, kind: 'chunk', peak: 5, lanes: 5, start, end: start + makespanMs, status: 'fulfilled', taskCount: 10, fulfilled: 10, rejected: 0, pending: 0,
    metrics: { makespanMs, busyMs: 1, idleMs: 1, utilization: 0.5 }, ...rest,
  };
};
