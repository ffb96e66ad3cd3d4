/** One thread's facts on their way to groups: hears what happens to its promises and asks each kind of group about it. */
import type { Activity } from '../model/activity';
import { RejectionKind, RootKind } from '../model/facts';
import { ABORTED, TIMED_OUT, type Site } from '../model/timeline';
import type { Timeline } from '../timeline/timeline';
import { AdaptedGroups } from './libraries/adapted';
import type { LibraryFact } from './libraries/adapted-facts';
import { Activations } from './combinators/activations';
import { CallRoles } from './combinators/call-roles';
import type { CombinatorCall } from './combinators/combinator-call';
import { Combinators } from './combinators/combinators';
import type { GroupDraft, TaskDraft } from './drafts';
import { Families } from './families/families';
import { GroupWriter } from './group-writer';
import { callsOf, TasksHandedIn, waiterFor, type HandedIn } from './slots/handed-in';
import type { LibraryTerms } from './libraries/library-groups';
import { Introductions } from './combinators/introductions';
import type { LooseCalls } from './combinators/loose-calls';
import { LooseWorkers } from './families/loose-workers';
import { NO_WORK_MS } from './moments';
import type { PeerFact } from './threads/peer-facts';
import type { PeerTasks } from './threads/peers';
import type { LoopEntries } from './promises/loop-entries';
import type { GraphListener } from './promises/promise-graph';
import { functionKeyOf, isThenable, isUserCall, type PromiseNode } from './promises/promise-node';
import { headOf, sourceOf } from './promises/chain-links';
import { workOf } from './promises/work-of';
import { nameByRequest } from './promises/requests';
import { Scopes } from './promises/scopes';
import { askedAt } from './slots/section-pool';
import { Sections } from './slots/sections';

/** Calls that await one another and are rejected with the same error. */
const MAX_STEPS = 16;

export class ThreadGrouping implements GraphListener {
  private readonly families: Families;
  private readonly roles: CallRoles;
  private readonly combinators: Combinators;
  private readonly adapted: AdaptedGroups;
  private readonly workers: LooseWorkers;
  private readonly sections: Sections;
  private readonly handedIn: TasksHandedIn;
  private readonly touched = new Set<GroupDraft>();
  private readonly abandoned: GroupDraft[] = [];
  /** Promises of which nobody could look where they were made, nor tell whose tasks they are. */
  unplaced = 0;
  private readonly activations = new Activations();
  private readonly writer: GroupWriter;

  constructor(
    private readonly timeline: Timeline, private readonly thread: number, private readonly peers: PeerTasks, loop: LoopEntries, mapSite: (site: Site, begins?: boolean) => Site,
  ) {
    const scopes = new Scopes();
    this.handedIn = new TasksHandedIn(loop);
    this.families = new Families(thread, scopes, loop, (library) => this.adapted.groups.tellsOf(library));
    this.adapted = new AdaptedGroups(thread, (work) => { this.handOver(work); }, (promise) => { if (promise.awaitingCall) this.roles.leaveToWorkers(promise.awaitingCall); }, (call) => { this.combinators.doesMore(call); }, (threadId, pid) => peers.logOf(threadId, pid));
    this.writer = new GroupWriter(timeline, peers, this.adapted.groups, mapSite, this.activations, (work) => { this.handOver(work); });
    const loose: LooseCalls = {
      collected: (call) => { this.collect(call); },
      notCollected: (call) => { this.adapted.notCollected(call); },
      claimed: (work) => { this.handOver(work); },
      isGrouped: (work) => work.family?.draft !== undefined || this.sections.isTask(work),
      isLaneTask: (work) => work.family?.isLanes === true,
      hasUntiedTasks: () => this.adapted.hasUntied,
      tellsOf: (library) => this.adapted.groups.tellsOf(library),
      batchesAround: (call) => this.adapted.groups.batchesAround(call),
      collectorAround: (node) => this.families.collectorAround(node),
      isOfPool: (call) => call.family?.draft?.facts.kind === 'pool' || this.sections.isForPart(call),
      beginsBehind: (pause) => { this.families.beginsBehind(pause); },
      countLike: (work) => work.family?.callCount ?? 0,
      countLikeThere: (work) => work.family?.countLike(work) ?? 0,
      isForWorkers: (promise) => this.handedIn.isForWorkers(promise),
      isResult: (promise) => this.handedIn.isResult(promise),
      isSlots: (call) => this.sections.isTask(call),
      released: (calls) => { this.families.regain(calls); },
      called: (node, calls) => {
        this.workers.called(node, calls);
        this.sections.called(node, calls);
      },
    };
    this.roles = new CallRoles(thread, loose, loop);
    this.combinators = new Combinators(new Introductions(thread, scopes, this.roles, loose), this.roles, loose, loop);
    this.workers = new LooseWorkers(thread, (work) => { this.claim(work); }, (calls) => { this.families.regain(calls); });
    this.sections = new Sections(thread, {
      claimed: (work) => {
        this.claim(work);
        this.combinators.handsOver(work);
      },
      claimedPart: (promise) => { this.claim(promise); },
      isResult: (promise) => this.handedIn.isResult(promise),
      onlyWaits: (waiter, result) => this.handedIn.onlyWaits(waiter, result),
      handsOver: (work) => { this.combinators.handsOver(work); },
      isSlot: (by, place) => { this.combinators.isSlot(by, place); },
      doesMore: (element) => { this.combinators.doesMore(element); },
    }, loop);
  }

  followsLanes(): boolean { return this.families.hasParts || this.workers.hasPools; }

  rooted(node: PromiseNode): void {
    this.peers.rooted(node);
    this.activations.rooted(node);
    if (isBegunByThen(node)) {
      if (node.owner && isUserCall(node)) node.owner.inside ??= node;
      return;
    }
    const isLibraryTasks = this.adapted.rooted(node);
    this.combinators.rooted(node);
    if (node.combinator || isLibraryTasks || this.peers.isHandling(node)) return;
    const family = this.families.add(node);
    if (family?.isAnothers === true) this.roles.begun(family, node);
    this.sections.calledAnywhere(node);
  }

  listened(combinator: PromiseNode, element: PromiseNode): void { this.combinators.listened(combinator, element); }
  gathered(combinator: PromiseNode, given: number): void {
    this.combinators.gathered(combinator, given);
    const call = combinator.combinator;
    if (!call || call.role === 'nothing' || !this.activations.gathered(call)) return;
    this.families.given(call, (begun) => this.activations.elementAround(begun));
  }
  adopted(node: PromiseNode): void {
    this.combinators.adopted(node);
    if (isThenable(node)) this.families.adopted(node);
  }
  awaited(node: PromiseNode): void {
    if (!node.isTurn && !node.isForTask && !node.libraryTask && !node.combinator) this.families.awaited(node);
  }
  linked(link: PromiseNode): void { this.families.linked(link); }

  settled(node: PromiseNode, tick: number): void {
    this.peers.settled(node, tick);
    this.adapted.settled(node, tick);
    this.combinators.settled(node);
    this.families.settled(node, tick);
    this.workers.settled(node);
    this.sections.settled(node);
    for (const task of this.handedIn.settled(node, tick)) this.takeIn(task);
    if (node.lastWait?.rejected === true) this.swallow(node);
    if (isUnplaced(node)) this.unplaced++;
  }

  failed(node: PromiseNode, kind: number): void {
    for (const task of [node.task, node.endsTask]) if (task) task.error ??= node.error;
    this.cut(node, kind === RejectionKind.aborted ? ABORTED : kind === RejectionKind.timedOut || isOutrun(node) ? TIMED_OUT : 0);
    this.adapted.failed(node);
    this.combinators.failed(node);
    this.workers.failed(node);
    this.sections.failed(node);
    if (this.handedIn.isSettledAtOnce(node)) this.workers.refused(node);
    if (node.awaitedBy) this.swallow(node.awaitedBy);
    this.touchFamily(node);
    const ended = node.endsTask ?? chainTaskOf(node) ?? this.families.taskSwallowing(node);
    if (!ended || ended.rejected) return;
    ended.rejected = true;
    ended.group?.touch(ended);
    if (ended.group) this.touched.add(ended.group);
  }

  /** A promise was handed out for a task: that waited since then, and is drawn where it ran. */
  private takeIn(one: HandedIn): void {
    const { promise, task: call, job } = one;
    const frame = askedAt(promise);
    for (const run of new Set([call, job])) {
      run.submitted = promise.made;
      // Who asks for a result says where a queue is fed, before what is handed over to it.
      if (frame && (run.family?.fedIn || run !== call)) run.family?.collectedAt(frame, false);
      const { task } = run;
      if (task?.work !== run) continue;
      task.queueSince(promise.made);
      task.group?.touch(task);
      if (task.group) this.touched.add(task.group);
    }
    const pool = this.workers.handedIn(one);
    if (pool) this.handedIn.noteWorkers(promise);
    if (pool && promise.awaitingCall) this.roles.leaveToWorkers(promise.awaitingCall);
    // What a limiter's own function was handed to run is the task, and that function none, as long as it is no worker by its looks.
    const isRun = job !== call && job.owner !== undefined && !this.workers.isLooping(job.owner);
    if (isRun && !pool) for (const run of callsOf(one).slice(1)) this.claim(run);
    if (isDrawn(call, this.sections.askedFor(promise) !== undefined && (isRun || isRunByWaiting(one)))) this.handOver(promise);
    else if (!pool && !this.workers.isWorkers(call)) this.sections.handedIn(one);
    const waiter = waiterFor(promise);
    if (waiter && this.handedIn.onlyWaits(waiter, promise)) this.handOver(waiter);
  }

  /** A function is through, or what it had waited for last has failed: it may have swallowed that error. */
  private swallow(call: PromiseNode): void {
    const task = call.task ?? call.endsTask;
    if (!task?.noteSwallowed(call)) return;
    task.group?.touch(task);
    if (task.group) this.touched.add(task.group);
  }

  private cut(node: PromiseNode, cut: number): void {
    if (cut === 0) return;
    for (const task of new Set([node.task, node.endsTask])) {
      if (!task) continue;
      task.cut = cut;
      task.group?.touch(task);
      if (task.group) this.touched.add(task.group);
    }
  }

  requests(node: PromiseNode, name: string): void {
    for (const task of nameByRequest(node, name)) {
      task.group?.touch(task);
      if (task.group) this.touched.add(task.group);
    }
  }

  retiring(node: PromiseNode): void {
    this.peers.retiring(node);
    this.adapted.retiring(node);
    this.families.retiring(node);
    const { task, endsTask } = node;
    // What it is at work inside of may turn out to be a task only later.
    if (task?.group && task.group.first === task) task.group.home ??= { node: node.owner };
    if (task && !Number.isNaN(task.end)) task.group?.settle(task);
    if (endsTask && !Number.isNaN(endsTask.end)) endsTask.group?.settle(endsTask);
  }

  library(fact: LibraryFact, terms: LibraryTerms): void {
    if (fact.what === 'run' && fact.id === 0) this.peers.ran(fact.time + terms.shift, fact.returns);
    this.adapted.take(fact, terms);
  }
  peer(fact: PeerFact, terms: LibraryTerms): void {
    const call = this.peers.take(fact, terms, this.adapted.entered);
    if (call) this.claim(call);
  }
  ended(time: number, failed: boolean): void {
    this.peers.ended(time, failed);
    this.families.ended();
    this.writer.ended();
  }

  activity(activity: Omit<Activity, 'thread'>): void { this.timeline.activity.add({ ...activity, thread: this.thread }); }

  /**
   * Writes what has changed into the timeline.
   * @param isQuiet true where nothing has come in since the last time
   * @returns false where judging something was put off, for which all promises are still needed
   */
  update(isQuiet: boolean): boolean {
    if (isQuiet) for (const task of this.handedIn.judge(Infinity)) this.takeIn(task);
    for (const task of this.peers.update()) {
      task.group?.touch(task);
      if (task.group) this.touched.add(task.group);
    }
    const { changed, withdrawn, isBehind } = this.roles.update(isQuiet);
    const sections = this.sections.update(isQuiet);
    for (const draft of [...withdrawn, ...sections.withdrawn, ...this.abandoned.splice(0), ...this.families.abandoned.splice(0), ...this.workers.abandoned.splice(0), ...this.adapted.abandoned.splice(0), ...this.peers.abandoned.splice(0)]) {
      draft.withdraw(this.timeline);
      // It is no group any more, whatever else came to be known of its tasks.
      this.touched.delete(draft);
    }
    for (const draft of new Set([...this.peers.updateSilent(), ...this.adapted.update(), ...changed, ...sections.changed, ...this.workers.update(), ...this.families.update(), ...this.touched, ...this.writer.due()])) this.writer.write(draft);
    this.touched.clear();
    this.writer.findParents();
    this.adapted.nameTasks((task, label) => { this.timeline.labelTask(task, label); });
    return !isBehind && !sections.isBehind;
  }

  /** A combinator over tasks that a pool by hand had started: it says where the pool stands. */
  private collect(call: CombinatorCall): void {
    this.adapted.collected(call);
    this.workers.collected(call);
    this.sections.collected(call);
    const { owner } = call.node;
    if (call.combinator === 'race' && call.frame) this.families.racedAt(owner, call.frame);
    if (call.combinator === 'race' && owner) this.families.raced(owner, call.elements.map(headOf), call.racedBefore);
    for (const element of call.elements) {
      const head = headOf(element);
      const ofHead = head.chainEnd ? head.family : undefined;
      const families = [head.isAsyncFunction ? ofHead : undefined, workOf(element).family, sourceOf(element).family, ofHead];
      // A lane may end with a pause, which is none of its tasks.
      const family = families.find((one) => one?.isPause === false) ?? families.find((one) => one !== undefined);
      if (family && call.frame) this.families.collected(family, call);
    }
  }

  /** A call is a task, and nobody else's. */
  private claim(work: PromiseNode): void {
    work.isClaimed = true;
    this.handOver(work);
  }

  /** A call counted as a family's is the work of a combinator's element: the whole family is. */
  private handOver(work: PromiseNode): void {
    const draft = work.family?.giveUp();
    if (!draft) return;
    this.abandoned.push(draft);
    for (const task of draft.recentTasks) if (task.work.task === task) task.work.task = undefined;
  }

  private touchFamily(node: PromiseNode): void {
    const family = node.family;
    if (family) this.families.touch(family);
  }
}

/** Whether nobody looked at where a promise was made, which waited for something, and nothing tells what it is part of. */
const isUnplaced = ({ kind, stack, made, settledAtOnce, family, awaitingCall }: PromiseNode): boolean => kind === RootKind.unknown && !stack && !Number.isNaN(made) && !settledAtOnce && !family && !awaitingCall;

/** Whether V8 asked what a running function awaits for its result, by its `then`: what that begins belongs to the wait, and is no call of the function's. */
function isBegunByThen({ owner, stack, combinator }: PromiseNode): boolean {
  const base = stack?.base;
  // What is called from there is at work in it, and calls as any other.
  return base !== undefined && owner !== undefined && (owner.isAsyncFunction || isThenable(owner)) && !combinator && base.place.lastName === 'then' && base.place.fn !== owner.stack?.base?.place.fn;
}

/** Whether one of those that wait for their tasks began this one: who waits for it itself only at once, as a limiter with room lets it; what it begins later on is a loop of its own. */
function isRunByWaiting({ promise, job: { owner, tick } }: HandedIn): boolean {
  const waiter = waiterFor(promise);
  if (owner === undefined || waiter === undefined) return false;
  return owner === waiter ? tick === promise.tick : functionKeyOf(owner) === functionKeyOf(waiter);
}

/**
 * Whether a call is a task, or did nothing behind the last thing that it waited for, or gave, which is one.
 * @param isKnown whether it is known whose task it is: then it is no matter that its function's calls, which nobody holds together, looked like a group
 */
function isDrawn(call: PromiseNode, isKnown: boolean): boolean {
  let at: PromiseNode | undefined = call;
  for (let steps = 0; at && call.ended - at.ended < NO_WORK_MS && steps < MAX_STEPS; steps++, at = at.lastWait ? sourceOf(at.lastWait) : at.inner) {
    const group = at.task?.group ?? at.family?.draft;
    if (group && !(isKnown && at.family?.isNobodys(group) === true)) return true;
  }
  return false;
}

/** The task whose call gave a chain, where a promise is what that call gave. Of an element its own end tells. */
function chainTaskOf(end: PromiseNode): TaskDraft | undefined {
  const head = end.parent && headOf(end);
  return head?.chainEnd === end && !head.awaitingCall ? head.task : undefined;
}

/** Whether a call was rejected by a race that it waited for, while something that took part in it went on. */
function isOutrun(call: PromiseNode): boolean {
  let at: PromiseNode | undefined = call;
  for (let steps = 0; at?.rejected && steps < MAX_STEPS; steps++, at = at.lastWait ?? at.inner ?? at.parent) {
    const race = at.combinator;
    if (race?.combinator === 'race') return race.elements.some((element) => !(element.ended <= race.node.ended));
  }
  return false;
}
