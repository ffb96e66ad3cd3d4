/**
 * A picture too dense for shapes, as pixels: each lane is worked out once as a row of colours and copied over its height, so
 * that a frame costs what it shows in pixels, however many tasks stand behind them. Few enough tasks are walked one by one;
 * more are read from the group's summary.
 */
import { TaskState } from '../../src/model/timeline';
import type { Matches } from '../search/match';
import type { GroupTasks } from '../store/group-tasks';
import type { Lane } from '../store/lane';
import { Worth, worthOf, type Mip } from '../store/mip';
import { PENDING } from '../store/tick-clock';
import type { Slice } from './bars';
import type { DenseInks } from './dense-plot';
import { barTop, rowTop, type Geometry } from './geometry';
import { hatchedSlots } from './hatched-slots';
import { shadeIndex, type Inks } from './inks';
import type { PixelBuffer } from './pixel-buffer';
import type { GroupShading, HueOf } from './shading';
import type { Summaries } from './summaries';
import type { Viewport } from './viewport';

/** Above so many tasks in view the summary is read, unless its cells are wider than so many pixels. */
const MOST_WALKED = 100_000;
const WIDEST_CELL = 2;
/** Narrower bars share their pixels with others, device pixels. */
const LEAST_WIDTH = 1.5;
/** Of a failed task, CSS pixels. */
const FAILURE_WIDTH = 3;

export interface RasterView {
  readonly geometry: Geometry;
  readonly viewport: Viewport;
  readonly slice: Slice;
  /** Device pixels per CSS pixel. */
  readonly ratio: number;
  /** CSS pixels of the plot above the buffer. */
  readonly offset: number;
}

/** How many tasks lie in view. */
export function countVisible(group: GroupTasks, viewport: Viewport, { origin, lanes }: Slice): number {
  let count = 0;
  for (const number of lanes) {
    const lane = group.lanes[number - 1];
    if (lane) count += lane.firstStartingAfter(viewport.end + origin) - lane.firstEndingAfter(viewport.start + origin);
  }
  return count;
}

/** Tasks drawn alike: all of them, or those that match over all of them dimmed. */
interface Layer {
  readonly inks: Inks;
  readonly only: Matches | undefined;
  /** Undefined: tasks are walked one by one. */
  readonly mip: Mip | undefined;
}

/** Fills the buffer with the group's bars and idle time. @param visible as `countVisible` gave it */
export function rasterise(buffer: PixelBuffer, inks: DenseInks, group: GroupTasks, view: RasterView, visible: number, shading: GroupShading, summaries: Summaries): void {
  const { geometry, viewport, slice, ratio, offset } = view;
  const row = new LaneRow(buffer.width, group, view, shading.hueOf, inks);
  const layerOf = (ink: Inks, only: Matches | undefined): Layer => {
    const mip = visible > MOST_WALKED ? summaries.of(group, shading, only) : undefined;
    return { inks: ink, only, mip: mip && mip.levelFor(0).width <= row.ticksPerPixel * WIDEST_CELL ? mip : undefined };
  };
  const layers = shading.matches ? [layerOf(inks.dim, undefined), layerOf(inks, shading.matches)] : [layerOf(inks, undefined)];
  const slots = hatchedSlots(group, viewport, slice, ratio, buffer.width);
  buffer.clear();
  for (const number of slice.lanes) {
    const lane = group.lanes[number - 1];
    if (!lane) continue;
    const y = (css: number): number => Math.round((css - offset) * ratio);
    const top = barTop(geometry, number);
    layers.forEach((layer, i) => {
      row.begin(layer);
      if (!layer.mip) row.walk(lane);
      else {
        row.read(layer.mip, number - 1);
        // A summary holds no pending tasks; they stand last in their lanes.
        row.walkFrom(lane, Math.max(0, lane.length - 1), true);
      }
      if (i === 0) buffer.hatch(y(rowTop(geometry, number)), y(rowTop(geometry, number) + geometry.rowHeight), inks.hatch, row.freeUpTo(slots, number), Math.round(7 * ratio));
      buffer.fillRow(y(top), Math.max(y(top) + 1, y(top + geometry.barHeight)), row.colors);
    });
  }
}

/** One lane's pixels from left to right. */
class LaneRow {
  readonly colors: Uint32Array;
  private readonly free: Uint8Array;
  readonly ticksPerPixel: number;
  private readonly first: number;
  private readonly last: number;
  /** A tick stands at pixel tick × scale + shift. */
  private readonly scale: number;
  private readonly shift: number;
  private readonly failureWidth: number;
  private readonly now: number;
  /** Who ends later is pending. */
  private readonly until: number;
  private readonly isOver: boolean;
  private readonly from: number;

  private inks: Inks;
  private only: Matches | undefined;

  constructor(width: number, group: GroupTasks, { viewport, slice, ratio }: RasterView, private readonly hueOf: HueOf | undefined, inks: Inks) {
    this.inks = inks;
    const { clock } = group;
    this.colors = new Uint32Array(width);
    this.free = new Uint8Array(width);
    this.first = Math.round(viewport.left * ratio);
    this.last = Math.min(width, Math.round(Math.min(viewport.right, viewport.x(slice.until - slice.origin)) * ratio));
    this.scale = clock.tick * viewport.scale * ratio;
    this.shift = ((clock.origin - slice.origin) * viewport.scale + viewport.shift) * ratio;
    this.ticksPerPixel = 1 / this.scale;
    this.failureWidth = Math.round(FAILURE_WIDTH * ratio);
    this.now = clock.ticks(Math.min(slice.now, slice.until));
    this.until = Math.min(PENDING - 1, clock.ticks(slice.until));
    this.isOver = slice.isOver;
    this.from = viewport.start + slice.origin;
  }

  begin({ inks, only }: Layer): void {
    this.colors.fill(0);
    this.inks = inks;
    this.only = only;
  }

  /** Where no bar stands though the lane is there. @param slots the highest lane there is at each pixel */
  freeUpTo(slots: Uint32Array, number: number): Uint8Array {
    for (let x = 0; x < this.free.length; x++) this.free[x] = slots[x] >= number && this.colors[x] === 0 ? 1 : 0;
    return this.free;
  }

  walk(lane: Lane): void { this.walkFrom(lane, lane.firstEndingAfter(this.from), false); }

  /** Bars one by one from an index on. @param pendingOnly leave all others out */
  walkFrom(lane: Lane, index: number, pendingOnly: boolean): void {
    const { colors, inks, only, hueOf, scale, shift, first, last, until } = this;
    const { start, end, length } = lane;
    const failed = new Failures();
    let pixel = -1;
    let share = 0;
    let worst = 0;
    for (let i = index; i < length; i++) {
      const isPending = end[i] > until;
      if (pendingOnly && !isPending) continue;
      let x0 = start[i] * scale + shift;
      if (x0 >= last) break;
      let x1 = (isPending ? Math.max(this.now, start[i]) : end[i]) * scale + shift;
      if (x1 < first || (only && !only.has(lane.idOf(i)))) continue;
      const worth = worthOf(isPending ? TaskState.pending : lane.stateOf(i), hueOf ? hueOf(lane, i) : 0);
      if (x0 < first) x0 = first;
      if (x1 > last) x1 = last;
      if (x1 - x0 >= LEAST_WIDTH) {
        const from = Math.round(x0);
        // One pixel is left free at the right, so that bars which follow one another stay two bars.
        const to = Math.max(from + 1, Math.round(x1) - (x1 - x0 > 3 ? 1 : 0));
        const ink = isPending ? this.open(inks) : inks.full[worth];
        for (let x = from; x < to; x++) colors[x] = ink;
        if (to - from < this.failureWidth) failed.note(from, worth);
        pixel = -1;
        continue;
      }
      if (pixel !== Math.floor(x0)) {
        pixel = Math.floor(x0);
        share = 0;
        worst = 0;
      }
      share += x1 - x0;
      if (worth > worst) worst = worth;
      failed.note(pixel, worth);
      if (pixel < last) colors[pixel] = isPending ? this.open(inks) : inks.shades[shadeIndex(worst, share)];
    }
    // On top: the bars beside a failure must not cover it.
    this.markFailures(failed);
  }

  /** What has not settled: it goes on, or never will. */
  private open({ bars }: Inks): number { return this.isOver ? bars.unsettled : bars.pending; }

  /** The summary's cells, one for each pixel. */
  read(mip: Mip, index: number): void {
    const { colors, inks, first, last } = this;
    const { cells, width, busy, worst } = mip.levelFor(this.ticksPerPixel);
    const base = index * cells;
    const cellAt = (pixel: number): number => Math.floor((pixel - this.shift) / this.scale / width);
    const failed = new Failures();
    let from = cellAt(first);
    for (let x = first; x < last; x++) {
      const to = Math.max(from + 1, cellAt(x + 1));
      let ticks = 0;
      let worth = 0;
      for (let cell = Math.max(0, from); cell < to && cell < cells; cell++) {
        ticks += busy[base + cell];
        if (worst[base + cell] > worth) worth = worst[base + cell];
      }
      if (worth > Worth.none) {
        failed.note(x, worth);
        colors[x] = inks.shades[shadeIndex(worth, ticks / (width * (to - from)))];
      }
      from = cellAt(x + 1);
    }
    this.markFailures(failed);
  }

  /** However short, a failed task is wide enough to be seen. */
  private markFailures(failed: Failures): void {
    const fill = (pixel: number, ink: number, beyond: number): void => {
      const from = Math.max(this.first, pixel - (this.failureWidth >> 1));
      this.colors.fill(ink, Math.max(this.first, from - beyond), Math.min(this.last, from + this.failureWidth + beyond));
    };
    // On a ground of their own: among bars of a like lightness they would be lost.
    failed.forEach((pixel) => fill(pixel, this.inks.ground, Math.max(1, Math.round(this.failureWidth / FAILURE_WIDTH))));
    failed.forEach((pixel, worth) => fill(pixel, this.inks.full[worth], 0));
  }
}

/** Pixels of a lane in which something failed. */
class Failures {
  private readonly pixels: number[][] = [];

  note(pixel: number, worth: number): void {
    if (worth >= Worth.aborted) (this.pixels[worth - Worth.aborted] ??= []).push(pixel);
  }

  /** By worth; the worst last, so that it covers the others. */
  forEach(mark: (pixel: number, worth: number) => void): void {
    this.pixels.forEach((pixels, i) => { for (const pixel of pixels) mark(pixel, Worth.aborted + i); });
  }
}
