/** What the reader has chosen, kept over reloads by the carrier. */
import type { Align } from './diagram/time-range';

export interface ViewState {
  /** Undefined: whatever suits the groups. */
  readonly align?: Align;
  /** Zoomed stretch, ms on the axis; undefined: all. Only for the run it was chosen in. */
  readonly window?: readonly [number, number];
  /** `RunInfo.timeOrigin` of that run. */
  readonly run?: number;
}

/** @param value whatever a carrier gave back */
export function parseViewState(value: unknown): ViewState {
  if (typeof value !== 'object' || value === null) return {};
  const raw = value as { readonly [key: string]: unknown };
  const stretch: readonly unknown[] = Array.isArray(raw.window) ? raw.window : [];
  const [from, to] = stretch;
  return {
    align: raw.align === 'same' || raw.align === 'wall' ? raw.align : undefined,
    window: typeof from === 'number' && typeof to === 'number' && to > from ? [from, to] : undefined,
    run: typeof raw.run === 'number' ? raw.run : undefined,
  };
}
