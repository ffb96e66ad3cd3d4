/** The calls of a family as tasks of its group: which are drawn, which have ended, and when each is over. */
import { swallowsOnWay } from './chains';
import { TaskDraft, type GroupDraft } from '../drafts';
import { NO_WORK_MS } from '../moments';
import type { LoopEntries } from '../promises/loop-entries';
import { hasWaitedSince, isUserCall, libraryMaking, type PromiseNode } from '../promises/promise-node';

/** Begins of tasks that are kept in mind: what is asked about was a moment ago. */
const MAX_BEGUN = 256;

export class FamilyTasks {
  /** When the latest of its calls were made, milliseconds after the run's `timeOrigin`. */
  private readonly begun: number[] = [];
  private waiting: PromiseNode[] = [];
  /** Calls that are over and whose bars have no end yet, in the order in which they ended. */
  private settled: Over[] = [];
  /** Running calls of a library: it may be through with one before that has settled. */
  private held: Set<PromiseNode> | undefined;
  /** A library's functions that called one; and those that called more: they run the whole pool. */
  private readonly callers = new WeakSet<PromiseNode>();
  private readonly pools = new WeakSet<PromiseNode>();
  private open: Map<PromiseNode, TaskDraft> | undefined;
  /** Calls that made the next one themselves, and when: that is the last thing a lane's call does. */
  private readonly passedOn = new Map<PromiseNode, number>();
  /** Calls of which a first try has failed: their outcome is that of the last. */
  private readonly triedAgain = new Set<PromiseNode>();

  constructor(private readonly loop: LoopEntries) {}

  /** Calls that are not drawn yet, in the order in which they were made. */
  get undrawn(): readonly PromiseNode[] { return this.waiting; }

  add(node: PromiseNode): void {
    this.waiting.push(node);
    if (this.begun.push(node.made) > 2 * MAX_BEGUN) this.begun.splice(0, MAX_BEGUN);
    const { owner } = node;
    if (!isLibrarys(owner)) return;
    (this.held ??= new Set()).add(node);
    if (this.callers.has(owner)) this.pools.add(owner);
    this.callers.add(owner);
  }

  /** @param by the promise by which the call is over */
  settle(node: PromiseNode, by: PromiseNode): void { this.settled.push({ node, by }); }

  /** A call that seemed to be over was not, before a later link of its chain. */
  endsBy(node: PromiseNode, by: PromiseNode): void { this.settled = this.settled.map((ended) => (ended.node === node ? { node, by } : ended)); }

  /** A call that seemed to be over goes on. @returns whether its bar has no end yet */
  takeBack(node: PromiseNode): boolean {
    const at = this.settled.findIndex((over) => over.node === node);
    if (at >= 0) this.settled.splice(at, 1);
    return at >= 0;
  }

  /** A call made the next one. @returns whether it is the first that it made */
  passOn(node: PromiseNode, time: number): boolean {
    if (this.passedOn.has(node)) return false;
    this.passedOn.set(node, time);
    return true;
  }

  /** What has failed in a call is tried again. */
  triesAgain(node: PromiseNode): void { this.triedAgain.add(node); }

  hasPassedOn(node: PromiseNode): boolean { return this.passedOn.has(node); }

  /** Only some of the calls that are not drawn yet are its own. */
  keep(calls: PromiseNode[]): void {
    const kept = new Set(calls);
    const others = new Set(this.waiting.filter((node) => !kept.has(node)));
    this.waiting = calls;
    this.settled = this.settled.filter(({ node }) => !others.has(node));
  }

  /** A call made lately is none of its own. */
  remove(node: PromiseNode, draft: GroupDraft | undefined): void {
    const at = this.waiting.lastIndexOf(node);
    if (at >= 0) this.waiting.splice(at, 1);
    this.settled = this.settled.filter((over) => over.node !== node);
    const task = this.open?.get(node);
    if (task) draft?.remove(task);
    this.forget(node);
  }

  /** What is over and not drawn never will be. */
  forgetOver(): void {
    this.waiting = this.waiting.filter(({ isPending }) => isPending);
    this.settled = [];
  }

  /** None of them is drawn any more. @returns those that were not drawn yet */
  clear(): readonly PromiseNode[] {
    const { waiting } = this;
    this.waiting = [];
    this.settled = [];
    this.held = this.open = undefined;
    this.passedOn.clear();
    this.triedAgain.clear();
    return waiting;
  }

  /** @param chunk which chunk those not drawn yet are, 1-based; 0 where there are no chunks */
  draw(draft: GroupDraft, chunk: number): void {
    const endings = this.takeEndings();
    let next = 0;
    const finishUntil = (time: number): void => {
      for (; next < endings.length && endings[next].end <= time; next++) this.finish(draft, endings[next]);
    };
    for (const node of this.waiting) {
      finishUntil(node.made);
      const task = new TaskDraft(node, node.made);
      task.queueSince(node.submitted);
      node.task = task;
      (this.open ??= new Map()).set(node, task);
      draft.add(task, 0, chunk);
    }
    this.waiting = [];
    finishUntil(Infinity);
  }

  /** Calls whose tasks have ended, by what ended them, in the order of their ends. */
  private takeEndings(): Ending[] {
    const endings: Ending[] = [];
    for (const { node, by } of this.settled) if (!this.held?.has(node)) endings.push({ node, by, end: this.endOf(node, by) });
    this.settled = [];
    for (const node of this.held ?? []) {
      const by = this.enderOf(node);
      if (!by.isPending) endings.push({ node, by, end: by.ended });
    }
    return endings.sort((a, b) => a.end - b.end);
  }

  /** A task's end is when the function of the library's that runs it is through with it: after a timeout that is before the work's own. */
  private enderOf(node: PromiseNode): PromiseNode {
    const { owner } = node;
    if (!isLibrarys(owner) || this.pools.has(owner) || !hasWaitedSince(owner, node.made)) return node;
    return owner.ended < node.ended || (node.isPending && !owner.isPending) ? owner : node;
  }

  /** Its lane's next task begins while its own code is still about to return. */
  private endOf(node: PromiseNode, by: PromiseNode): number {
    const { ended } = by;
    const passed = this.passedOn.get(node) ?? NaN;
    return ended - passed < NO_WORK_MS ? passed : this.beginBefore(node, by) ?? ended;
  }

  /** `finally { slots.release(); }`: when the next one began, where that was behind all that a call had waited for, and in one go with its end. */
  private beginBefore(node: PromiseNode, { ended }: PromiseNode): number | undefined {
    const through = node.isAsyncFunction ? node.lastWait?.ended : undefined;
    // None began in between.
    if (through === undefined || !(through <= ended) || this.begun.length === 0 || this.begun[this.begun.length - 1] <= through) return undefined;
    const next = this.begun[firstFrom(this.begun, Math.max(through, node.made))] ?? Infinity;
    return next < ended && next > node.made && !this.loop.hasComeBetween(next, ended) ? next : undefined;
  }

  private finish(draft: GroupDraft, { node, by, end }: Ending): void {
    const task = this.open?.get(node);
    // Told of before what came before it: it is drawn, and ended, with the next look.
    if (!task) { this.settled.push({ node, by }); return; }
    by.endsTask = node.endsTask = task;
    task.finish(end, by.rejected || swallowsOnWay(node, by) || (node.rejected && !this.triedAgain.has(node)), false);
    draft.touch(task);
    draft.freeRail(task);
    this.forget(node);
  }

  private forget(node: PromiseNode): void {
    this.open?.delete(node);
    this.held?.delete(node);
    this.passedOn.delete(node);
    this.triedAgain.delete(node);
  }
}

/** @returns where the first of sorted times is that is no earlier than a given one */
function firstFrom(times: readonly number[], time: number): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle] < time) low = middle + 1; else high = middle;
  }
  return low;
}

/** A call that is over, and the promise that ended it. */
interface Over { readonly node: PromiseNode; readonly by: PromiseNode }
interface Ending extends Over { readonly end: number }

const isLibrarys = (owner: PromiseNode | undefined): owner is PromiseNode => owner !== undefined && !isUserCall(owner) && libraryMaking(owner) !== undefined;
