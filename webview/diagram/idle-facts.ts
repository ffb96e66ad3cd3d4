/** What is told of an idle stretch. */
import { formatMs, formatShare } from '../format';
import type { GroupTasks } from '../store/group-tasks';
import type { Speak } from '../words/speak';
import { idleOf, type IdleStretch } from './idle-stretch';
import { isCutShort } from './overlay-model';
import { laneWord } from './names';
import { originOf, type Align } from './time-range';
import type { CardFacts } from './card-facts';

/** Times are counted as the axis counts them. */
export function idleFacts(group: GroupTasks, { lane, from, to, waited }: IdleStretch, align: Align, speak: Speak): CardFacts | undefined {
  const { info } = group;
  if (!info) return undefined;
  const origin = originOf(info, align);
  const rows: [string, string][] = [
    [laneWord(info, speak), String(lane)], [speak('idle.from'), formatMs(from - origin)], [speak('idle.to'), formatMs(to - origin)],
    [speak('task.duration'), formatMs(to - from)],
  ];
  // Whom a frame waits for is known once it has ended.
  if (waited && waited.pending === 0) {
    const idle = idleOf(waited, info.lanes);
    const all = idle + waited.busy;
    rows.push(isCutShort(group, waited) ? [speak('idle.rejected'), speak('idle.rejectedBy', { ordinal: group.details.ordinalOf(waited.deciderId) })]
      : [speak('idle.waitedFor'), speak('idle.culprit', { ordinal: group.details.ordinalOf(waited.lastId), time: formatMs(waited.lastEnd - waited.lastStart) })]);
    rows.push([speak(waited.number > 0 ? 'idle.inChunk' : 'idle.inGroup'), speak('idle.slotTime', { time: formatMs(idle), share: formatShare(all > 0 ? idle / all : 0) })]);
  }
  return { title: speak('idle.title'), label: undefined, rows };
}
