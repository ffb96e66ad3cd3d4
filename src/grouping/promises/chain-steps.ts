/**
 * Chains of `then` whose work begins behind what is none itself: `sleep(50).then(() => load(id)).then(save)`, `Promise.resolve(id).then(load)`.
 *
 *   ├ sleep ┤▇▇▇▇ load ▇▇▇▇┤▇▇▇ save ▇▇▇┤
 *   head    first step                  end
 */
import { isPause } from './pauses';
import { isBuiltin, topOf } from './places';
import { headOf, isBehind, isCall, type PromiseNode } from './promise-node';
import { handsOn } from './runners';

/** A chain is followed no further. */
const MAX_LINKS = 256;

/** The first link behind what a chain began with. */
export function firstLinkOf(link: PromiseNode, head: PromiseNode): PromiseNode {
  let first = link;
  for (let steps = 0; first.parent && first.parent !== head && steps < MAX_LINKS; steps++) first = first.parent;
  return first;
}

/** `acquire().then(() => load(id)).finally(release)`: what the first step of a chain was resolved with, where that is a call. @param head what the chain began with */
export function firstStepOf(link: PromiseNode, head: PromiseNode): PromiseNode | undefined {
  if (head.isPending || !link.isDerived) return undefined;
  const first = firstLinkOf(link, head);
  const step = first.parent === head && first.inner ? headOf(first.inner) : undefined;
  return step && isCall(step) ? step : undefined;
}

/** Whether a chain begins with what was settled from the start, `Promise.resolve(id)` or `new Promise((go) => go(id))`, and is not what a function with a name gave that was called for it. */
export function isThere({ settledAtOnce, stack, family }: PromiseNode): boolean {
  const by = topOf(stack)?.place;
  return settledAtOnce && (isBuiltin(stack?.place, 'resolve') || isBuiltin(stack?.place, 'Promise')) && (!family || (by !== undefined && (by.name === '' || handsOn(by))));
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
