/** How times, shares and counts are written, here and nowhere else. All times in are milliseconds. */
const MINUS = '\u2212';
const NARROW = '\u202f';

/** `320 ns`, `55.6 µs`, `0.31 ms`, `55.6 ms`, `219 ms`, `1.98 s`, `39.4 s`, `20 min 50 s`, `2 h 05 min`: three figures, as many as one can compare at a glance. */
export function formatMs(ms: number): string {
  if (!Number.isFinite(ms)) return '–';
  if (ms < 0) return MINUS + formatMs(-ms);
  if (ms > 0 && ms < 0.0995) return ms < 0.0009995 ? `${(ms * 1e6).toFixed(0)} ns` : `${(ms * 1e3).toFixed(ms < 0.009995 ? 2 : 1)} µs`;
  if (ms < 9.995) return `${ms.toFixed(2)} ms`;
  if (ms < 99.95) return `${ms.toFixed(1)} ms`;
  if (ms < 999.5) return `${ms.toFixed(0)} ms`;
  const s = ms / 1000;
  if (s < 9.995) return `${s.toFixed(2)} s`;
  if (s < 119.95) return `${s.toFixed(1)} s`;
  const seconds = Math.round(s);
  if (seconds < 3570) return `${Math.floor(seconds / 60)} min ${pad2(seconds % 60)} s`;
  const minutes = Math.round(s / 60);
  return `${Math.floor(minutes / 60)} h ${pad2(minutes % 60)} min`;
}

/** A share of 0 to 1 in whole per cent. */
export const formatShare = (share: number): string => `${Math.round(share * 100)} %`;

/** A change of −1 to 1 in whole per cent with its sign: `−33 %`, `+8 %`. */
export function formatChange(change: number): string {
  const percent = Math.round(Math.abs(change) * 100);
  return `${percent === 0 ? '±' : change < 0 ? MINUS : '+'}${percent} %`;
}

/** Whole numbers in groups of three from 10,000 on: `1000`, `100 000`. */
export function formatCount(count: number): string {
  const digits = String(Math.round(count));
  return digits.length < 5 ? digits : digits.replace(/\B(?=(\d{3})+$)/g, NARROW);
}

/** Milliseconds each. */
const UNITS = [{ unit: 1000, sign: 's' }, { unit: 1, sign: 'ms' }, { unit: 1e-3, sign: 'µs' }, { unit: 1e-6, sign: 'ns' }] as const;

/**
 * Writes the ticks of an axis: one unit for all of them, and as many decimals as their distance asks for.
 * @param largest the largest absolute value on the axis
 * @param step the distance between two ticks
 */
export function tickFormat(largest: number, step: number): (ms: number) => string {
  if (step >= 60_000) return (ms) => (ms === 0 ? '0 min' : formatMinutes(ms / 60_000));
  const { unit, sign } = UNITS.find((each) => largest >= each.unit) ?? UNITS[UNITS.length - 1];
  // The hair keeps a step of 0.1 (which no double is) from asking for a second decimal.
  const decimals = Math.min(9, Math.max(0, Math.ceil(-Math.log10(step / unit) - 1e-6)));
  return (ms) => `${(ms / unit).toFixed(decimals).replace(/^-/, MINUS)} ${sign}`;
}

/** The last part of a path or URL, whatever its separators: `a.mjs`. */
export const baseName = (file: string): string => file.split(/[\\/]/).pop() || file;

/** Whole minutes: `5 min`, `2 h`, `2 h 05 min`. */
function formatMinutes(minutes: number): string {
  const whole = Math.round(Math.abs(minutes));
  const sign = minutes < 0 ? MINUS : '';
  if (whole < 60) return `${sign}${whole} min`;
  return whole % 60 === 0 ? `${sign}${whole / 60} h` : `${sign}${Math.floor(whole / 60)} h ${pad2(whole % 60)} min`;
}

const pad2 = (n: number): string => String(n).padStart(2, '0');
