/** How many of some calls are at work, beside how many ever were. */
import { Peak } from '../../timeline/peak';
import { endOf, type PromiseNode } from '../promises/promise-node';

/** Whether as many calls are at work as ever were. */
export function areAsManyAsEver(calls: readonly PromiseNode[]): boolean {
  const peak = new Peak();
  let active = 0;
  for (const call of calls) {
    const { isPending, ended } = endOf(call);
    peak.begin(call.made);
    if (isPending) active++; else peak.end(ended, call.made);
  }
  return active >= peak.value;
}
