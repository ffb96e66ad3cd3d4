/** Lanes, bars and axis of one run: all that is drawn, in one loop, and only while something changes. What hands use comes to it later (`Furniture`). */
import type { FromView, Hello } from '../src/model/protocol';
import { Choices } from './choices';
import { Axis } from './diagram/axis';
import { areOfTwoRuns } from './diagram/compare';
import { GUTTER, RIGHT } from './diagram/geometry';
import type { LaneChoice } from './diagram/lane-order';
import { NestControl } from './diagram/nest-control';
import { calloutLines } from './diagram/overlay-model';
import { readPalette, type Palette } from './diagram/palette';
import { RangeEase } from './diagram/range-ease';
import type { Scene } from './diagram/scene';
import { Selection } from './diagram/selection';
import { Shading } from './diagram/shading';
import { Stack } from './diagram/stack';
import { rangeOf, type Align } from './diagram/time-range';
import { Viewport } from './diagram/viewport';
import { element, setHidden } from './dom';
import { formatCount } from './format';
import { EmptyState } from './panels/empty';
import type { Notices } from './panels/notices';
import type { RunStore } from './store/run-store';
import { prefersReducedMotion } from './theme';
import type { ViewState } from './view-state';
import { speakIn } from './words/speak';

export interface RunPictureOptions {
  readonly hello: Hello;
  readonly store: RunStore;
  readonly notices: Notices;
  readonly send: (message: FromView) => void;
  readonly saved: ViewState;
  readonly save: (state: ViewState) => void;
  /** A picture stands, or there is nothing to draw one of. */
  readonly onDrawn: () => void;
  /** @param hasGroups whether there is anything to draw */
  readonly onPlaced: (hasGroups: boolean) => void;
}

/** What goes along with the pictures once it is there. */
export interface Companion {
  /** As `Scene.until`. */
  readonly until: number;
  /** A picture stands though the run goes on: then its axis stands as well. */
  readonly isHeld: boolean;
  /** What happened is played again. */
  readonly isPlaying: boolean;
  /** Before a picture is drawn, the viewport being what it was. @returns whether it is up to date with what came in */
  prepare(at: number): boolean;
  /** Words and figures, a few times a second. @param now milliseconds after `timeOrigin` */
  describe(now: number): void;
  /** Draws what stands around the groups. @returns whether it is up to date with what came in */
  draw(scene: Scene, at: number): boolean;
}

/** Words and figures are brought up to date no more often than this. */
const DESCRIBE_EVERY_MS = 100;

export class RunPicture {
  readonly speak;
  readonly viewport = new Viewport();
  readonly choices: Choices;
  readonly selection = new Selection(() => this.redraw());
  readonly shading = new Shading();
  readonly stack: Stack;
  readonly nest: NestControl;
  /** What a hand zooms and drags: diagrams above the axis. */
  readonly surface = element('div', 'surface');
  readonly scroller = element('main', 'scroller');
  readonly axisHolder: HTMLElement;
  palette: Palette;
  align: Align = 'wall';
  private readonly axis = new Axis();
  private readonly ease = new RangeEase();
  private readonly empty = new EmptyState();
  private readonly resizes = new ResizeObserver(() => this.redraw());
  private readonly ruler = document.createElement('canvas').getContext('2d');
  private companion: Companion | undefined;
  private savedWindow: readonly [number, number] | undefined;
  private scheduled = 0;
  private isResting = false;
  private describedAt = -Infinity;
  /** True while words and figures lag behind what came in. */
  private undescribed = true;
  private describedUntil = Infinity;
  /** Some of the words are those of groups. */
  private hasGroups = false;
  private drawnAxis = '';
  private wantedGroup: number | undefined;

  /** @param page tells by `data-settled` whether all that is there is drawn and said */
  constructor(private readonly page: HTMLElement, private readonly options: RunPictureOptions) {
    const { hello, store, send, saved } = options;
    this.speak = speakIn(hello.locale);
    this.palette = readPalette(document.body);
    this.choices = new Choices(saved, hello.run.timeOrigin, hello.firstLane, options.save, () => this.refresh());
    this.savedWindow = this.choices.now.window;
    this.nest = new NestControl({ speak: this.speak, choices: this.choices, stack: () => this.stack, clock: () => store.clock });
    this.stack = new Stack({
      store, speak: this.speak, scroller: this.scroller, selection: this.selection, redraw: () => this.redraw(), refresh: () => this.refresh(),
      onShowLanes: (group) => this.choices.showLanes(group),
      isOpen: (group) => this.nest.isOpen(group),
      onOpenAll: (group) => this.nest.toggleInGroup(group),
      openSource: hello.capabilities.openSource ? (group, what) => send({ type: 'openSource', group, what }) : undefined,
    });
    this.axisHolder = element('div', 'axis-holder', this.axis.element);
    this.surface.append(this.stack.element, this.axisHolder);
    this.scroller.append(this.empty.element, this.surface);
    this.scroller.addEventListener('scroll', () => this.redraw(), { passive: true });
    this.resizes.observe(this.scroller);
    this.redraw();
  }

  /** From now on it goes along with every picture. */
  accompany(companion: Companion): void {
    this.companion = companion;
    this.refresh();
  }

  /** Something came in. */
  refresh(): void {
    this.undescribed = true;
    this.redraw();
  }

  /** Brings a group into sight, now or once it is known. */
  showGroup(id: number): void {
    this.wantedGroup = id;
    this.redraw();
  }

  /** Colours or pixels have changed. */
  repaint(): void {
    this.palette = readPalette(document.body);
    this.viewport.version++;
    this.refresh();
  }

  dispose(): void {
    cancelAnimationFrame(this.scheduled);
    this.resizes.disconnect();
    this.stack.dispose();
  }

  redraw(): void {
    if (this.scheduled === 0 && !this.isResting) this.scheduled = requestAnimationFrame((at) => { this.scheduled = 0; this.frame(at); });
  }

  /** Nobody can see it for now, or somebody can again: what was drawn last stays, and nothing new is drawn. */
  rest(isResting: boolean): void {
    this.isResting = isResting;
    if (isResting) {
      cancelAnimationFrame(this.scheduled);
      this.scheduled = 0;
    } else this.refresh();
  }

  /** Keeps what part of the time is in view. */
  keepWindow(): void {
    const { viewport } = this;
    this.choices.keep({ window: viewport.isFitted ? undefined : [viewport.start, viewport.end] });
  }

  scene(): Scene {
    const { store } = this.options;
    const box = this.scroller.getBoundingClientRect();
    return {
      viewport: this.viewport, palette: this.palette, align: this.align, now: store.clock.now(performance.now()), until: this.until, isFilling: !store.caughtUp, isOver: store.isOver, speak: this.speak, tasks: store.tasks, activity: store.activity, selection: this.selection, shading: this.shading, nesting: this.stack.nesting, outlinesAll: this.choices.now.outlinesAll === true,
      seenTop: box.top, seenBottom: box.bottom - this.axisHolder.offsetHeight, measure: (text) => this.measure(text),
    };
  }

  /** One group, with what ran inside its tasks. */
  get isAlone(): boolean { return this.stack.nesting.roots.length < 2; }

  get axisTitle(): 'axis.alone' | 'axis.sameStart' | 'axis.wallClock' | 'axis.eachRun' {
    if (this.isAlone) return 'axis.alone';
    return this.align === 'same' ? 'axis.sameStart' : areOfTwoRuns(this.stack.order) ? 'axis.eachRun' : 'axis.wallClock';
  }

  private get until(): number { return this.companion?.until ?? Infinity; }

  private frame(at: number): void {
    const { companion, options: { store } } = this;
    const now = store.clock.now(at);
    this.stack.refresh(now);
    this.chooseAlign();
    const target = companion?.isHeld ? this.viewport.range : rangeOf(this.stack.shownGroups, this.align, now, store.clock.isRunning);
    const range = this.ease.step(target, at, !store.caughtUp || prefersReducedMotion());
    this.viewport.resize(GUTTER, this.scroller.clientWidth - RIGHT);
    this.viewport.setRange(range);
    this.restoreWindow();
    const isPrepared = companion?.prepare(at) ?? false;
    setHidden(this.axisHolder, this.stack.order.length === 0);
    if (!companion) this.options.onPlaced(this.stack.order.length > 0);
    const lines = calloutLines(this.viewport, this.speak('callout.chunk'), (text) => this.measure(text));
    this.stack.layOut(this.scroller.clientHeight - this.axisHolder.offsetHeight, lines, (group) => this.laneChoice(group), now);
    const running = store.clock.isRunning;
    if (this.until !== this.describedUntil) this.undescribed = true;
    // The first groups are never without their words.
    const isFirst = !this.hasGroups && this.stack.order.length > 0;
    if ((this.undescribed || running) && (isFirst || at - this.describedAt >= DESCRIBE_EVERY_MS)) this.describe(at, now);
    const scene = this.scene();
    this.stack.draw(scene);
    const isAccompanied = companion?.draw(scene, at) ?? false;
    if (this.wantedGroup !== undefined && this.nest.bring(this.wantedGroup)) this.wantedGroup = undefined;
    this.drawAxis();
    if (store.caughtUp) this.options.onDrawn();
    const settled = this.ease.isAt(target) && isPrepared && isAccompanied && !this.stack.isBehind;
    this.page.dataset.settled = String(settled && store.caughtUp && !this.undescribed);
    // Whoever accompanies asks for the next picture once it is there.
    if (this.undescribed || running || (companion && !settled) || !this.ease.isAt(target) || this.stack.isBehind || companion?.isPlaying) this.redraw();
  }

  private drawAxis(): void {
    const axis = `${this.viewport.version} ${this.axisTitle}`;
    if (axis !== this.drawnAxis) this.axis.update(this.viewport, this.axisTitle, this.speak);
    this.drawnAxis = axis;
  }

  private describe(at: number, now: number): void {
    const { store, hello, notices } = this.options;
    this.describedAt = at;
    this.undescribed = false;
    this.describedUntil = this.until;
    this.hasGroups = this.stack.order.length > 0;
    if (store.hasTooManyGroups) notices.tell('warning', 'too-many-groups', this.speak('notice.tooManyGroups', { count: formatCount(store.groups.size) }));
    notices.update(store.state, store.refused, store.isOver, this.speak);
    this.shading.choose(this.choices.now.colorBy ?? 'outcome', this.stack.order.flatMap(({ id }) => store.groups.get(id) ?? []));
    this.empty.update(store.state?.phase, hello.run, this.stack.order.length > 0, this.speak);
    this.stack.describe(this.scene());
    this.companion?.describe(now);
  }

  /** Pixels of a text in the overlay's size. */
  private measure(text: string): number {
    if (!this.ruler) return text.length * 7;
    this.ruler.font = `600 12px ${this.palette.font}`;
    return this.ruler.measureText(text).width;
  }

  private chooseAlign(): void {
    const { pairs } = this.stack;
    const align = this.isAlone ? 'same' : this.choices.now.align ?? (pairs.length > 0 ? 'same' : 'wall');
    if (align === this.align) return;
    this.align = align;
    // The same pixels mean other times now.
    this.ease.reset();
    this.viewport.fit();
  }

  private restoreWindow(): void {
    if (!this.savedWindow || !this.options.store.caughtUp || this.stack.order.length === 0) return;
    this.viewport.isFitted = false;
    this.viewport.show(...this.savedWindow);
    this.savedWindow = undefined;
  }

  private laneChoice(group: number): LaneChoice {
    const { choices } = this;
    return { sort: choices.now.sort ?? 'number', firstOnTop: choices.firstLane === 'top', pinned: choices.lanesOf('pinned', group), hidden: choices.lanesOf('hidden', group) };
  }
}
