/** The time one of two compared groups saves: a bracket between the end of the shorter and the end of the longer, drawn in the shorter one's plot. */
import type { Group } from '../../src/model/timeline';
import { formatChange, formatMs } from '../format';
import type { Speak } from '../words/speak';
import { savingOf } from './compare';
import type { Geometry } from './geometry';
import type { Viewport } from './viewport';

export interface SavingMark {
  readonly x0: number;
  readonly x1: number;
  readonly y0: number;
  readonly y1: number;
  /** Height of the bracket. */
  readonly y: number;
  readonly lines: readonly string[];
  readonly text: string;
  /** Where the words stand: above the bracket, or, where it is too narrow, left of its end in the title row. */
  readonly place: 'inside' | 'title';
}

/** Where the other one of two compared groups has ended, while this one still runs. */
export interface GuideMark { readonly x: number; readonly y0: number; readonly y1: number; readonly text: string }

/**
 * @param group the group whose plot this is @param other the one it is compared with
 * @param measure pixels a line of the label takes
 */
export function savingMark(group: Group, other: Group, geometry: Geometry, viewport: Viewport, speak: Speak, measure: (text: string) => number): SavingMark | undefined {
  const saving = savingOf(group, other);
  // Of two equally long ones it is the second that carries the label.
  if (saving.shorter !== group.id) return undefined;
  const from = group.metrics.makespanMs;
  const x0 = Math.max(viewport.left, viewport.x(from));
  const x1 = Math.min(viewport.right, viewport.x(from + saving.savedMs));
  if (x1 < viewport.left || x0 > viewport.right) return undefined;
  const time = formatMs(saving.savedMs);
  const change = formatChange(saving.change);
  const isNone = Math.round(-saving.change * 100) === 0;
  const text = isNone ? `${speak('saved.same')}, ${change}` : speak('saved.whole', { time, change });
  const inTwo = [isNone ? speak('saved.same') : speak('saved.less', { time }), change];
  const room = (x1 - x0 - 12) / LABEL_SIZE;
  const tall = geometry.frameBottom - geometry.frameTop;
  const place = Math.max(...inTwo.map(measure)) <= room && tall >= 64 ? 'inside' : 'title';
  const lines = place === 'title' || measure(text) <= room ? [text] : inTwo;
  const middle = (geometry.frameTop + geometry.frameBottom) / 2;
  return { x0, x1, y0: geometry.frameTop, y1: geometry.frameBottom, y: place === 'inside' ? middle + 10 * lines.length : middle, lines, text, place };
}

/** The label is so much larger than the text `measure` measures. */
const LABEL_SIZE = 1.25;

export function guideMark(other: Group, geometry: Geometry, viewport: Viewport): GuideMark | undefined {
  const x = viewport.x(other.metrics.makespanMs);
  if (x < viewport.left || x > viewport.right) return undefined;
  return { x, y0: geometry.frameTop, y1: geometry.frameBottom, text: formatMs(other.metrics.makespanMs) };
}
