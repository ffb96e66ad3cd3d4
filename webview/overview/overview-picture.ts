/**
 * The overview as a picture: above what is in flight, below how many tasks end a second, their failed share at the foot of
 * each bar and never too small to be seen.
 */
import type { Palette } from '../diagram/palette';
import type { Viewport } from '../diagram/viewport';
import { formatCount } from '../format';
import type { Speak } from '../words/speak';
import { paceIn, type Curve } from './curves';

export const HEIGHT = 58;
const FLIGHT = { top: 3, bottom: 31 };
const RATE = { top: 36, bottom: 56 };
/** A bar of the lower row is so many CSS pixels wide at the least, and there are so many at the least. */
const LEAST_BAR = 6;
const LEAST_BARS = 10;
/** A bar stands for about so many tasks or more: of fewer, a rate says nothing. */
const TASKS_OF_A_BAR = 4;
const LEAST_FAILURE = 3;
const DASHES: readonly (readonly number[])[] = [[], [5, 3], [1.5, 2.5]];

/** CSS pixels a bar of the lower row is wide. */
export function barWidth(curves: readonly Curve[], { width, range }: Viewport): number {
  const ended = curves.reduce((most, curve) => Math.max(most, paceIn(curve, range.start, range.end).ended), 0);
  return Math.max(LEAST_BAR, width / Math.max(LEAST_BARS, ended / TASKS_OF_A_BAR));
}

/** @param context in CSS pixels */
export function drawOverview(context: CanvasRenderingContext2D, curves: readonly Curve[], viewport: Viewport, palette: Palette, speak: Speak): void {
  const { left, right, range } = viewport;
  const width = right - left;
  const perPixel = (range.end - range.start) / width;
  const time = (x: number): number => range.start + (x - left) * perPixel;
  const flights = curves.map((curve) => Array.from({ length: Math.ceil(width) }, (_, i) => paceIn(curve, time(left + i), time(left + i + 1)).inFlight));
  const bar = barWidth(curves, viewport);
  const rates = curves.map((curve) => Array.from({ length: Math.ceil(width / bar) }, (_, i) => paceIn(curve, time(left + i * bar), time(Math.min(right, left + (i + 1) * bar)))));
  const mostFlight = Math.max(1, ...flights.map((flight) => flight.reduce((a, b) => Math.max(a, b), 0)));
  const mostEnded = rates.reduce((most, bars) => bars.reduce((a, { ended }) => Math.max(a, ended), most), 0);
  curves.forEach((_, k) => {
    const color = inkOf(palette, k);
    drawFlight(context, flights[k], left, mostFlight, color, DASHES[k]);
    rates[k].forEach(({ ended }, i) => drawRate(context, left + i * bar, bar, ended / (mostEnded || 1), color));
  });
  // Failures last: nothing may stand over one.
  const failedInk = palette.outlined ? palette.bars.rejected.line : palette.bars.rejected.fill;
  for (const rate of rates) rate.forEach(({ failed }, i) => drawFailed(context, left + i * bar, bar, failed / (mostEnded || 1), failedInk));
  context.globalAlpha = 1;
  const perSecond = mostEnded / ((perPixel * bar) / 1000);
  label(context, palette, left + 4, FLIGHT.top + 7, right, speak('overview.inFlight', { count: rounded(mostFlight) }), curves);
  label(context, palette, left + 4, RATE.top + 5, right, speak('overview.perSecond', { count: rounded(perSecond) }), []);
}

/** @param k of the curve, from 0 */
const inkOf = ({ bars, outlined, saved, label: third }: Palette, k: number): string => (k === 0 ? (outlined ? bars.fulfilled.line : bars.fulfilled.fill) : k === 1 ? saved : third);

/** Three figures are as many as one reads off a picture. */
export function rounded(value: number): string {
  return value < 100 ? String(Number(value.toPrecision(3))) : formatCount(Number(value.toPrecision(3)));
}

function drawFlight(context: CanvasRenderingContext2D, flight: readonly number[], left: number, most: number, color: string, dash: readonly number[]): void {
  const y = (value: number): number => FLIGHT.bottom - (value / most) * (FLIGHT.bottom - FLIGHT.top);
  const line = (): void => {
    context.beginPath();
    context.moveTo(left, FLIGHT.bottom);
    flight.forEach((value, i) => {
      context.lineTo(left + i, y(value));
      context.lineTo(left + i + 1, y(value));
    });
    context.lineTo(left + flight.length, FLIGHT.bottom);
  };
  context.fillStyle = context.strokeStyle = color;
  line();
  context.globalAlpha = 0.25;
  context.fill();
  context.globalAlpha = 1;
  context.setLineDash([...dash]);
  context.lineWidth = 1;
  context.stroke();
  context.setLineDash([]);
}

/** @param ended share of the highest bar */
function drawRate(context: CanvasRenderingContext2D, x: number, width: number, ended: number, color: string): void {
  if (ended < 1e-6) return;
  const height = Math.max(1, ended * (RATE.bottom - RATE.top));
  context.globalAlpha = 0.6;
  context.fillStyle = color;
  context.fillRect(x, RATE.bottom - height, width - 1, height);
}

/** @param failed share of the highest bar */
function drawFailed(context: CanvasRenderingContext2D, x: number, width: number, failed: number, color: string): void {
  // What spilt over from the next bar by rounding is no failure.
  if (failed < 1e-6) return;
  context.globalAlpha = 1;
  context.fillStyle = color;
  const height = Math.max(LEAST_FAILURE, failed * (RATE.bottom - RATE.top));
  context.fillRect(x, RATE.bottom - height, width - 1, height);
}

/** On a ground of their own: curves run behind them. @param right where the picture ends */
function label(context: CanvasRenderingContext2D, palette: Palette, x: number, y: number, right: number, text: string, curves: readonly Curve[]): void {
  context.font = `10.5px ${palette.font}`;
  context.textBaseline = 'middle';
  let at = x;
  const write = (words: string, color: string): void => {
    const { width } = context.measureText(words);
    // A name that would be cut off is told by the picture's description.
    if (at > x && at + width > right) return;
    context.globalAlpha = 0.85;
    context.fillStyle = palette.background;
    context.fillRect(at - 3, y - 7, width + 6, 13);
    context.globalAlpha = 1;
    context.fillStyle = color;
    context.fillText(words, at, y);
    at += width + 10;
  };
  write(text, palette.text);
  curves.forEach(({ name }, k) => { if (name) write(`— ${name}`, inkOf(palette, k)); });
}
