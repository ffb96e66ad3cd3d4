/** Judges each combinator call: what its elements are, and which group that makes. */
import { isCombinator, RootKind } from '../model/facts';
import { CombinatorCall } from './combinator-call';
import { isLibrarysOwn, isTimeout, startedApart } from './combinator-kinds';
import type { GroupDraft, TaskDraft } from './drafts';
import { isSubmitter, noteHandedOver } from './handed-over';
import { KnownSeries } from './known-series';
import { elementAround, isFurtherStep, isLate, isTurnWait, LimitedPool, nextInLane, releaseOf, sharesLimiter } from './limited-pool';
import { isLoop, laneOf, recordCall, workPlaceOf } from './loops';
import { NO_WAIT_MS, NO_WORK_MS } from './moments';
import type { Place, Stack } from './places';
import { hasPolled, isPausing } from './pauses';
import { PlainElements } from './plain-elements';
import { functionKeyOf, headOf, hasWaitedSince, isUserCall, libraryMaking, sourceOf, workOf, type CallPlace, type PromiseNode } from './promise-node';
import { isInside, type Scopes } from './scopes';
import { isTask, Series } from './series';
import { WorkerPool } from './worker-pool';

/** The calls that no combinator held together so far. */
export interface LooseCalls {
  /** A call takes tasks that were started before, by a pool of the user's own. */
  collected(call: CombinatorCall): void;
  /** It takes them no more: they are but a part of what its elements do. */
  notCollected(call: CombinatorCall): void;
  /** A call turned out to be the work of an element. */
  claimed(work: PromiseNode): void;
  /** How many calls there were of the function, where this one was made. */
  countLike(work: PromiseNode): number;
  /** How many of these were made at the same place. */
  countLikeThere(work: PromiseNode): number;
  /** Whether a library tells of tasks for which no promise is known. */
  hasUntiedTasks(): boolean;
  /** Whether an adapter tells of what the library runs. */
  tellsOf(library: string): boolean;
  /** Whether they make a group already. */
  isGrouped(work: PromiseNode): boolean;
  /** Whether a call is a task in a lane of calls that bring one another about. */
  isLaneTask(work: PromiseNode): boolean;
  /** Whether a promise is of a task that workers take up. */
  isForWorkers(promise: PromiseNode): boolean;
  /** Whether a promise is of a kind that is settled by what was done for who waits for it. */
  isResult(promise: PromiseNode): boolean;
  /** A running function called something. */
  called(node: PromiseNode, calls: CallPlace): void;
}

export class Combinators {
  private readonly changed = new Set<GroupDraft>();
  private readonly limited = new Set<LimitedPool>();
  private readonly withdrawn: GroupDraft[] = [];
  /** The call that holds tasks, by the running function that made it: the first that is pending, or the latest. */
  private readonly latest = new WeakMap<PromiseNode, CombinatorCall>();
  private readonly plain = new PlainElements();
  private readonly known: KnownSeries;

  /** The latest promise of the program's, where that was made by hand. */
  private latestPlain: PromiseNode | undefined;

  constructor(private readonly thread: number, scopes: Scopes, private readonly loose: LooseCalls) { this.known = new KnownSeries(scopes); }

  /** A root promise was made: a combinator call begins, or a worker may have begun a turn. */
  rooted(node: PromiseNode): void {
    if (isCombinator(node.kind)) node.combinator ??= new CombinatorCall(node);
    this.noteBegun(node);
    const calls = recordCall(node);
    const call = laneOf(node)?.awaitingCall;
    if (calls) this.loose.called(node, calls);
    if (!calls || !call) return;
    if (call.pool instanceof WorkerPool) {
      call.pool.called(node, calls);
      this.changed.add(call.pool.draft);
      this.dissolveTasks(call, call.pool);
    } else if (this.passGate(call, node, calls)) return;
    else if (call.pool instanceof LimitedPool) {
      if (!isPausing(call, calls) && isSuppliedAgain(call, node)) this.turnIntoWorkers(call);
    } else if (call.role === 'together') {
      if (calls.nodes.length === 1) { call.addCaller(calls, laneOf(node)?.scope?.calls?.length === 1); return; }
      call.hasLoops ||= isLoop(calls);
      call.noteAgain(calls);
      if (!call.hasLoops || node.combinator || isPausing(call, calls) || !call.isCalledByMost(calls.place) || !call.looks.isDue(call.elements.length)) return;
      this.turnIntoWorkers(call);
    }
  }

  private noteBegun(node: PromiseNode): void {
    const { latestPlain: before } = this;
    const isCall = !node.combinator && isUserCall(node);
    if (before && isCall && before.tick === node.tick && before.owner === node.owner && functionKeyOf(before) !== functionKeyOf(node)) before.begunWith = node;
    this.latestPlain = isCall && node.kind === RootKind.other ? node : undefined;
  }

  /** Its elements call one place again and again, if they do. */
  private turnIntoWorkers(call: CombinatorCall): void {
    const place = workPlaceOf(call);
    if (place) this.turnInto(call, 'workers', () => WorkerPool.under(call, place, this.thread));
  }

  listened(combinator: PromiseNode, element: PromiseNode): void {
    const call = (combinator.combinator ??= new CombinatorCall(combinator));
    call.elements.push(element);
    element.elementOf ??= call;
    const source = sourceOf(element);
    if (source !== element) source.behind ??= call;
  }

  /** A combinator has all its elements: it can be told what it is. */
  gathered(combinator: PromiseNode): void {
    const call = combinator.combinator;
    if (call?.role !== 'new') return;
    this.introduce(call);
    if (call.series) {
      this.changed.add(call.series.draft);
      const { owner } = call.node;
      if (owner && this.latest.get(owner)?.node.isPending !== true) this.latest.set(owner, call);
      call.countCallers();
      this.turnIntoWorkers(call);
      if (call.series) for (const element of call.elements) this.checkTurn(call, element);
    }
  }

  /**
   * A pool's tasks are called by a function whose promises a combinator holds together: those are its workers, as a compiler
   * writes them where the source has an async function.
   * @returns where that combinator is called
   */
  takeWorkers(node: PromiseNode): Stack | undefined {
    const call = this.plain.around(node);
    if (!call?.series || call.series.callCount > 1) return undefined;
    this.plain.forget(call);
    this.withdraw(call);
    call.role = 'collector';
    return call.frame;
  }

  adopted(node: PromiseNode): void {
    const call = node.elementOf;
    // What an async function returns it is resolved with only after the combinator was called.
    if (call?.role === 'together' && isSubmitter(node) && call.elements.filter(isSubmitter).length * 2 > call.elements.length) {
      if (call.series?.callCount === 1) this.leaveToOthers(call);
    } else this.checkTurn(call, node);
    if (!call) this.checkLane(node);
  }

  /** `next()` gives `work().then(next)`: what came to its end here may be the latest link of a lane, of which an element is the first. */
  private checkLane(node: PromiseNode): void {
    const element = elementAround(node);
    const call = element?.elementOf;
    if (!element || call?.role !== 'together' || call.series?.callCount !== 1) return;
    const next = nextInLane(element);
    if (next && this.loose.countLike(next) > call.elements.length) this.leaveToOthers(call);
  }

  settled(node: PromiseNode): void {
    if (node.combinator) {
      this.decide(node.combinator);
      this.plain.forget(node.combinator);
    }
    const call = node.awaitingCall ?? node.task?.work.elementOf;
    if (call?.handedOver) this.judgeHandedOver(call, call.handedOver, node);
    if (call) {
      if (call.pool instanceof WorkerPool) {
        call.pool.finish(node);
        this.changed.add(call.pool.draft);
        this.dissolveTasks(call, call.pool);
      } else if (call.role === 'together') {
        for (const element of elementsOf(call, node)) { this.finishElement(call, element); this.checkTurn(call, element); }
      } else if (call.pool && node.settledBy && this.loose.isLaneTask(node.settledBy)) this.leaveToWorkers(call);
      else if (call.pool) for (const element of elementsOf(call, node)) this.checkTurn(call, element);
    }
    this.noteTurn(node);
  }

  failed(node: PromiseNode): void {
    if (node.combinator) this.decide(node.combinator);
    const call = node.awaitingCall ?? laneOf(node)?.awaitingCall;
    if (!call) return;
    if (call.pool) {
      call.pool.fail(node);
      this.changed.add(call.pool.draft);
      if (call.pool instanceof WorkerPool) this.dissolveTasks(call, call.pool);
    }
    else if (call.role === 'together') for (const element of elementsOf(call, node)) this.finishElement(call, element);
  }

  /**
   * @param isQuiet true where nothing has come in since the last time
   * @returns groups that changed, and groups that are no more; and whether judging some was put off
   */
  update(isQuiet: boolean): { changed: readonly GroupDraft[]; withdrawn: readonly GroupDraft[]; isBehind: boolean } {
    for (const pool of this.limited) {
      if (!pool.update(isQuiet)) continue;
      this.limited.delete(pool);
      this.changed.add(pool.draft);
    }
    const changed = [...this.changed];
    this.changed.clear();
    return { changed, withdrawn: this.withdrawn.splice(0), isBehind: this.limited.size > 0 };
  }

  /** What an element waits for, or what it was resolved with, may tell that it is behind a limiter. */
  private checkTurn(call: CombinatorCall | undefined, element: PromiseNode): void {
    if (call?.pool instanceof LimitedPool) {
      call.turnWait ??= element.turnWait;
      call.pool.touch();
      this.limited.add(call.pool);
      this.claimWork(element);
    }
    // V8 asks a thenable for its result a little later: that is no wait for a turn.
    if (element.kind === RootKind.value) return;
    // A loop over pools is a group for each; a chunk loop whose chunks turn out to be limited is not seen yet.
    if (call?.role !== 'together' || call.doesMore || (call.series?.callCount ?? 0) > 1 || !(element.turnWait || isLate(call, element))) return;
    if (!element.turnWait && this.isStep(call, element)) return;
    call.turnWait = element.turnWait;
    const other = sharesLimiter(call, element, (owner) => this.latest.get(owner));
    if (other && this.joinLimited(call, other)) return;
    // Only the tails of chains are elements, and there is more of the work they stand for: a pool by hand, collected early.
    const work = workOf(element);
    if (work !== sourceOf(element) && this.loose.countLike(work) > call.elements.length) this.leaveToOthers(call);
    else this.turnInto(call, 'limited', () => new LimitedPool(call, this.thread));
  }

  private isStep(call: CombinatorCall, element: PromiseNode): boolean {
    if (!isFurtherStep(call, element)) return false;
    const work = workOf(element);
    return functionKeyOf(headOf(element)) !== functionKeyOf(work) || this.loose.countLikeThere(work) <= call.elements.length;
  }

  /** Two calls share a limiter: one pool. @returns whether the other one could be made one */
  private joinLimited(call: CombinatorCall, other: CombinatorCall): boolean {
    if (other.role === 'together') this.turnInto(other, 'limited', () => new LimitedPool(other, this.thread));
    const { pool } = other;
    if (!(pool instanceof LimitedPool)) return false;
    this.turnInto(call, 'limited', () => pool);
    pool.join(call);
    return true;
  }

  private introduce(call: CombinatorCall): void {
    const tasks = call.elements.filter(isTask);
    // They are the tasks that a library tells of itself.
    const areLibrarys = this.loose.hasUntiedTasks() && tasks.some(({ kind }) => kind === RootKind.value);
    if (areLibrarys || tasks.length === 0 || isTimeout(call) || isLibrarysOwn(call)) { call.role = 'nothing'; return; }
    const taken = call.doesMore ? 0 : tasks.filter((element) => this.isDrawn(element)).length;
    const earlier = this.known.before(call);
    const isMerge = earlier?.sharesStartWith(call) === true;
    if (!isMerge && (taken * 2 > tasks.length || (call.combinator === 'race' && (tasks.length < 2 || startedApart(tasks))))) {
      call.role = 'collector';
      noteHandedOver(call);
      // What was left of a race, raced again: it waited for a free slot.
      if (call.combinator === 'race' && earlier?.callCount === 1) this.leaveToOthers(earlier.last);
      this.loose.collected(call);
      return;
    }
    call.role = 'together';
    for (const element of tasks) takeOver(call, element);
    const before = this.known.before(call);
    const helped = before ? undefined : this.known.helpersBefore(call);
    if (before?.isFollowedBy(call)) before.append(call);
    else if (before && isMerge) before.merge(call);
    else if (helped) {
      // Each chunk in a call of a helper of its own, the helper called from one place again and again.
      for (const { owner } of [helped.last.node, call.node]) if (owner) this.claim(owner);
      helped.isHelped = true;
      helped.append(call);
    } else call.series = new Series(call, this.thread);
    const { series } = call;
    if (!series) return;
    if (series.callCount === 1) this.plain.keep(call, tasks);
    this.known.keep(series, call);
  }

  private turnInto(call: CombinatorCall, role: 'workers' | 'limited', make: () => WorkerPool | LimitedPool): void {
    // A loop over pools is a group for each; a chunk loop whose chunks turn out to be limited is not seen yet.
    if (call.series && call.series.callCount > 1) return;
    if (call.pool instanceof LimitedPool) this.leaveLimited(call, call.pool);
    this.withdraw(call);
    call.role = role;
    call.pool = make();
    if (call.pool instanceof LimitedPool) {
      this.limited.add(call.pool);
      for (const element of call.elements) this.claimWork(element);
    }
    this.changed.add(call.pool.draft);
  }

  /** What an element calls at a place again and again are tasks behind a semaphore, and no turns of a worker's. */
  isSlot(element: PromiseNode, place: Place): void {
    const call = element.awaitingCall;
    if (!call || call.notLoops.has(place)) return;
    call.notLoops.add(place);
    if (call.pool instanceof WorkerPool && call.pool.place === place) this.dissolve(call, call.pool);
  }

  /** What were taken for workers are tasks with a loop in them: they are drawn as such. */
  private dissolveTasks(call: CombinatorCall, pool: WorkerPool): void { if (pool.areTasks) this.dissolve(call, pool); }

  private dissolve(call: CombinatorCall, pool: WorkerPool): void {
    pool.dissolve();
    this.takeBack(call, pool.draft);
    call.notLoops.add(pool.place);
    call.pool = undefined;
    call.role = 'new';
    this.gathered(call.node);
  }

  private isDrawn(element: PromiseNode): boolean {
    const work = workOf(element);
    const source = sourceOf(element);
    if (isSubmitter(source) || this.loose.isForWorkers(source)) return true;
    return [element, source, work].some((node) => node.task?.group !== undefined || this.loose.isGrouped(node));
  }

  /** The tasks whose promises a call was given are drawn as somebody else's: it only collects them. */
  private leaveToOthers(call: CombinatorCall): void {
    this.withdraw(call);
    call.role = 'collector';
    this.loose.collected(call);
  }

  /** The tasks whose promises a call was given are drawn in the lanes of those who work them off. */
  leaveToWorkers(call: CombinatorCall): void {
    const { series, pool } = call;
    if (pool instanceof LimitedPool) this.leaveLimited(call, pool);
    else if (series?.callCount === 1) this.withdraw(call);
    else return;
    call.role = 'collector';
  }

  /** An element waits for a slot for a part of its time only: it is a task as a whole, and so are the others. */
  doesMore(element: PromiseNode): void {
    const call = element.awaitingCall;
    if (!call || call.doesMore) return;
    call.doesMore = true;
    if (!(call.pool instanceof LimitedPool)) return;
    this.leaveLimited(call, call.pool);
    this.introduceAgain(call);
  }

  /** An element called what is a task behind a semaphore. */
  handsOver(work: PromiseNode): void {
    const { owner } = work;
    const call = owner?.awaitingCall;
    if (!owner || !call || call.doesMore || call.role !== 'together' || work.made - owner.made > NO_WAIT_MS) return;
    call.handedOver ??= new Map();
    if (!call.handedOver.has(owner)) call.handedOver.set(owner, work);
  }

  /** An element is through: where it ended with what it had handed over, that is the task; where it went on, it is one itself. */
  private judgeHandedOver(call: CombinatorCall, handedOver: ReadonlyMap<PromiseNode, PromiseNode | TaskDraft>, element: PromiseNode): void {
    const over = handedOver.get(element);
    if (!over || call.doesMore) return;
    const end = 'ended' in over ? over.ended : over.end;
    const isMore = element.ended - end > NO_WORK_MS && hasWaitedSince(sourceOf(element), end);
    if (isMore) {
      call.doesMore = true;
      if (call.role !== 'collector') return;
      this.loose.notCollected(call);
      for (const one of call.elements) for (const node of [one, sourceOf(one)]) node.task = undefined;
      this.introduceAgain(call);
    } else if (call.role === 'together' && call.series?.callCount === 1 && !Number.isNaN(end) && call.elements.every((one) => handedOver.has(sourceOf(one)))) {
      this.leaveToOthers(call);
    }
  }

  private introduceAgain(call: CombinatorCall): void {
    call.role = 'new';
    this.gathered(call.node);
  }

  private leaveLimited(call: CombinatorCall, pool: LimitedPool): void {
    call.pool = undefined;
    this.changed.add(pool.draft);
    if (pool.leave(call)) return;
    this.limited.delete(pool);
    this.takeBack(call, pool.draft);
  }

  /** Takes back the group that a call was drawn as. */
  private withdraw(call: CombinatorCall): void {
    const { series } = call;
    call.series = undefined;
    if (!series) return;
    series.drop();
    this.takeBack(call, series.draft);
  }

  private takeBack(call: CombinatorCall, draft: GroupDraft): void {
    this.changed.delete(draft);
    this.withdrawn.push(draft);
    for (const element of call.elements) {
      for (const node of [element, sourceOf(element), workOf(element)]) if (node.task?.group === draft) node.task = undefined;
    }
  }

  private claimWork(element: PromiseNode): void {
    const work = workOf(element);
    if (work === element) return;
    this.claim(work);
    if (work.owner && isRunner(work.owner, work)) this.claim(work.owner);
  }

  private claim(work: PromiseNode): void {
    if (work.isClaimed) return;
    work.isClaimed = true;
    this.loose.claimed(work);
  }

  private finishElement(call: CombinatorCall, element: PromiseNode): void {
    if (!call.series) return;
    call.series.finish(call, element);
    this.changed.add(call.series.draft);
  }

  /** The combinator rejected or was won: what ends from now on is ignored. */
  private decide(call: CombinatorCall): void {
    const draft = call.series?.draft ?? call.pool?.draft;
    if (!draft || !call.isDecided) return;
    if (call.node.rejected) draft.change({ failed: true });
    for (const element of call.elements) if (call.role === 'together') this.finishElement(call, element);
    this.changed.add(draft);
  }

  /** Whether a library made it for itself, or gave it, where an adapter tells of that library's turns. */
  private isLibrarysWait(wait: PromiseNode): boolean {
    const library = libraryMaking(wait);
    return library !== undefined && this.loose.tellsOf(library);
  }

  /** A wait ended: if by the end of a neighbour, then it was a wait for one's turn. */
  private noteTurn(wait: PromiseNode): void {
    const waiter = wait.awaitedBy;
    const call = waiter?.awaitingCall;
    if (!waiter || !call || waiter.turnWait || call.pool instanceof WorkerPool || this.isLibrarysWait(wait) || !isTurnWait(call, waiter, wait) || this.loose.isResult(releaseOf(wait))) return;
    waiter.turnWait = wait;
    this.checkTurn(call, waiter);
  }

  /** An element begins a call of the program's: where it was let through to it, that is its work. */
  private passGate(call: CombinatorCall, work: PromiseNode, calls: CallPlace): boolean {
    const element = work.owner;
    if (!element || element.awaitingCall !== call || !work.isAsyncFunction || !isUserCall(work)) return false;
    const isPolled = hasPolled(call, element, calls);
    if (!isPolled && !call.gates.pass(element)) return false;
    call.isPolled ||= isPolled;
    element.turnWait = element.lastWait;
    this.checkTurn(call, element);
    return true;
  }
}

/**
 * Whether what an element seemed to wait for as its turn is waited for again, and elements of another call had ended that wait:
 * they bring what it works on, as the stage before it does in a pipeline. None of that other call's ever waited for its turn.
 */
function isSuppliedAgain(call: CombinatorCall, node: PromiseNode): boolean {
  const { turnWait } = call;
  if (!turnWait) return node.isAsyncFunction;
  if (turnWait === node || functionKeyOf(turnWait) !== functionKeyOf(node)) return false;
  return !isInside(releaseOf(turnWait).settledBy, (by) => by.awaitingCall === call);
}

/** What was an element before of a call that only collected is an element of this one: here its end is drawn. */
function takeOver(call: CombinatorCall, element: PromiseNode): void {
  const source = sourceOf(element);
  if (element.elementOf?.holdsTasks !== true) element.elementOf = call;
  if (source !== element && source.behind?.holdsTasks !== true) source.behind = call;
}

/** Whether a call that nobody waits for only runs another one, as a queue does with its jobs. */
const isRunner = (by: PromiseNode, work: PromiseNode): boolean =>
  by.isAsyncFunction && isUserCall(by) && !by.consumed && !by.awaitingCall && work.made - by.made < NO_WORK_MS && by.family !== undefined && by.family !== work.family;

/** The element of a call that a settled promise is, or stands behind. */
const elementsOf = (call: CombinatorCall, node: PromiseNode): PromiseNode[] =>
  node.task && node.task.work.elementOf === call ? [node.task.work] : [node];
