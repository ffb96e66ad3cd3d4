/** What a function does, where that is no more than one call of another. */
import { TOGETHER_MS } from '../moments';
import { functionKeyOf, headBefore, type PromiseNode } from './promise-node';

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
