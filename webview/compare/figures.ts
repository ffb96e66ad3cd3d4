/** How the measures of a comparison are written. */
import type { Measure } from '../../src/analysis/compare';
import { formatCount, formatMs, formatShare } from '../format';

const TIMES: ReadonlySet<Measure> = new Set<Measure>(['makespan', 'idle', 'median', 'p95']);
const MINUS = '\u2212';

/** @param value milliseconds, a share, or a count */
export function valueText(measure: Measure, value: number | undefined): string {
  if (value === undefined) return '–';
  return TIMES.has(measure) ? formatMs(value) : measure === 'utilization' ? formatShare(value) : formatCount(value);
}

/** With its sign; of shares in points of a hundred. */
export function differenceText(measure: Measure, difference: number): string {
  const points = measure === 'utilization' ? Math.round(Math.abs(difference) * 100) : undefined;
  const amount = Math.abs(difference);
  const text = points !== undefined ? `${points} pp` : TIMES.has(measure) ? formatMs(amount) : formatCount(amount);
  return `${points === 0 || difference === 0 ? '±' : difference < 0 ? MINUS : '+'}${text}`;
}
