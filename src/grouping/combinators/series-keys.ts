/** By what a combinator call is known again as the next one of a series. */
import type { CombinatorCall } from './combinator-call';
import { topOf } from '../promises/places';
import { functionKeyOf, isUserCall, libraryMaking, sourceOf, workOf } from '../promises/promise-node';
import { callFrameOf, startFrameOf } from '../promises/scopes';

/** The key of calls whose place nobody looked at. */
export const UNSEEN = 'unseen';

/** By what a call is known again in its running function: its own place, or the place where its tasks are called. */
export function keysOf(call: CombinatorCall): string[] {
  const own = call.frame;
  const first = call.elements.map(sourceOf).find((element) => element.stack);
  const tasks = first && startFrameOf(first);
  const keys: string[] = [];
  if (own) keys.push(`at|${own.place.at}`);
  if (tasks) keys.push(`of|${tasks.place.at}`);
  // Where nobody looked at the stack any more, the loop goes on as before.
  keys.push(UNSEEN);
  return own ? keys.slice(0, 2) : keys;
}

/**
 * A combinator in a helper that another function calls: by the place of that call and its own it is known again, and once it
 * was called from one place several times, by its own alone. A helper is no task itself, is not run by a library, and gives all elements to one function.
 */
export function helperKeysOf(call: CombinatorCall): string[] {
  const { owner } = call.node;
  if (!owner?.isAsyncFunction || !isUserCall(owner) || owner.task || owner.awaitingCall) return [];
  if (topOf(topOf(owner.stack)?.callers)?.place.kind !== 'user' || (owner.owner && libraryMaking(owner.owner) !== undefined)) return [];
  const functions = new Set(call.elements.map((element) => functionKeyOf(workOf(element))));
  const from = callFrameOf(owner);
  if (functions.size !== 1 || functions.has('') || !from || !call.frame) return [];
  return [`helper|${from.place.at}|${call.frame.place.at}`, `helper|${call.frame.place.at}`];
}
