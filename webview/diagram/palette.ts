/** The colours of the data, read from the style sheet so that canvas and markup share one palette per theme. */

/** Looks of a bar; also the names of the legend. */
export type Look = 'fulfilled' | 'rejected' | 'pending' | 'ignored';

export interface BarColors { readonly fill: string; readonly text: string; readonly line: string }

export interface Palette {
  readonly bars: Readonly<Record<Look, BarColors>>;
  readonly idle: string;
  readonly label: string;
  /** Of words and the ground they stand on. */
  readonly text: string;
  readonly background: string;
  /** What a plan saves, and whatever is held against what happened. */
  readonly saved: string;
  /** High contrast: bars are told by their outlines. */
  readonly outlined: boolean;
  readonly font: string;
}

export function readPalette(element: Element): Palette {
  const style = getComputedStyle(element);
  const color = (name: string): string => style.getPropertyValue(`--lanes-${name}`).trim();
  const bar = (look: Look): BarColors => ({ fill: color(look), text: color(`${look}-text`), line: color(`${look}-line`) });
  return {
    bars: { fulfilled: bar('fulfilled'), rejected: bar('rejected'), pending: bar('pending'), ignored: bar('ignored') },
    idle: color('idle'), label: color('label'), text: style.color, background: style.backgroundColor, saved: color('saved'),
    outlined: color('outlined') === '1',
    font: style.fontFamily,
  };
}
