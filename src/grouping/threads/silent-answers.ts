/**
 * Pools of workers without a promise: `worker.on('message', () => next(worker))`. What threads answered and no promise was settled
 * by are tasks of the function that sends for them. Of several answers to one message the last counts.
 */
import { GroupDraft, TaskDraft } from '../drafts';
import { PeerLanes, type PeerThread } from './peer-lanes';
import { functionSiteOf, isModules, siteOf, userFrame, type Stack } from '../promises/places';
import { PromiseNode } from '../promises/promise-node';

/** Fewer may be messages about anything. */
const MIN_TASKS = 3;
/** As many tasks over which threads failed are kept for each function. */
const MAX_LOST = 64;

interface Thread extends PeerThread { readonly started: { readonly time: number } }

/** A task as the thread told of it that was at work. Times are milliseconds after the run's `timeOrigin`. */
export interface SilentTask {
  readonly peer: Thread;
  /** Where it was sent for. */
  readonly stack: Stack | undefined;
  readonly sent: number;
  readonly start: number;
  readonly end: number;
  /** Whether the thread failed over it. */
  readonly failed: boolean;
}

interface SilentPool { readonly draft: GroupDraft; readonly lanes: PeerLanes; readonly work: PromiseNode; readonly peers: Thread[]; readonly slots: number[]; since: number }

export class SilentAnswers {
  private readonly pools = new Map<string, SilentPool>();
  private readonly changed = new Set<GroupDraft>();
  /** By the function that had sent for them, tasks over which threads failed before any was answered: alone they may be none. */
  private readonly lost = new Map<string, SilentTask[]>();
  /** Groups that turned out to be none. */
  readonly abandoned: GroupDraft[] = [];

  constructor(private readonly thread: number) {}

  /** @returns the task; undefined where it is none */
  add(answer: SilentTask): TaskDraft | undefined {
    const { peer, stack, sent, start, end, failed } = answer;
    const frame = userFrame(stack);
    // Sent by a library: what it makes of the answer is not known.
    if (!frame || !(start <= end) || isLibrarys(stack)) return undefined;
    if (failed && !this.pools.has(frame.place.fn)) { this.keepLost(frame.place.fn, answer); return undefined; }
    const pool = this.poolOf(frame);
    if (!pool.peers.includes(peer)) pool.peers.push(peer);
    pool.since = Math.min(pool.since, sent);
    const task = new TaskDraft(pool.work, Math.min(sent, start));
    task.elsewhere = { start, end, lane: 0 };
    // A thread for each task: one that is sent for once another is through takes its slot.
    const free = pool.slots.findIndex((until) => until <= task.start);
    const slot = free < 0 ? pool.slots.length : free;
    pool.slots[slot] = end;
    pool.draft.add(task, slot + 1, 0);
    task.finish(end, failed, false);
    pool.lanes.take(task, peer);
    this.changed.add(pool.draft);
    for (const lost of this.lost.get(frame.place.fn)?.splice(0) ?? []) this.add(lost);
    return task;
  }

  private keepLost(fn: string, task: SilentTask): void {
    const lost = this.lost.get(fn) ?? [];
    this.lost.set(fn, lost);
    if (lost.length < MAX_LOST) lost.push(task);
  }

  /** There was another answer to the same message. */
  goesOn(task: TaskDraft, end: number): void {
    const { elsewhere, group } = task;
    if (!elsewhere || !group) return;
    task.elsewhere = { ...elsewhere, end };
    task.finish(end, task.rejected, false);
    group.touch(task);
    this.changed.add(group);
  }

  /** A promise stands for it after all. */
  takeBack(task: TaskDraft): void {
    for (const [fn, { draft, lanes }] of this.pools) {
      if (task.group !== draft) continue;
      lanes.leave(task);
      draft.remove(task);
      this.changed.add(draft);
      if (draft.taskCount >= MIN_TASKS || draft.id === 0) continue;
      this.pools.delete(fn);
      this.abandoned.push(draft);
    }
  }

  /**
   * Whether a promise is for all tasks that a function sends for: it was made before the first of them was sent for.
   * @param stack where one of them was @param made when the promise was, in milliseconds after the run's `timeOrigin`
   */
  isForAll(stack: Stack | undefined, made: number): boolean {
    const frame = userFrame(stack);
    const pool = frame && this.pools.get(frame.place.fn);
    return pool !== undefined && pool.draft.taskCount >= MIN_TASKS && made <= pool.since;
  }

  /** @returns the groups that changed */
  update(): GroupDraft[] {
    const changed = [...this.changed].filter(({ taskCount }) => taskCount >= MIN_TASKS);
    for (const pool of this.pools.values()) if (this.changed.has(pool.draft)) pool.lanes.draw();
    this.changed.clear();
    return changed;
  }

  /**
   * Takes a group whose tasks are threads, from their start to their exit, for the lanes of a pool: it says where that stands.
   * @returns whether there is a pool with more than one task for each of them
   */
  takeThreads(group: GroupDraft): boolean {
    for (const { draft, peers } of this.pools.values()) {
      if (draft === group || draft.taskCount < MIN_TASKS || draft.taskCount <= peers.length || group.recentTasks.size !== peers.length) continue;
      const threads = peers.map(({ started }) => started.time).sort((a, b) => a - b);
      const tasks = [...group.recentTasks].sort((a, b) => a.start - b.start);
      const begun = draft.first?.start ?? 0;
      if (!takeTurns(threads, tasks.map(({ start }) => start)) || tasks.some(({ start, end }) => start > begun || end < begun)) continue;
      draft.change({ site: group.facts.site });
      this.changed.add(draft);
      return true;
    }
    return false;
  }

  private poolOf(frame: Stack): SilentPool {
    let pool = this.pools.get(frame.place.fn);
    if (pool) return pool;
    const draft = new GroupDraft({
      thread: this.thread, kind: 'pool', combinator: undefined, library: undefined, declared: undefined,
      site: siteOf(userFrame(frame.callers) ?? frame), taskSite: isModules(frame.place) ? siteOf(frame) : functionSiteOf(frame),
    });
    pool = { draft, lanes: new PeerLanes(draft), work: new PromiseNode(0), peers: [], slots: [], since: Infinity };
    this.pools.set(frame.place.fn, pool);
    return pool;
  }
}

/** Whether each of one list is followed by one of the other before the next of its own, whichever comes first. Both ascend. */
function takeTurns(a: readonly number[], b: readonly number[]): boolean {
  const [first, second] = a[0] <= b[0] ? [a, b] : [b, a];
  return first.every((time, i) => time <= second[i] && !(second[i] > first[i + 1]));
}

function isLibrarys(stack: Stack | undefined): boolean {
  let at = stack;
  while (at && (at.place.kind === 'native' || at.place.kind === 'node')) at = at.callers;
  return at?.place.kind === 'library';
}
