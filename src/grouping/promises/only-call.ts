/** What a function does, where that is no more than one call of another. */
import { TOGETHER_MS } from '../moments';
import { isPause } from './pauses';
import { functionKeyOf, isUserCall, type PromiseNode } from './promise-node';
import { endOf, headBefore } from './chain-links';

/** A function that calls more than that does no one thing. */
const MAX_CALLS = 32;

/**
 * The one call that a function made while it had its slot, if that is not but a promise of its own making. What the chain that the call gave goes on with is a
 * part of it.
 * @param end behind it, the function may have begun what comes next @param wait by which it asked for the slot
 */
export function workUnder(call: PromiseNode, start: number, end = Infinity, wait = call.turnWait): PromiseNode | undefined {
  const made = (call.scope?.calls ?? []).flatMap(({ nodes }) => nodes.filter((node) => node.made >= start - TOGETHER_MS && node.made < end && node !== wait));
  if (made.length > MAX_CALLS) return undefined;
  const calls = made.filter((node) => {
    const head = headBefore(node);
    return head === undefined || head === node || !made.includes(head);
  });
  const [work] = calls;
  return calls.length === 1 && functionKeyOf(work) !== functionKeyOf(call) ? work : undefined;
}

/** Whether one call of another function is all that a function did between two times, from the first to the last. */
export function isAllBetween(by: PromiseNode, call: PromiseNode, start: number, end: number): boolean {
  const last = endOf(call).ended;
  if (call.owner !== by || functionKeyOf(call) === functionKeyOf(by) || isPause(call) || !(end - last < TOGETHER_MS)) return false;
  // Who has a slot at once goes on only when those called beside it have asked for theirs.
  return by.scope?.calls?.some(({ nodes }) => nodes.some((other) => other !== call && other.made < last && (other.made > call.made || (isUserCall(other) && other.made > start)))) !== true;
}
