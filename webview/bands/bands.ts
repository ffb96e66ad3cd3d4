/**
 * Stretches of a thread as bands over all lanes of a group that runs on it: where nothing could go on, as the event loop was blocked
 * or garbage was collected, and where promises came too fast to be watched. A band's foot is a cap above the lanes that is seen however short the stretch.
 */
import type { Group } from '../../src/model/timeline';
import type { Brush } from '../diagram/brush';
import type { Geometry } from '../diagram/geometry';
import type { Hatching } from '../diagram/hatching';
import type { CardFacts } from '../diagram/card-facts';
import type { Viewport } from '../diagram/viewport';
import { formatMs } from '../format';
import type { Band, ThreadActivity } from '../store/thread-activity';
import type { Speak } from '../words/speak';

/** From the lowest to the one on top. */
export const BANDS: readonly Band[] = ['unwatched', 'gc', 'blocked'];
/** Bands that are hatched below their cap. */
export const HATCHED: Readonly<Record<Band, keyof Hatching | undefined>> = { blocked: undefined, gc: 'gc', unwatched: 'unwatched' };
export const CAP = 4;
/** How much of the veil below a cap is seen. */
export const VEIL: Readonly<Record<Band, number>> = { gc: 0.5, blocked: 0.22, unwatched: 0.6 };

/** Visits the bands in view, each from pixel to pixel. @param origin subtracted from the times, ms */
export function eachBand(activity: ThreadActivity, { thread }: Group, viewport: Viewport, origin: number, visit: (band: Band, x0: number, x1: number) => void): void {
  for (const band of BANDS) {
    const stretches = activity.stretches(band, thread);
    if (!stretches) continue;
    for (let i = stretches.firstEndingAfter(viewport.start + origin); i < stretches.length; ) {
      const x0 = Math.round(Math.max(viewport.left, viewport.x(stretches.start[i] - origin)));
      if (x0 > viewport.right) break;
      const x1 = Math.min(viewport.right, Math.max(x0 + 1, Math.round(viewport.x(stretches.end[i] - origin))));
      visit(band, x0, x1);
      // What ends within the same pixels is drawn already.
      i = Math.max(i + 1, stretches.firstEndingAfter(viewport.time(x1) + origin));
    }
  }
}

/** Where the caps of bands begin, above the lanes. */
export const bandTop = ({ rowsTop }: Geometry): number => rowsTop - CAP - 1;

/** @param origin subtracted from the times, ms */
export function drawBands(brush: Brush, activity: ThreadActivity, group: Group, geometry: Geometry, viewport: Viewport, origin: number): void {
  const y = bandTop(geometry);
  eachBand(activity, group, viewport, origin, (band, x0, x1) => drawBand(brush, band, x0, y, x1 - x0, geometry.frameBottom - y));
  brush.context.globalAlpha = 1;
}

/** The cap in full, and below it a veil: blocked wide open, the others hatched. */
export function drawBand({ context, palette, hatching }: Brush, band: Band, x: number, y: number, width: number, height: number): void {
  context.globalAlpha = 1;
  context.fillStyle = palette[band];
  context.fillRect(x, y + (band === 'gc' ? CAP / 2 : 0), width, band === 'gc' ? CAP / 2 : CAP);
  const hatched = HATCHED[band];
  if (hatched) context.fillStyle = hatching[hatched];
  context.globalAlpha = VEIL[band];
  context.fillRect(x, y + CAP, width, height - CAP);
}

/** What is told of the band under a point; undefined where none is. @param time on the axis, ms @param reach ms beside a short one */
export function bandFacts(activity: ThreadActivity, { thread }: Group, time: number, reach: number, origin: number, speak: Speak): CardFacts | undefined {
  for (const band of BANDS.toReversed()) {
    const stretches = activity.stretches(band, thread);
    const i = stretches?.firstEndingAfter(time + origin - reach) ?? 0;
    if (!stretches || i >= stretches.length || stretches.start[i] - origin - reach > time) continue;
    const [start, end] = [stretches.start[i], stretches.end[i]];
    return {
      title: speak(`band.${band}`), label: undefined,
      rows: [[speak('idle.from'), formatMs(start - origin)], [speak('idle.to'), formatMs(end - origin)], [speak('task.duration'), formatMs(end - start)]],
    };
  }
  return undefined;
}
