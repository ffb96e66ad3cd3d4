/** What stands over the bars while the picture ends at the playhead: nothing that was not known by then. */
import type { OverlayModel } from '../diagram/overlay-model';

/** @param x pixel of the playhead; Infinity: all there is is drawn */
export function cutOverlay(model: OverlayModel, x: number): OverlayModel {
  if (x === Infinity) return model;
  return {
    ...model,
    frames: model.frames.filter(({ x0 }) => x0 < x).map((frame) => (frame.x1 <= x ? frame : { ...frame, x1: x, duration: '' })),
    // An outline tells how a bar ended; the longest is known once its frame has.
    bars: model.bars.filter((bar) => model.frames.some(({ x0, x1 }) => bar.x >= x0 - 1 && bar.x + bar.width <= x1 + 1 && x1 <= x)),
    callouts: [],
  };
}
