/** What is told of one task, by the tooltip and to a screen reader. */
import { formatMs } from '../format';
import type { GroupTasks, TaskSpot } from '../store/group-tasks';
import type { Lane } from '../store/lane';
import type { RunStore } from '../store/run-store';
import type { Speak } from '../words/speak';
import { laneWord, stateWord } from './names';
import { originOf, type Align } from './time-range';
import type { CardFacts } from './card-facts';

/** A task that waited begins at once when the one before it on its rail has ended; later than that something else held it up. */
const AT_ONCE_MS = 1;

export interface TaskFacts extends CardFacts { readonly spoken: string }

/** Times are counted as the axis counts them. */
export function taskFacts(store: RunStore, group: GroupTasks, spot: TaskSpot, align: Align, now: number, speak: Speak): TaskFacts | undefined {
  const { info } = group;
  const lane = group.lanes[spot.lane - 1];
  if (!info || !lane || spot.index >= lane.length) return undefined;
  const id = lane.idOf(spot.index);
  const start = lane.startOf(spot.index);
  const end = lane.endOf(spot.index);
  const origin = originOf(info, align);
  const ordinal = group.details.ordinalOf(id);
  // In a prediction nobody knows when a task would have been queued.
  const waited = group.details === store.tasks ? store.tasks.waitOf(id) : NaN;
  const chunk = group.details.chunkOf(id);
  const duration = formatMs((Number.isNaN(end) ? now : end) - start);
  const state = stateWord(lane.stateOf(spot.index), store.isOver, speak);
  const word = laneWord(info, speak);
  const rows: [string, string][] = [[word, String(spot.lane)]];
  if (chunk > 0) rows.push([speak('task.chunk'), String(chunk)]);
  if (!Number.isNaN(waited)) rows.push([speak('task.queued'), speak('task.waited', { time: formatMs(Math.round((start - waited - origin) * 100) / 100), waited: formatMs(waited) })]);
  const before = waited > 0 && info.kind === 'pool' ? freedBy(lane, spot.index) : -1;
  if (before >= 0) rows.push([speak('task.freedBy'), speak('task.freedByTask', { ordinal: group.details.ordinalOf(lane.idOf(before)) })]);
  rows.push([speak('task.start'), formatMs(start - origin)]);
  rows.push([speak('task.end'), Number.isNaN(end) ? '–' : formatMs(end - origin)]);
  rows.push([speak('task.duration'), duration], [speak('task.outcome'), state]);
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
