/** Draws one group into its plot, canvas and overlay, from store, viewport and selection, and only when one of them has changed. */
import type { Group } from '../../src/model/timeline';
import type { GroupTasks } from '../store/group-tasks';
import type { BandMark, FigureGroup } from '../take-away/figure';
import { drawPixels, drawShapes } from '../what-if/draw-layout';
import type { Layout } from '../what-if/recorded';
import { cutOverlay } from '../time/cut';
import { drawBands, eachBand } from '../bands/bands';
import { drawBars, drawNumerals, type Slice } from './bars';
import type { Brush } from './brush';
import { DensePlot } from './dense-plot';
import { GUTTER, lanesBetween, RIGHT, type Geometry, type LaneOrder } from './geometry';
import { drawGutter } from './gutter';
import { drawIdle } from './idle';
import { laneWord } from './names';
import { drawNestMarks } from './nest-marks';
import { Overlay } from './overlay';
import { barBox, overlayOf, type BarMark, type OverlayModel } from './overlay-model';
import { PlotCanvas } from './plot-canvas';
import { boxOf, timesOf } from './plot-lookup';
import { drawQueued, QUEUED_HEIGHT } from './queued';
import { countVisible, rasterise } from './raster';
import { guideMark, savingMark, type GuideMark, type SavingMark } from './saving-model';
import type { Scene } from './scene';
import type { GroupShading } from './shading';
import { Summaries } from './summaries';
import { originOf } from './time-range';

/** Of so many tasks in view each is a shape of its own; more are drawn as pixels. */
const MOST_SHAPES = 3000;

export type Detail = 'bars' | 'density';

/** The other one of a compared pair, and whether the difference is known. */
export interface Partner { readonly group: Group; readonly settled: boolean }

/** What is drawn in place of what happened, once somebody asks what would have. */
export interface OtherPlan {
  /** Undefined where what happened is shown. */
  readonly tasks: GroupTasks | undefined;
  /** Bars on their way; undefined while all stand. */
  readonly moving: { readonly layout: Layout; readonly states: Uint8Array } | undefined;
  /** Grows with every picture. */
  readonly version: number;
}

/** What of a picture its group does not say. */
export interface Setting {
  readonly geometry: Geometry;
  readonly partner: Partner | undefined;
  readonly hasCallout: boolean;
}

export class GroupPicture {
  private readonly canvas = new PlotCanvas();
  private readonly overlay = new Overlay();
  private readonly dense = new DensePlot();
  private readonly summaries = new Summaries();
  private drawn = '';
  private order: LaneOrder | undefined;
  /** Grows as lanes stand in another order. */
  private orders = 0;

  plan: OtherPlan | undefined;

  /** @param group as it happened */
  constructor(private readonly group: GroupTasks) {}

  /** From the back to the front. */
  get elements(): readonly Element[] { return [this.canvas.element, this.overlay.element]; }

  /** @param plot holds `elements` @returns how the tasks were drawn; undefined where nothing was to be drawn anew */
  draw(plot: HTMLElement, setting: Setting, scene: Scene): Detail | undefined {
    const { shown } = this;
    const { info } = shown;
    if (!info) {
      this.drawn = '';
      return undefined;
    }
    const { geometry, hasCallout } = setting;
    const { viewport, now, speak, measure, align } = scene;
    const box = plot.getBoundingClientRect();
    const moved = this.canvas.place(box.width, geometry.height, scene.seenTop - box.top, scene.seenBottom - box.top, scene.palette);
    const shading = scene.shading.of(shown);
    const state = `${this.signature(setting, scene)} ${shading.version}`;
    if (!moved && state === this.drawn) return undefined;
    this.drawn = state;
    const model = cutOverlay(overlayOf({ group: shown, geometry, viewport, origin: originOf(info, align), now, hasCallout, outlinesAll: scene.outlinesAll, isFilling: scene.isFilling, speak, measure }), viewport.x(scene.until));
    if (this.plan?.moving) {
      // What marks a bar waits until it stands.
      model.bars = [];
      model.callouts = [];
    }
    const detail = this.drawCanvas(geometry, scene, info, model.titleWord, shading);
    this.drawOverlay(setting, scene, info, model);
    return detail;
  }

  /** All that is drawn of the group in view, to be drawn elsewhere. @param most bars as shapes; more are drawn as pixels, `ratio` per CSS pixel */
  figure({ geometry, partner, hasCallout }: Setting, scene: Scene, most: number, ratio: number): Omit<FigureGroup, 'heading' | 'figures' | 'strips'> & { readonly visible: number } | undefined {
    const { shown: group } = this;
    const { info } = group;
    if (!info) return undefined;
    const { viewport, now, speak, measure, align, palette, activity } = scene;
    const origin = originOf(info, align);
    const slice: Slice = { origin, now, until: scene.until + origin, isOver: isOver(scene), lanes: lanesBetween(geometry, 0, geometry.height) };
    const visible = countVisible(group, viewport, slice);
    const shading = scene.shading.of(group);
    const model = cutOverlay(overlayOf({ group, geometry, viewport, origin, now, hasCallout, outlinesAll: scene.outlinesAll, isFilling: scene.isFilling, speak, measure }), viewport.x(scene.until));
    const bands: BandMark[] = [];
    const head = viewport.x(scene.until);
    if (!this.plan?.tasks) eachBand(activity, info, viewport, origin, (band, x0, x1) => { if (x0 < head) bands.push({ band, x0, x1: Math.min(x1, head) }); });
    let pixels: HTMLCanvasElement | undefined;
    if (visible > most) {
      pixels = document.createElement('canvas');
      pixels.width = Math.round((viewport.right + RIGHT) * ratio);
      pixels.height = Math.round(geometry.height * ratio);
      const context = pixels.getContext('2d');
      if (context) new DensePlot().draw(context, palette, (buffer, inks) => rasterise(buffer, inks, group, { geometry, viewport, slice, ratio, offset: 0 }, visible, shading, this.summaries));
    }
    return { group, geometry, slice, model, shading, tasks: scene.tasks, bands, pixels, visible, laneWord: laneWord(info, speak), ...this.comparison(geometry, partner, scene, info) };
  }

  /** Gives memory back while out of sight. */
  release(): undefined {
    this.drawn = '';
    this.canvas.release();
    this.dense.release();
    this.summaries.release();
    this.group.forgetSummary();
  }

  private get shown(): GroupTasks { return this.plan?.tasks ?? this.group; }

  /** All that the picture hangs on, as one text: equal means nothing to draw. */
  private signature({ geometry, partner, hasCallout }: Setting, { viewport, align, now, until, selection, activity, isOver, isFilling, outlinesAll }: Scene): string {
    if (geometry.order !== this.order) this.orders++;
    this.order = geometry.order;
    const pending = this.group.whole.pending > 0 ? now : 0;
    const compared = partner ? `${partner.group.id} ${partner.settled} ${partner.group.metrics.makespanMs}` : '';
    return `${this.group.revision} ${this.plan?.version} ${viewport.version} ${align} ${pending} ${until} ${geometry.height} ${this.orders} ${selection.version} ${activity.version} ${compared} ${hasCallout} ${isOver} ${isFilling} ${outlinesAll}`;
  }

  private drawCanvas(geometry: Geometry, scene: Scene, info: Group, titleWord: string, shading: GroupShading): Detail | undefined {
    const brush = this.canvas.begin();
    if (!brush) return undefined;
    const { shown: group } = this;
    const { viewport } = scene;
    const top = this.canvas.offset;
    const slice: Slice = {
      origin: originOf(info, scene.align), now: scene.now, until: scene.until + originOf(info, scene.align), isOver: isOver(scene), lanes: lanesBetween(geometry, top, top + this.canvas.height),
    };
    const { context } = brush;
    const moving = this.plan?.moving;
    if (moving) {
      this.drawMoving(brush, geometry, scene, moving, info.start - slice.origin);
      drawGutter(brush, geometry, slice, viewport.left, laneWord(info, scene.speak), titleWord);
      return undefined;
    }
    const visible = countVisible(group, viewport, slice);
    const isDense = visible > MOST_SHAPES;
    if (isDense) this.dense.draw(context, scene.palette, (buffer, inks) => rasterise(buffer, inks, group, { geometry, viewport, slice, ratio: devicePixelRatio, offset: top }, visible, shading, this.summaries));
    else this.drawShapes(brush, geometry, scene, slice, shading);
    if (!this.plan?.tasks) drawBands(brush, scene.activity, info, geometry, viewport, slice.origin);
    const head = viewport.x(scene.until);
    if (head < viewport.right) context.clearRect(head, 0, viewport.right - head, geometry.height);
    drawGutter(brush, geometry, slice, viewport.left, laneWord(info, scene.speak), titleWord);
    return isDense ? 'density' : 'bars';
  }

  private drawShapes(brush: Brush, geometry: Geometry, { viewport, tasks, nesting }: Scene, slice: Slice, shading: GroupShading): void {
    const { context } = brush;
    const { shown: group } = this;
    context.save();
    context.beginPath();
    context.rect(viewport.left, 0, viewport.width, geometry.height);
    context.clip();
    drawIdle(brush, group, geometry, viewport, slice);
    drawQueued(brush, group, tasks, geometry, viewport, slice);
    drawBars(brush, group, geometry, viewport, slice, shading);
    drawNumerals(brush, group, tasks, geometry, viewport, slice, shading);
    if (!this.plan?.tasks) drawNestMarks(brush, group, nesting, geometry, viewport, slice, shading);
    context.restore();
  }

  private drawMoving(brush: Brush, geometry: Geometry, { viewport, palette }: Scene, { layout, states }: NonNullable<OtherPlan['moving']>, origin: number): void {
    const { context } = brush;
    const { canvas } = this;
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

  private comparison(geometry: Geometry, partner: Partner | undefined, { viewport, speak, measure, align, until }: Scene, info: Group): { saving: SavingMark | undefined; guide: GuideMark | undefined } {
    const { group: { info: happened } } = this;
    // A prediction is held against what happened, a group as it happened against its partner.
    const other = this.plan?.tasks && happened ? { group: happened, settled: happened.metrics.makespanMs >= info.metrics.makespanMs } : partner;
    // A group that stands under its task begins at no zero its length could be held against.
    const compared = align === 'same' && until === Infinity && !this.plan?.moving && originOf(info, align) === info.start ? other : undefined;
    return {
      saving: compared?.settled ? savingMark(info, compared.group, geometry, viewport, speak, measure) : undefined,
      guide: compared && !compared.settled && (info.end === undefined || this.plan?.tasks) ? guideMark(compared.group, geometry, viewport) : undefined,
    };
  }

  private drawOverlay({ geometry, partner }: Setting, scene: Scene, info: Group, model: OverlayModel): void {
    const { viewport } = scene;
    const { saving, guide } = this.comparison(geometry, partner, scene, info);
    const marks = [...model.bars, ...this.culpritMark(geometry, info, scene), ...this.focusMark(geometry, scene)];
    this.overlay.update({ ...model, bars: marks }, saving, guide);
    this.overlay.element.setAttribute('height', String(geometry.height));
    this.overlay.element.setAttribute('width', String(viewport.right + GUTTER));
  }

  private focusMark(geometry: Geometry, scene: Scene): BarMark[] {
    const focus = scene.selection.focusIn(this.group.id);
    const box = focus && boxOf({ shown: this.shown, geometry }, focus, scene);
    if (!focus || !box) return [];
    const { shown } = this;
    const wait = shown.details === scene.tasks ? scene.tasks.waitOf(shown.lanes[focus.lane - 1]?.idOf(focus.index) ?? 0) : NaN;
    const start = timesOf(shown, focus, scene)?.start ?? NaN;
    const waited = wait > 0 ? barBox(geometry, scene.viewport, focus.lane, start - wait, start) : undefined;
    const line: BarMark[] = waited ? [{ key: 0, look: 'queued', ...waited, y: waited.y + (waited.height - QUEUED_HEIGHT) / 2, height: QUEUED_HEIGHT }] : [];
    return [...line, { key: 0, look: 'focus', ...box }];
  }

  /** The task the idle stretch under the pointer waited for. */
  private culpritMark(geometry: Geometry, info: Group, { viewport, align, selection }: Scene): BarMark[] {
    const span = selection.idleIn(this.group.id)?.waited;
    if (!span || span.pending > 0) return [];
    const origin = originOf(info, align);
    return [{ key: span.lastId, look: 'culprit', ...barBox(geometry, viewport, span.lastLane, span.lastStart - origin, span.lastEnd - origin) }];
  }
}

/** In a replay what has not ended by then goes on. */
const isOver = ({ isOver: ended, until }: Scene): boolean => ended && until === Infinity;
