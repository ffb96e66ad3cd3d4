/** Whom the slots of a run waited for: the task that ended last while the others of its chunk or group stood idle. */
import type { Group } from '../model/timeline';
import type { RunSource } from '../timeline/feed';
import { groupsOf } from './report';

export interface Culprit {
  readonly group: Group;
  /** 1-based; 0 where the group has no chunks. */
  readonly chunk: number;
  /** Of the task in its group, 1-based. */
  readonly ordinal: number;
  readonly label: string | undefined;
  readonly durationMs: number;
  /** Slots that had nothing to do any more, and for how long, summed up over them. */
  readonly slots: number;
  readonly idleMs: number;
}

/** Of these all slots end together; the others have but one slot, or are over with the first task. */
const TOGETHER: ReadonlySet<string> = new Set(['chunk', 'pool', 'all', 'allSettled']);

interface Frame { last: number; readonly endOfLane: Map<number, number>; isOpen: boolean }

/** The tasks that the most slot time was spent waiting for, the worst first. O(tasks) @param most as many at the most */
export function culpritsOf(run: RunSource, most: number): Culprit[] {
  const found: Culprit[] = [];
  for (const group of groupsOf(run)) {
    if (!TOGETHER.has(group.kind)) continue;
    for (const [chunk, frame] of framesOf(run, group)) {
      const culprit = culpritOf(run, group, chunk, frame);
      if (culprit) found.push(culprit);
    }
    // Whatever a run is made of, no more is kept than is asked for.
    found.sort((a, b) => b.idleMs - a.idleMs);
    found.length = Math.min(found.length, most);
  }
  return found;
}

function framesOf({ timeline }: RunSource, { id, kind }: Group): Map<number, Frame> {
  const { lane, chunk, end } = timeline.tasks;
  const frames = new Map<number, Frame>();
  for (const row of timeline.rowsOf(id)) {
    const number = kind === 'chunk' ? chunk[row] : 0;
    let frame = frames.get(number);
    if (!frame) frames.set(number, frame = { last: row, endOfLane: new Map(), isOpen: false });
    // Whom all wait for is known once all have ended.
    if (Number.isNaN(end[row])) frame.isOpen = true;
    if (end[row] > end[frame.last]) frame.last = row;
    frame.endOfLane.set(lane[row], Math.max(frame.endOfLane.get(lane[row]) ?? -Infinity, end[row]));
  }
  return frames;
}

function culpritOf({ timeline }: RunSource, group: Group, chunk: number, { last, endOfLane, isOpen }: Frame): Culprit | undefined {
  if (isOpen) return undefined;
  const { id, ordinal, start, end } = timeline.tasks;
  const waits = [...endOfLane.values()].map((until) => end[last] - until).filter((wait) => wait > 0);
  const idleMs = waits.reduce((sum, wait) => sum + wait, 0);
  return idleMs > 0 ? { group, chunk, ordinal: ordinal[last], label: timeline.labelOf(id[last]), durationMs: end[last] - start[last], slots: waits.length, idleMs } : undefined;
}
