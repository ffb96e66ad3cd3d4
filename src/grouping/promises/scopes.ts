/** Which running function a call belongs to. */
import { PROGRAM_FRAMES } from '../../model/facts';
import type { Family } from '../families/family';
import type { Races } from '../families/loose-lanes';
import type { Crew } from '../families/crew';
import { waiterOf } from './pauses';
import { isLoops, topOf, userFrame, type Stack } from './places';
import { isStreamPump, isUserCall, libraryMaking, type CallPlace, type PromiseNode } from './promise-node';
import type { Series } from '../combinators/series';

const MAX_STEPS = 256;
/** What is asked for each wait looks no further. */
const MAX_CLOSE = 16;

/** What one running function has called so far, by what its calls are known again by; forgotten with the function. */
export class Scope {
  families: Map<string, Family> | undefined;
  series: Map<string, Series> | undefined;
  /** By place: a worker is told by calling one place again and again. */
  calls: CallPlace[] | undefined;
  /** The family all its calls belong to, as long as there is only one. */
  called: Family | 'several' | undefined;
  /** How often it called itself. */
  recursions = 0;
  /** Of functions that call themselves again without being awaited: the first calls, as long as it is open whether they do; else whether their calls are the tasks, or what these call. */
  lanes: Map<string, PromiseNode[] | 'tasks' | 'callers'> | undefined;
  /** By function: what the latest of its calls to race anything raced. */
  races: Map<string, Races> | undefined;
  /** Functions whose calls leave running what they begin: that is its own. */
  starters: Set<string> | undefined;
  /** The workers it is one of, if it is one. */
  crew: Crew | undefined;
  /** Where it last waited for the first of several to end. */
  race: Stack | undefined;
  /** The latest run of code in which it asked an async generator for its next. */
  askedIn = 0;
}

/** Scopes of one thread. */
export class Scopes {
  /** Of code that no running function of the user's is known for. */
  private readonly top = new Scope();

  of(node: PromiseNode | undefined): Scope { return node ? (node.scope ??= new Scope()) : this.top; }
  /** @returns undefined where nothing is remembered */
  known(node: PromiseNode | undefined): Scope | undefined { return node ? node.scope : this.top; }
}

/** The first call of a chain in which a function awaits itself: recursion is another way to write a loop. */
export function chainOf(owner: PromiseNode | undefined): PromiseNode | undefined {
  let at = owner;
  for (let steps = 0; at?.owner && !at.chainHead && steps < MAX_STEPS; steps++) {
    if (!isRecursion(at)) break;
    at = at.owner;
  }
  const head = at?.chainHead ?? at;
  // A chain may be longer than its promises are kept.
  if (owner && owner !== head) owner.chainHead = head;
  return head;
}

/** Whether a call was made by another one of the same function. */
export function isRecursion({ stack, owner }: PromiseNode): boolean {
  const fn = topOf(stack)?.place.fn;
  return fn !== undefined && topOf(owner?.stack)?.place.fn === fn;
}

/** Whether a call was made by another one of the same function that has called itself only this once: it is the next round of a loop. */
export const isNextRound = (call: PromiseNode): boolean => isRecursion(call) && call.owner?.scope?.recursions === 1;

/** Where a call was made from, seen past libraries. */
export interface Anchor {
  /** The running function of the user's that it all belongs to, seen past links of a chain of calls; undefined at the top level. */
  readonly user: PromiseNode | undefined;
  /** The outermost call of a library between that function and the call, or the innermost of an operator of a stream's. */
  readonly library: PromiseNode | undefined;
  /** What it is the inner business of: a thenable that is awaited, or a call of a library by the program, which is placed in a family. */
  readonly asked: PromiseNode | undefined;
}

export function anchorOf(node: PromiseNode): Anchor {
  let library: PromiseNode | undefined;
  let asked: PromiseNode | undefined;
  let at = node.owner;
  for (let steps = 0; at && steps < MAX_STEPS; steps++) {
    if (at.isAsyncFunction && isUserCall(at) && !at.isLink) return { user: at, library, asked };
    if (at.family?.api?.isNodes === false && !at.family.isAnothers) asked = at;
    if (libraryMaking(at) !== undefined) library = at;
    else if (isStreamPump(at)) library ??= at;
    at = at.owner;
  }
  return { user: undefined, library, asked };
}

/** The innermost that is wanted, of a promise and all that it was made in; undefined for none. */
export function innermost(node: PromiseNode | undefined, isWanted: (at: PromiseNode) => boolean): PromiseNode | undefined {
  let at = node;
  for (let steps = 0; at && steps < MAX_STEPS; steps++, at = at.owner) if (isWanted(at)) return at;
  return undefined;
}

/** Whether `node` is at work inside of `outer`. */
export const isInside = (node: PromiseNode | undefined, outer: (owner: PromiseNode) => boolean): boolean => innermost(node, outer) !== undefined;

/** Whether `node` is a call, or is at work close inside of it. */
export function isWithin(node: PromiseNode | undefined, call: PromiseNode): boolean {
  let at = node;
  for (let steps = 0; at && steps < MAX_CLOSE; steps++, at = at.owner) if (at === call) return true;
  return false;
}

/** The innermost running function that two are at work inside of, or that one of them is; undefined for none. */
export const aroundBoth = (one: PromiseNode | undefined, other: PromiseNode | undefined): PromiseNode | undefined => innermost(one, (at) => isWithin(other, at));

/** Whether code made it that is in no running function of the program's. */
export const isAtTop = ({ owner }: PromiseNode): boolean => owner === undefined || !isUserCall(owner);

/** The user's frame in which the running function called what became `node`: the place that a loop comes back to. */
export function callFrameOf(node: PromiseNode): Stack | undefined {
  return (waiterOf(node) ?? topOf(node.stack))?.calledBy(topOf(node.owner?.stack)?.place.fn, node.isAsyncFunction);
}

/** Whether all of the program's code is known that ran when something was made, and not just its top. */
export function isSeenWhole({ stack }: PromiseNode): boolean {
  let at = userFrame(stack);
  for (let frames = 0; frames < PROGRAM_FRAMES; frames++, at = at.callers) if (!at || at.awaits || isLoops(at.place)) return true;
  return false;
}

/** The place in the running code where what became `node` was begun: the loop's, also where no function of the user's runs and others stand between. */
export function startFrameOf(node: PromiseNode): Stack | undefined {
  const frame = callFrameOf(node);
  if (!frame || topOf(node.owner?.stack)?.place.kind === 'user') return frame;
  let outermost = frame;
  for (let at = frame.callers; at && !at.awaits; at = at.callers) if (at.place.kind === 'user') outermost = at;
  return outermost;
}
