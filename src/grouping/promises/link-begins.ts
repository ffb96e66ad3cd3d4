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
import type { PromiseNode } from './promise-node';
import { headOf } from './chain-links';

/** What `then` made of a promise: its id, where it was called, in which run of code and in whose reaction (0 for none), and whether a chain is known to begin with it. */
export interface Link { readonly id: number; readonly at: Stack; readonly tick: number; readonly context: number; hasBegun: boolean }

/**
 * Whether a chain begins with a link.
 * @param parent what `then` was called on, where that is known
 * @returns `further` where it goes on with a chain that is known; `new` where one begins; or the link with which another one turns out to have begun by that: of the first that
 * was given the same promise, which was its own as it seemed
 */
export function chainBegin(link: Link, parent: PromiseNode | undefined): 'further' | 'new' | Link {
  const first = parent?.firstLink;
  if (parent) parent.firstLink ??= link;
  if (!parent || !mayGoOn(link, first, parent)) return 'new';
  const isNext = first !== undefined && first.at.place === link.at.place && !first.hasBegun;
  return isNext ? first : 'further';
}

/** Whether a link may go on with what its parent began with. @param first what was made of that before, as far as is known */
function mayGoOn({ at: { place: by }, tick }: Link, first: Link | undefined, parent: PromiseNode): boolean {
  if (first?.at.place === by) return !first.hasBegun;
  // As long as nobody else has taken it, it may be anybody's own chain; lengthened call by call by the same code it is a mutex.
  if (!parent.isForked || (parent.isDerived && topOf(headOf(parent).stack)?.place.fn === by.fn)) return true;
  if (parent.tick === tick && isAskedIn(by.fn, parent)) return true;
  // Once more in the same call; where it is not known what was made of it before, that may have been the same call.
  return first ? first.tick === tick && first.at.place.fn === by.fn : parent.isDerived || parent.tick === tick;
}

/** Whether a promise was asked for in a function, by that itself or by what it called. */
function isAskedIn(fn: string, { stack }: PromiseNode): boolean {
  for (let at = stack, steps = 0; at && !at.awaits && steps < PROGRAM_FRAMES; at = at.callers, steps++) if (at.place.fn === fn) return true;
  return false;
}
