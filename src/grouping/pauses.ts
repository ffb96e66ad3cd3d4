/**
 * Calls that only wait for a while, as `sleep(5)`, and loops of them: `while (active >= 2) await sleep(5)` looks again and
 * again whether there is room.
 */
import type { CombinatorCall } from './combinator-call';
import { topOf } from './places';
import type { CallPlace, PromiseNode } from './promise-node';

/** Helpers that only wait. A guess by name: nothing else tells a pause from a task that waits for a timer. */
const PAUSE = /^(?:sleep|delay|wait|pause|tick|nextTick|setTimeout)$/i;

/** Whether a function only waits, as far as its name tells. */
export const isPauses = (name: string): boolean => PAUSE.test(name);

/** Whether a call only waits, as far as a name tells. */
export const isPause = ({ isAsyncFunction, stack }: PromiseNode): boolean => !isAsyncFunction && isPauses(topOf(stack)?.place.name ?? '');

/** Whether what a running function calls at a place are pauses. */
export function arePauses({ nodes }: CallPlace): boolean {
  // Not every one's stack was looked at.
  const seen = nodes.find(({ stack }) => stack !== undefined);
  return seen !== undefined && isPause(seen);
}

/** Whether all that a running function has called so far are pauses. */
export const onlyPauses = ({ scope }: PromiseNode): boolean => scope?.calls !== undefined && scope.calls.every(arePauses);

/** Whether a place is where elements of a combinator only wait, as they or others of them have other work. */
export const isPausing = (call: CombinatorCall, calls: CallPlace): boolean => call.hasWork && arePauses(calls);

/**
 * Whether an element that begins its work has waited for room until now: it did nothing but pause, some paused more than once
 * at one place, and others began the same work with no wait at all.
 */
export function hasPolled(call: CombinatorCall, element: PromiseNode, work: CallPlace): boolean {
  const { lastWait, scope } = element;
  if (!call.pausesAgain || !lastWait || (lastWait.stack && !isPause(lastWait)) || work.nodes.length > 1) return false;
  return call.isBegunAt(work.place) && scope?.calls?.every((calls) => calls === work || arePauses(calls)) === true;
}
