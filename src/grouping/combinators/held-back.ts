/**
 * Elements of a combinator that wait for a slot, known before the first of them is let in: the first few have got through, and the others have come no further than
 * to a promise made by hand that nobody has settled. Until somebody does they have no bars.
 *
 *   await Promise.all(ids.map(async (id) => { await slots.acquire(); … }))
 *
 *   ├▇▇▇▇▇▇▇▇┤
 *   ├▇▇▇▇▇▇▇▇▇▇▇▇▇▇┤
 *   ├┄┄┄┄┄┄┄┄┤ waits: no bar yet
 */
import type { CombinatorCall } from './combinator-call';
import { isPause } from '../promises/pauses';
import { functionKeyOf, isUserCall, type PromiseNode } from '../promises/promise-node';
import { headOf } from '../promises/chain-links';

/** One alone may wait for anything. */
const MIN_HELD = 2;
/** Of promises that one function has made by hand, one alone may be done for all of them. */
const MIN_THROUGH = 2;
/** Functions that hand the wait on, one inside of the other. */
const MAX_HOPS = 8;

/** How far an element has come: to what it waits for, or further than to any slot. */
interface Standing { readonly wait: PromiseNode | undefined; readonly hasBegun: boolean }

/** @returns by what they wait for, the elements of a call that are held back; undefined for none */
export function heldBack({ elements, isForAll }: CombinatorCall): ReadonlyMap<PromiseNode, PromiseNode> | undefined {
  const last = isForAll && elements.length > MIN_HELD ? standingOf(elements[elements.length - 1]) : undefined;
  if (!last?.wait || isPause(last.wait)) return undefined;
  const fn = functionKeyOf(headOf(elements[0]));
  const wanted = functionKeyOf(last.wait);
  if (fn === '' || wanted === '' || elements.some((element) => functionKeyOf(headOf(element)) !== fn)) return undefined;
  const standings = elements.map(standingOf);
  const isHeld = ({ wait }: Standing): boolean => wait !== undefined && functionKeyOf(wait) === wanted;
  const through = standings.findIndex(isHeld);
  if (through < (fn === wanted ? MIN_THROUGH : 1) || elements.length - through < MIN_HELD || !standings.every((one, at) => isHeld(one) === at >= through)) return undefined;
  if (!standings.some(({ hasBegun }, at) => at < through && hasBegun)) return undefined;
  return new Map(standings.slice(through).flatMap(({ wait }, at) => (wait ? [[wait, elements[through + at]]] : [])));
}

function standingOf(element: PromiseNode): Standing {
  const head = headOf(element);
  // `acquire().then(() => load(id))`
  const isThrough = !head.isAsyncFunction && (head.begunWith !== undefined || (element !== head && !head.isPending));
  let at = head;
  for (let hops = 0; at.isAsyncFunction && isUserCall(at) && hops < MAX_HOPS; hops++) {
    const calls = at.scope?.calls;
    const [next] = calls?.length === 1 ? calls[0].nodes : [];
    if (!next || !next.isPending || calls?.[0].nodes.length !== 1) return { wait: undefined, hasBegun: calls !== undefined };
    at = headOf(next);
  }
  return { wait: isByHand(at) ? at : undefined, hasBegun: isThrough || at !== head };
}

/** Whether a promise was made by hand, and no more was begun with it. */
const isByHand = (node: PromiseNode): boolean => node.isPending && !node.isAsyncFunction && !node.isDerived && isUserCall(node) && node.begunWith === undefined;
