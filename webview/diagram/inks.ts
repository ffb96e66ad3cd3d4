/** The palette as pixels: 32-bit words as an ImageData holds them, and shades by how busy a cell is. */
import { Worth, WORTHS } from '../store/mip';
import { LOOKS } from './bar-outline';
import type { BarColors, Look, Palette } from './palette';

const SHADES = 32;

export interface Inks {
  /** Full colour of a bar by look. */
  readonly bars: Readonly<Record<Look, number>>;
  /** Full colour of an ended bar by worth. */
  readonly full: Uint32Array;
  readonly hatch: number;
  /** What bars stand on. */
  readonly ground: number;
  /** Shade of a cell: worth × 32 + busy share in 31 steps. */
  readonly shades: Uint32Array;
}

/** @param share 0 to 1 */
export const shadeIndex = (worth: number, share: number): number => worth * SHADES + Math.min(SHADES - 1, Math.ceil(share * (SHADES - 1)));

/** How see-through a cell may be at the least: what is rejected has to be seen however little of it there is. */
const FAINTEST: Readonly<Record<number, number>> = { [Worth.fulfilled]: 0.22, [Worth.ignored]: 0.45, [Worth.aborted]: 0.8, [Worth.timedOut]: 0.8, [Worth.rejected]: 0.8 };
const FAINTEST_HUE = 0.45;

type Rgb = readonly [number, number, number];

/** @param strength 0 to 1: how much of a colour is left, of what is to stand back */
export function makeInks(palette: Palette, strength: number): Inks | undefined {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = 1;
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (!context) return undefined;
  const read = (color: string): Rgb => {
    context.fillStyle = color;
    context.fillRect(0, 0, 1, 1);
    const [r, g, b] = context.getImageData(0, 0, 1, 1).data;
    return [r, g, b];
  };
  const ink = ([r, g, b]: Rgb, alpha: number): number => word(r, g, b, Math.round(alpha * strength * 255));
  const seen = (colors: BarColors, byLine: boolean): Rgb => read(byLine || palette.outlined ? colors.line : colors.fill);
  const ofLook = (look: Look): Rgb => seen(palette.bars[look], LOOKS[look].faint === true);
  const shades = new Uint32Array(WORTHS * SHADES);
  const full = new Uint32Array(WORTHS);
  const colors: [number, Rgb][] = [
    [Worth.fulfilled, ofLook('fulfilled')], ...palette.hues.map((hue, i): [number, Rgb] => [Worth.fulfilled + 1 + i, seen(hue, false)]),
    [Worth.ignored, ofLook('ignored')], [Worth.aborted, ofLook('aborted')], [Worth.timedOut, ofLook('timedOut')], [Worth.rejected, ofLook('rejected')],
  ];
  for (const [worth, color] of colors) {
    const faintest = FAINTEST[worth] ?? FAINTEST_HUE;
    full[worth] = ink(color, 1);
    for (let shade = 0; shade < SHADES; shade++) shades[worth * SHADES + shade] = ink(color, faintest + (1 - faintest) * (shade / (SHADES - 1)));
  }
  return {
    bars: {
      fulfilled: full[Worth.fulfilled], rejected: full[Worth.rejected], aborted: full[Worth.aborted], timedOut: full[Worth.timedOut], ignored: full[Worth.ignored],
      pending: ink(ofLook('pending'), 1), unsettled: ink(ofLook('unsettled'), 1),
    },
    full, hatch: ink(read(palette.idle), 0.85), ground: ink(read(palette.background), 1), shades,
  };
}

/** The bytes r, g, b, a in the order this machine keeps the bytes of a word in. */
function word(r: number, g: number, b: number, a: number): number {
  return new Uint32Array(Uint8Array.of(r, g, b, a).buffer)[0];
}
