/**
 * Elements of a combinator that are lanes of `then`, each of which goes on with the next task by itself: `const next = () => load(list.shift()).then(next)`,
 * `await Promise.all([next(), next()])`. The combinator only collects them.
 */
import type { CallRoles } from './call-roles';
import { nextGroupInLane } from './lane-pool';
import { elementAround, nextInLane } from './limited-elements';
import type { LooseCalls } from './loose-calls';
import { headOf } from '../promises/chain-links';
import { isPause, waiterOf } from '../promises/pauses';
import type { PromiseNode } from '../promises/promise-node';
import { callFrameOf } from '../promises/scopes';

export class ElementLanes {
  constructor(private readonly roles: CallRoles, private readonly loose: LooseCalls) {}

  /**
   * A link was resolved with a chain, which may be the next of a lane.
   * @param isFurther whether it is no element itself, whose second task may yet be any other step; where that pauses as the first did, it is none
   */
  adopted(link: PromiseNode, isFurther: boolean): void {
    const element = elementAround(link);
    const call = element?.elementOf;
    if (!element || !call) return;
    if (call.standsAlone) {
      const next = nextInLane(element);
      const pauses = next !== undefined && pausesAgain(headOf(element), next);
      if (pauses || (next && isFurther && this.loose.countLike(next) > call.elements.length)) {
        this.roles.leaveToOthers(call);
        if (pauses) for (const lane of call.elements) this.loose.beginsBehind(headOf(lane));
        return;
      }
    }
    // A turn may run a group of its own.
    const group = nextGroupInLane(element, link);
    if (!group || !(call.lanes || call.standsAlone)) return;
    call.lanes ??= this.roles.turnIntoLanes(call);
    call.lanes.next(element, group, link);
    this.roles.change(call.lanes.draft);
  }
}

/** `const next = () => sleep(5).then(() => load(list.shift())).then(next)`: whether the pause that a function begins with is followed by one more of the function's. */
function pausesAgain(first: PromiseNode, next: PromiseNode): boolean {
  const waiter = waiterOf(first);
  return waiter !== undefined && isPause(next) && callFrameOf(next)?.place.fn === waiter.place.fn;
}
