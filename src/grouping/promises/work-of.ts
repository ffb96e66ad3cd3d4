/** What work a promise stands for: of what a queue gave, a chain ended in, or a library's function awaits, the call of the program's that is behind it. */
import { NO_WORK_MS } from '../moments';
import { headOf, isBehind, isOthers, sourceOf } from './chain-links';
import { workBegin } from './chain-steps';
import { topOf, userFrame } from './places';
import { functionKeyOf, isCall, isUserCall, libraryMaking, type PromiseNode } from './promise-node';

/** The call of the user's function whose work a promise stands for; the promise itself where there is no other. */
export function workOf(node: PromiseNode): PromiseNode {
  let best = node;
  let at: PromiseNode | undefined = node;
  for (let steps = 0; at && steps < 64; steps++) {
    if (at.isWhole || holdsAll(at)) return at;
    if (isUserCall(at) && at.isAsyncFunction && !onlyCalls(at)) return at;
    if (isCall(at) || !isCall(best)) best = at;
    const next: PromiseNode | undefined = givenWork(at) ?? precedingWork(at) ?? settlerOf(at) ?? awaitedWork(at);
    if (next && isOneOf(next, at)) return at;
    at = next;
  }
  return best;
}

/** Whether a call is but one of those that a library ran for a promise of its: the one that ended last. */
function isOneOf({ family, libraryTask, task: tied }: PromiseNode, whole: PromiseNode): boolean {
  const task = tied ?? libraryTask;
  return (family?.isRun === true || (task?.group?.isTold === true && whole.task !== task)) && libraryMaking(whole) !== undefined;
}

/** Whether it is for all of several: what ended last of those is not the work it stands for. */
export const holdsAll = ({ combinator }: PromiseNode): boolean => combinator !== undefined && combinator.combinator !== 'race' && combinator.elements.length > 1;

/** What a library's function waits for, or waited for last of all, where that is the program's: `return await fn()`. */
function awaitedWork(node: PromiseNode): PromiseNode | undefined {
  const { ended, isAsyncFunction, lastWait, waitedFor } = node;
  if (!isAsyncFunction || !lastWait || libraryMaking(node) === undefined) return undefined;
  // What was begun in a `finally` nobody waited for.
  const wait = Number.isNaN(ended) || lastWait.ended <= ended ? lastWait : waitedFor;
  // It may take its time to end, but in the run of code that goes on behind the wait it does no more than that.
  if (!wait || (ended - wait.ended >= NO_WORK_MS && node.endedBehind !== wait.id)) return undefined;
  const work = sourceOf(wait);
  return isUserCall(work) || libraryMaking(work) !== undefined ? work : undefined;
}

/** What a promise was resolved with; of a chain that a plain function gave, the work that it began with. */
const givenWork = ({ inner }: PromiseNode): PromiseNode | undefined => (isOthers(inner) ? workBegin(inner) ?? inner : undefined);

/** Whether all that an async function did was to call another one, or, without a name, a plain one that gives a chain, and return what that gave: `async () => task(...args)`. */
export function onlyCalls(node: PromiseNode): boolean {
  const { inner, lastWait, tick } = node;
  if (!inner) return false;
  const head = headOf(inner);
  if (head === inner) return !lastWait && inner.tick === tick && inner.isAsyncFunction && isUserCall(inner);
  // What the chain's own steps wait for, they have made later on.
  const hasWaited = lastWait?.tick === tick && !isBehind(inner, lastWait);
  return !hasWaited && topOf(node.stack)?.place.name === '' && head.chainEnd !== undefined && head.tick === tick && functionKeyOf(head) !== functionKeyOf(node);
}

/**
 * What a promise made by `then` began with. A link of a chain of elements stands for its own work, not for its
 * predecessor's; and as long as a link further down a chain is pending, its own work may be yet to come.
 */
function precedingWork({ parent, isPending }: PromiseNode): PromiseNode | undefined {
  return !parent || parent.elementOf || (isPending && parent.isDerived) ? undefined : parent;
}

/** The call whose end brought a plain promise's end about: of a queue's `new Promise`, the work done for it. */
function settlerOf(node: PromiseNode): PromiseNode | undefined {
  if (node.isAsyncFunction || node.isDerived || node.isPending) return undefined;
  const cause = node.settledIn ? workBegin(node.settledIn) ?? sourceOf(node.settledIn) : undefined;
  const wait = node.settledBy?.lastWait;
  for (const candidate of [cause, wait && sourceOf(wait)]) {
    // A link of a chain that was resolved with something stands for that.
    if (candidate && candidate !== node && candidate.made >= node.made && candidate.ended <= node.ended && (userFrame(candidate.stack) || isOthers(candidate.inner))) return candidate;
  }
  return undefined;
}
