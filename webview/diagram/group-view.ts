/** One group on the page: header, canvas with the bars, overlay. Draws itself from store and viewport, and only when one of them changed. */
import type { Group } from '../../src/model/timeline';
import { element } from '../dom';
import { formatCount, formatMs, formatShare } from '../format';
import type { GroupTasks, TaskSpot } from '../store/group-tasks';
import type { TaskTable } from '../store/task-table';
import { drawPixels, drawShapes } from '../what-if/draw-layout';
import { WhatIf } from '../what-if/what-if';
import type { Speak } from '../words/speak';
import { drawBars, drawNumerals, type Slice } from './bars';
import type { Brush } from './brush';
import { DensePlot } from './dense-plot';
import { geometryFor, GUTTER, laneAt, type Geometry } from './geometry';
import { drawGutter } from './gutter';
import { drawIdle } from './idle';
import { idleAt, type IdleStretch } from './idle-stretch';
import { GroupHeader } from './group-header';
import { groupTitle, laneWord } from './names';
import { Overlay } from './overlay';
import { barBox, overlayOf, type BarMark, type OverlayModel } from './overlay-model';
import type { Palette } from './palette';
import { countVisible, rasterise } from './raster';
import { PlotCanvas } from './plot-canvas';
import { guideMark, savingMark } from './saving-model';
import { originOf, type Align } from './time-range';
import type { Viewport } from './viewport';

/** What all group views of a page share while one picture is drawn. */
export interface Scene {
  readonly viewport: Viewport;
  readonly palette: Palette;
  readonly align: Align;
  readonly now: number;
  readonly speak: Speak;
  readonly tasks: TaskTable;
  /** Part of the page in sight, in client coordinates. */
  readonly seenTop: number;
  readonly seenBottom: number;
  readonly measure: (text: string) => number;
}

/** Of so many tasks in view each is a shape of its own; more are drawn as pixels. */
const MOST_SHAPES = 3000;

export class GroupView {
  readonly element: HTMLElement;
  readonly plot: HTMLElement;
  geometry: Geometry = geometryFor(1, 0, 0);
  /** The task the keyboard is at. */
  focus: TaskSpot | undefined;
  /** The other one of a compared pair, and whether the difference is known. */
  partner: { readonly group: Group; readonly settled: boolean } | undefined;
  /** The idle stretch the pointer is at. */
  idle: IdleStretch | undefined;
  hasCallout = false;
  inSight = true;
  private readonly header: GroupHeader;
  private readonly canvas = new PlotCanvas();
  private readonly overlay = new Overlay();
  private readonly dense = new DensePlot();
  private drawn = '';

  private readonly whatIf: WhatIf;

  /** @param group as it happened @param refresh asks for a picture and its words */
  constructor(readonly group: GroupTasks, speak: Speak, openSource: ((what: 'group' | 'task') => void) | undefined, refresh: () => void) {
    this.whatIf = new WhatIf(group, speak, () => {
      this.focus = undefined;
      refresh();
    });
    const { panel } = this.whatIf;
    this.header = new GroupHeader({ speak, openSource, extra: panel.toggle });
    this.plot = element('div', 'plot', this.canvas.element, this.overlay.element);
    this.plot.tabIndex = 0;
    this.plot.setAttribute('role', 'application');
    this.element = element('section', 'group', this.header.element, panel.element, this.plot);
    this.element.dataset.group = String(group.id);
  }

  /** What is drawn: the group as it happened, or as it would have been. */
  get shown(): GroupTasks { return this.whatIf.tasks ?? this.group; }

  /** What would have happened, where that is shown. */
  get prediction(): Group | undefined { return this.whatIf.tasks?.info; }

  dispose(): void { this.whatIf.dispose(); }

  /** Chooses a row height. @param room pixels the group may take @param calloutLines lines the callout takes where there is one */
  layOut(room: number, calloutLines: number): void {
    this.geometry = geometryFor(this.shown.info?.lanes ?? 1, room, this.calls ? calloutLines : 0);
    const height = `${this.geometry.height}px`;
    if (this.plot.style.height !== height) this.plot.style.height = height;
    this.element.dataset.predicted = String(this.whatIf.tasks !== undefined);
    this.element.dataset.rowHeight = String(this.geometry.rowHeight);
  }

  /** Header and words for a screen reader: a few times a second is enough. */
  describe(speak: Speak, parentOrdinal: number | undefined): void {
    if (!this.group.info) return;
    this.header.update(this.group.info, parentOrdinal);
    this.whatIf.refresh();
    const info = this.shown.info ?? this.group.info;
    this.element.dataset.kind = info.kind;
    const label = speak('group.diagram', {
      title: groupTitle(info, speak), tasks: formatCount(info.taskCount), lanes: formatCount(info.lanes), elapsed: formatMs(info.metrics.makespanMs),
      utilization: formatShare(info.metrics.utilization), rejected: formatCount(info.rejected), pending: formatCount(info.pending),
    });
    if (this.plot.getAttribute('aria-label') !== label) this.plot.setAttribute('aria-label', label);
  }

  draw(scene: Scene): void {
    const { info } = this.shown;
    if (!info || !this.inSight) {
      if (!this.inSight) this.release();
      this.drawn = '';
      return;
    }
    const box = this.plot.getBoundingClientRect();
    const moved = this.canvas.place(box.width, this.geometry.height, scene.seenTop - box.top, scene.seenBottom - box.top, scene.palette);
    const state = this.signature(scene);
    if (!moved && state === this.drawn) return;
    this.drawn = state;
    const { shown: group, geometry, calls: hasCallout } = this;
    const { viewport, now, speak, measure } = scene;
    const model = overlayOf({ group, geometry, viewport, origin: originOf(info, scene.align), now, hasCallout, speak, measure });
    if (this.whatIf.moving) {
      // What marks a bar waits until it stands.
      model.bars = [];
      model.callouts = [];
    }
    this.drawCanvas(scene, info, model.titleWord);
    this.drawOverlay(scene, info, model);
  }

  /** @returns the task under a point of the plot @param x @param y CSS pixels from the plot's corner */
  taskAt(x: number, y: number, scene: Scene): TaskSpot | undefined {
    const { info, lanes } = this.shown;
    const lane = laneAt(this.geometry, y);
    if (!info || lane === 0 || x < scene.viewport.left || x > scene.viewport.right) return undefined;
    const columns = lanes[lane - 1];
    const origin = originOf(info, scene.align);
    // A bar of less than two pixels is hit a little beside it as well.
    for (const reach of [0, 1, -1, 2, -2]) {
      const index = columns?.at(scene.viewport.time(x + reach) + origin, scene.now) ?? -1;
      if (index >= 0) return { lane, index };
    }
    return undefined;
  }

  /** @returns the idle stretch under a point of the plot @param x @param y as for `taskAt` */
  idleAt(x: number, y: number, scene: Scene): IdleStretch | undefined {
    const { info } = this.shown;
    const lane = laneAt(this.geometry, y);
    if (!info || lane === 0 || x < scene.viewport.left || x > scene.viewport.right) return undefined;
    return idleAt(this.shown, lane, scene.viewport.time(x) + originOf(info, scene.align), scene.now);
  }

  /** Box of a task in the plot. */
  boxOf(spot: TaskSpot, scene: Scene): { x: number; y: number; width: number; height: number } | undefined {
    const times = this.timesOf(spot, scene);
    return times && barBox(this.geometry, scene.viewport, spot.lane, times.start, times.end);
  }

  /** Milliseconds on the axis. */
  timesOf(spot: TaskSpot, { align, now }: Scene): { start: number; end: number } | undefined {
    const { info, lanes } = this.shown;
    const lane = lanes[spot.lane - 1];
    if (!info || !lane) return undefined;
    const origin = originOf(info, align);
    const end = lane.endOf(spot.index);
    return { start: lane.startOf(spot.index) - origin, end: (Number.isNaN(end) ? now : end) - origin };
  }

  /** All that the picture hangs on, as one text: equal means nothing to draw. */
  private signature(scene: Scene): string {
    const pending = this.group.whole.pending > 0 ? scene.now : 0;
    const partner = this.partner ? `${this.partner.group.id} ${this.partner.settled} ${this.partner.group.metrics.makespanMs}` : '';
    return `${this.group.revision} ${this.whatIf.version} ${scene.viewport.version} ${scene.align} ${pending} ${this.geometry.height} ${this.focus?.lane} ${this.focus?.index} ${this.idle?.waited?.lastId} ${partner} ${this.hasCallout}`;
  }

  private drawCanvas(scene: Scene, info: Group, titleWord: string): void {
    const brush = this.canvas.begin();
    if (!brush) return;
    const { geometry, shown: group } = this;
    const { viewport } = scene;
    const top = this.canvas.offset;
    const slice: Slice = {
      origin: originOf(info, scene.align), now: scene.now,
      fromLane: laneAt(geometry, top + this.canvas.height) || 1,
      toLane: laneAt(geometry, top) || geometry.rows,
    };
    const { context } = brush;
    const { moving } = this.whatIf;
    if (moving) {
      this.drawMoving(brush, scene, moving, info.start - slice.origin);
      drawGutter(brush, geometry, slice, viewport.left, laneWord(info, scene.speak), titleWord);
      return;
    }
    const visible = countVisible(group, viewport, slice);
    const isDense = visible > MOST_SHAPES;
    if (isDense) this.dense.draw(context, scene.palette, (buffer, inks) => rasterise(buffer, inks, group, { geometry, viewport, slice, ratio: devicePixelRatio, offset: top }, visible));
    this.element.dataset.detail = isDense ? 'density' : 'bars';
    drawGutter(brush, geometry, slice, viewport.left, laneWord(info, scene.speak), titleWord);
    if (isDense) return;
    context.save();
    context.beginPath();
    context.rect(viewport.left, 0, viewport.width, geometry.height);
    context.clip();
    drawIdle(brush, group, geometry, viewport, slice);
    drawBars(brush, group, geometry, viewport, slice);
    drawNumerals(brush, group, scene.tasks, geometry, viewport, slice);
    context.restore();
  }

  /** Gives memory back while out of sight. */
  private release(): void {
    this.canvas.release();
    this.dense.release();
    this.group.forgetSummary();
  }

  private drawMoving(brush: Brush, { viewport, palette }: Scene, { layout, states }: NonNullable<WhatIf['moving']>, origin: number): void {
    const { context } = brush;
    const { geometry, canvas } = this;
    if (states.length > MOST_SHAPES) {
      this.dense.draw(context, palette, (buffer, inks) => drawPixels(buffer, inks, layout, states, geometry, viewport, origin, devicePixelRatio, canvas.offset));
      return;
    }
    context.save();
    context.beginPath();
    context.rect(viewport.left, geometry.frameTop, viewport.width, geometry.height);
    context.clip();
    // Bars that pass over each other stay two bars.
    context.globalAlpha = 0.85;
    drawShapes(brush, layout, states, geometry, viewport, origin);
    context.restore();
  }

  private drawOverlay(scene: Scene, info: Group, model: OverlayModel): void {
    const { geometry, group: { info: happened } } = this;
    const { viewport, speak, measure, align } = scene;
    // A prediction is held against what happened, a group as it happened against its partner.
    const partner = this.whatIf.tasks && happened ? { group: happened, settled: happened.metrics.makespanMs >= info.metrics.makespanMs } : this.partner;
    const compared = align === 'same' && !this.whatIf.moving ? partner : undefined;
    const saving = compared?.settled ? savingMark(info, compared.group, geometry, viewport, speak, measure) : undefined;
    const guide = compared && !compared.settled && (info.end === undefined || this.whatIf.tasks) ? guideMark(compared.group, geometry, viewport) : undefined;
    const marks = [...model.bars, ...this.culpritMark(scene), ...this.focusMark(scene)];
    this.overlay.update({ ...model, bars: marks }, saving, guide);
    this.overlay.element.setAttribute('height', String(geometry.height));
    this.overlay.element.setAttribute('width', String(viewport.right + GUTTER));
  }

  /** The callout speaks of chunks and calls; rails wait for nobody. */
  private get calls(): boolean { return this.hasCallout && this.shown.info?.kind !== 'pool'; }

  private focusMark(scene: Scene): BarMark[] {
    const box = this.focus && this.boxOf(this.focus, scene);
    return box ? [{ key: 0, look: 'focus', ...box }] : [];
  }

  /** The task the idle stretch under the pointer waited for. */
  private culpritMark({ viewport, align }: Scene): BarMark[] {
    const span = this.idle?.waited;
    const { info } = this.shown;
    if (!span || !info || span.pending > 0) return [];
    const origin = originOf(info, align);
    return [{ key: span.lastId, look: 'culprit', ...barBox(this.geometry, viewport, span.lastLane, span.lastStart - origin, span.lastEnd - origin) }];
  }
}
