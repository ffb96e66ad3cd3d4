/** Which groups can be held against another plan. */
import type { GroupTasks } from '../store/group-tasks';

/** Once all of it has ended. Whoever races its tasks ends with the first: that is no plan that others could be held against. */
export function isPlannable({ info, whole }: GroupTasks): boolean {
  return info !== undefined && info.end !== undefined && whole.pending === 0 && whole.slots > 1 && info.kind !== 'race' && info.kind !== 'any';
}
