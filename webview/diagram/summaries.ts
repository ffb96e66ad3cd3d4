/** Summaries of a group other than its own: coloured by something else than the outcome, or of those tasks only that match. */
import type { Matches } from '../search/match';
import type { GroupTasks } from '../store/group-tasks';
import { Mip, worthOf } from '../store/mip';
import { PENDING } from '../store/tick-clock';
import type { GroupShading } from './shading';

interface Kept { readonly mip: Mip | undefined; readonly group: GroupTasks; readonly key: string; readonly revision: number; readonly at: number }

/** While a group grows, a summary lags behind by this much at the most. */
const LAG_MS = 500;

export class Summaries {
  /** Of all tasks, and of those that match. */
  private kept: { all?: Kept; matching?: Kept } = {};

  /** @param only tasks to summarise; undefined: all @returns undefined where lanes are too many for one */
  of(group: GroupTasks, shading: GroupShading, only: Matches | undefined): Mip | undefined {
    if (!only && !shading.hueOf) return group.summary;
    const which = only ? 'matching' : 'all';
    const key = `${group.lanes.length} ${group.clock.tick} ${group.clock.origin} ${shading.version}`;
    const now = performance.now();
    const before = this.kept[which];
    if (before?.group === group && before.key === key && (before.revision === group.revision || now - before.at < LAG_MS)) return before.mip;
    const mip = summarise(group, shading, only);
    this.kept[which] = { mip, group, key, revision: group.revision, at: now };
    return mip;
  }

  release(): void { this.kept = {}; }
}

function summarise({ lanes }: GroupTasks, { hueOf }: GroupShading, only: Matches | undefined): Mip | undefined {
  if (!Mip.fits(lanes.length)) return undefined;
  const mip = new Mip(lanes.length);
  lanes.forEach((lane, k) => {
    for (let i = 0; lane && i < lane.length; i++) {
      if (lane.end[i] === PENDING || (only && !only.has(lane.idOf(i)))) continue;
      mip.add(k, lane.start[i], lane.end[i], worthOf(lane.stateOf(i), hueOf ? hueOf(lane, i) : 0));
    }
  });
  mip.sync();
  return mip;
}
