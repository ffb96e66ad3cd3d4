/** From pixels of a group's plot to what stands there, and back. Pixels are CSS pixels from the plot's corner. */
import type { GroupTasks, TaskSpot } from '../store/group-tasks';
import { laneAt, type Geometry } from './geometry';
import { idleAt, type IdleStretch } from './idle-stretch';
import { barBox } from './overlay-model';
import type { Scene } from './scene';
import { originOf } from './time-range';

/** A group as it is shown now. */
export interface Plot {
  readonly shown: GroupTasks;
  readonly geometry: Geometry;
}

/** A bar of less than two pixels is hit a little beside it as well. */
const REACH = [0, 1, -1, 2, -2];

export function taskUnder({ shown, geometry }: Plot, x: number, y: number, scene: Scene): TaskSpot | undefined {
  const lane = laneUnder(geometry, x, y, scene);
  const columns = shown.lanes[lane - 1];
  if (!shown.info || !columns) return undefined;
  const origin = originOf(shown.info, scene.align);
  for (const reach of REACH) {
    const index = columns.at(scene.viewport.time(x + reach) + origin, scene.now);
    if (index >= 0) return { lane, index };
  }
  return undefined;
}

export function idleUnder({ shown, geometry }: Plot, x: number, y: number, scene: Scene): IdleStretch | undefined {
  const lane = laneUnder(geometry, x, y, scene);
  return shown.info && lane > 0 ? idleAt(shown, lane, scene.viewport.time(x) + originOf(shown.info, scene.align), scene.now) : undefined;
}

/** Box of a task's bar. */
export function boxOf(plot: Plot, spot: TaskSpot, scene: Scene): { x: number; y: number; width: number; height: number } | undefined {
  const times = timesOf(plot.shown, spot, scene);
  return times && barBox(plot.geometry, scene.viewport, spot.lane, times.start, times.end);
}

/** Milliseconds on the axis; a pending task ends now. */
export function timesOf({ info, lanes }: GroupTasks, spot: TaskSpot, { align, now }: Scene): { start: number; end: number } | undefined {
  const lane = lanes[spot.lane - 1];
  if (!info || !lane) return undefined;
  const origin = originOf(info, align);
  const end = lane.endOf(spot.index);
  return { start: lane.startOf(spot.index) - origin, end: (Number.isNaN(end) ? now : end) - origin };
}

/** @returns 0 where no lane is */
const laneUnder = (geometry: Geometry, x: number, y: number, { viewport, until }: Scene): number =>
  (x < viewport.left || x > Math.min(viewport.right, viewport.x(until)) ? 0 : laneAt(geometry, y));
