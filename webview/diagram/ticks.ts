/** Where the axis has ticks and what stands at them. All times are milliseconds. */
import { tickFormat } from '../format';
import { scaleLinear } from '../d3';

export interface Ticks {
  readonly times: readonly number[];
  readonly write: (ms: number) => string;
  /** What has to be added to each of them, where all in full would be too long to read; else empty. */
  readonly base: string;
}

const MINUTE = 60_000;
/** Round steps where decimal ones would not be: minutes and hours. */
const LONG_STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720, 1440].map((minutes) => minutes * MINUTE);

/** Of a step this much smaller than the times themselves, what differs stands in the tick and what does not in the base. */
const FINE = 1e-4;

/** @param count about so many ticks */
export function ticksOf(start: number, end: number, count: number): Ticks {
  const wanted = (end - start) / Math.max(1, count);
  const times = wanted > MINUTE / 3 ? longTicks(start, end, wanted) : scaleLinear([start, end], [0, 1]).ticks(count);
  const step = times.length > 1 ? times[1] - times[0] : wanted;
  const largest = Math.max(Math.abs(start), Math.abs(end));
  if (step >= largest * FINE) return { times, write: tickFormat(largest, step), base: '' };
  // A round time below the first tick, known to one decimal less than the view is wide.
  const round = 10 ** Math.ceil(Math.log10(end - start));
  const base = Math.floor(start / round) * round;
  const write = tickFormat(end - base, step);
  return { times, write: (ms) => `+${write(ms - base)}`, base: tickFormat(largest, round)(base) };
}

function longTicks(start: number, end: number, wanted: number): number[] {
  const days = 1440 * MINUTE;
  const step = LONG_STEPS.find((candidate) => candidate >= wanted) ?? Math.ceil(wanted / days) * days;
  const first = Math.ceil(start / step);
  return Array.from({ length: Math.max(0, Math.floor(end / step) - first + 1) }, (_, i) => (first + i) * step);
}
