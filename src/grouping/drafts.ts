/** Groups and tasks as grouping sees them for now, and how they get into the timeline: only what changed is written. */
import { IGNORED, TaskState, type Site } from '../model/timeline';
import type { GroupFacts, TaskFacts, Timeline } from '../timeline/timeline';
import type { PromiseNode } from './promise-node';
import { Rails } from './rails';

/** One bar. */
export class TaskDraft {
  /** Id in the timeline; 0 until it is written. */
  id = 0;
  group: GroupDraft | undefined;
  end = NaN;
  queued = NaN;
  rejected = false;
  ignored = false;
  lane = 0;
  chunk = 0;
  ordinal = 0;
  changed = true;

  /** @param work the promise whose settling ends it; for a turn of a worker's loop the worker itself */
  constructor(readonly work: PromiseNode, public start: number) {}

  finish(end: number, rejected: boolean, ignored: boolean): void {
    this.end = Math.max(end, this.start);
    this.rejected = rejected;
    this.ignored = ignored;
    this.changed = true;
  }
}

/** One group. */
export class GroupDraft {
  id = 0;
  readonly tasks: TaskDraft[] = [];
  private readonly dirty: TaskDraft[] = [];
  private readonly removed: TaskDraft[] = [];
  private readonly rails = new Rails();
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

  /** @param lane 1-based, or 0 for the longest-free rail */
  add(task: TaskDraft, lane: number, chunk: number): void {
    task.group = this;
    task.lane = lane > 0 ? lane : this.rails.take();
    task.chunk = chunk;
    this.tasks.push(task);
    task.ordinal = this.tasks.length;
    this.touch(task);
  }

  /** Takes the latest task back out: it belongs elsewhere, or nowhere. */
  remove(task: TaskDraft): void {
    const at = this.tasks.lastIndexOf(task);
    if (at < 0) return;
    this.tasks.splice(at, 1);
    this.removed.push(task);
    task.group = undefined;
    if (Number.isNaN(task.end)) this.rails.release(task.lane);
  }

  /** Where lanes are rails: the task's is free again. */
  freeRail(task: TaskDraft): void { this.rails.release(task.lane); }

  touch(task: TaskDraft): void {
    task.changed = true;
    this.dirty.push(task);
  }

  /** Takes the group back: its tasks' rows wait for the group they come into next. */
  withdraw(timeline: Timeline): void {
    if (this.id > 0) timeline.removeGroup(this.id);
    this.id = 0;
    for (const task of this.tasks) if (task.group === this) task.group = undefined;
  }

  /** @param mapSite from running code to its source */
  write(timeline: Timeline, mapSite: (site: Site) => Site): void {
    if (this.tasks.length === 0) return;
    if (this.id === 0 || this.factsChanged) {
      const { site, taskSite } = this.facts;
      const facts = { ...this.facts, site: site && mapSite(site), taskSite: taskSite && mapSite(taskSite) };
      if (this.id === 0) this.id = timeline.addGroup(facts);
      else timeline.updateGroup(this.id, facts);
      this.factsChanged = false;
    }
    for (const task of this.removed.splice(0)) {
      if (task.id > 0 && task.group === undefined) timeline.updateTask(task.id, { ...this.factsOf(task), group: 0 });
    }
    for (const task of this.dirty) {
      if (!task.changed || task.group !== this) continue;
      task.changed = false;
      const facts = this.factsOf(task);
      if (task.id === 0) task.id = timeline.addTask(facts);
      else timeline.updateTask(task.id, facts);
    }
    this.dirty.length = 0;
  }

  private factsOf(task: TaskDraft): TaskFacts {
    const state = (Number.isNaN(task.end) ? TaskState.pending : task.rejected ? TaskState.rejected : TaskState.fulfilled) | (task.ignored ? IGNORED : 0);
    return { group: this.id, ordinal: task.ordinal, lane: task.lane, chunk: task.chunk, queued: task.queued, start: task.start, end: task.end, state };
  }
}
