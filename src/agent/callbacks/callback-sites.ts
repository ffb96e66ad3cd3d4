/** Where a pool of callbacks stands, and its task: told by the functions on the stack where a job is called. */
import type { ProgramFrame } from '../stacks/call-stacks';

/**
 * The function that is the pool, and the one it calls for a task. Where a nameless function is told of the end of one and calls
 * for the next, by others without a name or not (`done` emits what they listen to), it belongs to the pool: that is the function
 * which begins last before it in the source.
 */
export function poolOf(job: ProgramFrame, callers: readonly ProgramFrame[], others: readonly ProgramFrame[]): { readonly caller: ProgramFrame; readonly job: ProgramFrame } {
  for (let at = 1; at + 1 < others.length; at++) {
    if (!isToldIn(others, at)) continue;
    // What has no name only hands the call on.
    const task = others.slice(0, at).findLast(({ name }) => name !== '') ?? others[at - 1];
    const first = (frame: ProgramFrame): ProgramFrame => callers.find((one) => one.fn === frame.fn) ?? frame;
    return { caller: first(others[at]), job: first(task) };
  }
  const rest = callers.filter(({ fn }) => fn !== job.fn);
  return { caller: rest.find(({ name }) => name !== '') ?? rest[0] ?? job, job };
}

/**
 * The function that is called where a job is through: what called the pool's function again, unless that is the callback which the job waited for; then
 * it is the pool's function itself, as in `job(items.shift(), next)`.
 * @returns its number; 0 where the pool's function was not called
 */
export function tellerOf(pool: ProgramFrame, others: readonly ProgramFrame[]): number {
  const at = others.findLastIndex(({ fn }) => fn === pool.fn);
  if (at < 0) return 0;
  return at + 2 < others.length ? others[at + 1].fn : pool.fn;
}

/** Whether what called a function in the end is its own, with nothing but nameless functions in between. */
function isToldIn(frames: readonly ProgramFrame[], at: number): boolean {
  for (let above = at + 1; above < frames.length && frames[above].name === ''; above++) {
    if (lastBefore(frames[above], frames)?.fn === frames[at].fn) return true;
  }
  return false;
}

/** The function that begins last before the given one in its file. */
function lastBefore(frame: ProgramFrame, frames: readonly ProgramFrame[]): ProgramFrame | undefined {
  let last: ProgramFrame | undefined;
  for (const one of frames) {
    if (one.file === frame.file && begins(one, frame) && (!last || begins(last, one))) last = one;
  }
  return last;
}

const begins = (a: ProgramFrame, b: ProgramFrame): boolean => a.line < b.line || (a.line === b.line && a.column < b.column);
