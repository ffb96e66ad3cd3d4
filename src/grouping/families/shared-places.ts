/** Calls of several functions that one place begins: steps of one loop (`for (const step of steps) await step()`), jobs of one queue (`queue.shift()()`). */
import { laneOf } from '../combinators/loops';
import { areAsManyAsEver } from './calls-at-work';
import type { Family } from './family';
import { runSame, type Place } from '../promises/places';
import { isInOwnCode, isUserCall, type PromiseNode } from '../promises/promise-node';
import { callFrameOf, isAtTop, isRecursion, isSeenWhole, startFrameOf, type Scope } from '../promises/scopes';

export class SharedPlaces {
  /** The latest call at a place, of code that is in no running function of the program's. */
  private readonly calledAtTop = new Map<Place, PromiseNode>();
  /** The latest of those that no running function of the program's made. */
  private latestAtTop: PromiseNode | undefined;

  /** Families at one place of which each has slots of its own. */
  private readonly apart = new WeakMap<Family, WeakSet<Family>>();

  /**
   * @param familyAt makes a family of what one place calls, whichever functions those are
   * @param merge makes one family of two, for all that a place calls; undefined where they have to stay what they are
   */
  constructor(private readonly familyAt: (scope: Scope, key: string) => Family, private readonly merge: (one: Family, other: Family, key: string) => Family | undefined) {}

  /** A call has found its family. */
  placed(node: PromiseNode): void { if (isAtTop(node)) this.latestAtTop = node; }

  /**
   * `for (const step of steps) await step()`: what is called at one place, one after the other, are steps of one loop, whichever functions those are.
   * @param own the family of the call's function @returns that of all that was called there, where the one before was of another function
   */
  familyFor(node: PromiseNode, own: Family, scope: Scope): Family {
    const joined = this.joined(node, own, scope);
    if (joined) return joined;
    if (own.callCount > 0) return own;
    const pool = this.poolAround(node, scope) ?? this.dispatchedWith(node, scope);
    if (pool) { scope.families?.set(own.key, pool); return pool; }
    const place = startFrameOf(node)?.place;
    // What only hands on stands on the stack as well: the loop itself may not be on it any more.
    if (!place || !(node.isAsyncFunction || isInOwnCode(place, node.owner) || isSeenWhole(node))) return own;
    const before = this.calledBefore(node, place);
    const { family } = before ?? {};
    if (!before || !family || family === own) return own;
    // What one call makes on its way, as in `client.send(client.prepare())`, does not wait for each other.
    if (before.tick === node.tick && before.owner === node.owner) return own;
    if (family.isOfPlace) return family;
    if (before.isPending || family.isActive || family.draft || family.scope !== scope || (family.callCount > 1 && !family.isCalledOnlyAt(place))) return own;
    return this.gatherAt(family, place);
  }

  /**
   * `async run(job) { await handlers[job.kind](job); this.next(); }`: a lane goes on with a job of another function at the same place. The jobs of both are one
   * pool's if that takes the place of the one that ended; where more are at work than ever before, each function has slots of its own.
   */
  private joined(node: PromiseNode, own: Family, scope: Scope): Family | undefined {
    const by = node.owner;
    const place = by?.owner && isRecursion(by) ? callFrameOf(node)?.place : undefined;
    const before = place && by?.owner && laneOf(by)?.scope?.calls?.find((calls) => calls.place === place)?.nodes.findLast(({ owner }) => owner === by.owner);
    const family = before?.family;
    if (!place || !family || family === own || before.isPending || family.scope !== scope || own.scope !== scope) return undefined;
    if (![family, own].every((one) => !one.libraryCall && !one.api && !one.isPart && one.isCalledOnlyAt(place))) return undefined;
    const known = this.apart.get(family);
    if (known?.has(own)) return undefined;
    if (areAsManyAsEver([family, own].flatMap((one) => one.separable() ?? []))) {
      this.apart.set(family, (known ?? new WeakSet()).add(own));
      return undefined;
    }
    return this.merge(family, own, `at|${place.at}`);
  }

  /** `queue.shift()()`: the pool that one place begins the jobs of, whichever functions those are, where nothing runs that could tell one queue from another. */
  private poolAround(node: PromiseNode, { families }: Scope): Family | undefined {
    const frame = isAtTop(node) ? callFrameOf(node) : undefined;
    if (!frame || !families) return undefined;
    for (const family of families.values()) {
      const { latest } = family;
      // The same functions have come to the same place, or several jobs have been begun there before.
      const isOfPlace = latest && (runSame(callFrameOf(latest), frame) || (family.isOfPlace && callFrameOf(latest)?.place === frame.place));
      if (isOfPlace && family.ranAtOnce && !family.isFull && (family.isActive || family.draft?.facts.kind === 'pool') && family.isCalledOnlyAt(frame.place)) return family;
    }
    return undefined;
  }

  /** `while (running < 3) queue.shift()()`: the family of all that is begun at one place, where one run of code came there twice in the same way, for one function and for another. */
  private dispatchedWith(node: PromiseNode, scope: Scope): Family | undefined {
    const { latestAtTop: before } = this;
    const family = before?.family;
    const frame = callFrameOf(node);
    if (!before || !family || !frame || !isAtTop(node) || before.owner !== node.owner || before.tick !== node.tick || !before.isPending) return undefined;
    if (family.draft || family.isOfPlace || family.scope !== scope || !runSame(callFrameOf(before), frame) || !family.isCalledOnlyAt(frame.place)) return undefined;
    return this.gatherAt(family, frame.place);
  }

  /** A family of what is called at a place, whichever functions those are, begins with the calls of one. */
  private gatherAt(before: Family, place: Place): Family {
    const { scope, key } = before;
    const all = this.familyAt(scope, `at|${place.at}`);
    scope.families?.delete(key);
    for (const call of before.release()) {
      call.family = all;
      all.add(call);
    }
    return all;
  }

  /** What the running code called last at a place. */
  private calledBefore(node: PromiseNode, place: Place): PromiseNode | undefined {
    if (node.owner && isUserCall(node.owner)) return laneOf(node)?.scope?.calls?.find((calls) => calls.place === place)?.nodes.at(-2);
    const before = this.calledAtTop.get(place);
    this.calledAtTop.set(place, node);
    return before;
  }
}
