/** By what a combinator call is known again as the next one of a series. */
import type { CombinatorCall } from './combinator-call';
import { frameWhere, isCutOff, nodeCallerOf, topOf, type Place, type Stack } from '../promises/places';
import { functionKeyOf, isUserCall, libraryMaking, type PromiseNode } from '../promises/promise-node';
import { headOf, sourceOf } from '../promises/chain-links';
import { workOf } from '../promises/work-of';
import { anchorOf, callFrameOf, startFrameOf } from '../promises/scopes';

/** The key of calls whose place nobody looked at. */
export const UNSEEN = 'unseen';

/** By what a call is known again in its running function: its own place, or the place where its tasks are called. */
export function keysOf(call: CombinatorCall): string[] {
  const own = call.frame;
  const first = firstSeen(call.elements);
  const tasks = first && (frameWhere(first.stack, ({ fn }) => fn === own?.place.fn) ?? startFrameOf(first));
  const keys: string[] = [];
  if (own) keys.push(`at|${own.place.at}`);
  if (tasks) keys.push(`of|${tasks.place.at}`);
  // Where nobody looked at the stack any more, the loop goes on as before.
  if (!own) return [...keys, UNSEEN];
  // What `transform` did whenever it had enough, `flush` does with the rest.
  if (first && isCalledByNode(own)) keys.push(`node|${functionKeyOf(first)}`);
  return keys;
}

/** What is behind the first element whose stack was looked at. */
function firstSeen(elements: readonly PromiseNode[]): PromiseNode | undefined {
  for (const element of elements) {
    const source = sourceOf(element);
    if (source.stack) return source;
  }
  return undefined;
}

/** As many helpers deep, that do nothing but call one another, a combinator is known again. */
const MAX_HELPERS = 3;
/** Calls of Node's on top of one another. */
const MAX_CALLS = 256;

/**
 * The helpers that a combinator is in, innermost first: `async add(doc) { if (this.isFull) await this.flush(); }`. A helper is no task itself,
 * and gives all elements to one function, not each in code of its own; one that calls another did nothing before. None where it is in no helper.
 */
export function helpersOf(call: CombinatorCall): PromiseNode[] {
  const helpers: PromiseNode[] = [];
  for (let at = call.node.owner; at && helpers.length < MAX_HELPERS; at = at.owner) {
    const inner = helpers.at(-1);
    if (!isHelper(at) || (inner && (inner.tick !== at.tick || isLoopIn(at)))) break;
    helpers.push(at);
    if (isCalledBack(at)) break;
  }
  if (helpers.length === 0 || !call.frame || call.elements.length === 0 || isTuple(call.elements)) return [];
  const fn = givenBy(call.elements[0]);
  return fn !== '' && call.elements.every((element) => givenBy(element) === fn) ? helpers : [];
}

/** The function whose work an element is, as one string; of a chain whose work is yet to come, that which it begins with. */
const givenBy = (element: PromiseNode): string => functionKeyOf(workOf(element)) || functionKeyOf(headOf(element));

/** `Promise.all([count(user), rank(user)])`: whether each of several elements is called at a place of its own. */
function isTuple(elements: readonly PromiseNode[]): boolean {
  const places = new Set<Place>();
  for (const element of elements) {
    const place = callFrameOf(sourceOf(element))?.place;
    if (!place || places.has(place)) return false;
    places.add(place);
  }
  return places.size > 1;
}

const isHelper = (node: PromiseNode): boolean => node.isAsyncFunction && isUserCall(node) && !node.task && !node.awaitingCall && node.libraryTask?.group?.facts.kind !== 'pool'
  && (isCalledBack(node) || (topOf(topOf(node.stack)?.callers)?.place.kind === 'user' && !(node.owner && libraryMaking(node.owner) !== undefined)));

/**
 * Whether Node calls it whenever there is more to do, one call after the other: a stream its `write`, `transform` or `flush`, a timer its callback; through a
 * library or not. Where a library calls it in no function of the program's, and there is more of that than was looked at, Node does so in the end.
 */
export const isCalledBack = ({ owner, stack }: PromiseNode): boolean => isCalledByNode(callbackOf(topOf(stack))) || (!owner && isCutOff(stack) && areLibrarys(topOf(stack)?.callers));
/** `setTimeout(() => this.tick(), 50)`: what Node has called to call a function. */
const callbackOf = (frame: Stack | undefined): Stack | undefined => (frame?.callers?.place.kind === 'user' && frame.callers.place.name === '' && !frame.callers.awaits ? frame.callers : frame);
const areLibrarys = (callers: Stack | undefined): boolean => {
  let at = callers;
  while (at && !at.awaits && at.place.kind === 'library') at = at.callers;
  return callers !== undefined && at === undefined;
};
const isCalledByNode = (frame: Stack | undefined): boolean => CALLERS.test(nodeCallerOf(frame) ?? '');
const CALLERS = /^node:internal\/(?:(?:web)?streams\/|readline\/|timers$)/;

/** The running function that a helper is called in; undefined at the top level. Node may call the next one where the one before has said that it is through, on top of that. */
export function homeOf(helper: PromiseNode): PromiseNode | undefined {
  let at: PromiseNode | undefined = helper;
  if (!isCalledBack(at)) return at.owner;
  for (let steps = 0; at && isCalledBack(at) && steps < MAX_CALLS; steps++) at = anchorOf(at).user;
  return at;
}

/** Whether a function has called one place again: what it calls there is a loop of its own. */
const isLoopIn = ({ scope }: PromiseNode): boolean => scope?.calls?.some(({ nodes }) => nodes.length > 1) === true;

/** `server.listen(0, run)`: the async function that a call is made in, where Node called it at an event. Each event is a call of its own; what a timer goes on with is not. */
export function listenerOf({ node: { owner } }: CombinatorCall): PromiseNode | undefined {
  const isListener = owner && owner.isAsyncFunction && isUserCall(owner) && !owner.owner && !owner.task && !owner.awaitingCall && topOf(owner.stack)?.callers?.place.kind === 'node' && !isCalledBack(owner);
  return isListener ? owner : undefined;
}

/** By what a helper is known again that the program, or an event, called at first, and a timer from then on: `async function poll() { …; setTimeout(poll, 50); }`. */
export const backKeyOf = (call: CombinatorCall, helper: PromiseNode): string => `back|${functionKeyOf(helper)}|${call.frame?.place.at ?? ''}`;

/** Whether Node has called what makes a call, as a timer does, in no running function of the program's. */
export const isMadeBack = ({ node, frame }: CombinatorCall): boolean => !node.owner && isCalledByNode(callbackOf(frame));

/** By the place that calls a helper, and the combinator's own, that is known again, and once it was called from one place several times, by its own alone. */
export function helperKeysOf(call: CombinatorCall, helper: PromiseNode): string[] {
  const from = isCalledBack(helper) ? functionKeyOf(helper) : callFrameOf(helper)?.place.at;
  return from && call.frame ? [`helper|${from}|${call.frame.place.at}`, `helper|${call.frame.place.at}`] : [];
}
