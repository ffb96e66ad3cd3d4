/** The page of one run: bar, tools, diagrams, axis. Made anew at each `hello`; draws in one animation loop, and only while something changes. */
import type { FromView, Hello, Place } from '../src/model/protocol';
import { Measuring } from './area/measuring';
import { Choices } from './choices';
import { PopupMenu } from './controls/menu';
import { Axis } from './diagram/axis';
import { areOfTwoRuns } from './diagram/compare';
import { GUTTER, RIGHT } from './diagram/geometry';
import { Inspector } from './diagram/inspector';
import { isCommand, Keyboard, listBinding } from './diagram/keyboard';
import { attachLaneMenu, laneKeys } from './diagram/lane-keys';
import type { LaneChoice } from './diagram/lane-order';
import { calloutLines } from './diagram/overlay-model';
import { NestControl } from './diagram/nest-control';
import { readPalette, type Palette } from './diagram/palette';
import { attachReading } from './bands/load-reading';
import { attachPointer } from './diagram/pointer';
import { RangeEase } from './diagram/range-ease';
import type { Scene } from './diagram/scene';
import { Selection } from './diagram/selection';
import { Shading } from './diagram/shading';
import { Stack } from './diagram/stack';
import { taskKeys } from './diagram/task-keys';
import { rangeOf, type Align } from './diagram/time-range';
import { Viewport } from './diagram/viewport';
import { zoomKeys } from './diagram/zoom-keys';
import { Zooming } from './diagram/zooming';
import { element, setHidden } from './dom';
import { formatCount } from './format';
import { Overview } from './overview/overview';
import { EmptyState } from './panels/empty';
import { Legend } from './panels/legend';
import type { Notices } from './panels/notices';
import { Outline } from './panels/outline';
import { TasksPanel } from './panels/tasks-panel';
import { Tools } from './panels/tools';
import { TopBar } from './panels/top-bar';
import { ViewTools } from './panels/view-tools';
import { Search } from './search/search';
import type { RunStore } from './store/run-store';
import { TakeAway } from './take-away/take-away';
import { prefersReducedMotion } from './theme';
import { TimeControl } from './time/time-control';
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
  private readonly time: TimeControl;
  private readonly viewTools: ViewTools;
  private readonly search: Search;
  private readonly outline: Outline;
  private readonly tasksPanel: TasksPanel;
  private readonly nest: NestControl;
  private readonly shading = new Shading();
  private readonly choices: Choices;
  private readonly laneMenu = new PopupMenu();
  private readonly empty = new EmptyState();
  private readonly axisHolder = element('div', 'axis-holder', this.axis.element);
  private readonly resizes = new ResizeObserver(() => this.redraw());
  private readonly ruler = document.createElement('canvas').getContext('2d');
  private savedWindow: readonly [number, number] | undefined;
  private palette: Palette;
  private align: Align = 'wall';
  private scheduled = 0;
  private describedAt = -Infinity;
  /** True while words and figures lag behind what came in. */
  private undescribed = true;
  private describedUntil = Infinity;
  private drawnAxis = '';
  private wantedGroup: number | undefined;

  constructor(private readonly options: RunPageOptions) {
    const { hello, store, notices, send, saved } = options;
    this.speak = speakIn(hello.locale);
    this.palette = readPalette(document.body);
    this.choices = new Choices(saved, hello.run.timeOrigin, hello.firstLane, options.save, () => this.refresh());
    this.nest = new NestControl({ speak: this.speak, choices: this.choices, stack: () => this.stack, clock: () => store.clock });
    this.savedWindow = this.choices.now.window;
    const surface = element('div', 'surface');
    this.zooming = new Zooming(surface, this.scroller, this.viewport, () => {
      this.time.moved();
      this.keepWindow();
      this.redraw();
    });
    this.keyboard = new Keyboard(this.speak);
    const openSource = hello.capabilities.openSource ? (group: number, what: 'group' | 'task') => send({ type: 'openSource', group, what }) : undefined;
    const openTask = openSource && ((group: number): void => openSource(group, store.groups.get(group)?.info?.taskSite ? 'task' : 'group'));
    this.inspector = new Inspector(store, this.selection, () => this.scene(), this.zooming, this.speak, (view, id) => [
      ...(openTask ? [{ label: this.speak('task.toSource'), onPress: () => openTask(view.group.id) }] : []), ...this.nest.actions(id, () => this.inspector.card.close()),
    ]);
    this.measuring = new Measuring(this.speak, () => this.scene());
    this.search = new Search({
      store, speak: this.speak, inspector: this.inspector, views: () => this.stack.shownViews,
      reveal: (group) => {
        const isShown = (): boolean => this.stack.shownViews.some((view) => view.group.id === group);
        return !isShown() && this.nest.bring(group) && isShown();
      },
      onChange: (query, matches) => {
        this.shading.matches = matches;
        this.choices.keep({ query: query || undefined });
        this.refresh();
      },
    });
    const toggleOutline = (): void => this.choices.set({ outline: !this.choices.now.outline });
    this.outline = new Outline({ speak: this.speak, onGroup: (group) => this.showGroup(group) });
    this.time = new TimeControl({
      speak: this.speak, viewport: this.viewport, now: () => ({ clock: store.clock, groups: this.stack.order, align: this.align }),
      onChange: () => { this.inspector.tooltip.hide(); this.keepWindow(); this.redraw(); },
    });
    this.stack = new Stack({
      store, speak: this.speak, scroller: this.scroller, selection: this.selection, redraw: () => this.redraw(), refresh: () => this.refresh(),
      onView: (view) => {
        attachPointer(view, this.inspector, () => this.scene(), openTask);
        for (const strip of [view.queue, view.requests]) attachReading(strip, this.inspector.tooltip, () => this.scene());
        this.keyboard.attach(view);
        this.measuring.attach(view);
        attachLaneMenu(view, this.choices, this.laneMenu, () => this.scene(), this.speak);
      },
      onViewGone: (view) => {
        this.keyboard.detach(view);
        this.measuring.detach(view);
      },
      onShowLanes: (group) => this.choices.showLanes(group),
      isOpen: (group) => this.nest.isOpen(group),
      onOpenAll: (group) => this.nest.toggleInGroup(group),
      openSource,
    });
    this.keyboard.add(...taskKeys(this.inspector, this.zooming, () => this.scene(), openTask, (task) => this.nest.toggleInTask(task)), ...this.measuring.bindings, ...zoomKeys(this.zooming), this.time.binding, ...laneKeys(this.choices, this.selection));
    this.keyboard.add(this.search.binding, { shown: 'G', word: 'keys.outline', action: (event) => (event.code === 'KeyG' && !isCommand(event) ? toggleOutline : undefined) }, listBinding(this.keyboard.panel));
    this.tasksPanel = new TasksPanel({ store, speak: this.speak, scene: () => this.scene(), onTask: (view, spot) => this.inspector.bring(view, spot) });
    this.keyboard.add(this.tasksPanel.binding(() => this.stack.shownViews[0]));
    this.topBar = new TopBar({ hello, speak: this.speak, onStop: () => send({ type: 'stop' }), onRunAgain: () => send({ type: 'runAgain' }) });
    this.tools = new Tools(this.speak, this.zooming, (align) => this.choices.set({ align }));
    const takeAway = new TakeAway({
      hello, store, speak: this.speak, send, views: () => this.stack.shownViews, scene: () => this.scene(), axisTitle: () => this.speak(this.axisTitle),
      tell: (problem) => {
        if (problem) notices.tell('warning', 'take-away', problem); else notices.untell('take-away');
        this.refresh();
      },
    });
    this.viewTools = new ViewTools(this.speak, this.choices, toggleOutline, () => this.search.open(), takeAway.menu);
    this.legend = new Legend({
      speak: this.speak, query: () => this.choices.now.query ?? '', onQuery: (text) => this.search.searchFor(text),
      outlinesAll: () => this.choices.now.outlinesAll === true, onOutlineAll: (outlinesAll) => this.choices.set({ outlinesAll }),
    });
    this.overview = new Overview(store, this.viewport, this.zooming, this.speak, this.inspector.tooltip);
    this.axisHolder.append(this.measuring.layer.axis);
    surface.append(this.stack.element, this.measuring.layer.over, this.time.line, this.axisHolder);
    this.scroller.append(this.empty.element, surface);
    this.element.append(this.topBar.element, notices.element, element('div', 'tool-row', this.legend.element, element('div', 'tool-group', this.viewTools.element, this.time.buttons, this.tools.element)), this.search.bar.element,
      element('div', 'middle', this.outline.element, element('div', 'column', this.overview.element, this.time.element, this.scroller)), this.measuring.panel.element, this.tasksPanel.element, this.inspector.tooltip.element, this.inspector.card.element, this.keyboard.panel.element, this.inspector.live, this.laneMenu.element);
    this.scroller.addEventListener('scroll', () => { this.inspector.tooltip.hide(); this.redraw(); }, { passive: true });
    this.resizes.observe(this.scroller);
    this.search.searchFor(this.choices.now.query ?? '');
    this.redraw();
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
    this.keyboard.dispose();
    this.element.remove();
  }

  /** Searches for the tasks of a line and goes to the first. */
  showPlace({ file, line }: Place): void {
    this.nest.placeAll();
    this.search.searchFor(`at:"${file.replaceAll('"', '')}:${line}"`);
    this.search.step(1);
  }

  private redraw(): void {
    if (this.scheduled === 0) this.scheduled = requestAnimationFrame((at) => { this.scheduled = 0; this.frame(at); });
  }

  private frame(at: number): void {
    const { store } = this.options;
    const now = store.clock.now(at);
    this.stack.refresh(now);
    this.chooseAlign();
    // A picture that stands keeps its axis as well.
    const target = this.time.isHeld ? this.viewport.range : rangeOf(this.stack.shownGroups, this.align, now, store.clock.isRunning);
    const range = this.ease.step(target, at, !store.caughtUp || prefersReducedMotion());
    this.viewport.resize(GUTTER, this.scroller.clientWidth - RIGHT);
    this.viewport.setRange(range);
    this.restoreWindow();
    this.time.step(at);
    this.zooming.sync();
    setHidden(this.axisHolder, this.stack.order.length === 0);
    const lines = calloutLines(this.viewport, this.speak('callout.chunk'), (text) => this.measure(text));
    this.stack.layOut(this.scroller.clientHeight - this.axisHolder.offsetHeight, lines, (group) => this.laneChoice(group), now);
    const isSearched = this.search.refresh(store.revision, at);
    const running = store.clock.isRunning;
    if (this.time.until !== this.describedUntil) this.undescribed = true;
    if ((this.undescribed || running) && at - this.describedAt >= DESCRIBE_EVERY_MS) this.describe(at, now);
    const scene = this.scene();
    const isDrawn = this.overview.update(this.stack.order, scene, at);
    this.stack.draw(scene);
    this.time.show();
    const isMeasured = this.measuring.update(scene, at);
    const title = this.axisTitle;
    if (this.wantedGroup !== undefined && this.nest.bring(this.wantedGroup)) this.wantedGroup = undefined;
    const axis = `${this.viewport.version} ${title}`;
    if (axis !== this.drawnAxis) this.axis.update(this.viewport, title, this.speak);
    this.drawnAxis = axis;
    const settled = this.ease.isAt(target) && isDrawn && isMeasured && isSearched && !this.stack.isBehind;
    this.element.dataset.settled = String(settled && !this.undescribed);
    if (this.undescribed || running || !settled || this.time.isPlaying) this.redraw();
  }

  private describe(at: number, now: number): void {
    const { store, hello } = this.options;
    this.describedAt = at;
    this.undescribed = false;
    this.describedUntil = this.time.until;
    this.topBar.update(store.state, now);
    if (store.hasTooManyGroups) this.options.notices.tell('warning', 'too-many-groups', this.speak('notice.tooManyGroups', { count: formatCount(store.groups.size) }));
    this.options.notices.update(store.state, store.refused, store.isOver, this.speak);
    this.tools.update(this.align, this.stack.order.length, this.isAlone, areOfTwoRuns(this.stack.order));
    this.viewTools.update(this.stack.order.length);
    this.shading.choose(this.choices.now.colorBy ?? 'outcome', this.stack.order.flatMap(({ id }) => store.groups.get(id) ?? []));
    this.legend.update(this.stack.order, store, store.activity, this.shading.meanings, this.palette);
    this.empty.update(store.state?.phase, hello.run, this.stack.order.length > 0, this.speak);
    this.stack.describe(this.scene());
    this.inspector.refresh();
    this.tasksPanel.refresh();
    this.outline.update(this.choices.now.outline === true, this.stack.nesting, new Set(this.stack.order.map(({ id }) => id)));
  }

  private scene(): Scene {
    const { store } = this.options;
    const box = this.scroller.getBoundingClientRect();
    return {
      viewport: this.viewport, palette: this.palette, align: this.align, now: store.clock.now(performance.now()), until: this.time.until, isOver: store.isOver, speak: this.speak, tasks: store.tasks, activity: store.activity, selection: this.selection, shading: this.shading, nesting: this.stack.nesting, outlinesAll: this.choices.now.outlinesAll === true,
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

  private keepWindow(): void {
    const { viewport } = this;
    this.choices.keep({ window: viewport.isFitted ? undefined : [viewport.start, viewport.end] });
  }

  private laneChoice(group: number): LaneChoice {
    const { choices } = this;
    return { sort: choices.now.sort ?? 'number', firstOnTop: choices.firstLane === 'top', pinned: choices.lanesOf('pinned', group), hidden: choices.lanesOf('hidden', group) };
  }

  /** One group, with what ran inside its tasks. */
  private get isAlone(): boolean { return this.stack.nesting.roots.length < 2; }

  private get axisTitle(): 'axis.alone' | 'axis.sameStart' | 'axis.wallClock' | 'axis.eachRun' {
    if (this.isAlone) return 'axis.alone';
    return this.align === 'same' ? 'axis.sameStart' : areOfTwoRuns(this.stack.order) ? 'axis.eachRun' : 'axis.wallClock';
  }
}
