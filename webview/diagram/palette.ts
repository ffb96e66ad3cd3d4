/** The colours of the data, read from the style sheet so that canvas and markup share one palette per theme. */

import { CATEGORIES, STEPS } from './hues';

/** Looks of a bar; also the names of the legend. */
export type Look = 'fulfilled' | 'rejected' | 'aborted' | 'timedOut' | 'pending' | 'unsettled' | 'ignored';

export interface BarColors { readonly fill: string; readonly text: string; readonly line: string }

export interface Palette {
  readonly bars: Readonly<Record<Look, BarColors>>;
  /** Of fulfilled bars that are told apart by something else than their outcome: `CATEGORIES`, then `STEPS`. */
  readonly hues: readonly BarColors[];
  readonly idle: string;
  readonly label: string;
  /** Of words and the ground they stand on. */
  readonly text: string;
  readonly background: string;
  /** What a plan saves, and whatever is held against what happened. */
  readonly saved: string;
  /** Of bands over all lanes. */
  readonly blocked: string;
  readonly gc: string;
  readonly unwatched: string;
  /** High contrast: bars are told by their outlines. */
  readonly outlined: boolean;
  readonly font: string;
}

export function readPalette(element: Element): Palette {
  const style = getComputedStyle(element);
  const color = (name: string): string => style.getPropertyValue(`--lanes-${name}`).trim();
  const bar = (look: Look): BarColors => ({ fill: color(look), text: color(`${look}-text`), line: color(`${look}-line`) });
  const outlined = color('outlined') === '1';
  const hue = (value: string): BarColors => (outlined ? { fill: color('fulfilled'), text: value, line: value } : { fill: value, text: readableOn(value), line: value });
  const hues = ['category', 'step'].flatMap((name) => Array.from({ length: name === 'step' ? STEPS : CATEGORIES }, (_, i) => hue(color(`${name}-${i + 1}`))));
  return {
    bars: { fulfilled: bar('fulfilled'), rejected: bar('rejected'), aborted: bar('aborted'), timedOut: bar('timedOut'), pending: bar('pending'), unsettled: bar('unsettled'), ignored: bar('ignored') },
    idle: color('idle'), label: color('label'), text: style.color, background: style.backgroundColor, saved: color('saved'), blocked: color('blocked'), gc: color('gc'), unwatched: color('unwatched'),
    hues, outlined,
    font: style.fontFamily,
  };
}

/** White or nearly black, whichever can be read on a colour (WCAG 2.2, relative luminance). @param color `#rrggbb` */
export function readableOn(color: string): string {
  const [r, g, b] = [1, 3, 5].map((at) => {
    const value = parseInt(color.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.179 ? '#10161c' : '#ffffff';
}
