/** What of a family's calls belongs together where they turn out to be several groups. */
import type { CombinatorCall } from '../combinators/combinator-call';
import type { Family } from './family';
import type { PromiseNode } from '../promises/promise-node';
import { headOf } from '../promises/chain-links';

/** The combinator at the same place that took what a family's calls gave before another one does. */
function collectorBefore({ collector, libraryCall }: Family, { combinator, frame, node }: CombinatorCall): CombinatorCall | undefined {
  const isOther = collector !== undefined && collector.node !== node && combinator !== 'race' && !libraryCall && frame !== undefined && collector.frame?.place === frame.place;
  return isOther ? collector : undefined;
}

/** Whether a combinator takes what a family's calls gave to another one already, which is pending, at the same place. */
export function areSeveral(family: Family, call: CombinatorCall): boolean {
  const before = collectorBefore(family, call);
  return before?.node.isPending === true && before.node.owner === call.node.owner;
}

/** Whether a combinator takes what a family's calls gave, and another one that did so at the same place is over. */
export const isLaterRun = (family: Family, call: CombinatorCall): boolean => collectorBefore(family, call)?.node.isPending === false;

/** Of calls in the order in which they were made, those whose lanes a combinator takes, where there are any; and whether all of them came behind all others. */
export function laterRunOf(all: readonly PromiseNode[], call: CombinatorCall): { readonly calls: ReadonlySet<PromiseNode>; readonly areLast: boolean } | undefined {
  const own = new Set<PromiseNode>();
  for (const head of all) {
    const [by, lane] = [collectorOf(head), laneBefore(head)];
    if (by === call || (!by && (lane ? own.has(lane) : head.tick === call.node.tick))) own.add(head);
  }
  return own.size === 0 ? undefined : { calls: own, areLast: all.slice(-own.size).every((head) => own.has(head)) };
}

/** The combinator that takes the chain which a call is the head of. */
export const collectorOf = (head: PromiseNode): CombinatorCall | undefined => head.awaitingCall ?? head.chainEnd?.awaitingCall;

/** The call of the same lane's before: the head of the chain in whose reaction a call was made, or one of those of which a race was waited for. */
export function laneBefore({ madeIn, madeBehind }: PromiseNode): PromiseNode | undefined {
  const before = madeIn ?? madeBehind;
  const head = before && headOf(before);
  const raced = head?.combinator?.combinator === 'race' ? head.combinator.elements.at(0) : undefined;
  return raced ? headOf(raced) : head;
}

/** Of families that have some lanes each, the one of a call's lane. @param own that of the first */
export function partFor(node: PromiseNode, own: Family): Family {
  const lane = own.isPart ? laneBefore(node)?.family : undefined;
  return lane?.isPart && lane.key === own.key ? lane : own;
}

/** Whether calls were begun in the calls of several plain functions, in most of those more than one. @param keyOf tells which it was */
export function areSeveralEach(calls: readonly PromiseNode[], keyOf: (call: PromiseNode) => PromiseNode | undefined): boolean {
  const counts = new Map<PromiseNode | undefined, number>();
  // Which it was may be certain only once all were asked for.
  for (const call of calls) keyOf(call);
  for (const key of calls.map(keyOf)) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts.size > 1 && [...counts].filter(([key, count]) => key && count > 1).length * 2 > counts.size;
}
