/** A group that an adapter told of, and each of its tasks. */
import type { Site } from '../../model/timeline';
import type { CombinatorCall } from '../combinators/combinator-call';
import type { GroupDraft, TaskDraft } from '../drafts';
import type { LooseGroup } from './loose-group';
import { isPauses } from '../promises/pauses';
import { functionSiteOf, topOf, userFrame } from '../promises/places';
import type { PromisedTasks } from './promised-tasks';
import { isUserCall, type PromiseNode } from '../promises/promise-node';
import { headOf, sourceOf } from '../promises/chain-links';
import { taskSiteOf } from '../combinators/series';

/** The first combinator call that takes what submitters got, its owner, and where the group stood before. */
export interface Collected {
  readonly call: CombinatorCall;
  readonly owner: PromiseNode | undefined;
  readonly site: Site | undefined;
  /** Whether another one took some while tasks of this one were under way. */
  isShared: boolean;
}

export interface LibraryGroup {
  /** As adapters number groups. */
  readonly id: number;
  readonly draft: GroupDraft;
  /** Stands for the whole of its work: its owner is the running function that the group is at work inside of. */
  readonly work: PromiseNode;
  feeders: number;
  /** Tasks that were handed in and are not over, and the most that there were. */
  open: number;
  mostOpen: number;
  /** Whether any of its tasks that are over did work. */
  hasWorked: boolean;
  collected: Collected | undefined;
  /** Where the function begins that was handed over. */
  site: Site | undefined;
  /** The first of its tasks, once that has begun. */
  first: LibraryTask | undefined;
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
  /** What the latest of several tries gave, where its function is called again once it has failed. */
  tried: PromiseNode | undefined;
  /** Whether a promise is known that stands for it. */
  isTied = false;
  /** The first call of an async function that its own function made. */
  called: PromiseNode | undefined;
  /** Whether that is all of it. */
  isOfCall = false;

  /** @param index which item it is for, 1-based; 0 where that was not told */
  constructor(public id: number, public group: LibraryGroup, readonly draft: TaskDraft, readonly index: number) {}

  /**
   * Where its work is. An async function of the user's that made its promise tells best; else the function that was handed over, or, where
   * that has no name, the first one that it calls: `(id) => load(id)`.
   */
  get site(): Site | undefined {
    const { group, work, called } = this;
    if (this.isOfCall && called) return taskSiteOf(called);
    // The library's own promise may stand for the one that the function it was given made.
    const source = called && work && !isUserCall(work) ? called : work && sourceOf(work);
    const made = source && isUserCall(source) ? taskSiteOf(source) : undefined;
    if (source?.isAsyncFunction && made) return made;
    const first = called && isUserCall(called) ? taskSiteOf(called) : undefined;
    const inner = group.site?.function === '' ? first ?? calledIn(group.site, source && headOf(source)) : undefined;
    return inner ?? group.site ?? (source?.libraryTask === this.draft ? calledByLibrary(source) : undefined) ?? made ?? first;
  }
}

/** Of a function whose text tells nothing, as of a bound one: the program's function that a library called, in which a promise was made. */
function calledByLibrary({ stack }: PromiseNode): Site | undefined {
  let at = userFrame(stack);
  while (at?.callers && !at.callers.awaits && at.callers.place.kind === 'user') at = at.callers;
  return at?.callers && !at.callers.awaits && at.callers.place.kind === 'library' ? functionSiteOf(at) : undefined;
}

/** The function with a name that one without called, in which a promise was made; undefined where there was none, or one that only waits. */
function calledIn(outer: Site, made: PromiseNode | undefined): Site | undefined {
  if (!made) return undefined;
  let inner: Site | undefined;
  for (let at = topOf(made.stack); at && !at.awaits; at = at.callers) {
    const site = functionSiteOf(at);
    if (site.file === outer.file && site.line === outer.line && site.column === outer.column) return inner?.function && !isPauses(inner.function) ? inner : undefined;
    inner = at.place.kind === 'user' ? site : undefined;
  }
  return undefined;
}
