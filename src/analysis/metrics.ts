/** The figures beside a diagram. One definition, used by the panel, the command line and the report. */
import type { Metrics } from '../model/timeline';

/** A stretch in which a number of slots stood ready: a chunk, or the whole of any other group. */
export interface SlotSpan {
  /** Slots that could have been busy all the time: the tasks of a chunk, the rails of a pool. */
  readonly slots: number;
  /** Milliseconds from the first task's start to the last one's end. */
  readonly durationMs: number;
}

/**
 * Idle is what the slots could have worked and did not: Σ slots × duration − busy (CONTRACT.md, `idleMs`).
 * @param makespanMs from the first start to the last end of the whole group
 * @param busyMs sum of the tasks' durations
 * @param spans one for each chunk, or one in all
 */
export function metricsOf(makespanMs: number, busyMs: number, spans: readonly SlotSpan[]): Metrics {
  let room = 0;
  for (const span of spans) room += span.slots * span.durationMs;
  // Ends are read off a clock in sums of doubles: a fully busy group must not come out a hair below zero idle.
  const idleMs = Math.max(0, room - busyMs);
  return { makespanMs, busyMs, idleMs, utilization: busyMs + idleMs > 0 ? busyMs / (busyMs + idleMs) : 0 };
}
