/** Waits that seemed to be for a turn, and are for what others bring. */
import type { CombinatorCall } from './combinator-call';
import { releaseOf } from './releases';
import { functionKeyOf, type PromiseNode } from '../promises/promise-node';
import { isInside } from '../promises/scopes';

/**
 * Whether what an element seemed to wait for as its turn is waited for again, and elements of another call had ended that wait:
 * they bring what it works on, as the stage before it does in a pipeline. None of that other call's ever waited for its turn.
 */
export function isSuppliedAgain(call: CombinatorCall, node: PromiseNode): boolean {
  const { turnWait } = call;
  if (!turnWait) return node.isAsyncFunction;
  return turnWait !== node && functionKeyOf(turnWait) === functionKeyOf(node) && isEndedByOthers(call, turnWait);
}

/** Whether what an element seemed to wait for as its turn was ended by an element of another call, that itself has never waited for such a turn. */
export function isSuppliedByOthers(call: CombinatorCall): boolean {
  const { turnWait } = call;
  if (!turnWait || !isEndedByOthers(call, turnWait)) return false;
  return isInside(releaseOf(turnWait).settledBy, (by) => by.awaitingCall !== undefined && !(by.turnWait && functionKeyOf(by.turnWait) === functionKeyOf(turnWait)));
}

/** Whether an element's wait was ended by none of its kind. */
function isEndedByOthers(call: CombinatorCall, turnWait: PromiseNode): boolean {
  const fn = turnWait.awaitedBy && functionKeyOf(turnWait.awaitedBy);
  return !isInside(releaseOf(turnWait).settledBy, (by) => by.awaitingCall === call && (fn === undefined || functionKeyOf(by) === fn));
}
