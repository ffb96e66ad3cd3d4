/** What tells of a combinator's elements that their work waits for its turn, or that they go on in a chain with something else. */
import { RootKind } from '../../model/facts';
import type { CombinatorCall } from './combinator-call';
import { NO_WAIT_MS, TOGETHER_MS } from '../moments';
import { callerPlaceOf, functionKeyOf, isCall, isIteratorStep, isLoaders, isUserCall, type PromiseNode } from '../promises/promise-node';
import { firstLinkOf, headOf, sourceOf } from '../promises/chain-links';
import { firstStepOf } from '../promises/chain-steps';
import { holdsAll, workOf } from '../promises/work-of';
import { isPause } from '../promises/pauses';
import { isBuiltin, topOf } from '../promises/places';
import { isInside } from '../promises/scopes';
import { isBareWait, releaseOf } from './releases';

/** A chain of promises that were resolved with one another is followed no further. */
const MAX_LINKS = 256;

/** Whether an end of a neighbour's ended this wait; a neighbour is also an element of another call, if it is of the same function. */
export function isTurnWait(call: CombinatorCall, element: PromiseNode, wait: PromiseNode): boolean {
  // An adapter tells of a library's turns.
  if ((wait.libraryTask && wait.isClaimed) || isIteratorStep(headOf(wait))) return false;
  const { combinator, settledBy } = releaseOf(wait);
  if (settledBy && isLoaders(settledBy)) return false;
  if (combinator) return element.lastWait === wait && combinator !== call && areNeeded(call, element, combinator);
  if (wait.isPending || wait.rejected || (isUserCall(wait) && wait.isAsyncFunction && !isBareWait(wait))) return false;
  const fn = functionKeyOf(element);
  // What an element is at work inside of is no neighbour, even if it is of the same function.
  return isInside(settledBy, (node) => node.awaitingCall !== undefined
    && (node.awaitingCall === call || (fn !== '' && functionKeyOf(node) === fn)) && !isInside(element, (at) => at === node));
}

/**
 * `const inputs = await Promise.all(needs.map((need) => this.make(need)))`: whether what an element waits for first of all holds nothing but
 * other elements of the same call. It has to come after these, as the nodes of a graph do.
 */
function areNeeded(call: CombinatorCall, element: PromiseNode, { node, elements }: CombinatorCall): boolean {
  return node.tick === element.tick && elements.length > 0 && elements.every((one) => one.elementOf === call || sourceOf(one).awaitingCall === call);
}

/** Whether what an element waited for as its turn were others that it needs: their ends made no room, they were what it was to go on with. */
export function isForNeeded(turnWait: PromiseNode | undefined): boolean {
  const combinator = turnWait && releaseOf(turnWait).combinator;
  return combinator !== undefined && combinator.combinator !== 'race';
}

/** What an element waited for first of all, where that were others that it needs; undefined for none. */
function neededBy(element: PromiseNode): PromiseNode | undefined {
  const { awaitingCall, turnWait, waitedFor, lastWait } = element;
  return awaitingCall && [turnWait, waitedFor, lastWait].find((wait) => wait?.combinator && areNeeded(awaitingCall, element, wait.combinator));
}

/** When an element had all that it needs of others, in milliseconds after the run's `timeOrigin`; where it needs nothing, since it was made. */
export const readySince = (element: PromiseNode): number => neededBy(element)?.ended ?? element.made;

/** Whether an element's work began only in a later run of code than the call. */
export function isLate(call: CombinatorCall, element: PromiseNode): boolean {
  if ((element.isAsyncFunction && isUserCall(element)) || hasBegun(element) || holdsAll(headOf(element))) return false;
  const work = workOf(element);
  return work !== element && isCall(work) && work.tick !== call.node.tick && work.made > call.node.made && !isDeferred(element, work);
}

/**
 * `limit(() => load(id)).then(save)`: whether elements are chains that go on behind what a limiter gave for work of its own, for which some had to wait. What comes next is
 * no part of that, and may be behind another limiter.
 * @param isResult whether a promise is of a kind that is settled by what was done for who waits for it
 */
export function areBehindLimited({ elements }: CombinatorCall, isResult: (promise: PromiseNode) => boolean): boolean {
  let hasWork = false;
  let hasWaited = false;
  for (const element of elements) {
    const head = headOf(element);
    if (head === element || head.isAsyncFunction || head.kind !== RootKind.other || !isUserCall(head)) return false;
    const work = head.inner || isResult(head) ? workOf(head) : head;
    const isAtOnce = head.begunWith !== undefined;
    const isWork = isAtOnce || (work !== head && isCall(work));
    hasWork ||= isWork;
    hasWaited ||= isWork ? !isAtOnce && work.tick !== head.tick && work.made - head.made >= NO_WAIT_MS : head.isPending;
  }
  return hasWork && hasWaited;
}

/**
 * `async (item) => { await lock.run(() => save(item)); }`, where `run` gives `this.last = this.last.then(job)`: the step that an element has put behind what others
 * put there, first of all, and waits for, or gives.
 */
export function stepAskedFor(call: CombinatorCall, element: PromiseNode): PromiseNode | undefined {
  const asked = element.lastWait ?? element.inner;
  if (!asked || !element.isAsyncFunction || !isUserCall(element) || !asked.isDerived || asked.owner !== element || asked.made > call.node.made) return undefined;
  // What it has begun itself is its own work.
  return headOf(asked).owner === element ? undefined : asked;
}

/**
 * `Promise.resolve().then(next)`, `source.next().then(next)`: whether work was begun in the first reaction of an element whose chain begins with what is settled
 * from the start, or with the asking for work. It waited for no turn.
 */
function isDeferred(element: PromiseNode, { madeIn }: PromiseNode): boolean {
  const head = headOf(element);
  return madeIn !== undefined && (madeIn.parent === head || holdsFirst(element, head)) && (isBuiltin(head.stack?.place, 'resolve') || isIteratorStep(head));
}

/** Whether an element paused for a time of its own first of all: `sleep(i * 50).then(() => load(i))`. No other one's end let it begin. */
export function beginsByClock(element: PromiseNode): boolean {
  const head = headOf(element);
  return head !== element && isPause(head) && !element.turnWait;
}

/** Whether the first step of a chain was a combinator: what begins behind that is a further step. */
function holdsFirst(element: PromiseNode, head: PromiseNode): boolean {
  const first = firstLinkOf(element, head);
  return first !== element && first.inner?.combinator?.holdsTasks === true;
}

/** Whether what a promise was made for began as that was made, as far as what it was resolved with does not tell. */
function hasBegun({ isDerived, begunWith, inner }: PromiseNode): boolean {
  return !isDerived && !inner && begunWith !== undefined && !(begunWith.ended - begunWith.made < NO_WAIT_MS);
}

/**
 * `load(id).then(parse).then(save)`: whether a chain of steps began with one that took its time and was not ended by a
 * neighbour. The later work is the next step then, and none that had to wait for its turn. What is called at the same place
 * again and again is no step, but a lane's next task; and what is called behind a mere pause is the task, which begins late.
 */
export function isFurtherStep(call: CombinatorCall, element: PromiseNode): boolean {
  const work = workOf(element);
  const head = headOf(element);
  // What a chain begins with that was there already is none of its steps.
  const first = head.isThroughAtOnce ? firstStepOf(element, head) ?? head : head;
  if (first === element || first.isPending || first.isThroughAtOnce || !(first.ended - first.made >= NO_WAIT_MS) || !(work.made >= first.ended)) return false;
  // What `then` was handed itself is called from nowhere: what stands above awaits it.
  const isHanded = topOf(first.stack)?.callers?.awaits !== false;
  if ((isPause(first) && !isPause(work)) || (!isHanded && callerPlaceOf(first) === callerPlaceOf(work))) return false;
  const own = workOf(first);
  if (own !== first && !(own.made - first.made < NO_WAIT_MS)) return false;
  return !isEndedByOther(call, first);
}

/** Whether what a chain begins with was ended by an element of a call. */
export function isEndedByOther(call: CombinatorCall, first: PromiseNode): boolean {
  // A function of Node's, or a request, ends by itself: nothing is known of what that waited for.
  const isAsked = topOf(first.stack)?.place.kind === 'node' || first.family?.areRequests === true;
  const isOfCall = (node: PromiseNode): boolean => node.awaitingCall === call && !(isAsked && node === first);
  const cause = first.settledIn;
  return isInside(releaseOf(first).settledBy, isOfCall) || (cause !== undefined && (isOfCall(cause) || isOfCall(sourceOf(cause)) || headOf(cause).behind === call || isGivenBy(cause, call) || isInside(cause.owner, isOfCall)));
}

/** `acquire().then((slot) => load(slot).then((row) => { release(slot); return row; }))`: whether a link is of a chain that an element of a call was resolved with. */
const isGivenBy = (link: PromiseNode, call: CombinatorCall): boolean => [link, headOf(link).chainEnd].some((end) => end !== undefined && elementAround(end)?.elementOf === call);

/** `Promise.all([sendAll(), accounts.reduce((before, one) => before.then(() => post(one)), start)])`: whether others than a chain are calls of other functions, at work by then. */
export function isBesideOthers(call: CombinatorCall, element: PromiseNode): boolean {
  const fn = functionKeyOf(workOf(element));
  return call.elements.some((other) => other !== element && other.isAsyncFunction && isUserCall(other) && functionKeyOf(other) !== fn && !other.turnWait && workOf(other) === other);
}

/** The element that a promise is, or that was resolved with what was resolved with it, and so on. */
export function elementAround(node: PromiseNode): PromiseNode | undefined {
  let at: PromiseNode | undefined = node;
  for (let steps = 0; at && !at.elementOf && steps < MAX_LINKS; steps++) at = at.adoptedBy;
  return at;
}

/** The call with which an element's chain of `then` went on, where it is of the same function as its first: no other try of what had failed, but a lane's next task. */
export function nextInLane(element: PromiseNode): PromiseNode | undefined {
  const { inner } = element;
  const following = inner && headOf(inner);
  if (following && isDeferred(element, following)) return nextInLane(inner);
  const next = following && isIteratorStep(following) ? inner.inner && headOf(inner.inner) : following;
  const first = headOf(element);
  return next && first !== element && !first.rejected && next.made >= first.ended && isCall(next) && functionKeyOf(next) === functionKeyOf(first) ? next : undefined;
}

/**
 * The call whose tasks freed the slot of an element of another call: its work was begun in the wake of one of theirs. Both
 * are behind one limiter.
 * @param callOf the latest combinator call of a running function
 * @param isOverBy whether a call, and all that share its limiter as far as is known, were over by a time
 */
export function sharesLimiter(call: CombinatorCall, element: PromiseNode, callOf: (owner: PromiseNode) => CombinatorCall | undefined, isOverBy: (call: CombinatorCall, time: number) => boolean): CombinatorCall | undefined {
  const begun = element.turnWait ? releaseOf(element.turnWait).settledBy : workOf(element).owner;
  const begunAt = element.turnWait?.ended ?? workOf(element).made;
  const own = call.node.owner;
  if (!begun || !own || begun === own) return undefined;
  let other: CombinatorCall | undefined;
  isInside(begun, (node) => (other = callOf(node) ?? node.awaitingCall) !== undefined);
  if (!other || other === call || other.node.owner === own) return undefined;
  // The last of another one's tasks may end with all of that, a moment before the next one begins.
  if (isOverBy(other, begunAt - TOGETHER_MS)) return undefined;
  // What runs inside of the other's tasks was begun there anyway.
  return isInside(own, (node) => node.awaitingCall === other) ? undefined : other;
}
