/**
 * Tasks that are handed in: `submit(task)` gives a promise, and whoever takes the task up later settles that when it is
 * through. The promise says since when the task waited.
 *
 *   submit(task)  ├┄┄┄┄ queued ┄┄┄┄┤▇▇▇▇ the task ▇▇▇▇┤ settles the promise of submit
 */
import { RootKind } from '../../model/facts';
import { laneOf } from '../combinators/loops';
import { NO_WORK_MS, TOGETHER_MS } from '../moments';
import { isPause } from '../promises/pauses';
import type { LoopEntries } from '../promises/loop-entries';
import { topOf } from '../promises/places';
import { callerPlaceOf, functionKeyOf, isIteratorStep, isLater, isUserCall, type PromiseNode } from '../promises/promise-node';
import { endOf, sourceOf } from '../promises/chain-links';
import { stepsBegin } from '../promises/chain-steps';
import { workOf } from '../promises/work-of';
import { Queue } from '../queue';
import { isRunner } from '../promises/runners';
import { isWithin } from '../promises/scopes';

/** Functions around what ended last that may be the task. */
const MAX_STEPS = 8;
/** Work begun at once that is remembered until a queue is seen. */
const MAX_AT_ONCE = 64;

/** A promise that was handed out for a task, the call that is the task, and what that does: itself, unless it is a limiter's own function that only runs what it was handed. */
export interface HandedIn { readonly promise: PromiseNode; readonly task: PromiseNode; readonly job: PromiseNode }

/** What is known of the promises that one function makes. */
interface Maker {
  first: HandedIn | undefined;
  /** Those whose work began at once, in the code that waits for it: a promise around work looks the same as a queue with room. */
  atOnce: HandedIn[];
  /** `tasks` once two were settled by tasks that came after them, `other` once one was seen to be no task's. */
  verdict: 'open' | 'tasks' | 'other';
  latest: PromiseNode | undefined;
  /** True once one was settled on the way of the very call that waits for it: no semaphore lets anybody wait for himself. */
  isResult: boolean;
  /** True where workers take these tasks that no combinator holds. */
  hasWorkers: boolean;
}

/** The calls that lead to what a task does, from that out to the task itself. */
export function callsOf({ task, job }: HandedIn): readonly PromiseNode[] {
  const calls = [job];
  for (let at = job; at !== task && at.owner; at = at.owner) calls.push(at.owner);
  return calls;
}

export class TasksHandedIn {
  private readonly makers = new Map<string, Maker>();
  /** Settled promises and what ended right before, until everything has ended that ends with it. */
  private readonly settledNow = new Queue<{ readonly promise: PromiseNode; readonly work: PromiseNode }>();

  constructor(private readonly loop: LoopEntries) {}

  /** Whether all that a function did, which no combinator holds, was to ask for a task, first of all, and to wait until that was through. */
  onlyWaits(waiter: PromiseNode, result: PromiseNode): boolean {
    return !waiter.awaitingCall && !isLater(result, waiter) && this.loop.isRightBehind(waiter.ended, result.ended, NO_WORK_MS);
  }

  /** Whether the promise is for a task of workers that are drawn as such. */
  isForWorkers(node: PromiseNode): boolean { return isPlain(node) && this.makers.get(functionKeyOf(node))?.hasWorkers === true; }

  /** Whether a promise is settled by what was done for who waits for it, as others of its function were. */
  isResult(node: PromiseNode): boolean { return isPlain(node) && this.makers.get(functionKeyOf(node))?.isResult === true; }

  /** Whether it was settled as soon as it was made, and may have been for a task. */
  isSettledAtOnce(node: PromiseNode): boolean {
    return isPlain(node) && node.ended - node.made < TOGETHER_MS && !node.settledIn && this.makers.get(functionKeyOf(node))?.verdict !== 'other';
  }

  /** The tasks that are handed in like this one have workers. */
  noteWorkers(node: PromiseNode): void {
    const maker = this.makers.get(functionKeyOf(node));
    if (maker) maker.hasWorkers = true;
  }

  /**
   * @param tick the run of code in which it settled
   * @returns the tasks of which it is now known that they were handed in
   */
  settled(node: PromiseNode, tick: number): readonly HandedIn[] {
    // What is settled in one go with being made, nothing was done for.
    let maker = this.makers.get(functionKeyOf(node));
    const waiter = waiterFor(node);
    if (waiter && maker?.isResult !== true && node.tick !== tick && isPlain(node) && !node.byTimer && node.settledBy && isWithin(node.settledBy, waiter) && !hasGoneOn(node)) {
      maker ??= this.open(node);
      maker.isResult = true;
    }
    const verdict = maker?.verdict;
    const work = node.tick !== tick && isPlain(node) && !node.byTimer ? lastWorkFor(node) : undefined;
    if (work && verdict !== 'other') this.settledNow.push({ promise: node, work });
    node.isForTask = work !== undefined && verdict === 'tasks';
    return this.settledNow.length > 0 ? this.judge(node.ended) : [];
  }

  /** @param now milliseconds as promises count them; Infinity where no more will come */
  judge(now: number): readonly HandedIn[] {
    const found: HandedIn[] = [];
    for (let next = this.settledNow.first; next && next.promise.ended + TOGETHER_MS < now; next = this.settledNow.first) {
      this.settledNow.shift();
      found.push(...this.judgeOne(next.promise, next.work));
    }
    return found;
  }

  private open(promise: PromiseNode): Maker {
    const maker: Maker = { first: undefined, atOnce: [], verdict: 'open', latest: undefined, isResult: false, hasWorkers: false };
    this.makers.set(functionKeyOf(promise), maker);
    return maker;
  }

  private judgeOne(promise: PromiseNode, work: PromiseNode): readonly HandedIn[] {
    const maker = this.makers.get(functionKeyOf(promise)) ?? this.open(promise);
    if (maker.verdict === 'other') return [];
    const task = this.taskOf(promise, work);
    // One that wakes its own like is a semaphore's, one that is settled with others is a batch's; one that goes on as its own like is through waits for room in a channel.
    const fn = functionKeyOf(promise);
    if (!task || task === maker.latest || functionKeyOf(task) === fn || functionKeyOf(work) === fn || (!maker.isResult && isAwaitedByLike(promise))) {
      maker.verdict = 'other';
      maker.first = undefined;
      maker.atOnce = [];
      return [];
    }
    if (!isUserCall(task) && !task.family) return [];
    maker.latest = task;
    const one = { promise, task, job: this.jobOf(task, work, promise) };
    if (maker.verdict === 'tasks') return [one];
    if (isBegunAtOnce(one)) {
      maker.atOnce.push(one);
      if (maker.atOnce.length > MAX_AT_ONCE) maker.atOnce.shift();
      return [];
    }
    // Where others were settled on the way of who waits for them, one that came later tells that there is a queue.
    if (!maker.first && !(maker.isResult && maker.atOnce.length > 0)) { maker.first = one; return []; }
    const found = [...maker.atOnce, ...maker.first ? [maker.first] : [], one];
    maker.verdict = 'tasks';
    maker.first = undefined;
    maker.atOnce = [];
    return found;
  }

  /**
   * `const run = async (job) => { … job.resolve(await job.fn()); … }`: what a call was handed to run, where that is all it did until it settled the promise,
   * and by way of another function it was called, or by one whose name says so: a limiter's own function is not what anybody asks it for.
   * @param work what ended last
   */
  private jobOf(task: PromiseNode, work: PromiseNode, { ended }: PromiseNode): PromiseNode {
    if (!isUserCall(work) || isPause(work) || (work.tick !== task.tick && work.made - task.made >= TOGETHER_MS) || !this.loop.isRightBehind(ended, endOf(work).ended, TOGETHER_MS)) return task;
    let isHanded = false;
    for (let at = work; at !== task; at = at.owner) {
      if (!at.owner || callsMore(at.owner, at, endOf(work).ended)) return task;
      const by = topOf(at.owner.stack)?.place;
      isHanded ||= callerPlaceOf(at)?.fn !== by?.fn || (by !== undefined && isRunner(by));
    }
    return isHanded ? work : task;
  }

  /**
   * The outermost call that began after the promise was made and ended when that was settled, short of the worker that runs the
   * task; none where even the work began before.
   */
  private taskOf(promise: PromiseNode, work: PromiseNode): PromiseNode | undefined {
    const waiter = waiterFor(promise);
    const waiting = waiter ? functionKeyOf(waiter) : '';
    let task: PromiseNode | undefined;
    let at: PromiseNode | undefined = work;
    for (let steps = 0; at && at.made >= promise.made && !at.isPending && this.loop.isRightBehind(at.ended, promise.ended, TOGETHER_MS) && steps < MAX_STEPS; steps++, at = at.owner) {
      // Where a neighbour's end let the task begin, that neighbour called it.
      if (at.scope?.crew?.pool?.has(at) || (at !== work && waiting !== '' && functionKeyOf(at) === waiting)) break;
      // Who was through before the work was over did not wait for it: another task's runner, that began it behind its own.
      if (at !== work && at.ended < work.ended) break;
      task = at;
    }
    return task;
  }
}

/** Whether who waits for the promise did the work itself, in the run of code that made the promise. */
function isBegunAtOnce({ promise, task }: HandedIn): boolean {
  const waiter = waiterFor(promise);
  return task.tick === promise.tick && promise.settledBy !== undefined && waiter !== undefined && isWithin(promise.settledBy, waiter);
}

/** Who waits for a result, or gives it as its own: `async (id) => limit(() => load(id))`. */
export const waiterFor = ({ awaitedBy, adoptedBy }: PromiseNode): PromiseNode | undefined => awaitedBy ?? (adoptedBy?.isAsyncFunction === true ? adoptedBy : undefined);

const isPlain = (node: PromiseNode): boolean => node.kind === RootKind.other && !node.isDerived && isUserCall(node) && !isIteratorStep(node);

/** Whether who took a promise, as by `lock.then(…)`, has waited for something else since, and settles it now. */
const hasGoneOn = (promise: PromiseNode): boolean => promise.awaitedBy === promise.settledBy && promise.awaitedBy?.lastWait !== promise;

/** What ended before a promise was settled, and so brought that about. */
function lastWorkFor({ inner, settledIn, settledBy }: PromiseNode): PromiseNode | undefined {
  if (inner) return workOf(inner);
  const cause = settledIn && workBehind(settledIn);
  if (cause && !cause.isPending) return cause;
  const wait = settledBy?.lastWait && sourceOf(settledBy.lastWait);
  return wait && !wait.isPending ? wait : undefined;
}

/** What a chain began with that a task gave; or what `Promise.resolve().then(task)` was resolved with. */
function workBehind(link: PromiseNode): PromiseNode {
  const source = sourceOf(link);
  return stepsBegin(link) ?? (source.parent && source.inner ? sourceOf(source.inner) : source);
}

/** Whether a function has made other calls besides one until a time; of one that another of its function called, that one's lane tells. */
function callsMore(by: PromiseNode, call: PromiseNode, until: number): boolean {
  return (laneOf(call)?.scope?.calls ?? []).some(({ nodes }) => {
    for (let i = nodes.length - 1; i >= 0 && nodes[i].made >= by.made; i--) if (nodes[i] !== call && nodes[i].owner === by && nodes[i].made < until) return true;
    return false;
  });
}

/** Whether who waits for a promise, or for the `acquire()` that made it, is a call of the function that settles it. */
function isAwaitedByLike(promise: PromiseNode): boolean {
  const { settledBy } = promise;
  const awaitedBy = waiterFor(promise);
  const fn = settledBy ? functionKeyOf(settledBy) : '';
  const waiting = awaitedBy && functionKeyOf(awaitedBy) === functionKeyOf(promise) ? [awaitedBy, awaitedBy.awaitedBy] : [awaitedBy];
  return fn !== '' && waiting.some((by) => by !== undefined && by !== settledBy && functionKeyOf(by) === fn);
}
