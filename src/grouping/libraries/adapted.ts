/**
 * Groups that adapters tell of: a library's pool with its limit, its tasks from being submitted to their end. What hooks
 * see of the same work (the promise a task's function returned, the one its submitter got) belongs to these tasks.
 */
import { LibraryKind, LibraryPromise, RejectionKind } from '../../model/facts';
import { ABORTED, TIMED_OUT } from '../../model/timeline';
import { swallowsOnWay } from '../families/chains';
import type { LibraryFact } from './adapted-facts';
import type { CombinatorCall } from '../combinators/combinator-call';
import { handedIn } from '../combinators/handed-over';
import { TaskDraft, type GroupDraft } from '../drafts';
import { LibraryGroups, type LibraryTerms } from './library-groups';
import { splitRun } from './library-runs';
import { LibraryTask, type LibraryGroup } from './library-task';
import { LibraryTasks } from './library-tasks';
import { LibraryTurns } from './library-turns';
import { NO_WAIT_MS, NO_WORK_MS } from '../moments';
import { HandedOver, type HandedTo } from './pool-runs';
import { SectionCalls } from './section-calls';
import { isAllBetween } from '../promises/only-call';
import { isUserCall, type PromiseNode } from '../promises/promise-node';
import { headOf, sourceOf } from '../promises/chain-links';
import { onlyCalls } from '../promises/work-of';

/** Functions of a library's around one another. */
const MAX_STEPS = 8;

export class AdaptedGroups {
  readonly groups: LibraryGroups;
  private readonly tasks = new LibraryTasks();
  private readonly endedBy = new Map<PromiseNode, LibraryTask[]>();
  private readonly turns = new LibraryTurns((task, time) => { this.begin(task, time); }, (task) => { this.touch(task); });
  /** Tasks that are what a function did once its turn had come. */
  private readonly sections = new Set<TaskDraft>();
  private readonly sectionCalls: SectionCalls;
  /** Tasks of callbacks for which a promise stands that was settled where they ended. */
  private readonly promisedTasks = new WeakSet<TaskDraft>();
  /** Chains that tasks were, by what they begin with: of a step it may be told later that it failed. */
  private readonly chains = new WeakMap<PromiseNode, { readonly task: TaskDraft; readonly end: PromiseNode }>();
  private readonly changed = new Set<GroupDraft>();
  private readonly unnamed = new Map<TaskDraft, number>();
  private readonly running: number[] = [];
  private readonly handedOver = new HandedOver();
  /** Groups that turned out to be none. */
  readonly abandoned: GroupDraft[] = [];

  /** @param claim a promise is the work of a library's task: no other group may be made of it @param leave a combinator over it leaves it to the group that ran it @param givenBack what was taken for a task is none @param logOf what a worker says of itself */
  constructor(thread: number, private readonly claim: (work: PromiseNode) => void, private readonly leave: (promise: PromiseNode) => void, private readonly givenBack: (call: PromiseNode) => void, private readonly logOf: (threadId: number, pid: number) => HandedTo) {
    this.groups = new LibraryGroups(thread);
    this.sectionCalls = new SectionCalls(claim, this.tasks);
  }

  /** @returns whether the promise was made by a library's task itself, before its function returned */
  rooted(node: PromiseNode): boolean {
    this.turns.hear(node.tick, node.made);
    const section = this.sectionCalls.called(node);
    if (section) this.place(section);
    if (this.running.length === 0) return false;
    const id = this.running[this.running.length - 1];
    const task = this.tasks.find(id);
    if (!task) return id === 0;
    node.libraryTask = task.draft;
    if (node.isAsyncFunction && isUserCall(node) && !task.called) {
      task.called = node;
      this.place(task);
    }
    return node.owner?.libraryTask !== task.draft;
  }

  take(fact: LibraryFact, terms: LibraryTerms): void {
    if (fact.what === 'group') {
      this.groups.begunIn(this.entered, this.groups.declare(fact, terms), fact.kind === LibraryKind.chunks);
      return;
    }
    if (fact.what === 'task') { this.submit(fact, terms); return; }
    if (fact.what === 'function') { this.locate(fact, terms); return; }
    if (fact.what === 'promise' && fact.role === LibraryPromise.promised) {
      const promise = terms.promise(fact.promise);
      if (promise) this.promise(fact.id, promise);
      return;
    }
    if (fact.what === 'promise' && fact.role === LibraryPromise.whole) {
      const promise = terms.promise(fact.promise);
      if (promise) this.groups.givenAs(fact.id, promise);
      return;
    }
    const task = this.tasks.find(fact.id);
    if (fact.what === 'promise' && fact.role === LibraryPromise.turn) {
      const promise = terms.promise(fact.promise);
      if (promise) promise.isTurn = true;
      if (promise && task) this.awaitTurn(task, promise);
      return;
    }
    if (fact.what === 'run') {
      if (fact.returns) { if (this.running[this.running.length - 1] === fact.id) this.running.pop(); return; }
      this.running.push(fact.id);
      if (task) this.begin(task, fact.time + terms.shift);
      if (task && (fact.thread > 0 || fact.pid > 0)) this.handedOver.add(task.draft, this.logOf(fact.thread, fact.pid));
      return;
    }
    if (!task) return;
    switch (fact.what) {
      case 'promise': {
        const promise = terms.promise(fact.promise);
        if (!promise) break;
        if (fact.role === LibraryPromise.tried) this.tries(task, promise);
        else this.tie(task, promise, fact.role === LibraryPromise.submitted);
        break;
      }
      case 'end': {
        const behind = terms.behind(fact.context);
        const ended = this.tasks.swap(task, this.sectionCalls.givenBack(task, behind));
        if (fact.rejection > 0) ended.draft.cut = fact.rejection === RejectionKind.aborted ? ABORTED : TIMED_OUT;
        if (fact.error > 0) ended.draft.error = terms.text(fact.error);
        this.finish(ended, fact.time + terms.shift, fact.failed, behind);
      }
    }
  }

  /** @param tick the run of code in which it settled */
  settled(node: PromiseNode, tick: number): void {
    this.turns.settled(node, tick);
    const tasks = this.endedBy.get(node);
    if (!tasks) return;
    this.endedBy.delete(node);
    for (const task of tasks) this.finish(task, node.ended, node.rejected);
  }

  /** Nothing more is expected of a promise. */
  retiring(node: PromiseNode): void { this.turns.drop(node); }

  /** A promise of which it was told that it settled turns out to be rejected. */
  failed(node: PromiseNode): void {
    this.cancel(node);
    const head = headOf(node);
    const chain = this.chains.get(head);
    if (chain && !chain.task.rejected && swallowsOnWay(head, chain.end)) {
      chain.task.rejected = true;
      this.touch(chain.task);
    }
    const { task } = node;
    if (!task?.group || !this.groups.has(task) || task.rejected) return;
    // What was held is given back a moment before its function ends, and a `catch` behind a task's promise ends a moment after that.
    if (node.endsTask !== task && !(Math.abs(node.ended - task.end) < NO_WAIT_MS) && !this.promisedTasks.has(task)) return;
    task.rejected = true;
    this.touch(task);
  }

  /** A combinator takes what submitters got: it says where the pool stands. */
  collected(call: CombinatorCall): void {
    if (call.combinator === 'race' || !call.site) return;
    const tasks = new Map<LibraryGroup, Set<TaskDraft>>();
    for (const element of call.elements) {
      const task = element.task ?? sourceOf(element).task ?? handedIn(element)?.task;
      const group = task?.group && this.groups.of(task.group);
      if (!task || !group || group.collected?.call === call) continue;
      const known = tasks.get(group);
      if (known) known.add(task); else tasks.set(group, new Set([task]));
    }
    for (const [group, own] of tasks) {
      const { collected } = group;
      const open = [...own].flatMap((task) => this.tasks.of(task) ?? []);
      const run = collected ? splitRun(group, collected, call, own, open, this.groups) : group;
      if (!run) continue;
      run.collected = { call, owner: call.node.owner, site: run.draft.facts.site, isShared: false };
      run.draft.change({ site: call.site });
      run.draft.heldBy ??= call.node;
      if (run !== group) for (const task of open) this.place(task);
      this.changed.add(group.draft).add(run.draft);
    }
  }

  /** What submitters got is but a part of what a combinator takes. */
  notCollected(call: CombinatorCall): void {
    for (const over of call.handedOver?.values() ?? []) {
      const draft = over instanceof TaskDraft ? over.group : over.task?.group;
      const group = draft && this.groups.of(draft);
      if (group?.collected?.call !== call) continue;
      group.draft.change({ site: group.collected.site });
      this.changed.add(group.draft);
    }
  }

  /** The task whose function runs, if the library was seen to enter one that has not returned. */
  get entered(): TaskDraft | undefined { return this.tasks.find(this.running.at(-1) ?? 0)?.draft; }

  /** Whether there are tasks for which no promise stands that V8 knows of: what a library of its own kind of promises gives for them is a thenable. */
  get hasUntied(): boolean { return this.tasks.hasUntied; }

  /** @returns the groups that changed */
  update(): GroupDraft[] {
    for (const task of this.handedOver.update()) this.touch(task);
    const changed: GroupDraft[] = [];
    for (const draft of this.changed) {
      if (this.groups.of(draft)?.loose?.isDrawn === false) continue;
      changed.push(draft);
      this.changed.delete(draft);
    }
    return changed;
  }

  /** Gives tasks that are in the timeline by now the index of their item. */
  nameTasks(name: (task: number, label: string) => void): void {
    for (const [task, index] of this.unnamed) {
      if (task.id === 0) continue;
      name(task.id, String(index));
      this.unnamed.delete(task);
    }
  }

  private submit(fact: LibraryFact & { what: 'task' }, terms: LibraryTerms): void {
    const group = this.groups.find(fact.group);
    if (!group) return;
    // Fed by several running functions it is at work inside of none of them.
    const owner = fact.owner === 0 ? undefined : terms.promise(fact.owner);
    const own = fact.isSection && owner && isFresh(owner) ? owner : undefined;
    // A loop that waits for each turn to start something: what it starts are the tasks.
    if (fact.isWhole && !own) { if (owner) this.giveBack(owner); return; }
    const feeder = usersOwn(own ? own.owner : owner);
    if (fact.waits && group.feeders++ === 0) group.work.owner = feeder;
    else if (fact.waits && group.work.owner !== feeder) group.work.owner = undefined;
    const task = new LibraryTask(fact.id, group, new TaskDraft(group.work, NaN), fact.index);
    task.draft.group = group.draft;
    if (fact.waits) task.queued = fact.time + terms.shift;
    if (fact.isSection) this.sections.add(task.draft);
    if (fact.isSection && owner) this.standApart(owner, this.sectionCalls.ask(owner, task));
    this.tasks.open(task);
    if (!own) return;
    // Its function waits first of all, so the whole of it is the task.
    own.standFor(task.draft);
    task.work = own;
    if (fact.isWhole) this.endedBy.set(own, [task]);
    this.claim(own);
  }

  /** A function that was taken for a task only starts some, the section given among them. */
  private standApart(owner: PromiseNode, section: LibraryTask | undefined): void {
    if (!section || section.work !== owner) return;
    section.work = owner.task = undefined;
    this.place(section);
  }

  /** A function that was taken for a task waits for its turn again. */
  private giveBack(owner: PromiseNode): void {
    const [task] = this.endedBy.get(owner) ?? [];
    if (task?.work !== owner || !this.sections.has(task.draft)) return;
    this.endedBy.delete(owner);
    this.tasks.close(task);
    this.tasks.tie(task);
    owner.task = undefined;
    const { draft } = task.group;
    draft.remove(task.draft);
    if (draft.taskCount === 0) this.abandoned.push(draft); else this.changed.add(draft);
    this.givenBack(owner);
  }

  private awaitTurn(task: LibraryTask, promise: PromiseNode): void {
    promise.libraryTask = task.draft;
    promise.isClaimed = true;
    this.claim(promise);
    this.turns.wait(task, promise);
  }

  /** A turn will not come: somebody has given up waiting. */
  private cancel(promise: PromiseNode): void {
    const task = this.turns.drop(promise);
    if (!task) return;
    this.tasks.tie(task);
    this.tasks.close(task);
    task.group.draft.remove(task.draft);
    this.changed.add(task.group.draft);
  }

  private begin(task: LibraryTask, time: number): void {
    if (task.started) return;
    task.started = true;
    const { draft, group } = task;
    draft.start = time;
    if (time - task.queued > NO_WAIT_MS) draft.queued = task.queued;
    group.draft.add(draft, 0, group.loose?.begins() ?? 0);
    if (task.index > 0) this.unnamed.set(draft, task.index);
    this.place(task);
    this.changed.add(group.draft);
  }

  private tie(task: LibraryTask, promise: PromiseNode, submitted: boolean): void {
    this.tasks.tie(task);
    if (!submitted) {
      if (!task.started) this.begin(task, promise.made);
      task.work = promise;
      const { draft, work, areBatches } = task.group;
      const isCombinator = promise.combinator !== undefined || (areBatches && work.scope?.series !== undefined);
      if (isCombinator && draft.first === task.draft && draft.facts.declared === 1) this.groups.runsCombinators(draft);
      this.place(task);
    }
    this.takeFor(task, promise);
    if (!promise.isPending) { if (task.started) this.finish(task, promise.ended, promise.rejected); return; }
    const ended = this.endedBy.get(promise);
    if (ended) ended.push(task); else this.endedBy.set(promise, [task]);
  }

  /** A task's function, which is called again where it has failed, gave a promise. */
  private tries(task: LibraryTask, promise: PromiseNode): void {
    task.tried = task.work = promise;
    this.place(task);
    this.takeFor(task, promise);
  }

  /** A promise, and what it began with, stand for a task, unless they do for another one of a library's. */
  private takeFor(task: LibraryTask, promise: PromiseNode): void {
    for (const node of new Set([promise, sourceOf(promise)])) {
      this.claim(node);
      if (!node.task || !this.groups.has(node.task)) node.standFor(task.draft);
    }
  }

  /** A promise was settled where a task ended. */
  private promise(id: number, promise: PromiseNode): void {
    const ended = this.tasks.takeEnded(id);
    if (!ended) return;
    const { group } = ended;
    for (const { promise: node, task: { draft, index } } of group.promised.promised(ended, promise)) {
      this.claim(node);
      this.leave(node);
      node.standFor(draft);
      // An adapter of a library's tells itself since when a task waited, and whether it failed.
      if (index === 0) {
        this.promisedTasks.add(draft);
        draft.queueSince(node.made);
        draft.rejected = node.rejected;
        this.touch(draft);
      }
      if (node.awaitingCall && !group.collected) this.collected(node.awaitingCall);
    }
  }

  /** @param behind the promise behind whose end the task's own is told, where it is a reaction to that */
  private finish(task: LibraryTask, told: number, failed: boolean, behind?: PromiseNode): void {
    const { draft, group, tried } = task;
    // Who submitted it hears of that a little later.
    const time = tried && tried.ended < told ? tried.ended : told;
    this.tasks.tie(task);
    // What never ran is no task: it was dropped, or cleared from the queue.
    if (!task.started) return;
    this.tasks.close(task);
    if (!Number.isNaN(draft.end)) return;
    group.hasWorked ||= time - draft.start >= NO_WORK_MS;
    this.tasks.end(task);
    const { called, work } = task;
    // Of what was done while a slot was held, the one call says where and how.
    task.isOfCall = this.sections.has(draft) && called !== undefined && work !== undefined && isAllBetween(work, called, draft.start, time);
    this.place(task);
    group.loose?.ends();
    // An error that the library was kept from hearing of is the task's all the same.
    const isCalls = called !== undefined && (task.isOfCall || !(work && isUserCall(work))) && (task.isOfCall || called === behind || time - called.ended < NO_WAIT_MS || (work !== undefined && endsBehind(work, called)));
    if (isCalls) called.endsTask ??= draft;
    if (work?.isDerived) this.chains.set(headOf(work), { task: draft, end: work });
    draft.finish(time, failed || tried?.rejected === true || (isCalls && called.rejected) || (work !== undefined && swallowsOnWay(headOf(work), work)), false);
    const swallower = innermost(isCalls ? called : work);
    if (swallower) {
      swallower.endsTask ??= draft;
      draft.noteSwallowed(swallower);
    }
    group.draft.touch(draft);
    group.draft.freeRail(draft);
    this.changed.add(group.draft);
  }

  private locate(fact: LibraryFact & { what: 'function' }, terms: LibraryTerms): void {
    const group = this.groups.find(fact.id);
    if (!group) return;
    group.site = { file: terms.text(fact.file), line: fact.line, column: fact.column, function: terms.text(fact.name) };
    group.draft.change({ taskSite: group.first?.site ?? group.site });
    this.changed.add(group.draft);
  }

  /** The first of its tasks says where a group's work is. */
  private place(task: LibraryTask): void {
    const { draft, group } = task;
    if (draft !== group.draft.first) return;
    group.first = task;
    const { site } = task;
    if (!site) return;
    group.draft.change({ taskSite: site });
    this.changed.add(group.draft);
  }

  /** Something else is known of a task that is drawn. */
  private touch(task: TaskDraft): void {
    task.group?.touch(task);
    if (task.group) this.changed.add(task.group);
  }
}

/** Whether a call of a function of the user's has only just begun. */
const isFresh = (call: PromiseNode): boolean => call.isAsyncFunction && isUserCall(call) && !call.lastWait && !call.task;

/** Of functions that only call one another, the last. */
function innermost(call: PromiseNode | undefined): PromiseNode | undefined {
  let at = call;
  for (let steps = 0; at?.inner && steps < MAX_STEPS && onlyCalls(at); steps++) at = at.inner;
  return at;
}

/** Whether what a library gave for a task ended in the run of code that went on behind a call's end: its functions around that did no more than wait. */
function endsBehind(given: PromiseNode, call: PromiseNode): boolean {
  let at = given;
  for (let steps = 0; at.inner && steps < MAX_STEPS; steps++) at = at.inner;
  return at.lastWait !== undefined && at.endedBehind === at.lastWait.id && sourceOf(at.lastWait) === call;
}

/** The user's function that runs where the library's own, called from there, seems to run still. */
function usersOwn(owner: PromiseNode | undefined): PromiseNode | undefined {
  let at = owner;
  for (let steps = 0; at?.owner && !isUserCall(at) && steps < MAX_STEPS; steps++) at = at.owner;
  return at;
}
