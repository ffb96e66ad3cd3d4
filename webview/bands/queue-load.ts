/** The queue of a group: its tasks between `queued` and their start, over those in flight where the limit of these is known. */
import type { Scene } from '../diagram/scene';
import { originOf } from '../diagram/time-range';
import { formatCount } from '../format';
import type { GroupTasks } from '../store/group-tasks';
import type { Peak, Traffic } from '../store/traffic';
import type { Speak } from '../words/speak';
import type { LoadSource } from './load-picture';

export function queueLoad(group: GroupTasks, { viewport, align, speak, now, until, isOver }: Scene): LoadSource | undefined {
  const { info } = group;
  if (!info) return undefined;
  const { waiting, showsInFlight } = group;
  const inFlight = showsInFlight ? group.traffic : undefined;
  const origin = originOf(info, align);
  const last = Math.min(now, info.end ?? now, until + origin);
  // Tasks in flight go on as time does.
  const grows = isOver && until === Infinity ? '' : last;
  return {
    version: `${waiting.version} ${inFlight?.version} ${origin} ${grows} ${isOver}`,
    make: () => {
      const { peak } = waiting;
      const edges = Float64Array.from({ length: Math.max(0, Math.floor(viewport.width)) + 1 }, (_, i) => viewport.time(viewport.left + i) + origin);
      const queued = meansOf(waiting, edges, last);
      const working = inFlight && meansOf(inFlight, edges, last);
      const { declared } = info;
      const words = { queued: peakText(peak, speak), working: formatCount(info.peak), limit: formatCount(declared ?? 0) };
      const label = speak(declared === undefined ? 'queue.label' : 'queue.labelLimited', words);
      return {
        name: 'queue', limit: declared, scale: Math.max(1, peak.most + (inFlight ? Math.max(info.peak, declared ?? 0) : 0)),
        loads: Array.from(queued, (value, i) => ({ queued: value, working: working ? working[i] : 0 })),
        label: isOver ? label : speak('queue.live', { label }),
        words: { queued: speak('queue.queued'), working: speak('overview.inFlightWord') },
      };
    },
  };
}

const peakText = ({ least, most }: Peak, speak: Speak): string => (least === most ? formatCount(most) : speak('queue.between', { least: formatCount(least), most: formatCount(most) }));

/** Less is a remainder of sums. */
const LEAST = 1e-6;

/** Mean number in flight between each edge and the next, none after `last`. */
function meansOf(traffic: Traffic, edges: Float64Array, last: number): Float64Array {
  const means = new Float64Array(Math.max(0, edges.length - 1));
  let before = traffic.upTo(edges[0] ?? 0).flight;
  for (let i = 0; i < means.length && edges[i] < last; i++) {
    const to = Math.min(edges[i + 1], last);
    const { flight } = traffic.upTo(to);
    const mean = (flight - before) / (to - edges[i]);
    means[i] = mean > LEAST ? mean : 0;
    before = flight;
  }
  return means;
}
