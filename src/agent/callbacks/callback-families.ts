/**
 * Which jobs of callbacks are of one kind: what one function waits for; of a library that calls the program's function, what is waited for in that; and what one
 * place of the program's calls, whichever functions those are.
 */
import { Family, type Put } from './callback-put';
import { isToldIn, poolOf, type PoolSite } from './callback-sites';
import type { ProgramFrame } from '../stacks/program-calls';

/** Where a job waits. */
export interface Waiting {
  /** The function that waits. */
  readonly job: ProgramFrame;
  /** It, or the innermost one that called it, if a library called that. */
  readonly handed: ProgramFrame | undefined;
  /** It and all that called it, innermost first. */
  readonly others: readonly ProgramFrame[];
  /** In whose callback it does, as far as is known. */
  readonly from: Put | undefined;
  /** Node's number of the callback that runs. */
  readonly run: number;
  /** Whether that was put off by another one. */
  readonly isTick: boolean;
}

export class CallbackFamilies {
  /** By the numbers of the function that waits, and of the one that a library calls. */
  private readonly families = new Map<number, Family>();
  /** By the number of the place in the program that calls it. */
  private readonly byPlace = new Map<number, Family>();

  /** Each of them once. */
  get all(): Iterable<Family> { return new Set(this.families.values()); }

  /** @param owner the async function that runs, of what has no family yet; 0 for none */
  of(waiting: Waiting, owner: number): Family { return this.known(waiting) ?? this.sharing(waiting) ?? this.add(waiting, owner); }

  /** What is waited for in one function, but in two that a library calls, are no jobs of one kind. */
  private known({ job, handed, others, from }: Waiting): Family | undefined {
    const around = from?.familyOf(job.fn);
    const isSame = around && (!handed || !around.handed || handed.fn === around.handed.fn);
    const family = isSame ? around : this.families.get(keyOf(job, handed));
    return family && isElsewhere(family, others, from) ? this.families.get(keyOf(job, others[1])) : family;
  }

  /**
   * `queue.shift()(done)`: what is called at one place while others are at work are jobs of one kind, whichever functions those are, where the same run of code
   * comes there twice, or what had called one is told that it is through. Another use of the same code, maybe in one of the jobs, is called from further out.
   */
  private sharing({ job, from, others, run, isTick }: Waiting): Family | undefined {
    const family = this.byPlace.get(job.calledAt);
    if (!family || !isBesideOthers(family, from)) return undefined;
    const isDispatched = from === undefined && family.latest?.call.run === run;
    if (!isTick && !isDispatched && !isToldIn(others, 1, [...others, ...family.callers])) return undefined;
    this.families.set(keyOf(job, undefined), family);
    return family;
  }

  private add({ job, handed, others }: Waiting, owner: number): Family {
    // Who wrote to a stream called nothing of what that calls.
    const asked = others.findIndex(({ isByStream }) => isByStream);
    const family = new Family(job, asked < 0 ? others : others.slice(0, asked + 1), handed, owner);
    const key = keyOf(job, handed);
    this.families.set(this.families.has(key) ? keyOf(job, others[1]) : key, family);
    if (job.calledAt !== 0) this.byPlace.set(job.calledAt, family);
    return family;
  }
}

/** Numbers of functions are below 2 ** 22. */
const keyOf = (job: ProgramFrame, handed: ProgramFrame | undefined): number => job.fn * 2 ** 24 + (handed?.fn ?? 0);

/**
 * Whether a function is called by none of those that ever called it for its pool, in the wake of none of the pool's jobs, or for a promise that none of them
 * called for: somebody else has a use for it.
 */
function isElsewhere(family: Family, others: readonly ProgramFrame[], from: Put | undefined): boolean {
  const { group, callers, pool, teller, handed } = family;
  if (group === 0 || handed) return false;
  const promised = others.findIndex(({ isExecutor }, i) => i > 0 && isExecutor);
  if (promised < 0 && from?.jobOf(family)) return false;
  const above = others.slice(1, promised < 0 ? undefined : promised + 1);
  return above.length > 0 && above.every(({ fn }) => fn !== pool && fn !== teller && callers.every((caller) => caller.fn !== fn));
}

/** Where a family's pool stands, and whose it is: '' for the program's. @param others who called for the next one, innermost first */
export function poolAt({ job, callers, handed }: Family, others: readonly ProgramFrame[]): PoolSite & { readonly library: string } {
  const first = callers.findIndex(({ fn }) => fn === handed?.fn);
  const next = others.findIndex(({ fn, library }) => fn === handed?.fn && library !== '');
  const isLibrarys = handed && first >= 0 && next >= 0;
  return isLibrarys ? { ...poolOf(handed, callers.slice(first), others.slice(next)), library: handed.library } : { ...poolOf(job, callers, others), library: '' };
}

/**
 * Whether the same functions call for the next one as for the first. What they put off runs on top of nothing, so the code that called the outermost of
 * them may be missing; more of it tells a pool from a job that goes on with itself (`again` in `job`) no longer.
 */
export const isCalledAlike = ({ callers }: Family, others: readonly ProgramFrame[]): boolean =>
  others.length > 1 && callers.length - others.length <= 1 && others.every(({ fn }, i) => fn === callers.at(i)?.fn);

/** The first of a family's that is over, and was followed by none. */
export function overIn({ pending }: Family): Put | undefined {
  for (const put of pending) if (!put.isRunning) return put;
  return undefined;
}

/** Whether others than the one given are at work. */
export function isBesideOthers({ pending }: Family, before: Put | undefined): boolean {
  for (const put of pending) if (put !== before && put.isRunning) return true;
  return false;
}
