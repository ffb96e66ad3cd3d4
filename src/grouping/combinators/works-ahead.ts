/**
 * Work behind a limiter of which nobody knows yet whose it is: `limit(() => load(id))` gives a promise, and only as that is settled it turns out which call of
 * `load` did so. Others of its function had been elements' work before; until more is known, what runs now is drawn as what it is.
 *
 *   element  ├┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┤ settled: the bar is its own
 *   work              ├▇▇▇▇▇▇▇▇┤ drawn as it begins
 */
import type { CombinatorCall } from './combinator-call';
import { TaskDraft } from '../drafts';
import { mayGive } from '../families/chains';
import { functionKeyOf, type PromiseNode } from '../promises/promise-node';
import { endOf, headOf, isBehind, sourceOf } from '../promises/chain-links';
import { userFrame, type Place } from '../promises/places';
import { callFrameOf } from '../promises/scopes';

/** Functions that only run others, one inside of the other. */
const MAX_RUNNERS = 4;
/** One alone may be done for all who wait. */
const MIN_BEGUN = 2;
/** Work that has failed is kept in mind until there are more bars than that. */
const MAX_BARS = 128;
/** As many calls may be over, and no member's yet, as may do other things before they give what they got. */
const MAX_STRAYS = 64;

/**
 * `limit(() => load(id))` for a list: whether the first few of a combinator's promises, all made by hand in one function, began a call of another function's each
 * as they were made, and the others nothing at all. Those wait for their turn.
 * @returns what the first of them began
 */
export function begunAhead({ elements, isForAll }: CombinatorCall): PromiseNode | undefined {
  const work = isForAll && elements.length > MIN_BEGUN ? workBegunWith(headOf(elements[0])) : undefined;
  if (!work?.family) return undefined;
  // What a `catch` of the call's own makes of it.
  const promises = elements.map(headOf);
  const [maker, task] = [promises[0], work].map(functionKeyOf);
  if (maker === '' || !promises.every((one) => one.isPending && !one.isAsyncFunction && functionKeyOf(one) === maker)) return undefined;
  const count = promises.findIndex(({ begunWith }) => begunWith === undefined);
  if (count < MIN_BEGUN) return undefined;
  const isOfTask = (begun: PromiseNode | undefined): boolean => begun !== undefined && functionKeyOf(begun) === task;
  return promises.every((one, at) => (at < count ? isOfTask(workBegunWith(one)) : one.begunWith === undefined)) ? work : undefined;
}

/** What was begun as a promise was made, seen through functions that only run what they are given: `const run = async (fn) => { …; await fn(); … }`. */
function workBegunWith({ begunWith }: PromiseNode): PromiseNode | undefined {
  let at = begunWith;
  for (let steps = 0; at && !mayGive(userFrame(at.stack), undefined) && steps < MAX_RUNNERS; steps++) at = at.scope?.calls?.[0]?.nodes[0];
  return at;
}

export class WorksAhead {
  private works: PromiseNode[] = [];
  /** Those of them that were over, and not known to have failed, with the look before. */
  private readonly over = new WeakSet<PromiseNode>();
  /** Bars of work that is no member's yet, and whether that was over with the look before. */
  private readonly bars = new Map<TaskDraft, boolean>();
  /** Those of them whose work has failed, as of the latest look. */
  private failed: TaskDraft[] = [];
  /** Whether too many calls came to nothing that a member gave, as of the latest look: most of them are no work of this limiter's. */
  isMistaken = false;
  /** Whether there was any such work. */
  seesWork = false;

  /** A call that may be some member's work has begun, or still runs. */
  expect(work: PromiseNode): void {
    this.seesWork = true;
    this.works.push(work);
  }

  has(task: TaskDraft): boolean { return this.bars.has(task); }

  /** @param waiting members that nothing is known of yet: no more than those can be at work @returns bars for what has begun, or has failed and may be tried again */
  begin(waiting: number): TaskDraft[] {
    // What has failed long ago is not tried again.
    if (this.bars.size > MAX_BARS) for (const bar of this.bars.keys()) if (bar.work.rejected) this.bars.delete(bar);
    if (waiting === 0) this.works = [];
    this.failed = [];
    let room = waiting;
    let strays = 0;
    for (const bar of this.bars.keys()) {
      if (bar.work.rejected) this.failed.push(bar);
      if (isAtWork(bar.work)) room--; else if (!bar.work.rejected) strays++;
    }
    this.isMistaken = strays > MAX_STRAYS;
    const begun: TaskDraft[] = [];
    this.works = this.works.filter((work) => {
      if (work.task || work.isClaimed) return false;
      // That it failed is told of a moment later.
      if (!isAtWork(work) && !work.rejected) return this.isNewlyOver(work);
      this.over.delete(work);
      if (isAtWork(work) && room-- <= 0) return true;
      const bar = new TaskDraft(work, work.made);
      this.bars.set(bar, false);
      work.task = bar;
      begun.push(bar);
      if (work.rejected) this.failed.push(bar);
      return false;
    });
    return begun;
  }

  private isNewlyOver(work: PromiseNode): boolean {
    if (this.over.delete(work)) return false;
    this.over.add(work);
    return true;
  }

  /** Whether a bar's work is over, and whose it is would be known by now. @param isQuiet nothing more is known to come */
  isOver(task: TaskDraft, isQuiet: boolean): boolean {
    if (isAtWork(task.work)) return false;
    const wasOver = this.bars.get(task) === true;
    this.bars.set(task, true);
    return wasOver || isQuiet;
  }

  /** A bar's work is a member's. */
  tie(task: TaskDraft): void { this.bars.delete(task); }

  /** @returns bars of what was tried before a member's work, and did not come back through the limiter */
  takeTries(member: PromiseNode, work: PromiseNode): TaskDraft[] {
    const tries = this.failed.filter((bar) => this.bars.has(bar) && isTriedAgain(bar.work, work, member));
    for (const one of tries) this.bars.delete(one);
    return tries;
  }

  /** @param areAllKnown it is known of all members what their work is @returns bars of work that is drawn as a member's otherwise, or is none's */
  takeStrays(areAllKnown: boolean): TaskDraft[] {
    const strays = [...this.bars.keys()].filter(({ work }) => work.isClaimed || (areAllKnown && !work.rejected));
    for (const stray of strays) this.bars.delete(stray);
    return strays;
  }

  /** Whether a bar's work is over, and its end is yet to be drawn. @param isDrawn whether a bar's is */
  isUnsure(isDrawn: (task: TaskDraft) => boolean): boolean {
    for (const task of this.bars.keys()) if (!isAtWork(task.work) && !isDrawn(task)) return true;
    return false;
  }

  /** @returns all bars that are no member's */
  clear(): TaskDraft[] {
    const all = [...this.bars.keys()];
    this.bars.clear();
    this.works = [];
    this.seesWork = false;
    return all;
  }
}

/** Whether a call is not over yet, or the chain that its function gave. */
const isAtWork = (work: PromiseNode): boolean => endOf(work).isPending;

/**
 * Whether the same code that runs for a member called what failed and the next, or that was called in a reaction to the failure. What is called for where all are
 * has been put back into the queue.
 */
const isTriedAgain = (failed: PromiseNode, next: PromiseNode, member: PromiseNode): boolean =>
  (failed.owner !== undefined && failed.owner === next.owner && failed.owner.made >= sourceOf(member).made)
  || (next.madeIn !== undefined && headOf(next.madeIn) === headOf(failed) && isBehind(next.madeIn, failed) && callerOf(failed) !== callerOf(next));

/** Where something was called for, be it through functions without a name: `run(() => load(id))`. */
function callerOf(work: PromiseNode): Place | undefined {
  let at = callFrameOf(work);
  while (at?.place.name === '' && at.callers?.awaits === false && at.callers.place.kind === 'user') at = at.callers;
  return at?.place;
}
