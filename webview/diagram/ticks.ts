/** Where the axis has ticks and what stands at them. All times are milliseconds. */
import { tickFormat } from '../format';
import { scaleLinear } from '../d3';

export interface Ticks { readonly times: readonly number[]; readonly write: (ms: number) => string }

const MINUTE = 60_000;
/** Round steps where decimal ones would not be: minutes and hours. */
const LONG_STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720, 1440].map((minutes) => minutes * MINUTE);

/** @param count about so many ticks */
export function ticksOf(start: number, end: number, count: number): Ticks {
  const wanted = (end - start) / Math.max(1, count);
  const times = wanted > MINUTE / 3 ? longTicks(start, end, wanted) : scaleLinear([start, end], [0, 1]).ticks(count);
  return { times, write: tickFormat(Math.max(Math.abs(start), Math.abs(end)), times.length > 1 ? times[1] - times[0] : wanted) };
}

function longTicks(start: number, end: number, wanted: number): number[] {
  const days = 1440 * MINUTE;
  const step = LONG_STEPS.find((candidate) => candidate >= wanted) ?? Math.ceil(wanted / days) * days;
  const first = Math.ceil(start / step);
  return Array.from({ length: Math.max(0, Math.floor(end / step) - first + 1) }, (_, i) => (first + i) * step);
}
