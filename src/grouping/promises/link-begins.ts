/**
 * Where a chain of `then` begins with what was there before, so that nothing of it was asked for where `then` was called:
 *
 *   const one = (id) => config().then(() => load(id)).then(save);
 *
 *   config() ▇▇▇▇▇▇┤
 *   one(1)   ├ ─ ─ ┤▇▇▇▇ load ▇▇▇▇┤▇▇▇ save ▇▇▇┤
 *            begin                         last link taken
 *
 * What was there is another call's work. The chain is as one that begins with a promise which was settled from the start: `Promise.resolve().then(() => load(id))`.
 */
import { PROGRAM_FRAMES } from '../../model/facts';
import { topOf, type Stack } from './places';
import { headOf, type PromiseNode } from './promise-node';

/** What `then` made of a promise, and where it was called. */
export interface FirstLink { readonly link: PromiseNode; readonly at: Stack }

/**
 * Whether a chain begins with a link.
 * @param parent what `then` was called on, where that is known @param owner the async function whose code called it @param tick the run of code it was called in
 * @returns `further` where it goes on with a chain that is known; `new` where one begins; or what else turns out to have begun one by that: the first that was given the
 * same promise, and had asked for it as it seemed
 */
export function chainBegin(link: FirstLink, parent: PromiseNode | undefined, owner: PromiseNode | undefined, tick: number): 'further' | 'new' | FirstLink {
  if (!parent) return 'new';
  const by = link.at.place;
  const isAsked = parent.tick === tick && isAskedIn(by.fn, parent);
  if (!parent.isForked && (isAsked || parent.owner === owner)) {
    parent.firstLink = link;
    return 'further';
  }
  if (parent.firstLink?.at.place === by) return parent.firstLink;
  // Once more in the same call; or on a chain that the same code lengthens, call by call: a mutex.
  return isAsked || (parent.isDerived && topOf(headOf(parent).stack)?.place.fn === by.fn) ? 'further' : 'new';
}

/** Whether a promise was asked for in a function, by that itself or by what it called. */
function isAskedIn(fn: string, { stack }: PromiseNode): boolean {
  for (let at = stack, steps = 0; at && !at.awaits && steps < PROGRAM_FRAMES; at = at.callers, steps++) if (at.place.fn === fn) return true;
  return false;
}
