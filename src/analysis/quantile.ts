/** The quantile that panel, comparison and measured areas tell. */
import { quickselect } from 'd3-array';

/** Between the two values it lies between (type 7 of Hyndman & Fan, as in R and D3). Reorders the values. @param share 0 to 1 @returns NaN of none */
export function quantile(values: Float64Array, share: number): number {
  if (values.length === 0) return NaN;
  const at = (values.length - 1) * share;
  const below = Math.floor(at);
  quickselect(values, below);
  let above = Infinity;
  for (let i = below + 1; i < values.length; i++) if (values[i] < above) above = values[i];
  return at === below ? values[below] : values[below] + (above - values[below]) * (at - below);
}
