/**
 * Functions that look again and again whether there is room for what they are to do (`while (busy >= 2) await sleep(10)`), and that no
 * combinator holds together: others of the same function began at once, and who had looked goes on when one of these is through.
 */
import { NO_WORK_MS } from '../moments';
import { areWaits } from '../promises/pauses';
import type { Place } from '../promises/places';
import { functionKeyOf, type CallPlace, type PromiseNode } from '../promises/promise-node';

/** What is known of calls of one function, some of which wait by timers. */
interface Polling {
  /** What calls that are through began with. */
  readonly firsts: Set<Place>;
  /** The latest call that is through. */
  latest: PromiseNode | undefined;
}

export class Polls {
  private readonly byFunction = new Map<string, Polling>();

  /**
   * A running function called something.
   * @returns the call of the same function that made room for it, where it had looked for some until now
   */
  called({ owner }: PromiseNode, calls: CallPlace): PromiseNode | undefined {
    if (!owner || owner.awaitingCall) return undefined;
    if (calls.seen > 1) { this.noteWait(owner, calls); return undefined; }
    const polling = this.byFunction.size > 0 ? this.byFunction.get(functionKeyOf(owner)) : undefined;
    const { lastWait, scope } = owner;
    if (!polling?.firsts.has(calls.place) || !lastWait || !scope?.calls || scope.calls.length < 2) return undefined;
    const hasOnlyWaited = scope.calls.every((others) => others === calls || areWaits(others));
    const { latest } = polling;
    // What was through before this one began has made room for none: `for (const job of jobs) await pool.add(job)`.
    return hasOnlyWaited && latest && latest.ended >= lastWait.made - NO_WORK_MS && latest.ended > owner.made ? latest : undefined;
  }

  /** A function waited at a place again. */
  private noteWait(owner: PromiseNode, calls: CallPlace): void {
    if (calls.seen > 2 || !calls.oneByOne || !areWaits(calls)) return;
    const fn = functionKeyOf(owner);
    if (fn !== '' && !this.byFunction.has(fn)) this.byFunction.set(fn, { firsts: new Set(), latest: undefined });
  }

  settled(node: PromiseNode): void {
    if (this.byFunction.size === 0 || !node.isAsyncFunction || node.awaitingCall) return;
    const polling = this.byFunction.get(functionKeyOf(node));
    const first = node.scope?.calls?.[0];
    if (!polling || !first) return;
    if (!areWaits(first)) polling.firsts.add(first.place);
    polling.latest = node;
  }
}
