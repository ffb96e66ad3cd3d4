/**
 * The same tasks under another plan, with its figures: what chunks, rails, or rails fed the longest task first would have
 * made of the recorded durations. A prediction: it takes every task to last as long as it did.
 */
import type { Metrics } from '../model/timeline';
import { metricsOf, type SlotSpan } from './metrics';
import { scheduleChunks, scheduleRails, type Schedule } from './schedule';

/** `longestFirst`: rails that take the longest of the tasks left, not the next in order. */
export const PLANS = ['chunks', 'rails', 'longestFirst'] as const;
export type Plan = (typeof PLANS)[number];

export interface Prediction {
  readonly plan: Plan;
  readonly schedule: Schedule;
  /** Slots or rails that are really used: no more than there are tasks. */
  readonly lanes: number;
  /** 0 unless the plan is chunks. */
  readonly chunks: number;
  readonly metrics: Metrics;
}

/**
 * @param durations milliseconds, in the order the tasks started @param lanes size of the chunks, or number of rails
 * @throws RangeError where one of them is out of range
 */
export function predict(durations: ArrayLike<number>, plan: Plan, lanes: number): Prediction {
  const schedule = plan === 'chunks' ? scheduleChunks(durations, lanes) : plan === 'rails' ? scheduleRails(durations, lanes) : scheduleLongestFirst(durations, lanes);
  let busy = 0;
  let used = 0;
  for (let row = 0; row < durations.length; row++) {
    busy += durations[row];
    used = Math.max(used, schedule.lane[row]);
  }
  const spans = plan === 'chunks' ? spansOf(schedule) : [{ slots: used, durationMs: schedule.makespan }];
  return { plan, schedule, lanes: used, chunks: plan === 'chunks' ? spans.length : 0, metrics: metricsOf(schedule.makespan, busy, spans) };
}

/** Rails that take the longest task left; of equally long ones the first. O(n log n). Arguments as for `scheduleRails`. */
export function scheduleLongestFirst(durations: ArrayLike<number>, rails: number): Schedule {
  const order = Array.from(durations, (_, row) => row).sort((a, b) => durations[b] - durations[a] || a - b);
  const sorted = scheduleRails(order.map((row) => durations[row]), rails);
  const schedule = { ...sorted, start: new Float64Array(order.length), end: new Float64Array(order.length), lane: new Uint32Array(order.length) };
  order.forEach((row, place) => {
    schedule.start[row] = sorted.start[place];
    schedule.end[row] = sorted.end[place];
    schedule.lane[row] = sorted.lane[place];
  });
  return schedule;
}

/** Slots and duration of each chunk. */
function spansOf({ start, end, chunk }: Schedule): SlotSpan[] {
  const spans: { slots: number; durationMs: number }[] = [];
  for (let row = 0; row < chunk.length; row++) {
    const span = (spans[chunk[row] - 1] ??= { slots: 0, durationMs: 0 });
    span.slots++;
    span.durationMs = Math.max(span.durationMs, end[row] - start[row]);
  }
  return spans;
}
