/**
 * What a run has come to: groups and the tasks in them. Grouping writes it, everybody else reads it: the feed to a view,
 * the report, the exporters. It says of each reader what changed since that reader last looked.
 */
import { createTaskColumns, type Combinator, type Group, type GroupKind, type Site, type TaskColumns } from '../model/timeline';
import type { Thread } from '../model/run';
import { ActivityTable } from './activity-table';
import { ChangeSet } from './change-set';
import { Labels } from './labels';
import { RowChains, type RowChain } from './row-chains';
import { Tally } from './tally';

/** What grouping says of a group; counts and figures follow from its tasks. */
export interface GroupFacts {
  readonly thread: number;
  readonly kind: GroupKind;
  readonly combinator?: Combinator;
  readonly name?: string;
  readonly lanesOf?: 'operations';
  readonly library?: string;
  readonly site?: Site;
  readonly taskSite?: Site;
  /** Row id of the task it runs inside. */
  readonly parentTask?: number;
  readonly declared?: number;
  /** As `Group.run` and `Group.until`. */
  readonly run?: number;
  readonly until?: number;
  /** True once its combinator or library call has rejected. */
  readonly failed?: boolean;
}

/** What grouping says of a task. Times are milliseconds after `timeOrigin`; NaN where there is none (yet). */
export interface TaskFacts {
  readonly group: number;
  readonly ordinal: number;
  readonly lane: number;
  readonly chunk: number;
  readonly queued: number;
  readonly start: number;
  readonly end: number;
  /** `TaskState` | `IGNORED` | `ABORTED` or `TIMED_OUT`. */
  readonly state: number;
}

interface GroupRecord { facts: GroupFacts; readonly rows: RowChain; tally: Tally; stale: boolean }

export class Timeline {
  /** Row = task id − 1. Read only outside this class. */
  readonly tasks: TaskColumns = createTaskColumns(1024);
  readonly threads: Thread[] = [];
  /** What the threads went through besides tasks. */
  readonly activity = new ActivityTable();
  private readonly groups = new Map<number, GroupRecord>();
  /** Groups by the task they run inside: what they say of their parent changes when that task moves. */
  private readonly inside = new Map<number, Set<number>>();
  private readonly labels = new Labels();
  private readonly errors = new Map<number, string>();
  private readonly chains = new RowChains();
  private readonly trackers = new Set<ChangeSet>();
  private lastGroup = 0;

  addThread(thread: Omit<Thread, 'id'>): Thread {
    const added: Thread = { id: this.threads.length + 1, ...thread };
    this.threads.push(added);
    return added;
  }

  /** @returns the new group's id. */
  addGroup(facts: GroupFacts): number {
    const id = ++this.lastGroup;
    this.groups.set(id, { facts, rows: { first: 0, last: 0 }, tally: new Tally(), stale: false });
    this.noteParent(id, facts.parentTask);
    for (const tracker of this.trackers) tracker.markGroup(id);
    return id;
  }

  updateGroup(id: number, change: Partial<GroupFacts>): void {
    const record = this.groups.get(id);
    if (!record) return;
    record.facts = { ...record.facts, ...change };
    this.noteParent(id, change.parentTask);
    for (const tracker of this.trackers) tracker.markGroup(id);
  }

  /** Takes a group away; its tasks belong to none until they are put into another. */
  removeGroup(id: number): void {
    const record = this.groups.get(id);
    if (!record) return;
    this.groups.delete(id);
    for (const row of this.chains.rows(record.rows)) {
      if (this.tasks.group[row] !== id) continue;
      this.tasks.group[row] = 0;
      for (const tracker of this.trackers) tracker.markTask(row + 1);
      this.markInside(row + 1);
    }
    for (const tracker of this.trackers) tracker.markGone(id);
  }

  /** @returns the new task's id. */
  addTask(facts: TaskFacts): number {
    const row = this.tasks.length++;
    this.makeRoom();
    this.tasks.id[row] = row + 1;
    this.enter(row, facts);
    return row + 1;
  }

  /** Replaces all that is known of a task; it may move to another group. */
  updateTask(id: number, facts: TaskFacts): void {
    const row = id - 1;
    const { tasks } = this;
    const record = this.groups.get(facts.group);
    if (record && tasks.group[row] === facts.group) {
      if (!record.stale && !this.retally(row, facts, record.tally)) record.stale = true;
      this.write(row, facts);
      this.mark(row, facts.group);
      return;
    }
    const from = this.groups.get(tasks.group[row]);
    if (from) {
      this.chains.remove(from.rows, row);
      from.stale = true;
      for (const tracker of this.trackers) tracker.markGroup(tasks.group[row]);
    }
    this.enter(row, facts);
    this.markInside(id);
  }

  /** All tasks of a group that are in no chunk are its chunk 1. O(n) */
  putInFirstChunk(id: number): void {
    const record = this.groups.get(id);
    if (!record) return;
    for (const row of this.chains.rows(record.rows)) {
      if (this.tasks.chunk[row] > 0) continue;
      this.tasks.chunk[row] = 1;
      for (const tracker of this.trackers) tracker.markTask(row + 1);
    }
    record.stale = true;
    for (const tracker of this.trackers) tracker.markGroup(id);
  }

  /** A short name of a task, told by a library or found at its call. */
  labelTask(id: number, label: string): void {
    this.labels.set(id, label);
    for (const tracker of this.trackers) tracker.markLabel(id);
  }

  /** What the error of a task that failed says. */
  tellError(id: number, text: string): void {
    if (this.errors.get(id) === text) return;
    this.errors.set(id, text);
    for (const tracker of this.trackers) tracker.markError(id);
  }

  errorOf(id: number): string | undefined { return this.errors.get(id); }

  labelOf(id: number): string | undefined { return this.labels.get(id); }

  groupIds(): number[] { return [...this.groups.keys()]; }

  factsOf(id: number): GroupFacts | undefined { return this.groups.get(id)?.facts; }

  /** Rows of the group's tasks in the order they came into it; copied. */
  rowsOf(id: number): number[] {
    const record = this.groups.get(id);
    return record ? this.chains.rows(record.rows) : [];
  }

  /** The group as it stands. @param wanted milliseconds after `timeOrigin`, up to where pending tasks have worked */
  group(id: number, wanted: number): Group | undefined {
    const record = this.groups.get(id);
    if (!record) return undefined;
    const now = Math.min(wanted, record.facts.until ?? wanted);
    if (record.stale || record.tally.isLost) {
      record.tally = Tally.over(this.tasks, this.chains.rows(record.rows));
      record.stale = false;
    }
    const { facts, tally } = record;
    const { parentTask, failed, ...rest } = facts;
    const parentGroup = parentTask === undefined ? 0 : this.tasks.group[parentTask - 1];
    return {
      id, ...rest,
      parent: parentTask !== undefined && parentGroup > 0 ? { group: parentGroup, task: parentTask } : undefined,
      peak: tally.peak, lanes: tally.lanes, chunks: facts.kind === 'chunk' ? tally.chunks : undefined,
      start: tally.taskCount > 0 ? tally.start : now, end: tally.end,
      status: failed ? 'rejected' : tally.pending > 0 ? 'pending' : 'fulfilled',
      taskCount: tally.taskCount, fulfilled: tally.fulfilled, rejected: tally.rejected, pending: tally.pending,
      metrics: tally.metrics(facts.kind, now),
    };
  }

  /** From now on the returned set notes what changes; all there is counts as changed. */
  track(): ChangeSet {
    const tracker = new ChangeSet();
    for (const id of this.groups.keys()) tracker.markGroup(id);
    for (let row = 0; row < this.tasks.length; row++) if (this.tasks.group[row] > 0) tracker.markTask(row + 1);
    for (const id of this.labels.ids()) tracker.markLabel(id);
    for (const id of this.errors.keys()) tracker.markError(id);
    this.trackers.add(tracker);
    return tracker;
  }

  untrack(tracker: ChangeSet): void { this.trackers.delete(tracker); }

  private enter(row: number, facts: TaskFacts): void {
    this.write(row, facts);
    const record = this.groups.get(facts.group);
    if (!record) {
      for (const tracker of this.trackers) tracker.markTask(row + 1);
      return;
    }
    this.chains.append(record.rows, row);
    if (!record.stale) {
      record.tally.begin(facts.start, facts.lane, facts.chunk);
      if (!Number.isNaN(facts.end)) record.tally.finish(facts.start, facts.end, facts.state, facts.chunk);
    }
    this.mark(row, facts.group);
  }

  /** Brings a group's sums up to date with what is new of one of its tasks. @returns false where they cannot be */
  private retally(row: number, facts: TaskFacts, tally: Tally): boolean {
    const { start, end, lane, chunk, state } = this.tasks;
    if (start[row] !== facts.start || lane[row] !== facts.lane || chunk[row] !== facts.chunk) return false;
    const wasOpen = Number.isNaN(end[row]);
    if (wasOpen !== Number.isNaN(facts.end)) {
      if (wasOpen) tally.finish(facts.start, facts.end, facts.state, facts.chunk);
      return wasOpen;
    }
    if (!wasOpen && end[row] !== facts.end) return false;
    if (!wasOpen) tally.restate(state[row], facts.state);
    return true;
  }

  private write(row: number, facts: TaskFacts): void {
    const { tasks } = this;
    tasks.group[row] = facts.group;
    tasks.ordinal[row] = facts.ordinal;
    tasks.lane[row] = facts.lane;
    tasks.chunk[row] = facts.chunk;
    tasks.queued[row] = facts.queued;
    tasks.start[row] = facts.start;
    tasks.end[row] = facts.end;
    tasks.state[row] = facts.state;
  }

  private noteParent(group: number, parentTask: number | undefined): void {
    if (parentTask === undefined) return;
    const groups = this.inside.get(parentTask);
    if (groups) groups.add(group); else this.inside.set(parentTask, new Set([group]));
  }

  private markInside(task: number): void {
    for (const group of this.inside.get(task) ?? []) {
      if (this.groups.has(group)) for (const tracker of this.trackers) tracker.markGroup(group);
    }
  }

  private mark(row: number, group: number): void {
    for (const tracker of this.trackers) {
      tracker.markTask(row + 1);
      tracker.markGroup(group);
    }
  }

  private makeRoom(): void {
    const { tasks } = this;
    if (tasks.length <= tasks.id.length) return;
    const grown = createTaskColumns(tasks.id.length * 2);
    const length = tasks.length;
    grown.id.set(tasks.id); grown.group.set(tasks.group); grown.ordinal.set(tasks.ordinal);
    grown.lane.set(tasks.lane); grown.chunk.set(tasks.chunk); grown.queued.set(tasks.queued);
    grown.start.set(tasks.start); grown.end.set(tasks.end); grown.state.set(tasks.state);
    Object.assign(tasks, grown, { length });
  }
}
