/** Left of the bars: which lane is which. */
import type { Brush } from './brush';
import { isNumbered, rowTop, type Geometry } from './geometry';
import type { Slice } from './bars';

const GAP = 10;

/** @param word what a lane is called here: slot, rail, lane @param titleWord what the numbers in the title row are, where they are only numbers */
export function drawGutter({ context, palette }: Brush, geometry: Geometry, slice: Slice, left: number, word: string, titleWord: string): void {
  context.fillStyle = palette.label;
  context.font = `11px ${palette.font}`;
  context.textAlign = 'right';
  context.textBaseline = 'middle';
  for (const lane of slice.lanes) {
    if (isNumbered(geometry, lane)) context.fillText(String(lane), left - GAP, rowTop(geometry, lane) + geometry.rowHeight / 2 + 0.5);
  }
  context.fillText(word, left - GAP, geometry.frameBottom + 5);
  context.fillText(titleWord, left - 4, geometry.frameTop - 9);
}
