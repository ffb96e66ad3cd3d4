/** The page of one run: bar, tools, diagrams, axis. Made anew at each `hello`; draws in one animation loop, and only while something changes. */
import type { FromView, Hello } from '../src/model/protocol';
import { Measuring } from './area/measuring';
import { Axis } from './diagram/axis';
import { GUTTER, RIGHT } from './diagram/geometry';
import { Inspector } from './diagram/inspector';
import { Keyboard, listBinding } from './diagram/keyboard';
import { calloutLines } from './diagram/overlay-model';
import { readPalette, type Palette } from './diagram/palette';
import { attachPointer } from './diagram/pointer';
import { RangeEase } from './diagram/range-ease';
import type { Scene } from './diagram/scene';
import { Selection } from './diagram/selection';
import { Stack } from './diagram/stack';
import { taskKeys } from './diagram/task-keys';
import { rangeOf, type Align } from './diagram/time-range';
import { Viewport } from './diagram/viewport';
import { zoomKeys } from './diagram/zoom-keys';
import { Zooming } from './diagram/zooming';
import { element, setHidden } from './dom';
import { Overview } from './overview/overview';
import { EmptyState } from './panels/empty';
import { Legend } from './panels/legend';
import type { Notices } from './panels/notices';
import { Tools } from './panels/tools';
import { TopBar } from './panels/top-bar';
import type { RunStore } from './store/run-store';
import { prefersReducedMotion } from './theme';
import type { ViewState } from './view-state';
import { speakIn } from './words/speak';

export interface RunPageOptions {
  readonly hello: Hello;
  readonly store: RunStore;
  readonly notices: Notices;
  readonly send: (message: FromView) => void;
  readonly saved: ViewState;
  readonly save: (state: ViewState) => void;
}

/** Words and figures are brought up to date no more often than this. */
const DESCRIBE_EVERY_MS = 100;

export class RunPage {
  readonly element = element('div', 'page');
  private readonly speak;
  private readonly viewport = new Viewport();
  private readonly ease = new RangeEase();
  private readonly axis = new Axis();
  private readonly scroller = element('main', 'scroller');
  private readonly zooming: Zooming;
  private readonly selection = new Selection(() => this.redraw());
  private readonly keyboard: Keyboard;
  private readonly inspector: Inspector;
  private readonly stack: Stack;
  private readonly topBar: TopBar;
  private readonly tools: Tools;
  private readonly legend: Legend;
  private readonly overview: Overview;
  private readonly measuring: Measuring;
  private readonly empty = new EmptyState();
  private readonly axisHolder = element('div', 'axis-holder', this.axis.element);
  private readonly resizes = new ResizeObserver(() => this.redraw());
  private readonly ruler = document.createElement('canvas').getContext('2d');
  private chosenAlign: Align | undefined;
  private savedWindow: readonly [number, number] | undefined;
  private palette: Palette;
  private align: Align = 'wall';
  private scheduled = 0;
  private describedAt = -Infinity;
  /** True while words and figures lag behind what came in. */
  private undescribed = true;
  private drawnAxis = '';

  constructor(private readonly options: RunPageOptions) {
    const { hello, store, notices, send, saved } = options;
    this.speak = speakIn(hello.locale);
    this.palette = readPalette(document.body);
    this.chosenAlign = saved.align;
    this.savedWindow = saved.run === hello.run.timeOrigin ? saved.window : undefined;
    const surface = element('div', 'surface');
    this.zooming = new Zooming(surface, this.scroller, this.viewport, () => { this.keep(); this.redraw(); });
    this.keyboard = new Keyboard(this.speak);
    this.inspector = new Inspector(store, this.selection, () => this.scene(), this.zooming);
    this.measuring = new Measuring(this.speak, () => this.scene());
    this.keyboard.add(...taskKeys(this.inspector, this.zooming, () => this.scene()), ...this.measuring.bindings, ...zoomKeys(this.zooming), listBinding(this.keyboard.panel));
    this.stack = new Stack({
      store, speak: this.speak, scroller: this.scroller, selection: this.selection, redraw: () => this.redraw(), refresh: () => this.refresh(),
      onView: (view) => {
        attachPointer(view, this.inspector, () => this.scene());
        this.keyboard.attach(view);
        this.measuring.attach(view);
      },
      onViewGone: (view) => {
        this.keyboard.detach(view);
        this.measuring.detach(view);
      },
      openSource: hello.capabilities.openSource ? (group, what) => send({ type: 'openSource', group, what }) : undefined,
    });
    this.topBar = new TopBar({ hello, speak: this.speak, onStop: () => send({ type: 'stop' }), onRunAgain: () => send({ type: 'runAgain' }) });
    this.tools = new Tools(this.speak, this.zooming, (align) => this.setAlign(align));
    this.legend = new Legend(this.speak);
    this.overview = new Overview(store, this.viewport, this.zooming, this.speak, this.inspector.tooltip);
    this.axisHolder.append(this.measuring.layer.axis);
    surface.append(this.stack.element, this.measuring.layer.over, this.axisHolder);
    this.scroller.append(this.empty.element, surface);
    this.element.append(this.topBar.element, notices.element, element('div', 'tool-row', this.legend.element, this.tools.element), this.overview.element, this.scroller, this.measuring.panel.element, this.inspector.tooltip.element, this.keyboard.panel.element, this.inspector.live);
    this.scroller.addEventListener('scroll', () => { this.inspector.tooltip.hide(); this.redraw(); }, { passive: true });
    this.resizes.observe(this.scroller);
    this.redraw();
  }

  /** Something came in. */
  refresh(): void {
    this.undescribed = true;
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
    this.keyboard.dispose();
    this.element.remove();
  }

  private redraw(): void {
    if (this.scheduled === 0) this.scheduled = requestAnimationFrame((at) => { this.scheduled = 0; this.frame(at); });
  }

  private frame(at: number): void {
    const { store } = this.options;
    const now = store.clock.now(at);
    this.stack.refresh(now);
    this.chooseAlign();
    const target = rangeOf(this.stack.shownGroups, this.align, now, store.clock.isRunning);
    const range = this.ease.step(target, at, !store.caughtUp || prefersReducedMotion());
    this.viewport.resize(GUTTER, this.scroller.clientWidth - RIGHT);
    this.viewport.setRange(range);
    this.restoreWindow();
    this.zooming.sync();
    setHidden(this.axisHolder, this.stack.order.length === 0);
    const lines = calloutLines(this.viewport, this.speak('callout.chunk'), (text) => this.measure(text));
    this.stack.layOut(this.scroller.clientHeight - this.axisHolder.offsetHeight, lines);
    const running = store.clock.isRunning;
    if ((this.undescribed || running) && at - this.describedAt >= DESCRIBE_EVERY_MS) this.describe(at, now);
    const scene = this.scene();
    const isDrawn = this.overview.update(this.stack.order, scene, at);
    this.stack.draw(scene);
    const isMeasured = this.measuring.update(scene, at);
    const title = this.stack.order.length < 2 ? 'axis.alone' : this.align === 'same' ? 'axis.sameStart' : 'axis.wallClock';
    const axis = `${this.viewport.version} ${title}`;
    if (axis !== this.drawnAxis) this.axis.update(this.viewport, title, this.speak);
    this.drawnAxis = axis;
    const settled = this.ease.isAt(target) && isDrawn && isMeasured;
    this.element.dataset.settled = String(settled && !this.undescribed);
    if (this.undescribed || running || !settled) this.redraw();
  }

  private describe(at: number, now: number): void {
    const { store, hello } = this.options;
    this.describedAt = at;
    this.undescribed = false;
    this.topBar.update(store.state, now);
    this.options.notices.update(store.state, store.refused, store.isOver, this.speak);
    this.tools.update(this.align, this.stack.order.length);
    this.legend.update(this.stack.order, store.hasIgnored, this.palette);
    this.empty.update(store.state?.phase, hello.run, this.stack.order.length > 0, this.speak);
    this.stack.describe();
  }

  private scene(): Scene {
    const { store } = this.options;
    const box = this.scroller.getBoundingClientRect();
    return {
      viewport: this.viewport, palette: this.palette, align: this.align, now: store.clock.now(performance.now()), speak: this.speak, tasks: store.tasks, selection: this.selection,
      seenTop: box.top, seenBottom: box.bottom - this.axisHolder.offsetHeight, measure: (text) => this.measure(text),
    };
  }

  /** Pixels of a text in the overlay's size. */
  private measure(text: string): number {
    if (!this.ruler) return text.length * 7;
    this.ruler.font = `600 12px ${this.palette.font}`;
    return this.ruler.measureText(text).width;
  }

  private chooseAlign(): void {
    const { order, pairs } = this.stack;
    const align = order.length < 2 ? 'same' : this.chosenAlign ?? (pairs.length > 0 ? 'same' : 'wall');
    if (align === this.align) return;
    this.align = align;
    // The same pixels mean other times now.
    this.ease.reset();
    this.viewport.fit();
  }

  private setAlign(align: Align): void {
    this.chosenAlign = align;
    this.keep();
    this.refresh();
  }

  private restoreWindow(): void {
    if (!this.savedWindow || !this.options.store.caughtUp || this.stack.order.length === 0) return;
    this.viewport.isFitted = false;
    this.viewport.show(...this.savedWindow);
    this.savedWindow = undefined;
  }

  private keep(): void {
    const { viewport } = this;
    const run = this.options.hello.run.timeOrigin;
    this.options.save({ align: this.chosenAlign, run, window: viewport.isFitted ? undefined : [viewport.start, viewport.end] });
  }
}
