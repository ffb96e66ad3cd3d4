/** A group that an adapter told of, and each of its tasks. */
import type { Site } from '../model/timeline';
import type { CombinatorCall } from './combinator-call';
import type { GroupDraft, TaskDraft } from './drafts';
import type { LooseGroup } from './loose-group';
import type { PromisedTasks } from './promised-tasks';
import { isUserCall, sourceOf, type PromiseNode } from './promise-node';
import { taskSiteOf } from './series';

export interface LibraryGroup {
  readonly draft: GroupDraft;
  /** Stands for the whole of its work: its owner is the running function that the group is at work inside of. */
  readonly work: PromiseNode;
  feeders: number;
  /** Tasks that were handed in and are not over, and the most that there were. */
  open: number;
  mostOpen: number;
  /** The combinator call that takes what submitters got, and where the group stood before. */
  collected: { readonly call: CombinatorCall; readonly site: Site | undefined } | undefined;
  /** Where the function begins that was handed over. */
  site: Site | undefined;
  /** Its first task's promise told better than that. */
  isSeen: boolean;
  readonly loose: LooseGroup | undefined;
  /** Whether each of its tasks is a batch. */
  readonly areBatches: boolean;
  /** Of tasks of callbacks: by what promises somebody waits for them. */
  readonly promised: PromisedTasks;
}

export class LibraryTask {
  started = false;
  /** Since when it waited, in milliseconds on the run's axis; NaN where it did not. */
  queued = NaN;
  work: PromiseNode | undefined;
  /** Whether a promise is known that stands for it. */
  isTied = false;
  /** The first call of an async function that its own function made. */
  called: PromiseNode | undefined;

  /** @param index which item it is for, 1-based; 0 where that was not told */
  constructor(readonly id: number, readonly group: LibraryGroup, readonly draft: TaskDraft, readonly index: number) {}

  /**
   * Says where its group's work is, by the first of its tasks. An async function of the user's that made the promise tells best; the one handed
   * over may only call it.
   * @returns whether more is known of it now
   */
  place(): boolean {
    const { draft, group, work, called } = this;
    if (draft !== group.draft.first || group.isSeen) return false;
    // The library's own promise may stand for the one that the function it was given made.
    const handed = called && work && !isUserCall(work) && work.lastWait === called;
    const source = handed ? called : work && sourceOf(work);
    const made = source && isUserCall(source) ? taskSiteOf(source) : undefined;
    group.isSeen = source?.isAsyncFunction === true && isUserCall(source) && made !== undefined;
    const taskSite = (group.isSeen ? made : undefined) ?? group.site ?? made ?? (called && isUserCall(called) ? taskSiteOf(called) : undefined);
    if (!taskSite) return false;
    group.draft.change({ taskSite });
    return true;
  }
}
