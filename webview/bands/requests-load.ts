/**
 * Requests a group's process had in libuv's thread pool, in work up to the pool's threads and queued beyond them.
 * Node does not tell which request a thread of the pool works on, so the split is inferred, and says so.
 */
import type { Scene } from '../diagram/scene';
import { originOf } from '../diagram/time-range';
import { formatCount } from '../format';
import type { GroupTasks } from '../store/group-tasks';
import type { Stretches } from '../store/thread-activity';
import type { LoadSource } from './load-picture';

export function requestsLoad({ info }: GroupTasks, { viewport, align, speak, now, activity }: Scene): LoadSource | undefined {
  const pool = info && activity.requests(info.thread);
  if (!pool) return undefined;
  const origin = originOf(info, align);
  const { limit, threads } = pool;
  return {
    version: `${activity.version} ${origin}`,
    make: () => {
      const totals = Array.from({ length: Math.max(0, Math.floor(viewport.width)) }, (_, i) => {
        const from = viewport.time(viewport.left + i) + origin;
        return from > now ? 0 : threads.reduce((sum, thread) => sum + mostIn(thread, from, viewport.time(viewport.left + i + 1) + origin), 0);
      });
      const most = totals.reduce((a, b) => Math.max(a, b), 0);
      return {
        name: 'requests', limit, scale: Math.max(limit, most),
        loads: totals.map((total) => ({ working: Math.min(total, limit), queued: Math.max(0, total - limit) })),
        label: speak('requests.label', { working: formatCount(Math.min(most, limit)), threads: formatCount(limit), queued: formatCount(Math.max(0, most - limit)) }),
        words: { working: speak('requests.working'), queued: speak('requests.queued') },
      };
    },
  };
}

/** The most requests at once in a stretch. */
function mostIn(requests: Stretches, from: number, to: number): number {
  let i = requests.firstEndingAfter(from);
  let most = i > 0 ? requests.count[i - 1] : 0;
  for (; i < requests.length && requests.start[i] < to; i++) {
    if (requests.most[i] > most) most = requests.most[i];
    if (requests.end[i] <= to && requests.count[i] > most) most = requests.count[i];
  }
  return most;
}
