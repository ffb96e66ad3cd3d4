/** All this page knows of the run: filled by `hello` and deltas, read by everything that draws. */
import type { Delta, Hello } from '../../src/model/protocol';
import { isOver, type RunState } from '../../src/model/run';
import { ABORTED, IGNORED, STATE_MASK, TaskState, TIMED_OUT, type Group } from '../../src/model/timeline';
import { Traffic } from './traffic';
import { HostClock } from './clock';
import { GroupTasks, type TaskRow } from './group-tasks';
import { isSound, MAX_GROUPS } from './parse';
import { TaskTable } from './task-table';
import { ThreadActivity } from './thread-activity';

/** @param known as `TaskTable` keeps it, in 32 bits */
const isSameWait = (known: number, wait: number): boolean => (known > 0 ? known : 0) === (wait > 0 ? Math.fround(wait) : 0);

/** A group inside a task of another one knows where the outermost group around it starts, milliseconds after `timeOrigin`. */
export interface Anchored { readonly anchor?: number }
const MOST_DEEP = 30;

export class RunStore {
  hello: Hello | undefined;
  state: RunState | undefined;
  /** False while what was there already is still coming in. */
  caughtUp = false;
  clock = new HostClock();
  readonly groups = new Map<number, GroupTasks>();
  tasks = new TaskTable();
  activity = new ThreadActivity();
  readonly labels = new Map<number, string>();
  /** What the errors of failed tasks say, by id. */
  readonly errors = new Map<number, string>();
  /** Grows when a group comes, goes, or changes what it is. */
  groupsRevision = 0;
  /** Grows with everything that comes in. */
  revision = 0;
  /** There are more groups than this page lists: those beyond are left out. */
  hasTooManyGroups = false;
  private runTraffic: Traffic | undefined;
  private comparedTraffic: Partial<Record<1 | 2, { readonly revision: number; readonly traffic: Traffic }>> = {};
  /** Entries that could not be taken. */
  refused = 0;
  /** Whether any task was seen whose result nobody read. */
  hasIgnored = false;
  /** Whether any task was rejected, was called off, or took too long. */
  hasRejected = false;
  hasAborted = false;
  hasTimedOut = false;
  /** Whether any task is known to have waited for its start. */
  hasQueued = false;

  /** Forgets everything: a `hello` begins anew. */
  reset(hello: Hello): void {
    this.clear();
    this.hello = hello;
  }

  /** Gives all its memory back. */
  clear(): void {
    this.hello = undefined;
    this.state = undefined;
    this.caughtUp = false;
    this.groups.clear();
    this.labels.clear();
    this.errors.clear();
    this.tasks = new TaskTable();
    this.runTraffic = undefined;
    this.comparedTraffic = {};
    this.activity = new ThreadActivity();
    this.clock = new HostClock();
    this.refused = 0;
    this.hasTooManyGroups = false;
    this.hasIgnored = this.hasQueued = this.hasRejected = this.hasAborted = this.hasTimedOut = false;
    this.groupsRevision++;
  }

  /** @param localTime `performance.now()` of the delta's arrival */
  apply(delta: Delta, localTime: number): void {
    this.revision++;
    this.state = delta.state;
    this.caughtUp = delta.caughtUp || this.caughtUp;
    this.clock.hear(delta.now, localTime, delta.state.phase === 'running' && this.caughtUp);
    // Groups first, so that a task of a new group finds it; removals last, so that tasks have moved out by then.
    for (const group of delta.groups) this.groupOf(group.id)?.setInfo(this.anchored(group));
    for (const [id, label] of delta.labels) this.labels.set(id, label);
    for (const [id, error] of delta.errors ?? []) this.errors.set(id, error);
    this.takeTasks(delta.tasks);
    if (delta.threads) this.activity.know(delta.threads);
    if (delta.activity) this.refused += this.activity.take(delta.activity);
    for (const id of delta.removed) this.removeGroup(id);
    if (delta.groups.length > 0 || delta.removed.length > 0) this.groupsRevision++;
  }

  get isOver(): boolean { return this.state !== undefined && isOver(this.state.phase); }

  /** How much went on in the whole run: made on first use and kept up with from then on. */
  get traffic(): Traffic {
    if (this.runTraffic) return this.runTraffic;
    const traffic = this.runTraffic = new Traffic(0);
    for (const group of this.groups.values()) group.countInRun(traffic);
    return traffic;
  }

  /** How much went on in one of two runs that are compared. @param number `Group.run` */
  trafficOfRun(number: 1 | 2): Traffic {
    const known = this.comparedTraffic[number];
    if (known?.revision === this.revision) return known.traffic;
    const traffic = new Traffic(0);
    for (const group of this.groups.values()) if (group.info?.run === number) group.countIn(traffic);
    this.comparedTraffic[number] = { revision: this.revision, traffic };
    return traffic;
  }

  private takeTasks(rows: Delta['tasks']): void {
    const row: Required<TaskRow> = { id: 0, lane: 0, chunk: 0, start: 0, end: 0, state: 0, wait: 0 };
    for (let i = 0; i < rows.length; i++) {
      if (!isSound(rows, i)) { this.refused++; continue; }
      row.id = rows.id[i]; row.lane = rows.lane[i]; row.chunk = rows.chunk[i];
      row.start = rows.start[i]; row.end = rows.end[i]; row.state = rows.state[i];
      row.wait = row.start - rows.queued[i];
      this.takeTask(row, rows.group[i]);
      this.tasks.setOrdinal(row.id, rows.ordinal[i]);
      this.tasks.setWait(row.id, row.wait);
      if (row.wait > 0) this.hasQueued = true;
    }
  }

  private takeTask(row: Readonly<Required<TaskRow>>, groupId: number): void {
    const { tasks } = this;
    if ((row.state & IGNORED) !== 0) this.hasIgnored = true;
    if ((row.state & STATE_MASK) === TaskState.rejected) {
      if ((row.state & ABORTED) !== 0) this.hasAborted = true;
      else if ((row.state & TIMED_OUT) !== 0) this.hasTimedOut = true;
      else this.hasRejected = true;
    }
    const from = tasks.groupOf(row.id);
    const known = from > 0 ? this.groups.get(from) : undefined;
    if (known && from === groupId && tasks.laneOf(row.id) === row.lane && known.replace(row, tasks.chunkOf(row.id)) && isSameWait(tasks.waitOf(row.id), row.wait)) return;
    if (tasks.waitOf(row.id) > 0) known?.forgetWaiting();
    known?.remove(row.id, tasks.laneOf(row.id));
    tasks.setChunk(row.id, row.chunk);
    tasks.place(row.id, groupId > 0 ? this.groupOf(groupId)?.insert(row) ?? 0 : 0);
  }

  private removeGroup(id: number): void {
    this.groups.get(id)?.withdraw();
    this.groups.delete(id);
  }

  private anchored(group: Group): Group & Anchored {
    let anchor: number | undefined;
    let parent = group.parent;
    for (let deep = 0; parent && deep < MOST_DEEP; deep++) {
      const info: Group | undefined = this.groups.get(parent.group)?.info;
      anchor = info?.start ?? anchor;
      parent = info?.parent;
    }
    return anchor === undefined ? group : { ...group, anchor };
  }

  /** @returns undefined where there is no room for another group */
  private groupOf(id: number): GroupTasks | undefined {
    let group = this.groups.get(id);
    if (!group) {
      if (this.groups.size >= MAX_GROUPS) {
        this.hasTooManyGroups = true;
        return undefined;
      }
      const { tasks } = this;
      group = new GroupTasks(id, tasks, (lane) => tasks.addRail(id, lane), this.runTraffic);
      this.groups.set(id, group);
    }
    return group;
  }
}
