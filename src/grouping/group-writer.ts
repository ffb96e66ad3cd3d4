/** Groups on their way into the timeline: which are drawn at all, and inside of which task each is. */
import type { Site } from '../model/timeline';
import type { Timeline } from '../timeline/timeline';
import type { Activations } from './combinators/activations';
import type { GroupDraft, TaskDraft } from './drafts';
import type { LibraryGroups } from './libraries/library-groups';
import type { PromiseNode } from './promises/promise-node';
import { headAround, headOf, sourceOf } from './promises/chain-links';
import { isInside } from './promises/scopes';
import { areLoopOfTask, isPartOfWhole } from './promises/task-owners';
import type { PeerTasks } from './threads/peers';

/** Groups for which a caller in another thread is still looked for. */
const MAX_ORPHANS = 4096;
/** So many groups, the latest, are looked at again for as long as their place may still change, and once more where the thread ends. */
const MAX_UNSURE = 256;

/** As many loops of a thread's tasks are drawn. */
const MAX_LOOPS = 4096;

/** Groups inside of tasks of other groups. */
const MAX_LEVELS = 256;

export class GroupWriter {
  /** Groups inside of no task so far: another thread may turn out to have asked for them. */
  private readonly orphans = new Set<GroupDraft>();
  /** Groups of which it is not certain yet inside of which task of this thread's they are, if of any. */
  private readonly unsure = new Set<GroupDraft>();
  /** Groups that were written last. */
  private readonly latest = new Set<GroupDraft>();
  /** Loops inside of tasks that are drawn, and how many there were. */
  private readonly loops = new WeakSet<GroupDraft>();
  private loopCount = 0;
  private hasThreadEnded = false;
  private isLastLookDue = false;

  /**
   * @param mapSite from places in running code to those in its source
   * @param activations calls of plain functions that gave combinators their elements
   * @param giveUp a call of a family's turned out to be another group's work: so are all of them
   */
  constructor(
    private readonly timeline: Timeline, private readonly peers: PeerTasks, private readonly libraries: LibraryGroups,
    private readonly mapSite: (site: Site, begins?: boolean) => Site, private readonly activations: Activations, private readonly giveUp: (work: PromiseNode) => void,
  ) {}

  /** The thread has said that it ends. */
  ended(): void { this.hasThreadEnded = this.isLastLookDue = true; }

  /** Groups of which something may be known that was not when they were written. */
  due(): readonly GroupDraft[] {
    const due = [...(this.peers.hasMoreTasks() ? this.orphans : []), ...(this.isLastLookDue ? this.latest : [])];
    this.isLastLookDue = false;
    // What was withdrawn is no group any more.
    return due.filter(({ id }) => id > 0);
  }

  /** What a group is at work inside of may turn out to be a task, or another one, only later. */
  findParents(): void { for (const draft of this.unsure) this.findParent(draft); }

  /** Writes a group, if it is one. */
  write(draft: GroupDraft): void {
    // One task alone is no concurrency; a first chunk of one waits for the second.
    if ((draft.taskCount < 2 && draft.id === 0) || this.isLibrarysOwn(draft)) return;
    if (this.peers.isOfThreads(draft)) { draft.withdraw(this.timeline); return; }
    this.peers.place(draft);
    const task = this.taskAround(draft);
    if (task && this.giveUpSteps(draft, task)) { draft.withdraw(this.timeline); return; }
    const parent = this.parentOf(draft, task) ?? this.callerOf(draft);
    draft.inside = task;
    keepLatest(this.unsure, draft);
    keepLatest(this.latest, draft);
    draft.change({ parentTask: parent });
    if (this.hasThreadEnded) closeThrough(draft);
    draft.write(this.timeline, this.mapSite);
  }

  /**
   * What a task does one after the other are its steps, and no group, unless they are a loop; should it have been drawn before the task was known for one. Of a million
   * tasks each of which has a loop, most are left at that: groups take much more room than tasks do.
   * @returns whether it was given up
   */
  private giveUpSteps(draft: GroupDraft, task: TaskDraft): boolean {
    const { first, facts } = draft;
    const family = first?.work.family;
    if (!first || facts.kind !== 'sequential' || facts.library !== undefined || family?.draft?.first !== first || this.loops.has(draft)) return false;
    if (areLoopOfTask([...draft.recentTasks].map(({ work }) => work))) {
      if (this.loopCount < MAX_LOOPS) { this.loopCount++; this.loops.add(draft); return false; }
    } else if (task.group?.facts.kind === 'sequential' || isPartOfWhole(task.work)) return false;
    this.giveUp(first.work);
    return family.draft === undefined;
  }

  private findParent(draft: GroupDraft): void {
    if (draft.id === 0 || !draft.first) { this.unsure.delete(draft); return; }
    const parent = this.parentOf(draft, this.taskAround(draft));
    if (parent !== undefined && parent !== draft.facts.parentTask) this.write(draft);
  }

  /** The task of another thread's that the group is at work for. */
  private callerOf(draft: GroupDraft): number | undefined {
    const { first } = draft;
    if (!this.peers.hasCaller || !first) return undefined;
    const caller = this.peers.taskAt(first.start);
    if (caller && caller.id > 0) { this.orphans.delete(draft); return caller.id; }
    if (this.orphans.size < MAX_ORPHANS) this.orphans.add(draft);
    return undefined;
  }

  /** Timeline id of the task that the group is at work inside of. @param around that task, as far as anything still leads there */
  private parentOf({ first, facts, home }: GroupDraft, around: TaskDraft | undefined): number | undefined {
    const isKnown = first?.work.isRetired === false || (home !== undefined && !home.node);
    return isKnown ? around?.id : around?.id ?? facts.parentTask;
  }

  /** The task that the group is at work inside of; none that is at work inside of the group. */
  private taskAround(draft: GroupDraft): TaskDraft | undefined {
    const found = this.findTaskAround(draft);
    for (let at = found, steps = 0; at && steps < MAX_LEVELS; at = at.group?.inside, steps++) if (at.group === draft) return undefined;
    return found;
  }

  private findTaskAround(draft: GroupDraft): TaskDraft | undefined {
    const work = draft.first?.work;
    if (!work || (work.isRetired && !draft.home)) return undefined;
    const isOthers = (task: TaskDraft | undefined): task is TaskDraft => task?.group !== undefined && task.group !== draft && task.id > 0;
    if (isOthers(work.libraryTask)) return work.libraryTask;
    // A worker is at a later turn by now, maybe.
    const turn = draft.heldBy?.isBeside ? draft.heldBy.task : undefined;
    if (isOthers(turn)) return turn;
    let around: TaskDraft | undefined;
    let inner: PromiseNode | undefined = work;
    isInside(draft.home ? draft.home.node : work.owner, (at) => {
      // A task of a library's that is told of by a callback has no promise.
      const found = isOthers(at.task) ? at.task : isOthers(at.libraryTask) ? at.libraryTask : undefined;
      if (found && !draft.isLeftBy(found, inner)) around = found;
      inner = at;
      return around !== undefined;
    });
    // What several bring to a queue is inside of none of these.
    return around ?? (work.isRetired || work.family?.fedIn || (draft.home && !draft.heldBy) ? undefined : chainTaskAround(draft) ?? this.callAround(draft, work));
  }

  /** The task that is a call of a plain function in which a group was begun: it began no later than that. */
  private callAround(draft: GroupDraft, work: PromiseNode): TaskDraft | undefined {
    const task = taskHolding(draft) ?? this.activations.taskAround(work.family?.libraryCall ?? work, draft.heldBy);
    if (!task?.group || task.id === 0) return undefined;
    if (work.made < task.start && Number.isNaN(task.queued)) {
      task.start = work.made;
      task.group.touch(task);
      task.group.write(this.timeline, this.mapSite);
    }
    return task;
  }

  private isLibrarysOwn(draft: GroupDraft): boolean {
    const { libraries } = this;
    return libraries.isWorkersSide(draft) || libraries.isHelpersOf(draft) || libraries.isChunkLoop(draft) || libraries.isNobodys(draft);
  }
}

/** The task that is a chain in one of whose reactions a group was begun. A stage that goes on with what each of several hands on is inside of none of them. */
function chainTaskAround(draft: GroupDraft): TaskDraft | undefined {
  const [, second] = draft.recentTasks;
  const around = draft.first && chainTask(draft, draft.first);
  return around && second?.work.isRetired === false && chainTask(draft, second) !== around ? undefined : around;
}

/** The task that is a chain in one of whose reactions a task's call, or the chain that it is the head of, was begun. */
function chainTask(draft: GroupDraft, { work }: TaskDraft): TaskDraft | undefined {
  const head = headOf(work);
  return headAround(head, ({ task }) => task?.group !== undefined && task.group !== draft && task.id !== 0 && !(task.end <= head.made))?.task;
}

/** `const host = (name) => Promise.all(pages(name)).then(report)`: the task that the combinator of a group is, or a chain that it stands in. */
function taskHolding(draft: GroupDraft): TaskDraft | undefined {
  for (let at = draft.heldBy, steps = 0; at && steps < MAX_LEVELS; at = at.adoptedBy, steps++) {
    const task = at.task ?? headOf(at).task;
    if (task?.group && task.group !== draft) return task;
  }
  return undefined;
}

/** `await check(link).catch(() => process.exit(2))`: where the thread ends before who runs a task could go on, the task is over all the same. */
function closeThrough(draft: GroupDraft): void {
  for (const task of draft.recentTasks) {
    const { work } = task;
    const wait = work.owner?.lastWait;
    if (!Number.isNaN(task.end) || work.task !== task || work.isPending || !wait || sourceOf(wait) !== work) continue;
    task.finish(work.ended, task.rejected || work.rejected, task.ignored);
    draft.touch(task);
  }
}

/** Adds a group; where there are too many, the one is gone that came first. */
function keepLatest(groups: Set<GroupDraft>, draft: GroupDraft): void {
  groups.add(draft);
  if (groups.size > MAX_UNSURE) for (const oldest of groups) { groups.delete(oldest); break; }
}
