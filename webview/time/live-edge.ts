/** A zoomed view goes along with what happens now until the reader looks elsewhere. */
import type { Group } from '../../src/model/timeline';
import { endOf, originOf, type Align } from '../diagram/time-range';
import type { Viewport } from '../diagram/viewport';

/** Room between now and the right edge, of the view's width. */
const AHEAD = 0.06;

/** Where the groups that still grow end on the axis, ms; undefined where none does. */
export function liveEdgeOf(groups: readonly Group[], align: Align, now: number): number | undefined {
  const edges = groups.filter((group) => group.end === undefined).map((group) => endOf(group, now) - originOf(group, align));
  return edges.length > 0 ? edges.reduce((a, b) => Math.max(a, b)) : undefined;
}

export class LiveEdge {
  isFollowing = true;

  /** The reader has moved the view: whoever looks at now, or at all there is, goes along. */
  moved(viewport: Viewport, edge: number | undefined): void {
    this.isFollowing = viewport.isFitted || (edge !== undefined && viewport.end >= edge && viewport.start <= edge);
  }

  /** Moves a zoomed view so that now is in it. */
  step(viewport: Viewport, edge: number | undefined): void {
    if (!this.isFollowing || viewport.isFitted || edge === undefined) return;
    const length = viewport.end - viewport.start;
    const end = edge + length * AHEAD;
    // What is still ahead of the view's edge needs no following.
    if (end > viewport.end) viewport.show(end - length, end);
  }

  /** Back to now, as wide as the view is. */
  follow(viewport: Viewport, edge: number): void {
    this.isFollowing = true;
    const length = viewport.end - viewport.start;
    viewport.isFitted = false;
    viewport.show(edge + length * AHEAD - length, edge + length * AHEAD);
  }
}
