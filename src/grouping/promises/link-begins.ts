/**
 * Where a chain of `then` begins with what was there before, and was asked for by no call of the function that gives the chain:
 *
 *   const one = (id) => config().then(() => load(id)).then(save);
 *
 *   config() ▇▇▇▇▇▇┤
 *   one(1)   ├ ─ ─ ┤▇▇▇▇ load ▇▇▇▇┤▇▇▇ save ▇▇▇┤
 *            link                          last link taken
 *
 * The call is from the first `then` on, and that link is its head; what the promise was made for is another call's work.
 */
import { PROGRAM_FRAMES } from '../../model/facts';
import { topOf, type Place, type Stack } from './places';
import { headOf, type PromiseNode } from './promise-node';
import { isRunner } from './runners';

/** What the function that asked for a promise made of it by `then`, and where. */
export interface FirstLink { readonly link: PromiseNode; readonly at: Stack }

/**
 * Whether a chain begins with a link.
 * @param link and where `then` was called, in code of the program's
 * @param parent what it was called on, where that is known @param owner the async function whose code called it @param tick the run of code it was called in
 * @returns `further` where it goes on with a chain that is known; `new` where one begins; or what else turns out to have begun one by that: the call before was the first
 * that was given the same promise, and had asked for it as it seemed
 */
export function chainBegin(link: { readonly link: PromiseNode; readonly at: Stack | undefined }, parent: PromiseNode | undefined, owner: PromiseNode | undefined, tick: number): 'further' | 'new' | FirstLink {
  const { at } = link;
  const by = at?.place;
  if (!by || !givesChains(by, owner)) return 'further';
  if (!parent) return 'new';
  const { firstLink } = parent;
  const isNextCalls = firstLink?.at.place === by;
  // Right behind what asked for it, or once more in the same call.
  if (parent.tick === tick && isAskedIn(by.fn, parent)) {
    if (!parent.isForked) parent.firstLink = { link: link.link, at };
    if (!isNextCalls) return 'further';
  }
  if (isNextCalls) return firstLink;
  // A chain that the function itself lengthens, call by call, is a mutex.
  return parent.isDerived && topOf(headOf(parent).stack)?.place.fn === by.fn ? 'further' : 'new';
}

/** Whether code is that of a plain function with a name that may give a chain. */
const givesChains = (by: Place, owner: PromiseNode | undefined): boolean =>
  by.kind === 'user' && by.name !== '' && by.fn !== topOf(owner?.stack)?.place.fn && !isRunner(by);

/** Whether a promise was asked for in a function, by that itself or by what it called. */
function isAskedIn(fn: string, { stack }: PromiseNode): boolean {
  for (let at = stack, steps = 0; at && !at.awaits && steps < PROGRAM_FRAMES; at = at.callers, steps++) if (at.place.fn === fn) return true;
  return false;
}
