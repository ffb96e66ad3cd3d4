/** A strip below a group's plot as shapes. */
import { loadY, spanOf, type LoadPicture, type LoadSpan } from '../bands/load-picture';
import type { Palette } from '../diagram/palette';
import { lengthText, type Shape } from './shapes';

/** Of the label's baseline. */
const LABEL_Y = 10;

/** @param left pixel of the first load @param top of the strip */
export function loadShapes({ name, loads, scale, limit, label }: LoadPicture, palette: Palette, left: number, top: number): Shape[] {
  const spans = loads.map((load) => spanOf(load, scale));
  const area = (lower: keyof LoadSpan, upper: keyof LoadSpan): string => areaPath(spans.map((span) => [top + span[lower], top + span[upper]]), left);
  const working = area('y0', 'y1');
  const queued = area('y1', 'y2');
  return [
    ...(working ? [{ kind: 'path', name: `${name}-working`, fill: palette.outlined ? palette.bars.fulfilled.line : palette.bars.fulfilled.fill, d: working } as const] : []),
    ...(queued ? [{ kind: 'path', name: `${name}-queued`, fill: { hatching: 'idle' }, d: queued } as const, { kind: 'path', name: `${name}-edge`, stroke: palette.label, d: edgePath(spans, left, top) } as const] : []),
    ...(limit === undefined ? [] : [{ kind: 'path', name: `${name}-limit`, stroke: palette.label, dash: [2, 3], d: `M ${left} ${lengthText(top + loadY(limit, scale))} H ${left + loads.length}` } as const]),
    { kind: 'text', name: `${name}-label`, text: label, x: left, y: top + LABEL_Y, size: 11, color: palette.label, anchor: 'start' },
  ];
}

/** Over what waits: hatching alone has no edge to read a height off. */
function edgePath(spans: readonly LoadSpan[], left: number, top: number): string {
  const parts: string[] = [];
  spans.forEach(({ y1, y2 }, i) => {
    if (y2 >= y1) return;
    const goesOn = i > 0 && spans[i - 1].y2 < spans[i - 1].y1;
    const y = lengthText(top + y2 + 0.5);
    if (!goesOn) parts.push(`M ${lengthText(left + i)} ${y}`);
    else if (spans[i - 1].y2 !== y2) parts.push(`V ${y}`);
    if (spans.at(i + 1)?.y2 !== y2) parts.push(`H ${lengthText(left + i + 1)}`);
  });
  return parts.join(' ');
}

/** Rectangles for stretches of equal height, where there is any. */
function areaPath(heights: readonly (readonly [lower: number, upper: number])[], left: number): string {
  const parts: string[] = [];
  for (let i = 0; i < heights.length; ) {
    const [lower, upper] = heights[i];
    let to = i + 1;
    while (to < heights.length && heights[to][0] === lower && heights[to][1] === upper) to++;
    if (upper < lower) parts.push(`M ${lengthText(left + i)} ${lengthText(lower)} V ${lengthText(upper)} H ${lengthText(left + to)} V ${lengthText(lower)} Z`);
    i = to;
  }
  return parts.join(' ');
}
