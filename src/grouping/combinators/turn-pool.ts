/** Tasks that wait for their turn, one a promise: a bar begins, on the rail that was free longest, when the turn has come. */
import { TaskDraft, type GroupDraft } from '../drafts';
import { TOGETHER_MS } from '../moments';
import { isPause, isWholeJob } from '../promises/pauses';
import { functionSiteOf, topOf } from '../promises/places';
import { isCall, type PromiseNode } from '../promises/promise-node';
import { endOf } from '../promises/chain-links';
import { taskSiteOf } from './series';
import { WorksAhead } from './works-ahead';

/** As many of those that wait are looked at again for each thing that may have started one. */
const TOUCHES_PER_LOOK = 8;

/** When a task began to work (milliseconds after the run's `timeOrigin`), which call its work is, and whether its turn came at once. */
export interface Begun { readonly start: number; readonly work: PromiseNode; readonly isAtOnce?: boolean }

interface Started { readonly task: TaskDraft; readonly work: PromiseNode }

export abstract class TurnPool {
  private waiting: PromiseNode[] = [];
  private readonly running = new Set<TaskDraft>();
  private readonly ahead = new WorksAhead();
  private touches = 0;
  /** Whether the work of one of its tasks has told where that is. */
  protected hasSite = false;

  constructor(readonly draft: GroupDraft) {}

  /** @returns undefined while it waits for its turn */
  protected abstract begun(member: PromiseNode): Begun | undefined;
  /** @returns when that was over; NaN while it goes on */
  protected abstract endOf(member: PromiseNode): number;
  /** Ends the task of a member. */
  protected abstract finished(task: TaskDraft, end: number): void;
  /** A task is about to be added. */
  protected willStart(_task: TaskDraft): void { /* nothing to do */ }
  /** What had begun turned out to be a member's task. */
  protected hasTied(_task: TaskDraft): void { /* nothing to do */ }

  protected take(members: readonly PromiseNode[]): void {
    for (const member of members) this.waiting.push(member);
    this.touches += members.length;
  }

  /** Takes members out, and back the bars that they have. */
  protected drop(isMember: (member: PromiseNode) => boolean): void {
    this.waiting = this.waiting.filter((member) => !isMember(member));
    this.takeBack([...this.draft.recentTasks].reverse().filter(({ work }) => isMember(work)));
  }

  /** Gives up all its members, and takes back their bars. @returns the members, in the order in which they were made */
  protected surrender(): PromiseNode[] {
    const members = [...[...this.draft.recentTasks].map(({ work }) => work), ...this.waiting].sort((a, b) => a.id - b.id);
    this.drop(() => true);
    for (const member of members) member.endsTask = undefined;
    return members;
  }

  private takeBack(bars: readonly TaskDraft[]): void {
    for (const task of bars) {
      this.running.delete(task);
      this.draft.remove(task);
      task.work.task = undefined;
    }
  }

  /** Whether there are members of which nothing is known yet. */
  get isWaiting(): boolean { return this.waiting.length > 0; }

  /** A call has begun that is like what was members' work before. */
  expect(work: PromiseNode): void { this.ahead.expect(work); }

  /** Whether it has to be looked at once more, whatever comes. */
  get isUnsure(): boolean { return this.ahead.isUnsure((task) => !this.running.has(task)); }

  /** Whether what is like members' work is mostly none. */
  get isMistaken(): boolean { return this.ahead.isMistaken; }

  /** Whether what is like members' work is drawn before it is known whose it is. */
  protected get seesWork(): boolean { return this.ahead.seesWork; }

  /** Whether it is not known yet whose a task is. */
  protected isAhead(task: TaskDraft): boolean { return this.ahead.has(task); }

  /** Takes back the bars of what is no member's: there are no members any more, or their work is something else. */
  dropAhead(): void { this.takeBack(this.ahead.clear()); }

  /** Something happened that may have started or ended a task. */
  touch(): void { this.touches++; }

  /**
   * Brings tasks up to date with what has started and ended, in the order in which it happened. Looks at all that wait only
   * once in a while, so that a task costs the same however many wait beside it.
   * @param isQuiet true where nothing more is known to come
   * @returns false where it had rather wait
   */
  update(isQuiet: boolean): boolean {
    if (!isQuiet && this.touches * TOUCHES_PER_LOOK < this.waiting.length) return false;
    this.touches = 0;
    const started = this.takeStarted();
    for (const { task } of started) this.running.add(task);
    const endings = this.endings(isQuiet);
    let next = 0;
    const finishUntil = (time: number): void => {
      // One that begins and ends at this very moment has no rail yet.
      for (; next < endings.length && endings[next].end <= time && endings[next].task.group; next++) this.finish(endings[next].task, endings[next].end);
    };
    for (const { task, work } of started) {
      finishUntil(task.start);
      this.willStart(task);
      this.draft.add(task, 0, 0);
      if (!this.draft.facts.taskSite) this.draft.change({ taskSite: taskSiteOf(work) });
    }
    finishUntil(Infinity);
    this.takeBack(this.ahead.takeStrays(this.waiting.length === 0));
    return true;
  }

  /** Takes those out of what waits whose work has begun, in the order in which it did. */
  private takeStarted(): Started[] {
    const started: Started[] = [];
    const added = new Set<TaskDraft>();
    const begun = this.ahead.begin(this.waiting.length);
    this.waiting = this.waiting.filter((member) => {
      const found = this.begun(member);
      if (!found) return true;
      this.takeBack(this.ahead.takeTries(member, found.work));
      // What several have asked for is done once for all of them: it is one task.
      const same = found.work === member ? undefined : found.work.task;
      if (same && this.ahead.has(same)) { this.tie(same, member, found); return false; }
      if (same && (same.group === this.draft || added.has(same))) { member.task = same; return false; }
      const task = new TaskDraft(member, found.start);
      if (found.isAtOnce !== true) task.queueSince(member.made);
      member.task = task;
      found.work.task ??= task;
      started.push({ task, work: found.work });
      added.add(task);
      return false;
    });
    // Some turned out to be a member's by now, or one that was tried again.
    for (const task of begun) if (task.work.task === task) started.push({ task, work: task.work });
    return started.sort((a, b) => a.task.start - b.task.start || a.task.work.id - b.task.work.id);
  }

  /** What had begun is a member's task. */
  private tie(task: TaskDraft, member: PromiseNode, { isAtOnce }: Begun): void {
    this.ahead.tie(task);
    task.work = member;
    member.task = task;
    // Its work may have been a first step only.
    if (!this.running.has(task)) {
      this.running.add(task);
      this.draft.reopen(task);
    }
    if (isAtOnce !== true) task.queueSince(member.made);
    this.hasTied(task);
    this.draft.touch(task);
  }

  /** One of those that are its tasks, or will be; undefined as long as there is none. */
  get knownMember(): PromiseNode | undefined {
    for (const { work } of this.draft.recentTasks) return work;
    return this.waiting.at(0);
  }

  /** Tasks whose work has ended and whose bars have no end yet, in the order in which they ended. */
  private endings(isQuiet: boolean): { readonly task: TaskDraft; readonly end: number }[] {
    const endings: { task: TaskDraft; end: number }[] = [];
    for (const task of this.running) {
      const isAhead = this.ahead.has(task);
      if (isAhead && !this.ahead.isOver(task, isQuiet)) continue;
      const end = isAhead ? endOf(task.work).ended : this.endOf(task.work);
      if (!Number.isNaN(end)) endings.push({ task, end: Math.max(end, task.start) });
    }
    return endings.sort((a, b) => a.end - b.end || a.task.start - b.task.start || a.task.work.id - b.task.work.id);
  }

  /** The one call that was made while it was a task's turn tells best where the work is. */
  protected tellSite(work: PromiseNode | undefined, start: number, end: number): void {
    if (this.hasSite || !work || !isCall(work) || !lasts(work, start, end)) return;
    // Where a nameless function does nothing but pause, it is the task.
    const job = isPause(work) && isWholeJob(work) ? topOf(work.stack)?.callers : undefined;
    if (isPause(work) && !job) return;
    const taskSite = job ? functionSiteOf(job) : taskSiteOf(work);
    if (!taskSite) return;
    this.hasSite = true;
    this.draft.change({ taskSite });
  }

  private finish(task: TaskDraft, end: number): void {
    // Who gave it its turn may have been through a moment later, which was not known when it was first drawn.
    const begun = this.begun(task.work);
    if (begun && begun.start < end) {
      task.start = begun.start;
      if (begun.isAtOnce !== true) task.queueSince(task.work.made);
    }
    // Nor may it have called yet what its work is.
    if (begun && !this.hasSite && task === this.draft.first) this.draft.change({ taskSite: taskSiteOf(begun.work) ?? this.draft.facts.taskSite });
    this.finished(task, end);
    this.draft.touch(task);
    this.draft.freeRail(task);
    this.running.delete(task);
  }
}

/** The one call that was made while a slot was held has swallowed an error, if it has: as a task that failed. */
export function noteWork(task: TaskDraft, work: PromiseNode | undefined): void {
  if (!work?.isAsyncFunction || !lasts(work, task.start, task.end)) return;
  work.endsTask ??= task;
  task.noteSwallowed(work);
}

/** Whether a call went on from one time to another (milliseconds after the run's `timeOrigin`). */
const lasts = (work: PromiseNode, start: number, end: number): boolean =>
  (Math.abs(work.made - start) <= TOGETHER_MS || isFirstOf(work.owner, work, start)) && Math.abs(end - endOf(work).ended) <= TOGETHER_MS;

/** Whether a function that began at a time called for the work in the same run of code, in which a busy machine may have come between. */
const isFirstOf = (by: PromiseNode | undefined, work: PromiseNode, start: number): boolean => by?.made === start && by.tick === work.tick;
