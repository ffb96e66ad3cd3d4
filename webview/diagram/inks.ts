/** The palette as pixels: 32-bit words as an ImageData holds them, and shades by how busy a cell is. */
import { Worth } from '../store/mip';
import type { Look, Palette } from './palette';

const SHADES = 32;

export interface Inks {
  /** Full colour of a bar by look. */
  readonly bars: Readonly<Record<Look, number>>;
  readonly hatch: number;
  /** Shade of a cell: worth × 32 + busy share in 31 steps. */
  readonly shades: Uint32Array;
}

/** @param share 0 to 1 */
export const shadeIndex = (worth: number, share: number): number => worth * SHADES + Math.min(SHADES - 1, Math.ceil(share * (SHADES - 1)));

/** How see-through a cell may be at the least: what is rejected has to be seen however little of it there is. */
const FAINTEST: readonly number[] = [1, 0.22, 0.45, 0.8];

export function makeInks(palette: Palette): Inks | undefined {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = 1;
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (!context) return undefined;
  const read = (color: string): readonly [number, number, number] => {
    context.fillStyle = color;
    context.fillRect(0, 0, 1, 1);
    const [r, g, b] = context.getImageData(0, 0, 1, 1).data;
    return [r, g, b];
  };
  const ink = ([r, g, b]: readonly [number, number, number], alpha: number): number => word(r, g, b, Math.round(alpha * 255));
  const ofLook = (look: Look): readonly [number, number, number] =>
    read(look === 'ignored' || palette.outlined ? palette.bars[look].line : palette.bars[look].fill);
  const shades = new Uint32Array(4 * SHADES);
  for (const [worth, look] of [[Worth.fulfilled, 'fulfilled'], [Worth.ignored, 'ignored'], [Worth.rejected, 'rejected']] as const) {
    const color = ofLook(look);
    for (let shade = 0; shade < SHADES; shade++) shades[worth * SHADES + shade] = ink(color, FAINTEST[worth] + (1 - FAINTEST[worth]) * (shade / (SHADES - 1)));
  }
  return {
    bars: { fulfilled: ink(ofLook('fulfilled'), 1), rejected: ink(ofLook('rejected'), 1), pending: ink(ofLook('pending'), 1), ignored: ink(ofLook('ignored'), 1) },
    hatch: ink(read(palette.idle), 0.85), shades,
  };
}

/** The bytes r, g, b, a in the order this machine keeps the bytes of a word in. */
function word(r: number, g: number, b: number, a: number): number {
  return new Uint32Array(Uint8Array.of(r, g, b, a).buffer)[0];
}
