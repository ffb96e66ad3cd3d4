/**
 * Promises that are all made at once and whose work waits for its turn: behind a limiter (`limit(() => fetchUser(id))`),
 * or behind a semaphore inside of the task itself. The bar begins when the work does; `queued` says since when it waited.
 */
import { RootKind } from '../../model/facts';
import type { CombinatorCall } from './combinator-call';
import { endBefore, Handovers } from './handovers';
import { beginsByClock, isEndedByOther, isForNeeded } from './limited-elements';
import { GroupDraft, type TaskDraft } from '../drafts';
import { swallowsOnWay } from '../families/chains';
import { NO_WAIT_MS, NO_WORK_MS } from '../moments';
import { isBuiltin, type Place } from '../promises/places';
import { raceAwaited } from './combinator-kinds';
import { functionKeyOf, isCall, isInOwnCode, isUserCall, libraryMaking, type PromiseNode } from '../promises/promise-node';
import { endOf, headOf, sourceOf } from '../promises/chain-links';
import { firstStepOf } from '../promises/chain-steps';
import { workOf } from '../promises/work-of';
import { onlyRequests } from '../promises/api-calls';
import type { LoopEntries } from '../promises/loop-entries';
import { aroundBoth, callFrameOf, isInside } from '../promises/scopes';
import { releaseOf } from './releases';
import { startOf } from './series';
import { noteWork, TurnPool, type Begun } from './turn-pool';
import { workUnder } from '../promises/only-call';
import { jobOf, workDoneFor } from './work-done-for';

/** A chain of promises that were resolved with one another is followed no further. */
const MAX_LINKS = 256;

/** Whether work failed that a chain may begin with: also where somebody swallowed the error, unless that put another try in its place. */
const hasFailed = (work: PromiseNode): boolean => (work.chainEnd ? work.chainEnd.rejected || swallowsOnWay(work, work.chainEnd) : work.rejected);

/** Whether a promise was resolved with another one, or with what was: it does nothing more than that. */
function isResolvedWith(node: PromiseNode, work: PromiseNode): boolean {
  let at = node.inner;
  for (let steps = 0; at && at !== work && steps < MAX_LINKS; steps++) at = at.inner;
  return at === work;
}

/**
 * Whether a plain promise was rejected some time after it was made in no reaction, or by who made it, who went on where nothing had
 * failed: `signal.addEventListener('abort', …)`. What a reaction to work that has failed rejects, has failed with it.
 */
const isCalledOff = ({ isAsyncFunction, isDerived, rejected, settledIn, settledBy, owner, made, ended }: PromiseNode): boolean =>
  !isAsyncFunction && !isDerived && rejected && ended - made >= NO_WAIT_MS
  && (settledIn === undefined || (settledBy !== undefined && settledBy === owner && settledIn.parent?.rejected === false));

/** `if (queue.length >= max) return Promise.reject(new QueueFull())`: whether an element was never let in, or what it was to give was there. */
const isTurnedAway = (element: PromiseNode): boolean => isBuiltin(headOf(element).stack?.place, 'reject') || (element.settledAtOnce && isBuiltin(element.stack?.place, 'resolve'));

/** What ended a member's wait for its turn, if it waited for that. */
function waitOver(member: PromiseNode): PromiseNode | undefined {
  const { turnWait } = sourceOf(member);
  return turnWait && releaseOf(turnWait);
}

/** A task often frees its slot in a `finally`, a moment before it ends: the next one runs only when that code is through. */
export function afterRelease(wait: PromiseNode): number {
  const release = releaseOf(wait);
  let after = wait.ended;
  let by = release.settledBy;
  // `await using` gives it back in a function that the task waits for. And however long the run of code takes that does so, as on a busy machine: it is one.
  for (let steps = 0; by && !by.isPending && (by.ended - wait.ended < NO_WAIT_MS || by.endedTick === release.endedTick) && steps < MAX_LINKS; steps++, by = by.owner) after = Math.max(after, by.ended);
  return after;
}

/** Whether the last that a function waited for has failed, and it called nothing any more. */
export const hasGivenUp = ({ isPending, lastWait, scope }: PromiseNode): boolean =>
  lastWait?.rejected === true && !isPending && (scope?.calls ?? []).every(({ nodes }) => nodes.every(({ made }) => made < lastWait.ended));

/** When a function first called something behind a time. */
function begunAfter({ scope }: PromiseNode, time: number): number {
  const begun = (scope?.calls ?? []).flatMap(({ nodes }) => nodes.map(({ made }) => made)).filter((made) => made >= time);
  return begun.length > 0 ? Math.min(...begun) : time;
}

/** `acquire().then(() => load(id)).then(save).finally(release)`: whether a chain begins with a turn that was there at once, or that another element of the same call gave. */
function isTurn(element: PromiseNode): boolean {
  const head = headOf(element);
  const call = element.elementOf;
  if (head === element || !call || head.isPending || head.isAsyncFunction || head.kind !== RootKind.other || !isUserCall(head) || head.inner || head.byTimer || head.isForked) return false;
  return head.settledAtOnce || isEndedByOther(call, head);
}

/** `acquire().then(() => load(id))`: whether a chain has gone on from its slot, and its work is not known yet. */
const isSlot = (source: PromiseNode, element: PromiseNode): boolean => source !== element && !source.isPending && !source.isAsyncFunction && isUserCall(source);

export class LimitedPool extends TurnPool {
  /** The places in members where these called what gave them their turns to wait for, be it at once or by others on the way. */
  private readonly waitPlaces = new Set<Place | undefined>();
  /** Where members called something before they waited for their turn, and did nothing else before. */
  private readonly turnPlaces = new Set<Place>();
  /** Whether a turn was the first thing that a member waited for. */
  private isFirstWait = false;
  private readonly handovers: Handovers;
  /** Tasks that began once others had ended. */
  private readonly begunBehind = new WeakSet<TaskDraft>();
  private ends = 0;
  /** The combinators that were given some of them and were not over as far as is known. */
  private readonly latest = new Set<PromiseNode>();
  private calls = 0;
  /** The first call of a combinator that was given some of them. */
  private readonly first: PromiseNode;
  /** The function whose calls its members are, to begin with. */
  private readonly fn: string;

  constructor(call: CombinatorCall, thread: number, private readonly loop: LoopEntries) {
    const library = call.elements.map(libraryMaking).find((name) => name !== undefined);
    super(new GroupDraft({
      thread, kind: library && !onlyRequests(library) ? 'pool' : call.combinator, combinator: call.combinator, library, site: call.site, taskSite: undefined, declared: undefined,
    }));
    this.first = call.node;
    this.draft.heldBy = call.node;
    this.fn = functionKeyOf(sourceOf(call.elements[0]));
    this.handovers = new Handovers((member) => this.releaseFor(member), (member) => this.doneFor(member) ?? workOf(member), ({ work, start }) => this.begun(work)?.start ?? start, loop);
    this.join(call);
  }

  /** Takes over what a call of a combinator was given: several may share one limiter. @param elements those that are no tasks yet */
  join(call: CombinatorCall, elements: readonly PromiseNode[] = call.elements): void {
    this.calls++;
    this.leaveOver(call.node.made);
    this.latest.add(call.node);
    const { owner } = this.first;
    const around = aroundBoth(this.draft.home ? this.draft.home.node : owner, call.node.owner);
    if (around !== owner) {
      this.draft.home = { node: around };
      this.draft.heldBy = undefined;
    }
    this.take(elements.filter((element) => !isTurnedAway(element)));
    for (const element of elements) this.noteWaitPlace(element);
  }

  /**
   * Whether a call is the next one of a loop that feeds one limiter: `for (const page of pages) await Promise.all(page.map((id) => limit(() => load(id))))`. Be there enough
   * to wait or not this time, it is made at the same place of the same function, for calls of the function that gave all it was given before.
   */
  isFedAgainBy({ node, frame }: CombinatorCall, elements: readonly PromiseNode[]): boolean {
    // A helper that is called again may have made a limiter of its own.
    if (!frame || !isInOwnCode(frame.place, node.owner) || !elements.some(({ isPending }) => isPending)) return false;
    // Whether any had to wait shows only where it is known what has begun and ended by now.
    this.update(false);
    const { heldBy, facts } = this.draft;
    const { fn, first } = this;
    return facts.kind === 'pool' && heldBy === first && first !== node && first.owner === node.owner && fn !== '' && elements.every((element) => functionKeyOf(sourceOf(element)) === fn);
  }

  /** What a member waited for was not all: it waits for its turn now. */
  waitsAgain(member: PromiseNode): void {
    this.drop((one) => one === member);
    this.take([member]);
  }

  /** Whether all combinators that it has elements of were over by a time. */
  isOverBy(time: number): boolean {
    this.leaveOver(time);
    return this.latest.size === 0;
  }

  private leaveOver(time: number): void { for (const node of this.latest) if (node.ended < time) this.latest.delete(node); }

  /** Calls of combinators whose elements it has. */
  get callCount(): number { return this.calls; }

  /** The elements of a call turned out to be no tasks that wait for their turn. @returns whether it has others */
  leave(call: CombinatorCall): boolean {
    this.calls--;
    if (this.calls === 0) this.dropAhead();
    this.drop((member) => member.elementOf === call);
    return this.calls > 0;
  }

  fail(element: PromiseNode): void {
    if (element.task?.group !== this.draft) return;
    if (isCalledOff(element) || this.isTurnRefused(sourceOf(element))) { this.drop((member) => member === element); return; }
    element.task.rejected = true;
    this.draft.touch(element.task);
  }

  /** Whether a member failed with its wait for a turn, as by an `acquire(signal)` that is aborted: it was never let in. */
  private isTurnRefused(member: PromiseNode): boolean {
    const { lastWait, turnWait } = member;
    // A request that was never sent.
    if (turnWait?.rejected === true && turnWait.adoptedBy) return true;
    // Where nobody looked, it may as well be the work.
    return !this.doneFor(member) && lastWait !== undefined && hasGivenUp(member) && headOf(lastWait).stack !== undefined && this.isForTurn(lastWait, member);
  }

  protected override willStart(task: TaskDraft): void {
    const { work, queued } = task;
    const hasWaited = !Number.isNaN(queued);
    for (const before of this.handovers.begin(task)) {
      before.end = endBefore(before, task.start);
      this.draft.touch(before);
    }
    if (this.ends > 0) this.begunBehind.add(task);
    // Who let it in may be told that it is through only a moment later.
    const isBehindOne = this.ends > 0 || isInside(this.releaseFor(work)?.settledBy, (by) => by.task !== undefined && by.task.group === this.draft);
    if (isBehindOne && (hasWaited || this.isAhead(task))) this.noteRoom(work);
  }

  protected override hasTied(task: TaskDraft): void {
    if (this.begunBehind.has(task) && !Number.isNaN(task.queued)) this.noteRoom(task.work);
  }

  /** Work that had waited began behind another's end: that made room for it, unless it waited for a time of its own, or needs what others gave. */
  private noteRoom(work: PromiseNode): void { if (!beginsByClock(work) && !isForNeeded(sourceOf(work).turnWait)) this.draft.change({ kind: 'pool' }); }

  protected finished(task: TaskDraft, told: number): void {
    const work = workOf(task.work);
    const end = this.handovers.end(task, told);
    work.endsTask = task;
    const source = sourceOf(task.work);
    const done = this.doneFor(source);
    const under = done ? jobOf(done) : source.isAsyncFunction && isUserCall(source) ? workUnder(source, task.start, end) : undefined;
    this.tellSite(under, task.start, end);
    const call = task.work.elementOf;
    task.finish(end, task.rejected || task.work.rejected || hasFailed(work), call !== undefined && call.isDecided && end > call.node.ended);
    noteWork(task, under);
    this.ends++;
  }

  protected endOf(element: PromiseNode): number {
    const source = sourceOf(element);
    const work = workOf(element);
    const last = endOf(work);
    const { ended } = last;
    const isWorks = work !== element && !Number.isNaN(ended) && work.made >= source.made;
    // Its place is free before it is told what has become of it: the next one may have begun by then.
    if (isWorks && work !== source && (isResolvedWith(source, last) || source.endedBehind === last.id || this.loop.isRightBehind(source.ended, ended, libraryMaking(source) === undefined ? NO_WAIT_MS : NO_WORK_MS))) return Math.min(ended, source.ended);
    const { inner } = source;
    // `const p = work(); …; return p`: what it gives was over before it gave that.
    if (source.isAsyncFunction && inner?.owner === source && isUserCall(inner) && inner.ended <= source.ended) return inner.ended;
    if (element.ended - source.ended < NO_WAIT_MS) return source.ended;
    return isWorks ? ended : element.ended;
  }

  /** The call that was made for a member in the meantime, where all that it waited for was the result of that. */
  private doneFor(member: PromiseNode): PromiseNode | undefined { return workDoneFor(sourceOf(member), this.loop); }

  /** What told a member that it may begin, if it waited for that. */
  private releaseFor(member: PromiseNode): PromiseNode | undefined { return this.doneFor(member) ? undefined : waitOver(member); }

  private noteWaitPlace(element: PromiseNode): void {
    const { scope, tick, turnWait } = sourceOf(element);
    if (!turnWait) return;
    const wait = headOf(turnWait);
    if (scope?.calls?.every(({ nodes }) => nodes.every((node) => node.tick === tick || node.made >= turnWait.ended))) {
      for (const { nodes, place } of scope.calls) if (nodes[0]?.tick === tick) this.turnPlaces.add(place);
    }
    this.waitPlaces.add(callFrameOf(wait)?.place);
    this.isFirstWait ||= wait.tick === sourceOf(element).tick;
  }

  /** Whether members wait for their turn with a promise like this one. Where nobody looked at where it was made, it is the first that one waits for. */
  private isForTurn(wait: PromiseNode, member: PromiseNode): boolean {
    const head = headOf(wait);
    const { isAsyncFunction, stack, tick } = head;
    return stack ? this.waitPlaces.has(callFrameOf(head)?.place) : this.isFirstWait && tick === member.tick && !isAsyncFunction;
  }

  protected begun(element: PromiseNode): Begun | undefined {
    this.noteWaitPlace(element);
    // What a `catch` or `then` of the call's own makes of it waits for nothing by itself.
    const source = sourceOf(element);
    const { turnWait, lastWait } = source;
    if (turnWait?.isPending === true || this.isTurnRefused(source)) return undefined;
    // Who has what it needs may have to wait for a slot yet.
    if (source.isPending && isForNeeded(turnWait) && lastWait && lastWait !== turnWait && this.isForTurn(lastWait, source)) return undefined;
    const done = this.doneFor(source);
    if (done) return { start: done.made, work: jobOf(done) };
    if (turnWait) return { start: raceAwaited(turnWait) ? begunAfter(source, turnWait.ended) : afterRelease(turnWait), work: source };
    if (isCalledOff(source)) return undefined;
    // While a `finally` still runs, what is before it is over.
    const later = workOf(element);
    // `gate.then(work); gate = gate.then(pause)`: what others hang on as well comes before all of them.
    if (later === element && element.isPending && source !== element && source.isForked) return undefined;
    // What comes behind a mere pause, or a turn, is the task from its first step on.
    const step = beginsByClock(element) || isTurn(element) ? firstStepOf(element, headOf(element)) : later === element && element.isPending ? firstStepOf(element, source) : undefined;
    const work = step ?? (later === element ? workOf(source) : later);
    if (work !== source && isCall(work)) return { start: work.made, work, isAtOnce: work.tick === source.tick };
    if (source.isPending) {
      // It has not gone on yet from where others wait for their turn.
      if (lastWait && this.isForTurn(lastWait, source)) return undefined;
      if (source.awaitingCall?.onlyPolls(source)) return undefined;
      // A library gives what it will settle once it has called the program.
      if (!source.isAsyncFunction || (!isUserCall(source) && source.inner?.isAsyncFunction === false && source.inner.isPending)) return undefined;
    }
    if (element.isPending && isSlot(source, element)) {
      // What it does with its slot is drawn by itself, until it is known whose that is.
      if (this.seesWork) return undefined;
      if (!source.settledAtOnce) return { start: source.ended, work: source };
    }
    return { start: this.passedAt(source) ?? startOf(source), work: source, isAtOnce: true };
  }

  /** When an element whose turn came at once went on: with what it called next behind the place where the others wait for theirs. */
  private passedAt(member: PromiseNode): number | undefined {
    const calls = member.scope?.calls?.flatMap(({ nodes }) => nodes) ?? [];
    // `acquire()` may give those who need not wait another promise than the others.
    const passed = calls.find((node) => this.isForTurn(node, member));
    const isTurns = member.scope?.calls?.some(({ nodes }) => nodes[0]?.tick === member.tick)
      && member.scope.calls.every(({ nodes, place }) => nodes[0]?.tick !== member.tick || this.turnPlaces.has(place));
    const next = calls.filter((node) => (passed ? node.made > passed.made : isTurns && node.tick !== member.tick)).map(({ made }) => made);
    return next.length > 0 ? Math.min(...next) : undefined;
  }
}
