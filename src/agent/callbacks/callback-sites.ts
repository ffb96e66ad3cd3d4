/** Where a pool of callbacks stands, and its task: told by the functions on the stack where a job is called. */
import type { ProgramFrame } from '../stacks/program-calls';

/** Where a pool stands. */
export interface PoolSite {
  /** The function that calls for a task. */
  readonly caller: ProgramFrame;
  /** The task's. */
  readonly job: ProgramFrame;
  /** Number of the function by which a job says that it is through; 0 where it is not known. */
  readonly teller: number;
}

/**
 * The function that is the pool, and the one it calls for a task. Where a nameless function is told of the end of one and calls
 * for the next, by others without a name or not (`done` emits what they listen to), it belongs to the pool: that is the function
 * which begins last before it in the source.
 * @param callers who called for the first task, innermost first @param others who called for a later one, in the wake of one that is through
 */
export function poolOf(job: ProgramFrame, callers: readonly ProgramFrame[], others: readonly ProgramFrame[]): PoolSite {
  const known = [...others, ...callers];
  const own = sharedBy(callers, others);
  if (isItems(own, callers, others, known)) return { caller: callers[own + 1], job: taskIn(callers.slice(0, own + 1)), teller: others[own + 1].fn };
  for (let at = 1; at + 1 < others.length; at++) {
    if (!isToldIn(others, at, known)) continue;
    const first = (frame: ProgramFrame): ProgramFrame => callers.find((one) => one.fn === frame.fn) ?? frame;
    const caller = first(others[at]);
    return { caller, job: first(taskIn(others.slice(0, at))), teller: tellerOf(caller, others) };
  }
  const rest = callers.filter(({ fn }) => fn !== job.fn);
  const caller = rest.find(({ name }) => name !== '') ?? rest[0] ?? job;
  return { caller, job, teller: tellerOf(caller, others) };
}

/** Of functions that called one another, innermost first, the one that is the task: what has no name only hands the call on. */
const taskIn = (frames: readonly ProgramFrame[]): ProgramFrame => frames.findLast(({ name }) => name !== '') ?? frames[frames.length - 1];

/** The last of the functions that both began with, as an index. */
function sharedBy(callers: readonly ProgramFrame[], others: readonly ProgramFrame[]): number {
  let at = 0;
  while (at < callers.length && at < others.length && callers[at].fn === others[at].fn) at++;
  return at - 1;
}

/**
 * `slots.take(() => { load(id, () => { slots.leave(); … }); })`: whether a nameless function was handed over for each task, called by one function at
 * once and by another one later on, which a nameless function within it had told of the end of its own.
 */
function isItems(at: number, callers: readonly ProgramFrame[], others: readonly ProgramFrame[], known: readonly ProgramFrame[]): boolean {
  if (at < 1 || at + 2 >= others.length || at + 1 >= callers.length || others[at].name !== '' || others[at + 1].name === '' || callers[at + 1].name === '') return false;
  return others.slice(at + 2).some((frame) => frame.name === '' && lastBefore(frame, known)?.fn === others[at].fn);
}

/**
 * The function that is called where a job is through: what called the pool's function again, unless that is the callback which the job waited for; then
 * it is the pool's function itself, as in `job(items.shift(), next)`.
 * @returns its number; 0 where the pool's function was not called
 */
function tellerOf(pool: ProgramFrame, others: readonly ProgramFrame[]): number {
  const at = others.findLastIndex(({ fn }) => fn === pool.fn);
  if (at < 0) return 0;
  return at + 2 < others.length ? others[at + 1].fn : pool.fn;
}

/** Whether what called a function, the one with the index, in the end is its own, with nothing but nameless functions in between. */
export function isToldIn(frames: readonly ProgramFrame[], at: number, known: readonly ProgramFrame[]): boolean {
  for (let above = at + 1; above < frames.length && frames[above].name === ''; above++) {
    if (lastBefore(frames[above], known)?.fn === frames[at].fn) return true;
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
