/** What is told of one task, by the tooltip and to a screen reader. */
import { TaskState } from '../../src/model/timeline';
import { formatMs } from '../format';
import type { GroupTasks, TaskSpot } from '../store/group-tasks';
import type { Lane } from '../store/lane';
import type { RunStore } from '../store/run-store';
import { laneWord, stateWord } from './names';
import { originOf, type Align } from './time-range';
import type { Speak } from '../words/speak';
import type { CardFacts } from './card-facts';

/** A task that waited begins at once when the one before it on its rail has ended; later than that something else held it up. */
const AT_ONCE_MS = 1;

/** What of a `Scene` is told of. */
export interface FactsScene {
  readonly align: Align;
  readonly now: number;
  readonly until: number;
  readonly speak: Speak;
}

export interface TaskFacts extends CardFacts { readonly spoken: string }

/** Times are counted as the axis counts them; what ends after the picture does is pending. */
export function taskFacts(store: RunStore, group: GroupTasks, spot: TaskSpot, { align, now, until, speak }: FactsScene): TaskFacts | undefined {
  const { info } = group;
  const lane = group.lanes[spot.lane - 1];
  if (!info || !lane || spot.index >= lane.length) return undefined;
  const id = lane.idOf(spot.index);
  const origin = originOf(info, align);
  const start = lane.startOf(spot.index);
  const ended = lane.endOf(spot.index);
  const isAhead = ended > until + origin;
  const end = isAhead ? NaN : ended;
  const ordinal = group.details.ordinalOf(id);
  // In a prediction nobody knows when a task would have been queued.
  const waited = group.details === store.tasks ? store.tasks.waitOf(id) : NaN;
  const chunk = group.details.chunkOf(id);
  const duration = formatMs(Math.max(0, (Number.isNaN(end) ? Math.min(now, until + origin) : end) - start));
  const state = stateWord(isAhead ? TaskState.pending : lane.stateOf(spot.index), store.isOver && until === Infinity, speak);
  const word = laneWord(info, speak);
  const rows: [string, string][] = [[word, String(spot.lane)]];
  if (chunk > 0) rows.push([speak('task.chunk'), String(chunk)]);
  if (!Number.isNaN(waited)) rows.push([speak('task.queued'), speak('task.waited', { time: formatMs(Math.round((start - waited - origin) * 100) / 100), waited: formatMs(waited) })]);
  const before = waited > 0 && info.kind === 'pool' ? freedBy(lane, spot.index) : -1;
  if (before >= 0) rows.push([speak('task.freedBy'), speak('task.freedByTask', { ordinal: group.details.ordinalOf(lane.idOf(before)) })]);
  rows.push([speak('task.start'), formatMs(start - origin)]);
  rows.push([speak('task.end'), Number.isNaN(end) ? '–' : formatMs(end - origin)]);
  rows.push([speak('task.duration'), duration], [speak('task.outcome'), state]);
  const error = store.errors.get(id);
  if (error !== undefined && !isAhead) rows.push([speak('task.error'), error]);
  return {
    title: speak('task.title', { ordinal }), label: store.labels.get(id), rows,
    spoken: speak(chunk > 0 ? 'task.spokenInChunk' : 'task.spoken', { chunk, lane: word, number: spot.lane, ordinal, state, duration }),
  };
}

/** The task whose end freed a waiting task's slot, judged by the times on its rail; −1 where that is not clear. */
function freedBy(lane: Lane, index: number): number {
  const gap = index > 0 ? lane.startOf(index) - lane.endOf(index - 1) : NaN;
  return gap >= 0 && gap <= AT_ONCE_MS ? index - 1 : -1;
}
