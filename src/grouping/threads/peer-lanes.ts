/** What it makes of a group that its tasks are at work in other threads: a pool, whose lanes are those threads where they can be. */
import type { GroupDraft, TaskDraft } from '../drafts';
import { Rails } from '../rails';
import type { GroupFacts } from '../../timeline/timeline';

/** Two tasks of one thread may seem to overlap by as much. */
const SLACK_MS = 0.5;
/** Above as many tasks, they are put into order only once all have ended. */
const MANY_TASKS = 4096;

/** One task may have failed without an answer for as many that had one. */
const MANY_FOR_ONE = 8;

/** A thread, or a process, that tasks are at work in: when it ended, or was given up, in milliseconds after the run's `timeOrigin`; NaN where that is not known. */
export interface PeerThread { readonly log: { readonly endedAt: number }; readonly goneAt: number }

const byBegin = (a: TaskDraft, b: TaskDraft): number => a.begin - b.begin || a.ordinal - b.ordinal;
const endOf = ({ end, elsewhere }: TaskDraft): number => elsewhere?.end ?? end;

export class PeerLanes {
  private readonly peers = new Map<TaskDraft, PeerThread>();
  private readonly declares: boolean;
  /** What the group is without them. */
  private readonly kind: GroupFacts['kind'];
  private isStale = false;

  constructor(private readonly draft: GroupDraft) {
    this.declares = draft.facts.declared === undefined;
    this.kind = draft.facts.kind;
  }

  /** A task is known to be at work in a thread, or to have ended there. @param peer stands for the thread */
  take(task: TaskDraft, peer: PeerThread): void {
    this.isStale = true;
    this.peers.set(task, peer);
  }

  /** A task was at work in no thread after all. */
  leave(task: TaskDraft): void {
    if (!this.peers.delete(task)) return;
    this.isStale = true;
    const { declares, draft, kind } = this;
    draft.change({ kind, declared: declares ? undefined : draft.facts.declared });
    if (draft.settledCount === 0) this.place([...draft.recentTasks], () => 0);
  }

  /** Puts tasks on their lanes and into the order of their starts. */
  draw(): void {
    const { draft } = this;
    if (!this.isStale || draft.taskCount < 2 || !this.isComplete()) return;
    if (draft.taskCount > MANY_TASKS && [...draft.recentTasks].some(({ end }) => Number.isNaN(end))) return;
    this.isStale = false;
    // Each task in a thread of its own, or of a few: a pool, even where all could begin at once.
    if (draft.facts.kind === 'all' || draft.facts.kind === 'allSettled') draft.change({ kind: 'pool' });
    const tasks = [...this.peers.keys()].sort(byBegin);
    const lanes = this.lanesOf(tasks);
    if (lanes || this.kind === 'pool' || this.kind === 'chunk') this.place(tasks, (task) => lanes?.get(this.peers.get(task) ?? task) ?? 0);
    else this.placeOnRails([...tasks, ...this.failedHere()].sort(byBegin));
    if (lanes && this.declares) draft.change({ declared: new Set(lanes.values()).size });
  }

  /** Whether all tasks are known to be at work in threads, but for some that failed: nobody waited for their answers any more. */
  private isComplete(): boolean {
    const missing = this.draft.taskCount - this.peers.size;
    return missing === 0 || (missing <= this.peers.size / MANY_FOR_ONE && this.failedHere().length === missing);
  }

  private failedHere(): TaskDraft[] { return [...this.draft.recentTasks].filter((task) => !this.peers.has(task) && task.rejected && !Number.isNaN(task.end)); }

  /** Each was to have a lane of its own: those that never are at work at once share one. */
  private placeOnRails(tasks: readonly TaskDraft[]): void {
    for (const task of tasks) task.elsewhere ??= { start: task.start, end: task.end, lane: 0 };
    const laid = new Map(tasks.map((task) => [task, { start: task.begin, end: endOf(task), lane: 0 }]));
    new Rails().layAgain([...laid.values()]);
    this.place(tasks, (task) => laid.get(task)?.lane ?? 0);
  }

  private place(tasks: readonly TaskDraft[], laneOf: (task: TaskDraft) => number): void {
    for (const task of tasks) {
      const lane = laneOf(task);
      if (!task.elsewhere || task.elsewhere.lane === lane) continue;
      task.elsewhere = { ...task.elsewhere, lane };
      this.draft.touch(task);
    }
  }

  /** @returns undefined where each task has a thread of its own, or a thread is at work on several at once: lanes are what they were */
  private lanesOf(ordered: readonly TaskDraft[]): ReadonlyMap<object, number> | undefined {
    const lanes = new Map<PeerThread, number>();
    const ends = new Map<PeerThread, number>();
    /** Whose each lane is. */
    const holders: PeerThread[] = [];
    for (const task of ordered) {
      const peer = this.peers.get(task);
      if (!peer) continue;
      if (task.begin < (ends.get(peer) ?? -Infinity) - SLACK_MS) return undefined;
      ends.set(peer, endOf(task));
      if (lanes.has(peer)) continue;
      // A thread takes the place of one that has ended.
      const left = holders.findIndex(({ log, goneAt }) => log.endedAt <= task.begin || goneAt <= task.begin);
      const lane = left < 0 ? holders.length : left;
      holders[lane] = peer;
      lanes.set(peer, lane + 1);
    }
    return ends.size < this.peers.size ? lanes : undefined;
  }
}
