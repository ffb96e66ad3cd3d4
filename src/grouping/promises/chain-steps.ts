/**
 * Chains of `then` whose work begins behind what is none itself: `sleep(50).then(() => load(id)).then(save)`, `Promise.resolve(id).then(load)`.
 *
 *   ├ sleep ┤▇▇▇▇ load ▇▇▇▇┤▇▇▇ save ▇▇▇┤
 *   head    first step                  end
 */
import { NO_WORK_MS } from '../moments';
import { areOfOneChain, firstLinkOf, headOf, isBehind } from './chain-links';
import { isPause } from './pauses';
import { isBuiltin, topOf } from './places';
import { isCall, isUserCall, type PromiseNode } from './promise-node';
import { handsOn, isRunner } from './runners';

/** The call that a chain began with; where that was there before the chain was, the call of the first step. */
export function workBegin(link: PromiseNode): PromiseNode | undefined {
  const head = headOf(link);
  return stepsBegin(link) ?? (isThere(head) ? firstStepOf(link, head) : undefined);
}

/** The call that a chain began with, where it is the first step of its work and no mere wait for room; undefined for none. */
export function stepsBegin(link: PromiseNode): PromiseNode | undefined {
  const head = headOf(link);
  const made = topOf(head.stack)?.place;
  // What is asked of Node, but for its timers, makes nobody wait for room, however short it takes.
  const isRequest = made?.kind === 'node' && !made.file.startsWith('node:timers');
  if (!head.chainEnd || !(isUserCall(head) || made?.kind === 'node') || !(isRequest || head.ended - head.made >= NO_WORK_MS || (isBegunAtOnce(head) && made !== undefined && !isRunner(made))) || !areOfOneChain(link, head.chainEnd)) return undefined;
  const wait = head.isAsyncFunction ? head.lastWait ?? head.inner : head;
  const isReleased = wait && !wait.settledAtOnce && !wait.isAsyncFunction && !wait.isDerived && isUserCall(wait) && (wait.settledBy !== undefined || wait.settledIn !== undefined || wait.byModule);
  return isReleased ? undefined : head;
}

/** `Promise.resolve(id).then(load)`: whether what a function gave begins with what was there, for that and all other calls of it. Some who wait for room have none. */
export const isBegunAtOnce = ({ isThroughAtOnce, family, chainEnd }: PromiseNode): boolean => isThroughAtOnce && chainEnd !== undefined && family?.areBegunAtOnce === true;

/** `acquire().then(() => load(id)).finally(release)`: what the first step of a chain was resolved with, where that is a call. @param head what the chain began with */
export function firstStepOf(link: PromiseNode, head: PromiseNode): PromiseNode | undefined {
  if (head.isPending || !link.isDerived) return undefined;
  const first = firstLinkOf(link, head);
  const step = first.parent === head && first.inner ? headOf(first.inner) : undefined;
  return step && isCall(step) ? step : undefined;
}

/** Whether a chain begins with what was settled from the start, `Promise.resolve(id)` or `new Promise((go) => go(id))`, and is not what a function with a name gave that was called for it. */
export function isThere({ settledAtOnce, stack, family }: PromiseNode): boolean {
  // Of each promise that settles this is asked, and most were not.
  if (!settledAtOnce) return false;
  const by = topOf(stack)?.place;
  return (isBuiltin(stack?.place, 'resolve') || isBuiltin(stack?.place, 'Promise')) && (!family || (by !== undefined && (by.name === '' || handsOn(by))));
}

/** Whether what a chain begins with is no work, so that this begins with the first step. */
export const isMereBegin = (head: PromiseNode): boolean => isThere(head) || isPause(head);

/**
 * The end of the chain whose first step was resolved with a call, or with a link behind it, where the chain begins with what is no work.
 * @returns undefined where there are no further steps, or that is over
 */
export function endBehindBegin({ adoptedBy: first }: PromiseNode): PromiseNode | undefined {
  const head = first?.parent;
  const end = head?.chainEnd;
  return head && end?.isPending === true && end !== first && isMereBegin(head) && isBehind(end, first) ? end : undefined;
}
