/** Whether a call of the user's is part of what somebody else draws: a task, a step of one, or a mere wait for some. */
import { RootKind } from '../../model/facts';
import type { CombinatorCall } from '../combinators/combinator-call';
import { NO_WORK_MS } from '../moments';
import { asksForWork } from './asking';
import { callerPlaceOf, functionKeyOf, isCalledDirectly, isIteratorStep, isUserCall, libraryMaking, type PromiseNode } from './promise-node';
import { headBefore, headOf, resolvedWith, sourceOf } from './chain-links';
import { firstStepOf, isMereBegin, isBegunAtOnce } from './chain-steps';
import { arePauses, areTimers, areWaits, isPause, waiterOf } from './pauses';
import { topOf } from './places';
import { isInside, isRecursion } from './scopes';

/** A chain is followed no further. */
const MAX_LINKS = 64;
/** More elements than that are not written one by one. */
const MAX_PARTS = 32;
/** Races around one another. */
const MAX_RACES = 8;

/** Whether a call did nothing but wait until tasks were through that others had begun. */
export function isWaitForOthers(node: PromiseNode): boolean {
  const call = node.lastWait?.combinator;
  if (!node.isAsyncFunction || !call) return false;
  // All that it races had been raced before.
  if (call.combinator === 'race' && call.elements.length === 0) return call.racedBefore > 0;
  return call.role === 'collector' && !call.elements.some((element) => isInside(sourceOf(element).owner, (at) => at === node));
}

/**
 * `while (active >= 3) await slotFree()`: whether a promise made by hand was settled by one of several calls of another function that ran at once, and which had
 * begun before it was made: nothing was done for it.
 */
export function isReleased({ isAsyncFunction, isDerived, family, made, settledBy, settledIn }: PromiseNode): boolean {
  const by = settledIn ? headOf(settledIn) : settledBy;
  return !isAsyncFunction && !isDerived && by?.family !== undefined && by.family !== family && by.family.ranAtOnce && by.made < made;
}

/** Whether a reaction to another function's call gave it, or a chain that begins with it: it is what that one goes on with. Behind a mere pause it is the begin. */
export function isContinuation(node: PromiseNode): boolean {
  const link = resolvedWith(node);
  const source = link?.parent && sourceOf(link.parent);
  const before = source?.inner && !source.family ? headOf(source.inner) : source;
  return before?.family !== undefined && before.family !== node.family && before.inner?.family !== node.family && !isMereBegin(before);
}

/** Whether a call of another function's, or what a library ran, began the chain that it, or a chain that begins with it, is a step of. */
export function isStepOfChain(node: PromiseNode): boolean {
  const before = resolvedWith(node)?.parent;
  // What an element goes on with behind a limiter.
  const begin = headBefore(node) ?? (before?.elementOf && !before.isDerived ? before : undefined);
  // What was there before is none of its steps, and neither is a mere pause.
  const head = begin && before && isMereBegin(begin) ? firstStepOf(before, begin) : begin;
  if (!head || head.family === node.family) return false;
  return (head.family !== undefined || head.libraryTask !== undefined || (head.owner !== undefined && libraryMaking(head.owner) !== undefined)) && isOtherWork(head, node);
}

/** Whether a call is the first step of a chain that begins with a mere pause. */
export function isBehindPause(node: PromiseNode): boolean {
  const before = resolvedWith(node)?.parent;
  return before !== undefined && isPause(before);
}

/** Whether a call is a task already. */
export const isTasksOwn = (node: PromiseNode): boolean => node.isClaimed || standsFor(node) || (node.task?.group !== undefined && node.task.group.facts.kind !== 'race' && node.task.work === node) || (node.elementOf?.holdsTasks === true && node.elementOf.combinator !== 'race');

/** Whether what was derived from a call is a task, or a race of several. */
export const isBehindTask = (node: PromiseNode): boolean => node.awaitingCall?.holdsTasks === true;

/** Whether a call is a task already, or at work inside of one. */
export const isTaken = (node: PromiseNode): boolean => node.isClaimed || standsFor(node) || taskAround(node) !== undefined;

/** Whether a call is a task already, or a step of one: of what that does in turn, as all tasks of its group do. A part of a whole has no such steps. */
export function isStep(node: PromiseNode): boolean {
  if (node.isClaimed || standsFor(node)) return true;
  const around = taskAround(node);
  return around !== undefined && (around === node || !isPartOfWhole(around));
}

/** As many calls, one after the other, make a loop. */
export const LOOP_TASKS = 3;

/**
 * Whether calls, one after the other, are a loop that a task runs: one running function made all of them itself, which is no lane of others' work, and neither do they
 * ask for work, nor are they tries of something that fails, nor looks at something with pauses in between. Or they are links of one chain.
 */
export function areLoopOfTask(nodes: readonly PromiseNode[]): boolean {
  if (areLinks(nodes)) return true;
  const by = nodes.at(0)?.owner;
  if (!by || nodes.length < LOOP_TASKS || by.awaitingCall?.role === 'workers' || by.scope?.crew?.pool?.has(by) === true) return false;
  // What is called in a reaction is what others wait for, as a limiter's next job.
  if (!nodes.every((node) => !node.isClaimed && isCalledByOwner(node) && !asksForWork(node)) || nodes.every(({ isPending, rejected }) => isPending || rejected)) return false;
  if (areTurnsOfRecursion(nodes)) return true;
  return nodes.every(({ owner }) => owner === by) && by.scope?.calls?.some((calls) => calls.nodes.length > 1 && (arePauses(calls) || (areTimers(calls) && !calls.nodes.includes(nodes[0])))) !== true;
}

/** Whether the running function calls a function itself, be it one that gives a chain which begins with a pause. */
const isCalledByOwner = (node: PromiseNode): boolean => isCalledDirectly(node) || (waiterOf(node)?.callers?.place.fn === topOf(node.owner?.stack)?.place.fn);

/** `async function copy([head, ...tail]) { await copyOne(head); await copy(tail); }`: whether each was called in a call that the one before called itself, without a pause or a failure. */
const areTurnsOfRecursion = (nodes: readonly PromiseNode[]): boolean => nodes.every(({ owner, rejected }, i) =>
  owner !== undefined && !rejected && owner.scope?.calls?.some((calls) => calls.place.fn === topOf(owner.stack)?.place.fn && areWaits(calls)) !== true && (i === 0 || (owner.owner === nodes[i - 1].owner && isRecursion(owner))));

/** `list.reduce((before, one) => before.then(() => save(one)), start)`: whether each was called in a link of a chain, which the next one hangs on. */
const areLinks = (nodes: readonly PromiseNode[]): boolean => nodes.length >= LOOP_TASKS && nodes.every(({ adoptedBy, isClaimed }, i) =>
  adoptedBy !== undefined && !isClaimed && (i === 0 || adoptedBy.parent === nodes[i - 1].adoptedBy));

/** Whether several calls are at work inside of one task: what a library runs there is a pool of the task's, and they are none of the tasks of a limiter. */
export function shareTask(nodes: readonly PromiseNode[]): boolean {
  const around = new Set<PromiseNode>();
  for (const node of nodes) {
    const task = taskAround(node);
    if (!task || task === node) return false;
    if (around.has(task)) return true;
    around.add(task);
  }
  return false;
}

/** The innermost of a call and those that it is at work inside of which is a task. */
function taskAround(node: PromiseNode): PromiseNode | undefined {
  let found: PromiseNode | undefined;
  isInside(node, (at) => {
    const isTask = at.task?.group !== undefined || at.awaitingCall?.holdsTasks === true;
    if (isTask) found = at;
    return isTask;
  });
  return found;
}

/** Whether a combinator holds an element that is no call of the same function as any other: the parts of a whole, each with a way of its own. */
export function isPartOfWhole(element: PromiseNode): boolean {
  const { awaitingCall } = element;
  const fn = functionKeyOf(element);
  if (!awaitingCall?.holdsTasks || fn === '' || awaitingCall.elements.length < 2 || awaitingCall.elements.length > MAX_PARTS) return false;
  return awaitingCall.elements.every((other) => sourceOf(other) === element || functionKeyOf(sourceOf(other)) !== fn) && !mayWaitInLine(awaitingCall);
}

/** Whether several elements are promises made by hand, at one place, that are pending yet: what they are for may be of any function. */
function mayWaitInLine({ elements }: CombinatorCall): boolean {
  const waiting = elements.map(sourceOf).filter((node) => node.isPending && node.kind === RootKind.other && isUserCall(node));
  return waiting.length > 1 && waiting.every((node) => functionKeyOf(node) === functionKeyOf(waiting[0]));
}

/** Whether an element of a combinator was resolved with the promise, or a link of the chain that ends in it, be it with a chain that begins with the promise: then it is the work of that element, or a step of it. */
function standsFor(node: PromiseNode): boolean {
  const around = node.chainEnd?.adoptedBy;
  if (around && isStepAfter(around, node)) return true;
  let at = node.adoptedBy;
  for (let steps = 0; at && steps < 64; steps++) {
    if (isHeld(at.elementOf) || isStepAfter(at, node)) return true;
    at = at.adoptedBy;
  }
  return false;
}

/**
 * Whether a chain of other work ends in an element of a combinator, or is a call of a group's: lanes of a pool are chains of calls of one function.
 * @param link of the chain, or a promise that was resolved with the call
 */
function isStepAfter(link: PromiseNode, node: PromiseNode): boolean {
  const head = headOf(link);
  return (isHeld(head.behind) || (head !== link && head.family?.areTasks === true)) && isOtherWork(head, node) && !(head.settledAtOnce && isOneOfLinks(link, node, head));
}

/** `entries.reduce((before, entry) => before.then(() => post(entry)), Promise.resolve())`: whether the link before the one that was resolved with a call, or the one behind it, was resolved with a call of the same function. */
function isOneOfLinks(link: PromiseNode, node: PromiseNode, head: PromiseNode): boolean {
  let behind = head.chainEnd;
  for (let steps = 0; behind && behind.parent !== link && steps < MAX_LINKS; steps++) behind = behind.parent;
  return [link.parent?.inner, behind?.inner].some((inner) => inner !== undefined && functionKeyOf(headOf(inner)) === functionKeyOf(node));
}

/** Whether what a chain begins with is work of another function than the call's, called elsewhere. */
const isOtherWork = (head: PromiseNode, node: PromiseNode): boolean =>
  workKeyOf(head) !== workKeyOf(node) && callerPlaceOf(head) !== callerPlaceOf(node) && isWork(head);

/** The function whose work it is, also where that begins with a pause. */
const workKeyOf = (node: PromiseNode): string => waiterOf(node)?.functionKey ?? functionKeyOf(node);

/**
 * Whether a promise took its time, or was brought by Node from outside of any reaction. Between the making and the settling of one that was settled at once,
 * only the agent may have, unless it begins a call's chain; and to ask for work is none.
 */
function isWork(node: PromiseNode): boolean {
  const { made, ended, settledAtOnce, settledIn } = node;
  const hasTakenTime = settledAtOnce ? isBegunAtOnce(node) : ended - made >= NO_WORK_MS || settledIn === undefined;
  return hasTakenTime && !isIteratorStep(node);
}

/** Whether a combinator holds tasks; a race of a task with an alarm clock is held itself by whoever takes that for the task. */
function isHeld(by: CombinatorCall | undefined): boolean {
  let call = by;
  for (let steps = 0; call?.role === 'nothing' && steps < MAX_RACES; steps++) call = call.node.awaitingCall;
  return call?.holdsTasks === true;
}
