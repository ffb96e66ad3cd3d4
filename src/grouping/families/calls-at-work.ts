/** How many of some calls are at work, beside how many ever were. */
import { Peak } from '../../timeline/peak';
import type { PromiseNode } from '../promises/promise-node';
import { endOf } from '../promises/chain-links';

/** Whether as many calls are at work as ever were. */
export function areAsManyAsEver(calls: readonly PromiseNode[]): boolean {
  const { active, peak } = atWork(calls);
  return active >= peak;
}

/** How many calls are at work, and the most that ever were. @param calls in the order in which they were made */
export function atWork(calls: readonly PromiseNode[]): { readonly active: number; readonly peak: number } {
  const peak = new Peak();
  let active = 0;
  for (const call of calls) {
    const { isPending, ended } = endOf(call);
    peak.begin(call.made);
    if (isPending) active++; else peak.end(ended, call.made);
  }
  return { active, peak: peak.value };
}
