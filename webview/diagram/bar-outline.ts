/**
 * What a look is made of, for whoever draws bars, on a canvas or as vectors. Looks are told apart by shape and pattern as
 * well as by colour:
 *
 *   fulfilled  ██████   solid
 *   rejected   ▚▚▚▚▚×   solid under bold stripes, crossed at its end where there is room
 *   aborted    ☰☰☰☰☰◤   light under level lines, its end cut off aslant
 *   timedOut   ▩▩▩▩▩≺   under crossed lines, its end notched like an hourglass
 *   pending    ▒▒▒▒▒▷   light, dashed above and below, its end a point: it goes on
 *   unsettled  ▒▒▒▒▒≷   light, dashed, its end torn off: the run ended first
 *   ignored    ┆·····┆  hollow and dotted
 */
import type { Look } from './palette';

export interface LookStyle {
  /** The pattern over its fill. */
  readonly hatching?: 'rejected' | 'aborted' | 'timedOut' | 'ignored';
  /** Drawn around it in every theme; with high contrast all bars are. */
  readonly outlined?: true;
  readonly dashed?: true;
  /** Where it is too small for an outline it is filled with the outline's colour: its fill is hardly seen. */
  readonly faint?: true;
}

export const LOOKS: Readonly<Record<Look, LookStyle>> = {
  fulfilled: {},
  rejected: { hatching: 'rejected' },
  aborted: { hatching: 'aborted', outlined: true, faint: true },
  timedOut: { hatching: 'timedOut', outlined: true },
  pending: { outlined: true, dashed: true },
  unsettled: { outlined: true, dashed: true },
  ignored: { hatching: 'ignored', outlined: true, faint: true },
};

export const DASH: readonly number[] = [4, 3];
/** Lower or narrower bars are plain rectangles: there is no room for corners, points and outlines. */
export const LEAST_SHAPE = 6;

export const cornerOf = (height: number): number => (height >= 12 ? 3 : 1.5);

/** Corners of a bar's outline as x, y, x, y, …, clockwise from the left end's top; undefined: a rectangle with round corners. */
export function cornersOf(look: Look, x: number, y: number, w: number, h: number): readonly number[] | undefined {
  const right = x + w;
  const bottom = y + h;
  const deep = Math.min(w, h) / 2;
  switch (look) {
    case 'pending': return [x, y, right - deep, y, right, y + h / 2, right - deep, bottom, x, bottom];
    case 'aborted': return [x, y, right, y, right - deep, bottom, x, bottom];
    case 'timedOut': return [x, y, right, y, right - deep, y + h / 2, right, bottom, x, bottom];
    case 'unsettled': {
      const tooth = Math.min(w / 2, h / 4);
      return [x, y, right, y, right - tooth, y + h / 4, right, y + h / 2, right - tooth, y + (3 * h) / 4, right, bottom, x, bottom];
    }
    default: return undefined;
  }
}
