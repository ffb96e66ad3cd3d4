/** The groups that adapters have declared, and what else is judged by them: which groups that hooks saw belong to a library. */
import { LibraryKind } from '../../model/facts';
import type { GroupKind } from '../../model/timeline';
import type { LibraryFact } from './adapted-facts';
import { GroupDraft, type TaskDraft } from '../drafts';
import type { LibraryGroup } from './library-task';
import { LooseGroup } from './loose-group';
import { isInLibrary, siteOf, userFrame, type Stack } from '../promises/places';
import { PromisedTasks } from './promised-tasks';
import { PromiseNode } from '../promises/promise-node';

/** Libraries whose code in a worker calls the functions of tasks. */
const THREAD_POOLS: ReadonlySet<string> = new Set(['piscina', 'tinypool', 'workerpool']);
/** Libraries whose limit is of connections: what asks for them may be limited more tightly. */
const CONNECTIONS: ReadonlySet<string> = new Set(['undici']);
const KINDS: Readonly<Record<number, GroupKind>> = { [LibraryKind.pool]: 'pool', [LibraryKind.sequential]: 'sequential', [LibraryKind.all]: 'all', [LibraryKind.loose]: 'all', [LibraryKind.batches]: 'sequential', [LibraryKind.chunks]: 'all' };

/** What the numbers in a fact stand for, in its thread. */
export interface LibraryTerms {
  /** Undefined where it was long settled and is forgotten. */
  promise(id: number): PromiseNode | undefined;
  /** What was taken by the promise whose reaction a run of code is; undefined where that is not known any more. @param context that promise's id */
  behind(context: number): PromiseNode | undefined;
  stack(id: number): Stack | undefined;
  text(id: number): string;
  /** From the thread's clock to milliseconds after the run's `timeOrigin`. */
  readonly shift: number;
}

export class LibraryGroups {
  private readonly groups = new Map<number, LibraryGroup>();
  private readonly byDraft = new Map<GroupDraft, LibraryGroup>();
  private readonly libraries = new Set<string>();
  private readonly loops = new WeakSet<GroupDraft>();

  constructor(private readonly thread: number) {}

  declare(fact: LibraryFact & { what: 'group' }, terms: LibraryTerms): LibraryGroup {
    const stack = terms.stack(fact.stack);
    const frame = userFrame(stack);
    const draft = new GroupDraft({
      thread: this.thread, kind: KINDS[fact.kind] ?? 'pool', combinator: undefined,
      library: calledLibrary(stack) ?? (fact.library > 0 ? terms.text(fact.library) : undefined), declared: fact.limit > 0 ? fact.limit : undefined,
      // Until more is known of the function, or where it is in another thread, a task is where it was asked for.
      site: frame && siteOf(frame), taskSite: frame && siteOf(frame),
    });
    if (draft.facts.library) this.libraries.add(draft.facts.library);
    const owner = fact.owner === 0 ? undefined : terms.promise(fact.owner);
    return this.add(fact.id, draft, owner, stack, fact.time + terms.shift, fact.kind === LibraryKind.loose || fact.kind === LibraryKind.chunks ? new LooseGroup(draft) : undefined, fact.kind === LibraryKind.batches);
  }

  /** A limiter, or a queue, is used for something else from now on: that is a group of its own. @param owner the running function that does @param made when, in milliseconds after the run's `timeOrigin` */
  again({ id, draft: { facts }, work: { stack }, site }: LibraryGroup, owner: PromiseNode | undefined, made: number): LibraryGroup {
    const group = this.add(id, new GroupDraft({ ...facts, taskSite: site ?? facts.taskSite, parentTask: undefined }), owner, stack, made);
    group.site = site;
    return group;
  }

  private add(id: number, draft: GroupDraft, owner: PromiseNode | undefined, stack: Stack | undefined, made: number, loose?: LooseGroup, areBatches = false): LibraryGroup {
    draft.isTold = true;
    const work = new PromiseNode(0);
    work.owner = owner;
    work.stack = stack;
    work.made = made;
    const group: LibraryGroup = { id, draft, work, feeders: 0, open: 0, mostOpen: 0, hasWorked: false, collected: undefined, site: undefined, first: undefined, loose, areBatches, promised: new PromisedTasks() };
    this.groups.set(id, group);
    this.byDraft.set(draft, group);
    return group;
  }

  /** The program was given a promise for all tasks of a group. @param id as adapters number groups */
  givenAs(id: number, promise: PromiseNode): void {
    promise.isWhole = true;
    const group = this.groups.get(id);
    if (group) group.draft.heldBy = promise;
  }

  /** @param id as adapters number groups */
  find(id: number): LibraryGroup | undefined { return this.groups.get(id); }

  /** @returns the group that a draft was declared for; undefined for one that hooks saw */
  of(draft: GroupDraft): LibraryGroup | undefined { return this.byDraft.get(draft); }

  /** Whether a task is one that an adapter tells of. */
  has(task: TaskDraft): boolean { return task.group !== undefined && this.byDraft.has(task.group); }

  /** A library only runs combinator calls one after the other. */
  runsCombinators(draft: GroupDraft): void { this.loops.add(draft); }

  /** What stands for a library's run in which a call is a batch; undefined where it is none. */
  batchesAround(call: PromiseNode | undefined): PromiseNode | undefined {
    const group = call?.libraryTask?.group && this.byDraft.get(call.libraryTask.group);
    return group?.areBatches ? group.work : undefined;
  }

  /** A group is declared inside of a task. @param areChunks whether what the group holds is all that such tasks do: then it stands for them */
  begunIn(task: TaskDraft | undefined, { work }: LibraryGroup, areChunks: boolean): void {
    const around = areChunks && task?.group ? this.byDraft.get(task.group) : undefined;
    work.libraryTask = around ? around.work.libraryTask : task;
    if (!around) return;
    work.owner = around.work.owner;
    this.runsCombinators(around.draft);
  }

  /** Whether a library only runs combinator calls one after the other: `concatMap((batch) => Promise.all(…))` is a chunk loop. */
  isChunkLoop(draft: GroupDraft): boolean { return this.loops.has(draft); }

  /** Whether a group that hooks saw is a worker's side of a pool of threads: its tasks are drawn where they were asked for. */
  isWorkersSide(draft: GroupDraft): boolean { return THREAD_POOLS.has(draft.facts.library ?? '') && !this.byDraft.has(draft); }

  /** Whether a group that hooks saw is of calls that a library makes beside the tasks that it tells of itself, as of an iterator for the next page. */
  isHelpersOf(draft: GroupDraft): boolean {
    const { library } = draft.facts;
    return library !== undefined && this.tellsOf(library) && !this.byDraft.has(draft) && draft.first?.work.family?.draft === draft;
  }

  /**
   * Whether a group is none of the program's: a library made it for its own functions, or it held nothing back so far, as a pool of connections does of
   * which no more were ever asked for than it has; or all its calls were over at once (`list.filter(Boolean)` of a promise's).
   */
  isNobodys(draft: GroupDraft): boolean {
    const { site, taskSite, declared, library, kind } = draft.facts;
    const group = this.byDraft.get(draft);
    if (!group) return false;
    if (draft.id === 0 && (kind === 'all' || kind === 'sequential') && !group.hasWorked && group.open === 0 && group.loose === undefined) return true;
    return (site === undefined && (taskSite === undefined || isInLibrary(taskSite.file))) || (CONNECTIONS.has(library ?? '') && declared !== undefined && group.mostOpen <= declared);
  }

  /** Whether it tells of what a library runs: that library's turns are known. */
  tellsOf(library: string): boolean { return this.libraries.has(library); }
}

/** The library the program called: the one whose frames are next to the program's own. */
function calledLibrary(stack: Stack | undefined): string | undefined {
  let library: string | undefined;
  for (let at = stack; at; at = at.callers) {
    if (at.place.kind === 'user') return library;
    library = at.place.library ?? library;
  }
  return undefined;
}
