/** What comes to be known of combinator calls and their elements, and what that tells: whether these loop, wait for their turn, or hand something over. */
import { isCombinator, RootKind } from '../../model/facts';
import type { CallRoles } from './call-roles';
import { CombinatorCall } from './combinator-call';
import type { TaskDraft } from '../drafts';
import { ElementLanes } from './element-lanes';
import { Gates } from './gates';
import { handedIn, isSubmitter, onlyCollectsBehind, onlyTriesAgain } from './handed-over';
import { heldBack } from './held-back';
import { heldBackBy } from './held-requests';
import { beginsByClock, isBesideOthers, isForNeeded, isFurtherStep, isLate, isTurnWait, nextInLane, readySince, sharesLimiter, stepAskedFor } from './limited-elements';
import { LimitedPool } from './limited-pool';
import { releaseOf } from './releases';
import { isForRoom } from './combinator-kinds';
import { isSuppliedAgain, isSuppliedByOthers } from './supplies';
import type { Introductions } from './introductions';
import { isLoop, laneOf, recordCall } from './loops';
import type { LooseCalls } from './loose-calls';
import { NO_WORK_MS } from '../moments';
import type { LoopEntries } from '../promises/loop-entries';
import { callerPlaceOf, functionKeyOf, hasWaitedSince, isFirstCall, isUserCall, libraryMaking, type CallPlace, type PromiseNode } from '../promises/promise-node';
import { headOf, sourceOf } from '../promises/chain-links';
import { firstStepOf } from '../promises/chain-steps';
import { workOf } from '../promises/work-of';
import { isPausing } from '../promises/pauses';
import { topOf, type Place } from '../promises/places';
import { waiterFor } from '../slots/handed-in';
import { callHolding, WorkerPool } from './worker-pool';
import { begunAhead } from './works-ahead';

export class Combinators {
  /** The call that holds tasks, by the running function that made it: the first that is pending, or the latest. */
  private readonly latest = new WeakMap<PromiseNode, CombinatorCall>();
  /** The latest promise of the program's, where that was made by hand. */
  private latestPlain: PromiseNode | undefined;

  private readonly gates: Gates;
  /** By what they wait for, elements that are not drawn until that is settled. */
  private readonly held = new WeakMap<PromiseNode, PromiseNode>();
  private readonly lanes: ElementLanes;

  /** @param introductions tells what a call is when it comes @param roles takes that back, or makes another thing of it */
  constructor(private readonly introductions: Introductions, private readonly roles: CallRoles, private readonly loose: LooseCalls, private readonly loop: LoopEntries) {
    this.gates = new Gates(loop);
    this.lanes = new ElementLanes(roles, loose);
  }

  /** A root promise was made: a combinator call begins, or a worker may have begun a turn. */
  rooted(node: PromiseNode): void {
    if (isCombinator(node.kind)) node.combinator ??= new CombinatorCall(node);
    this.noteBegun(node);
    const calls = recordCall(node);
    const lane = laneOf(node);
    const call = callHolding(lane);
    if (calls) this.loose.called(node, calls);
    if (!calls) return;
    if (!call) { if (lane) this.checkDelegate(lane, calls); return; }
    if (call.pool instanceof WorkerPool) {
      if (call.pool.hires(node)) {
        if (call.pool.isOfTurns(node.made)) this.dissolve(call, call.pool);
        return;
      }
      call.pool.called(node, calls);
      this.roles.change(call.pool.draft);
      this.dissolveTasks(call, call.pool);
    } else if (this.passGate(call, node, calls)) return;
    else if (call.pool instanceof LimitedPool) {
      if (!isPausing(call, calls) && (isSuppliedAgain(call, node) || (isLoop(calls) && isSuppliedByOthers(call)))) this.roles.turnIntoWorkers(call);
    } else if (call.role === 'together') {
      if (isFirstCall(calls)) { call.addCaller(calls, laneOf(node)?.scope?.calls?.length === 1); return; }
      call.hasLoops ||= isLoop(calls);
      call.noteAgain(calls);
      if (!call.hasLoops || node.combinator || isPausing(call, calls) || !call.isCalledByMost(calls.place) || !call.looks.isDue(call.elements.length)) return;
      this.roles.turnIntoWorkers(call);
    }
  }

  /** A function calls a place again that an element of a combinator has called, and waits for: that may be the worker. */
  private checkDelegate(lane: PromiseNode, calls: CallPlace): void {
    const call = isLoop(calls) && lane.isAsyncFunction ? lane.owner?.awaitingCall : undefined;
    if (call?.role === 'together' && call.isForAll && !call.notLoops.has(calls.place) && call.looks.isDue(call.elements.length)) this.roles.turnDelegatesIntoWorkers(call, lane);
  }

  private noteBegun(node: PromiseNode): void {
    const { latestPlain: before } = this;
    const isCall = !node.combinator && isUserCall(node);
    if (before && (isCall || topOf(node.stack)?.place.kind === 'node') && before.tick === node.tick && before.owner === node.owner && functionKeyOf(before) !== functionKeyOf(node)) {
      before.begunWith = node;
      node.begunIn = before;
    }
    this.latestPlain = isCall && node.kind === RootKind.other ? node : undefined;
  }

  listened(combinator: PromiseNode, element: PromiseNode): void {
    const call = (combinator.combinator ??= new CombinatorCall(combinator));
    // One promise given several times, as a cache of what is in flight does, is one task.
    if (element.elementOf === call) return;
    call.elements.push(element);
    element.elementOf ??= call;
    const source = sourceOf(element);
    if (source !== element) source.behind ??= call;
  }

  /** A combinator has all its elements: it can be told what it is. */
  gathered(combinator: PromiseNode, given: number): void {
    const call = combinator.combinator;
    if (call?.role !== 'new') return;
    call.racedBefore = call.combinator === 'race' ? Math.max(0, given - call.elements.length) : 0;
    this.introduce(call);
  }

  private introduce(call: CombinatorCall): void {
    this.introductions.introduce(call);
    if (call.series) {
      this.roles.change(call.series.draft);
      const { owner } = call.node;
      if (owner && this.latest.get(owner)?.node.isPending !== true) this.latest.set(owner, call);
      call.countCallers();
      this.roles.turnIntoWorkers(call);
      const work = call.standsAlone ? begunAhead(call) : undefined;
      if (work) this.roles.turnIntoLimitedAhead(call, work);
      if (call.series) for (const element of call.elements) this.checkTurn(call, element);
      this.holdBack(call);
      // What they asked for first of all may be known for a task behind a semaphore by now.
      for (const element of call.elements) {
        const first = sourceOf(element).scope?.calls?.at(0)?.nodes.at(0);
        if (first && this.loose.isSlots(first)) this.handsOver(first);
      }
    }
  }

  /** Elements that wait for a slot have yet to begin. */
  private holdBack(call: CombinatorCall): void {
    const { series } = call;
    const held = call.standsAlone ? heldBack(call) : undefined;
    if (!series || !held) return;
    for (const [wait, element] of [...held].reverse()) {
      this.held.set(wait, element);
      series.hold(element, wait === headOf(element) && headOf(call.elements[0]).isPending);
    }
  }

  /** What an element waited for is settled: if it is not known for a turn's by now, it may have been anything. */
  private letGo(wait: PromiseNode): void {
    const element = this.held.get(wait);
    const series = element?.elementOf?.series;
    if (element && series?.letGo(element, wait.ended)) this.roles.change(series.draft);
  }

  adopted(node: PromiseNode): void {
    const call = node.elementOf;
    // What an async function returns it is resolved with only after the combinator was called.
    if (call?.role === 'together' && isSubmitter(node) && call.elements.filter(isSubmitter).length * 2 > call.elements.length) {
      if (call.standsAlone) this.roles.leaveToOthers(call);
    } else this.checkTurn(call, node);
    this.lanes.adopted(node, !call || this.areLanes(node, call));
    this.checkAsked(node);
    if (node.inner) this.noteHold(node.inner);
  }

  /** A step that an element waits for, behind others' work, goes on with work of its own: if all elements wait for such, that is what has its turn. */
  private checkAsked(step: PromiseNode): void {
    const call = step.isDerived ? waiterFor(step)?.awaitingCall : undefined;
    if (!call?.standsAlone || !call.isForAll || call.doesMore || !isLate(call, step) || !call.looks.isDue(call.elements.length)) return;
    const asked = call.elements.flatMap((element) => stepAskedFor(call, element) ?? []);
    if (asked.length === call.elements.length) this.roles.turnIntoLimited(call, asked);
  }

  /** What were taken for workers, as they have a loop in them, are the first tasks of lanes: the first of these goes on with a task of the same function. */
  private areLanes(element: PromiseNode, call: CombinatorCall): boolean {
    if (!(call.pool instanceof WorkerPool) || !nextInLane(element)) return false;
    this.dissolve(call, call.pool);
    return true;
  }

  settled(node: PromiseNode): void {
    this.loop.settled(node);
    if (node.combinator) {
      const { pool } = node.combinator;
      if (pool instanceof WorkerPool) {
        pool.signs.judgeHomes();
        if (pool.isOfTurns(Infinity) || pool.signs.hadRows) this.dissolve(node.combinator, pool);
        else this.dissolveTasks(node.combinator, pool);
        if (node.combinator.pool === pool) for (const chunk of this.roles.noteCrew({ call: node.combinator, pool })) this.dissolve(chunk.call, chunk.pool);
      }
      this.roles.turnRoundsIntoWorkers(node.combinator);
      this.roles.decide(node.combinator);
    }
    const call = callHolding(node) ?? node.task?.work.elementOf;
    if (call?.lanes) {
      call.lanes.finish(node);
      this.roles.change(call.lanes.draft);
    }
    if (call?.handedOver) this.judgeHandedOver(call, call.handedOver, node);
    if (call?.askers) this.judgeAsker(call, node);
    if (call) {
      if (call.pool instanceof WorkerPool) {
        call.pool.finish(node);
        this.roles.change(call.pool.draft);
        this.dissolveTasks(call, call.pool);
      } else if (call.role === 'together') {
        for (const element of elementsOf(call, node)) { this.roles.finishElement(call, element); this.checkTurn(call, element); }
      } else if (call.role === 'collector' && call.combinator === 'race') this.judgeRace(call);
      else if (call.pool && node.settledBy && this.loose.isLaneTask(node.settledBy)) this.roles.leaveToWorkers(call);
      else if (call.pool) for (const element of elementsOf(call, node)) this.checkTurn(call, element);
    }
    this.noteTurn(node);
    this.noteHold(node);
    this.letGo(node);
  }

  /** All that took part in a race is through, and there was no more of it: it raced chains, and no pool waited for room. */
  private judgeRace(call: CombinatorCall): void {
    const isOfPool = (element: PromiseNode): boolean => {
      const head = headOf(element);
      return element.isPending || head.tick !== call.node.tick || this.loose.isGrouped(head) || this.loose.countLike(head) > call.elements.length;
    };
    if (isForRoom(call) || call.elements.some(isOfPool)) return;
    call.isOfChains = true;
    this.introduceAgain(call);
  }

  failed(node: PromiseNode): void {
    if (node.awaitedBy?.turnWait === node) this.judgeTurns(node.awaitedBy.awaitingCall);
    if (node.combinator) this.roles.decide(node.combinator);
    const call = callHolding(node) ?? callHolding(laneOf(node));
    if (!call) return;
    if (call.pool) {
      call.pool.fail(node);
      this.roles.change(call.pool.draft);
      if (call.pool instanceof WorkerPool) this.dissolveTasks(call, call.pool);
    }
    else if (call.role === 'together') for (const element of elementsOf(call, node)) this.roles.finishElement(call, element);
  }

  /** What an element waits for, or what it was resolved with, may tell that it is behind a limiter. @param shared the call whose elements are behind it as well, where that is known */
  private checkTurn(call: CombinatorCall | undefined, element: PromiseNode, shared?: CombinatorCall): void {
    if (call?.pool instanceof LimitedPool) {
      call.turnWait ??= element.turnWait;
      this.roles.touch(call.pool);
      this.roles.claimWork(element);
    }
    // V8 asks a thenable for its result a little later: that is no wait for a turn.
    if (element.kind === RootKind.value) return;
    if (call?.role === 'together' && call.series && beginsByClock(element) && isLate(call, element)) {
      if (call.series.begunBehind(element, firstStepOf(element, headOf(element)))) this.roles.change(call.series.draft);
      return;
    }
    // A loop over pools is a group for each; a chunk loop whose chunks turn out to be limited is not seen yet.
    if (!call?.standsAlone || call.doesMore || !(element.turnWait || isLate(call, element))) return;
    if (!element.turnWait && (isBesideOthers(call, element) || this.isStep(call, element))) return;
    call.turnWait = element.turnWait;
    const other = shared ?? sharesLimiter(call, element, (owner) => this.latest.get(owner), isOverBy);
    if (other && this.roles.joinLimited(call, other)) return;
    // Only the tails of chains are elements, and there is more of the work they stand for: a pool by hand, collected early.
    const work = workOf(element);
    const countBefore = call.before && call.before.family === work.family ? call.before.count : 0;
    // The first task of a lane is called where the lane was begun, and the next ones in reactions.
    const isNext = nextInLane(element) === work && callerPlaceOf(headOf(element)) === callerPlaceOf(work);
    const count = isNext ? this.loose.countLike(work) : this.loose.countLikeThere(work);
    if (work !== sourceOf(element) && count - countBefore > call.elements.length) this.roles.leaveToOthers(call);
    else this.roles.turnIntoLimited(call);
  }

  private isStep(call: CombinatorCall, element: PromiseNode): boolean {
    if (!isFurtherStep(call, element)) return false;
    const work = workOf(element);
    return functionKeyOf(headOf(element)) !== functionKeyOf(work) || this.loose.countLikeThere(work) <= call.elements.length;
  }

  /** What an element calls at a place again and again are tasks behind a semaphore, and no turns of a worker's. */
  isSlot(element: PromiseNode, place: Place): void {
    const call = element.awaitingCall;
    if (!call || call.notLoops.has(place)) return;
    call.notLoops.add(place);
    if (call.pool instanceof WorkerPool && call.pool.place === place) this.dissolve(call, call.pool);
  }

  /** What were taken for workers are tasks with a loop in them, or what was taken for their turns only asks for work: they are drawn as what they are. */
  private dissolveTasks(call: CombinatorCall, pool: WorkerPool): void { if (pool.signs.areTasks || pool.signs.onlyAsks) this.dissolve(call, pool); }

  private dissolve(call: CombinatorCall, pool: WorkerPool): void {
    const turns = pool.turnCalls;
    this.roles.dissolve(call, pool);
    this.introduceAgain(call);
    for (const calls of turns) this.loose.released(calls);
  }

  /** An element waits for a slot, or for its turn, for a part of its time only: it is no task of the limiter's, and so are the others none. */
  doesMore(element: PromiseNode): void {
    const call = element.awaitingCall;
    if (!call || call.doesMore) return;
    call.doesMore = true;
    if (call.pool instanceof LimitedPool) {
      this.roles.leaveLimited(call, call.pool);
      call.standForAskers();
      this.introduceAgain(call);
    } else if (call.role === 'collector') this.collectNoMore(call);
  }

  /** An element that waited for its step is through: it may have gone on with other work. */
  private judgeAsker(call: CombinatorCall, element: PromiseNode): void {
    const step = call.askers?.get(element);
    if (step && !this.loop.isRightBehind(element.ended, step.ended, NO_WORK_MS) && hasWaitedSince(element, step.ended)) this.doesMore(element);
  }

  private collectNoMore(call: CombinatorCall): void {
    this.loose.notCollected(call);
    for (const one of call.elements) for (const node of [one, sourceOf(one)]) node.task = undefined;
    this.introduceAgain(call);
  }

  /** An element called what is a task behind a semaphore. */
  handsOver(work: PromiseNode): void {
    const { owner } = work;
    const call = owner?.awaitingCall;
    if (!owner || !call || call.doesMore || !(call.role === 'together' || isLimitedByNeeds(call)) || !(isFirstWait(owner, work) || this.loop.isRightBehind(work.made, readySince(owner), NO_WORK_MS))) return;
    call.handedOver ??= new Map();
    if (call.handedOver.has(owner)) return;
    call.handedOver.set(owner, work);
    // Of few tasks it is known only behind the last of them.
    if (!owner.isPending) this.judgeHandedOver(call, call.handedOver, owner);
  }

  /** An element is through: where it ended with what it had handed over, that is the task; where it went on, it is one itself. */
  private judgeHandedOver(call: CombinatorCall, handedOver: ReadonlyMap<PromiseNode, PromiseNode | TaskDraft>, element: PromiseNode): void {
    const over = handedOver.get(element);
    if (!over || call.doesMore) return;
    const source = sourceOf(element);
    // A function in between is through a moment after what it handed in.
    const end = handedIn(source) === over ? source.lastWait?.ended ?? NaN : 'ended' in over ? over.ended : over.end;
    const isMore = !this.loop.isRightBehind(element.ended, end, NO_WORK_MS) && hasWaitedSince(source, end) && !onlyCollectsBehind(over, source) && !onlyTriesAgain(over, source, this.loop);
    if (isMore) {
      call.doesMore = true;
      if (call.role === 'collector') this.collectNoMore(call);
    } else if ((call.standsAlone || isLimitedByNeeds(call)) && !Number.isNaN(end) && call.elements.every((one) => handedOver.has(sourceOf(one)))) {
      this.roles.leaveToOthers(call);
    }
  }

  private introduceAgain(call: CombinatorCall): void {
    call.role = 'new';
    this.introduce(call);
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
    if (!waiter || !call || (waiter.turnWait && !isSlotBehindNeeded(waiter, wait)) || call.pool instanceof WorkerPool || isOnTheWay(wait, waiter) || this.isLibrarysWait(wait) || !isTurnWait(call, waiter, wait) || this.loose.isResult(releaseOf(wait))) return;
    const hadNeeded = waiter.turnWait !== undefined;
    waiter.turnWait = wait;
    if (hadNeeded && call.pool instanceof LimitedPool) call.pool.waitsAgain(waiter);
    this.checkTurn(call, waiter);
  }

  /** An interceptor holds a request back, or has let it go: that is its turn. */
  private noteHold(hold: PromiseNode): void {
    const held = heldBackBy(hold);
    if (!held || held.element.turnWait || held.call.pool instanceof WorkerPool) return;
    held.element.turnWait = hold;
    this.checkTurn(held.call, held.element);
  }

  /** What an element waited for as its turn was rejected: that lets nobody in. Where it went so for all who waited, one has called off the others, and there were no turns. */
  private judgeTurns(call: CombinatorCall | undefined): void {
    if (!(call?.pool instanceof LimitedPool) || call.elements.some((element) => sourceOf(element).turnWait?.rejected === false)) return;
    for (const element of call.elements) sourceOf(element).turnWait = undefined;
    call.turnWait = undefined;
    this.roles.leaveLimited(call, call.pool);
    this.introduceAgain(call);
  }

  /** An element begins a call of the program's: where it was let through to it, that is its work. */
  private passGate(call: CombinatorCall, work: PromiseNode, calls: CallPlace): boolean {
    const element = work.owner;
    if (!element || element.awaitingCall !== call) return false;
    const passed = this.gates.pass(call, element, work, calls);
    if (!passed) return false;
    element.turnWait = element.lastWait;
    this.checkTurn(call, element, passed.shared);
    return true;
  }
}

/** The element of a call that a settled promise is, or stands behind. */
const elementsOf = (call: CombinatorCall, node: PromiseNode): PromiseNode[] =>
  node.task && node.task.work.elementOf === call ? [node.task.work] : [node];

/** Whether a function has waited for nothing that took its time before it waited for some work, or for what stands for that. */
const isFirstWait = ({ lastWait, waitedFor }: PromiseNode, work: PromiseNode): boolean => waitedFor === undefined && lastWait !== undefined && (lastWait.tick === work.tick || lastWait.made >= work.made);

/** Whether all that is known of what holds elements back is that they need others of the same call. */
const isLimitedByNeeds = (call: CombinatorCall): boolean => call.role === 'limited' && isForNeeded(call.turnWait);

/** `await Promise.all(needs.map(build)); await slots.take();`: whether an element that had all that it needs of others waited for its turn as well, at once. */
const isSlotBehindNeeded = (element: PromiseNode, wait: PromiseNode): boolean =>
  isForNeeded(element.turnWait) && wait !== element.turnWait && headOf(wait).made >= readySince(element) && headOf(wait).made - readySince(element) < NO_WORK_MS;

/** Whether it leads a library to what a function still waits for. */
const isOnTheWay = (wait: PromiseNode, { lastWait }: PromiseNode): boolean => lastWait !== undefined && lastWait !== wait && lastWait.isPending && libraryMaking(headOf(wait)) !== undefined;

/** Whether a call, and all that share its limiter, were over by a time. */
const isOverBy = ({ pool, node }: CombinatorCall, time: number): boolean => (pool instanceof LimitedPool ? pool.isOverBy(time) : node.ended < time);
