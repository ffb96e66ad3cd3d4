/** Groups and tasks as grouping sees them for now, and how they get into the timeline: only what changed is written. */
import { IGNORED, TaskState, type Site } from '../model/timeline';
import type { GroupFacts, TaskFacts, Timeline } from '../timeline/timeline';
import { NO_WAIT_MS } from './moments';
import type { PromiseNode } from './promises/promise-node';
import { sourceOf } from './promises/chain-links';
import { Rails } from './rails';
import { TaskList } from './task-list';

/** One bar. */
export class TaskDraft {
  /** Id in the timeline; 0 until it is written. */
  id = 0;
  group: GroupDraft | undefined;
  end = NaN;
  queued = NaN;
  rejected = false;
  ignored = false;
  /** `ABORTED` or `TIMED_OUT`, where that is why it was rejected; else 0. */
  cut = 0;
  /** What it failed of, where that is another's error than its work's. */
  error: string | undefined;
  /** What requests were sent for it: its name. */
  requests: string | undefined;
  lane = 0;
  /** Whether the lane is a rail, which any task may be on that finds it free. */
  isOnRail = false;
  chunk = 0;
  ordinal = 0;
  /** When it had begun, as far as was known when it got its ordinal. */
  placedBy = NaN;
  changed = true;
  /** True where its own code swallowed an error and did nothing more. */
  swallowed = false;
  /** True as long as it seems to wait for its turn: it is the group's, and in no row. */
  isHeld = false;
  /** When and where it was at work in another thread, which is what is drawn. */
  elsewhere: { readonly start: number; readonly end: number; readonly lane: number } | undefined;
  /** For the list that it is in, and for nobody else. */
  list: TaskList | undefined;
  before: TaskDraft | undefined;
  after: TaskDraft | undefined;

  /** @param work the promise whose settling ends it; for a turn of a worker's loop the worker itself */
  constructor(public work: PromiseNode, public start: number) { this.requests = work.requests ?? sourceOf(work).requests; }

  /** When it began to be at work, be that in another thread: where its bar begins. */
  get begin(): number { return this.elsewhere?.start ?? this.start; }

  /** @param submitted when it was handed in; undefined where nobody knows */
  queueSince(submitted: number | undefined): void {
    if (submitted !== undefined && Number.isNaN(this.queued) && this.start - submitted > NO_WAIT_MS) this.queued = submitted;
  }

  finish(end: number, rejected: boolean, ignored: boolean): void {
    this.end = Math.max(end, this.start);
    this.rejected = rejected;
    this.ignored = ignored;
    this.changed = true;
    this.noteSwallowed();
  }

  /**
   * A function that awaited nothing more after an error and yet was fulfilled has swallowed it: as a task it failed.
   * @param call its call, where what stands for the task is not that itself, but something around it
   * @returns whether that is news
   */
  noteSwallowed(call?: PromiseNode): boolean {
    const isInside = call?.endsTask === this;
    const work = isInside ? call : this.work;
    const failed = work.lastWait;
    // What failed once it was through, it had only begun.
    if (this.swallowed || (work.task !== this && !isInside) || !work.isAsyncFunction || work.isPending || work.rejected || failed?.rejected !== true || failed.ended > work.ended) return false;
    this.swallowed = true;
    this.error ??= failed.error;
    return true;
  }
}

/** One group. */
export class GroupDraft {
  id = 0;
  /** The running function that it is at work inside of, if any, where its first task does not tell that, or does no longer. */
  home: { readonly node: PromiseNode | undefined } | undefined;
  /** The task that it is at work inside of, as far as is known. */
  inside: TaskDraft | undefined;
  /** True where an adapter told of it. */
  isTold = false;
  /** The combinator that holds its tasks, or takes what they give, where there is one alone. */
  heldBy: PromiseNode | undefined;
  /** Tasks of which something may still be said that concerns all of them, in the order in which they came in. */
  private readonly recent = new TaskList();
  private count = 0;
  private firstTask: TaskDraft | undefined;
  private firstChunkIsWhole = false;
  private readonly dirty: TaskDraft[] = [];
  private readonly removed: TaskDraft[] = [];
  private readonly rails = new Rails();
  /** The highest ordinal: there may be fewer tasks, where one was taken out. */
  private lastOrdinal = 0;
  private latestBegin = -Infinity;
  /** A task that began it, and was over while it went on: it is no longer inside of that. */
  private leftBy: TaskDraft | undefined;
  /** Whether tasks came in in another order than they began. */
  private isDisordered = false;
  private factsChanged = true;

  constructor(public facts: GroupFacts) {}

  change(facts: Partial<GroupFacts>): void {
    for (const key of Object.keys(facts) as (keyof GroupFacts)[]) {
      if (this.facts[key] === facts[key]) continue;
      this.facts = { ...this.facts, ...facts };
      this.factsChanged = true;
      return;
    }
  }

  /** Tasks in it. */
  get taskCount(): number { return this.count; }
  /** The task that came in first, or began first of those that came in out of order. */
  get first(): TaskDraft | undefined { return this.firstTask; }
  /** Those that are not settled for good, in the order in which they came in. */
  get recentTasks(): Iterable<TaskDraft> & { readonly size: number } { return this.recent; }
  /** How many are settled for good. */
  get settledCount(): number { return this.count - this.recent.size; }

  /** @param lane 1-based, or 0 for the longest-free rail */
  add(task: TaskDraft, lane: number, chunk: number): void {
    task.group = this;
    task.isOnRail = lane === 0;
    task.lane = task.isOnRail ? this.rails.take(task.start) : lane;
    task.chunk = chunk;
    task.placedBy = task.begin;
    this.isDisordered ||= task.begin < this.latestBegin;
    this.latestBegin = Math.max(this.latestBegin, task.begin);
    this.recent.add(task);
    task.ordinal = ++this.lastOrdinal;
    this.count++;
    this.firstTask ??= task;
    this.touch(task);
  }

  /** Draws a task that is over, on the rail that was free longest. @param end milliseconds after the run's `timeOrigin` */
  addOver(task: TaskDraft, end: number, rejected: boolean): void {
    task.work.task = task;
    this.add(task, 0, 0);
    task.finish(end, rejected, false);
    this.freeRail(task);
  }

  /** What all tasks so far did was chunk 1. */
  closeFirstChunk(): void {
    this.firstChunkIsWhole = this.settledCount > 0;
    for (const task of this.recent) {
      task.chunk = 1;
      this.touch(task);
    }
  }

  /** What looked like chunks is one pool. Only before any task is settled for good. */
  forgetChunks(): void {
    for (const task of this.recent) {
      task.chunk = 0;
      this.touch(task);
    }
  }

  /**
   * Whether a task in which it was begun has left it running, and nobody waits for it there: `flushing ??= flush()`.
   * @param inner the call that the task made for it
   */
  isLeftBy(task: TaskDraft, inner: PromiseNode | undefined): boolean {
    if (inner?.isAsyncFunction && !inner.consumed && task.end < this.latestBegin) this.leftBy = task;
    return this.leftBy !== undefined && this.leftBy.group === task.group;
  }

  /** A task is over, and its promises are forgotten: from here on it is only a row of the timeline. */
  settle(task: TaskDraft): void { if (this.recent.delete(task) && task.isOnRail) this.rails.settle(task); }

  /** Ordinals, and lanes that are rails, are those that tasks would have had if all of them had been known in time. */
  private putInOrder(): void {
    // In another thread one begins later than it was sent there.
    for (const task of this.dirty) {
      this.isDisordered ||= task.begin !== task.placedBy;
      task.placedBy = task.begin;
    }
    if (!this.isDisordered && !this.rails.areAmiss) return;
    this.isDisordered = false;
    const tasks = [...this.recent].sort((a, b) => a.begin - b.begin || (a.isOnRail ? a.work.id - b.work.id : a.lane - b.lane));
    // Beside what is settled for good they share the numbers that they have.
    const ordinals = this.settledCount > 0 ? tasks.map(({ ordinal }) => ordinal).sort((a, b) => a - b) : tasks.map((_, index) => index + 1);
    if (this.settledCount === 0) {
      this.lastOrdinal = tasks.length;
      this.firstTask = tasks.at(0);
    }
    const lanes = tasks.map(({ lane }) => lane);
    this.rails.layAgain(tasks.filter(({ isOnRail }) => isOnRail).sort((a, b) => a.start - b.start || a.work.id - b.work.id));
    tasks.forEach((task, index) => {
      if (task.ordinal === ordinals[index] && task.lane === lanes[index]) return;
      task.ordinal = ordinals[index];
      this.touch(task);
    });
  }

  /** Takes the latest task back out: it belongs elsewhere, or nowhere. */
  remove(task: TaskDraft): void {
    if (!this.recent.delete(task)) return;
    if (task.ordinal === this.lastOrdinal) this.lastOrdinal--; else this.isDisordered = true;
    this.count--;
    if (this.firstTask === task) this.firstTask = this.recent.first;
    this.removed.push(task);
    task.group = undefined;
    if (task.isOnRail && Number.isNaN(task.end)) this.rails.release(task.lane, task.start);
  }

  /** A task has yet to begin: there is no bar of it, until that is drawn. */
  hold(task: TaskDraft): void {
    this.remove(task);
    task.group = this;
    task.isHeld = true;
  }

  /** A task that was held is drawn, where it was. */
  draw(task: TaskDraft): void {
    task.isHeld = false;
    this.add(task, task.lane, task.chunk);
    this.isDisordered = true;
  }

  /** Where lanes are rails: the task's is free again. */
  freeRail({ lane, end }: TaskDraft): void { this.rails.release(lane, end); }

  /** A task goes on that seemed to be over. */
  reopen(task: TaskDraft): void {
    task.end = NaN;
    this.isDisordered = true;
    this.touch(task);
  }

  /** Something else is known of a task; one that has yet to begin is in no row. */
  touch(task: TaskDraft): void {
    task.changed = true;
    if (task.ordinal > 0) this.dirty.push(task);
  }

  /** Tasks to be written; some of them may have been written since. */
  get unwritten(): readonly TaskDraft[] { return this.dirty; }

  /** Takes the group back: its tasks' rows wait for the group they come into next. */
  withdraw(timeline: Timeline): void {
    if (this.id > 0) timeline.removeGroup(this.id);
    this.id = 0;
    for (const task of this.recent) if (task.group === this) task.group = undefined;
  }

  /** @param mapSite from running code to its source */
  write(timeline: Timeline, mapSite: (site: Site, begins?: boolean) => Site): void {
    if (this.count === 0) return;
    this.putInOrder();
    if (this.id === 0 || this.factsChanged) {
      const { site, taskSite } = this.facts;
      const facts = { ...this.facts, site: site && mapSite(site), taskSite: taskSite && mapSite(taskSite, true) };
      if (this.id === 0) this.id = timeline.addGroup(facts);
      else timeline.updateGroup(this.id, facts);
      this.factsChanged = false;
    }
    if (this.firstChunkIsWhole) {
      timeline.putInFirstChunk(this.id);
      this.firstChunkIsWhole = false;
    }
    for (const task of this.removed.splice(0)) {
      if (task.id > 0 && (task.group === undefined || task.isHeld)) timeline.updateTask(task.id, { ...this.factsOf(task), group: 0 });
    }
    for (const task of this.dirty) {
      if (!task.changed || task.group !== this || task.isHeld) continue;
      task.changed = false;
      const facts = this.factsOf(task);
      if (task.id === 0) task.id = timeline.addTask(facts);
      else timeline.updateTask(task.id, facts);
      const error = task.rejected || task.swallowed ? task.error ?? task.work.error : undefined;
      if (error !== undefined) timeline.tellError(task.id, error);
      if (task.requests !== undefined) timeline.labelTask(task.id, task.requests);
    }
    this.dirty.length = 0;
  }

  private factsOf(task: TaskDraft): TaskFacts {
    const state = (Number.isNaN(task.end) ? TaskState.pending : task.rejected || task.swallowed ? TaskState.rejected | task.cut : TaskState.fulfilled) | (task.ignored ? IGNORED : 0);
    const { ordinal, chunk, elsewhere } = task;
    if (!elsewhere) return { group: this.id, ordinal, lane: task.lane, chunk, queued: task.queued, start: task.start, end: task.end, state };
    const queued = Number.isNaN(task.queued) && elsewhere.start - task.start > NO_WAIT_MS ? task.start : task.queued;
    return { group: this.id, ordinal, lane: elsewhere.lane || task.lane, chunk, queued, start: elsewhere.start, end: elsewhere.end, state };
  }
}
