/** What ends a wait: down to the promise that somebody else settled. */
import { NO_WAIT_MS } from '../moments';
import { libraryOf } from '../promises/places';
import { functionKeyOf, type PromiseNode } from '../promises/promise-node';
import { headOf } from '../promises/chain-links';

/** From what a wait ended with to who ended that. */
const MAX_HOPS = 16;

/** Whether all that a call of an async function did was to wait for what somebody else settles: `acquire()`. */
export function isBareWait(call: PromiseNode): boolean {
  const release = releaseOf(call);
  return release !== call && !release.isAsyncFunction && !release.byTimer && (release.tick === call.tick || isOfOneBefore(release, call)) && call.ended - release.ended < NO_WAIT_MS;
}

/** `const before = this.tail; this.tail = before.then(() => mine); await before;`: whether a call of the same function, the one before, made what a wait ends with. */
export const isOfOneBefore = ({ owner, made, ended }: PromiseNode, call: PromiseNode): boolean =>
  owner !== undefined && owner !== call && functionKeyOf(owner) === functionKeyOf(call) && functionKeyOf(call) !== '' && made < call.made && ended >= call.made;

/** Down to the promise that somebody else settled: `acquire()` may be an async function around it, or a chain that hands on what it was resolved with. */
export function releaseOf(wait: PromiseNode): PromiseNode {
  let at = wait;
  for (let steps = 0; steps < MAX_HOPS; steps++) {
    const next = at.inner ?? (at.isAsyncFunction ? at.lastWait : handsOn(at) ?? passedOnFrom(at));
    if (!next) break;
    at = next;
  }
  return at;
}

/** The promise of a library's own that one of its promises, or a step of a chain, only passed on, a moment after that had ended. */
function passedOnFrom({ ended, isDerived, owner, parent, settledBy, settledIn, stack }: PromiseNode): PromiseNode | undefined {
  const isLibrarys = isDerived || ((!settledBy || settledBy === owner) && libraryOf(stack) !== undefined);
  const before = isDerived ? parent : settledIn?.parent;
  if (!isLibrarys || !before || !(ended - before.ended < NO_WAIT_MS)) return undefined;
  const made = headOf(before);
  return made.isAsyncFunction || libraryOf(made.stack) === undefined ? undefined : before;
}

/** The step that a step of a chain only goes on from: `locking.then(() => unlock)`. */
const handsOn = ({ ended, isDerived, parent }: PromiseNode): PromiseNode | undefined =>
  isDerived && parent?.isDerived === true && ended - parent.ended < NO_WAIT_MS ? parent : undefined;
