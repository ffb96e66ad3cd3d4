/** A group's figures as they stood at a time: what stands above a picture that ends there. Counted as the host counts (`Tally`). */
import { metricsOf, type SlotSpan } from '../../src/analysis/metrics';
import { STATE_MASK, TaskState, type Group } from '../../src/model/timeline';
import type { GroupTasks } from '../store/group-tasks';

interface Sums { slots: number; start: number; end: number }

/**
 * O(tasks).
 * @param until milliseconds after `timeOrigin`; Infinity: all there is
 * @returns the group as the host tells it where all of it had happened; with no task where nothing had
 */
export function groupAsOf(tasks: GroupTasks, info: Group, until: number): Group {
  if (until === Infinity || (info.end !== undefined && info.end <= until)) return info;
  let [taskCount, fulfilled, rejected, busyMs, lanes] = [0, 0, 0, 0, 0];
  const whole: Sums = { slots: 0, start: Infinity, end: -Infinity };
  const chunks: Sums[] = [];
  const isChunks = info.kind === 'chunk';
  tasks.lanes.forEach((lane, k) => {
    for (let i = 0; lane && i < lane.length; i++) {
      const start = lane.startOf(i);
      if (start > until) break;
      const ended = lane.endOf(i);
      const end = ended <= until ? ended : until;
      taskCount++;
      lanes = k + 1;
      busyMs += end - start;
      if (ended <= until) {
        if ((lane.stateOf(i) & STATE_MASK) === TaskState.rejected) rejected++; else fulfilled++;
      }
      add(whole, start, end);
      const chunk = isChunks ? tasks.details.chunkOf(lane.idOf(i)) : 0;
      if (chunk > 0) add(chunks[chunk] ??= { slots: 0, start: Infinity, end: -Infinity }, start, end);
    }
  });
  const makespanMs = taskCount > 0 ? whole.end - whole.start : 0;
  const spans: SlotSpan[] = [];
  chunks.forEach(({ slots, start, end }) => spans.push({ slots, durationMs: end - start }));
  const pending = taskCount - fulfilled - rejected;
  return {
    ...info, taskCount, fulfilled, rejected, pending, lanes, chunks: isChunks ? spans.length : undefined, end: pending > 0 || taskCount === 0 ? undefined : whole.end,
    status: pending > 0 || taskCount === 0 ? 'pending' : info.status,
    metrics: metricsOf(makespanMs, busyMs, spans.length > 0 ? spans : [{ slots: lanes, durationMs: makespanMs }]),
  };
}

function add(sums: Sums, start: number, end: number): void {
  sums.slots++;
  sums.start = Math.min(sums.start, start);
  sums.end = Math.max(sums.end, end);
}
