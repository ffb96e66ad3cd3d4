/**
 * What a group took in all runs of its target that are kept: a circle a run on a line of time, the median as a stroke, and the two
 * that are compared as a square (the first) and a diamond (the second).
 *
 *     ○ ○○   │  ○ ■     ◆   ○
 */
import type { Spread } from '../../src/analysis/compare';
import { scaleLinear } from '../d3';

const SVG = 'http://www.w3.org/2000/svg';
const WIDTH = 240;
const HEIGHT = 26;
const EDGE = 8;
const MIDDLE = HEIGHT / 2;

export interface StripPlotOptions {
  /** Milliseconds, ascending. */
  readonly values: readonly number[];
  readonly spread: Spread;
  /** Undefined where the run is of another target. */
  readonly first: number | undefined;
  readonly second: number | undefined;
  /** All it says, for who cannot see it. */
  readonly label: string;
}

export function stripPlot({ values, spread, first, second, label }: StripPlotOptions): SVGSVGElement {
  const room = Math.max(spread.range, spread.max * 0.02, 1e-6);
  const x = scaleLinear([spread.min - (room - spread.range) / 2, spread.max + (room - spread.range) / 2], [EDGE, WIDTH - EDGE]);
  const svg = shape('svg', { class: 'strip-plot', viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: 'img', 'aria-label': label });
  svg.append(shape('path', { class: 'strip-line', d: `M ${EDGE / 2} ${MIDDLE} H ${WIDTH - EDGE / 2}` }), shape('path', { class: 'strip-median', d: `M ${x(spread.median)} 3 V ${HEIGHT - 3}` }));
  const marked = [first, second].filter((value) => value !== undefined);
  for (const value of values) {
    const at = marked.indexOf(value);
    if (at >= 0) marked.splice(at, 1); else svg.append(shape('circle', { class: 'strip-run', cx: x(value), cy: MIDDLE, r: 3.5 }));
  }
  if (first !== undefined) svg.append(shape('rect', { class: 'strip-first', x: x(first) - 4.5, y: MIDDLE - 4.5, width: 9, height: 9 }));
  if (second !== undefined) svg.append(shape('path', { class: 'strip-second', d: `M ${x(second)} ${MIDDLE - 6} l 6 6 l -6 6 l -6 -6 Z` }));
  return svg;
}

function shape<K extends keyof SVGElementTagNameMap>(tag: K, attributes: Readonly<Record<string, string | number>>): SVGElementTagNameMap[K] {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  return made;
}
