/**
 * Whether calls of one function, each made at a place of its own, ask for the same slots: who asked first is let in first, whichever of them he waits for.
 * Slots of one semaphore may go from hand to hand in as many rows as there are slots, and none of these ever meet:
 *
 *   tasks.add(a); tasks.add(b);      a ▇▇▇▇ → c ▇▇ → e ▇▇▇
 *   tasks.add(c); tasks.add(d); …    b ▇▇▇▇▇ → d ▇▇▇ → f ▇▇
 */
import type { Place } from '../promises/places';
import type { PromiseNode } from '../promises/promise-node';

/** As many in a row that were let in in the order in which they had asked are no chance. A guess. */
const IN_ORDER = 3;

export class AskingOrder {
  private readonly calls = new Map<Place, PromiseNode>();
  private latest: PromiseNode | undefined;
  private inOrder = 0;
  /** True once a place was called again, which tells better whose slots are asked for there, or one was let in before another that had asked earlier. */
  private isNone = false;

  /** A call asks at a place. */
  asked(call: PromiseNode, place: Place): void {
    const before = this.calls.get(place);
    if (before && before !== call) this.isNone = true;
    if (this.isNone) this.calls.clear();
    else this.calls.set(place, call);
  }

  /** A call was let in behind another one. @returns whether all ask for the same slots, as far as is known */
  letIn(call: PromiseNode): boolean {
    if (this.latest && call.id < this.latest.id) this.isNone = true;
    this.latest = call;
    this.inOrder++;
    return !this.isNone && this.inOrder >= IN_ORDER;
  }
}
