/** The runs of the document the pictures come from, as schedules: durations in, chunks or rails out. */
import type { GroupFacts } from '../../src/timeline/timeline';
import type { ScriptedRun } from './scripted-run';

/** Ten tasks, five slots; seconds read off the drawing. */
export const FIGURE = [8.3, 4, 2, 5, 6, 4.7, 2, 3, 8.3, 6].map((seconds) => seconds * 1000);

/** `count` durations of 0.5 to 2 s, evenly spread by chance with a fixed seed. */
export function uniformDurations(count: number, seed = 7): number[] {
  let state = seed;
  return Array.from({ length: count }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return 500 + 1500 * (state / 2 ** 32);
  });
}

export interface Placed { readonly ordinal: number; readonly lane: number; readonly chunk: number; readonly start: number; readonly end: number }

/** Chunks of `size`: the next one starts when the longest of the last has ended. */
export function asChunks(durations: readonly number[], size: number, from = 0): Placed[] {
  let start = from;
  return durations.map((duration, i) => {
    if (i > 0 && i % size === 0) start += Math.max(...durations.slice(i - size, i));
    return { ordinal: i + 1, lane: (i % size) + 1, chunk: Math.floor(i / size) + 1, start, end: start + duration };
  });
}

/** Rails: the next task takes the one that is free first; of those that come free together, the one freed by the higher task number last. */
export function asRails(durations: readonly number[], rails: number, from = 0): Placed[] {
  const free = Array.from({ length: rails }, (_, lane) => ({ lane: lane + 1, at: from, by: lane }));
  return durations.map((duration, i) => {
    const rail = free.reduce((best, other) => (other.at < best.at - 1e-9 || (Math.abs(other.at - best.at) <= 1e-9 && other.by < best.by) ? other : best));
    const start = rail.at;
    rail.at = start + duration;
    rail.by = i;
    return { ordinal: i + 1, lane: rail.lane, chunk: 0, start, end: rail.at };
  });
}

/** Puts a finished schedule into a run. @returns the group's id */
export function place(run: ScriptedRun, tasks: readonly Placed[], facts: Partial<GroupFacts>): number {
  const group = run.group(facts);
  for (const task of tasks) run.task(group, task);
  run.now = Math.max(run.now, ...tasks.map((task) => task.end));
  return group;
}

export const POOL: Partial<GroupFacts> = { kind: 'pool', combinator: undefined, library: '@supercharge/promise-pool' };
