/** All that stands around a picture and all that hands use on it: bars and tools, overview, time, search, panels, keys, pointer. */
import type { FromView, Hello, Place } from '../src/model/protocol';
import { Measuring } from './area/measuring';
import { attachReading } from './bands/load-reading';
import { PopupMenu } from './controls/menu';
import { makeButton } from './controls/toolkit';
import { areOfTwoRuns } from './diagram/compare';
import { Inspector } from './diagram/inspector';
import { isCommand, Keyboard, listBinding } from './diagram/keyboard';
import { attachLaneMenu, laneKeys } from './diagram/lane-keys';
import { attachPointer } from './diagram/pointer';
import type { Scene } from './diagram/scene';
import { taskKeys } from './diagram/task-keys';
import { zoomKeys } from './diagram/zoom-keys';
import { Zooming } from './diagram/zooming';
import { element } from './dom';
import { Overview } from './overview/overview';
import { Legend } from './panels/legend';
import type { Notices } from './panels/notices';
import { Outline } from './panels/outline';
import { TasksPanel } from './panels/tasks-panel';
import { Tools } from './panels/tools';
import { TopBar } from './panels/top-bar';
import { ViewTools } from './panels/view-tools';
import type { Places } from './places';
import type { Companion, RunPicture } from './run-picture';
import { Search } from './search/search';
import type { RunStore } from './store/run-store';
import { TakeAway } from './take-away/take-away';
import { TimeControl } from './time/time-control';
import { WhatIf } from './what-if/what-if';

export interface FurnitureOptions {
  readonly hello: Hello;
  readonly store: RunStore;
  readonly notices: Notices;
  readonly send: (message: FromView) => void;
  readonly picture: RunPicture;
  /** Where on the page it goes. */
  readonly places: Places;
}

export class Furniture implements Companion {
  private readonly zooming: Zooming;
  private readonly time: TimeControl;
  private readonly inspector: Inspector;
  private readonly measuring: Measuring;
  private readonly search: Search;
  private readonly keyboard: Keyboard;
  private readonly laneMenu = new PopupMenu();
  private readonly topBar: TopBar;
  private readonly tools: Tools;
  private readonly viewTools: ViewTools;
  private readonly legend: Legend;
  private readonly overview: Overview;
  private readonly outline: Outline;
  private readonly tasksPanel: TasksPanel;

  constructor(private readonly options: FurnitureOptions) {
    const { hello, store, send, picture } = options;
    const { speak, viewport, choices, stack, nest, selection } = picture;
    const scene = (): Scene => picture.scene();
    this.zooming = new Zooming(picture.surface, picture.scroller, viewport, () => {
      this.time.moved();
      picture.keepWindow();
      picture.redraw();
    });
    this.time = new TimeControl({
      speak, viewport, now: () => ({ clock: store.clock, groups: stack.order, align: picture.align }),
      onChange: () => { this.inspector.tooltip.hide(); picture.keepWindow(); picture.redraw(); },
    });
    const openTask = this.openTask();
    this.inspector = new Inspector(store, selection, scene, this.zooming, speak, (view, id) => [
      ...(openTask ? [{ label: speak('task.toSource'), onPress: () => openTask(view.group.id) }] : []), ...nest.actions(id, () => this.inspector.card.close()),
    ]);
    this.measuring = new Measuring(speak, scene);
    this.search = this.makeSearch();
    this.overview = new Overview(store, viewport, this.zooming, speak, this.inspector.tooltip);
    const toggleOutline = (): void => choices.set({ outline: !choices.now.outline });
    this.outline = new Outline({ speak, onGroup: (group) => picture.showGroup(group) });
    this.tasksPanel = new TasksPanel({ store, speak, scene, onTask: (view, spot) => this.inspector.bring(view, spot) });
    this.topBar = new TopBar({ hello, speak, onStop: () => send({ type: 'stop' }), onRunAgain: () => send({ type: 'runAgain' }) });
    this.tools = new Tools(speak, this.zooming, (align) => choices.set({ align }));
    this.viewTools = new ViewTools(speak, choices, toggleOutline, () => this.search.open(), this.makeTakeAway().menu);
    this.legend = new Legend({
      speak, query: () => choices.now.query ?? '', onQuery: (text) => this.search.searchFor(text),
      outlinesAll: () => choices.now.outlinesAll === true, onOutlineAll: (outlinesAll) => choices.set({ outlinesAll }),
    });
    this.keyboard = new Keyboard(speak);
    this.keyboard.add(
      ...taskKeys(this.inspector, this.zooming, scene, openTask, (task) => nest.toggleInTask(task)), ...this.measuring.bindings, ...zoomKeys(this.zooming), this.time.binding, ...laneKeys(choices, selection), this.search.binding,
      { shown: 'G', word: 'keys.outline', action: (event) => (event.code === 'KeyG' && !isCommand(event) ? toggleOutline : undefined) },
      listBinding(this.keyboard.panel), this.tasksPanel.binding(() => stack.shownViews[0]),
    );
    this.place();
    this.attach(openTask);
    this.search.searchFor(choices.now.query ?? '');
    // Bars have their full height before the next picture asks how much room is left.
    this.describe(store.clock.now(performance.now()));
    picture.accompany(this);
  }

  get until(): number { return this.time.until; }
  get isHeld(): boolean { return this.time.isHeld; }
  get isPlaying(): boolean { return this.time.isPlaying; }

  prepare(at: number): boolean {
    this.time.step(at);
    this.zooming.sync();
    return this.search.refresh(this.options.store.revision, at);
  }

  describe(now: number): void {
    const { store, picture: { align, stack, choices, isAlone, shading, palette } } = this.options;
    this.topBar.update(store.state, now);
    this.tools.update(align, stack.order.length, isAlone, areOfTwoRuns(stack.order));
    this.viewTools.update(stack.order.length);
    this.legend.update(stack.order, store, store.activity, shading.meanings, palette);
    this.inspector.refresh();
    this.tasksPanel.refresh();
    this.outline.update(choices.now.outline === true, stack.nesting, new Set(stack.order.map(({ id }) => id)));
  }

  draw(scene: Scene, at: number): boolean {
    const isDrawn = this.overview.update(this.options.picture.stack.order, scene, at);
    this.time.show();
    return this.measuring.update(scene, at) && isDrawn;
  }

  /** Searches for the tasks of a line and goes to the first. */
  showPlace({ file, line }: Place): void {
    this.options.picture.nest.placeAll();
    this.search.searchFor(`at:"${file.replaceAll('"', '')}:${line}"`);
    this.search.step(1);
  }

  dispose(): void { this.keyboard.dispose(); }

  /** Shows where the function of a group's tasks stands; undefined where the host cannot. */
  private openTask(): ((group: number) => void) | undefined {
    const { hello, store, send } = this.options;
    return hello.capabilities.openSource ? (group) => send({ type: 'openSource', group, what: store.groups.get(group)?.info?.taskSite ? 'task' : 'group' }) : undefined;
  }

  private makeSearch(): Search {
    const { store, picture } = this.options;
    const { stack, nest, shading, choices } = picture;
    const isShown = (group: number): boolean => stack.shownViews.some((view) => view.group.id === group);
    return new Search({
      store, speak: picture.speak, inspector: this.inspector, views: () => stack.shownViews,
      reveal: (group) => !isShown(group) && nest.bring(group) && isShown(group),
      onChange: (query, matches) => {
        shading.matches = matches;
        choices.keep({ query: query || undefined });
        picture.refresh();
      },
    });
  }

  private makeTakeAway(): TakeAway {
    const { hello, store, send, notices, picture } = this.options;
    const { speak, stack } = picture;
    return new TakeAway({
      hello, store, speak, send, views: () => stack.shownViews, scene: () => picture.scene(), axisTitle: () => speak(picture.axisTitle),
      tell: (problem) => {
        if (problem) notices.tell('warning', 'take-away', problem); else notices.untell('take-away');
        picture.refresh();
      },
    });
  }

  private place(): void {
    const { places, picture: { axisHolder, scroller } } = this.options;
    const { inspector, measuring, time } = this;
    places.topBar.replaceWith(this.topBar.element);
    places.toolRow.append(this.legend.element, element('div', 'tool-group', this.viewTools.element, time.buttons, this.tools.element));
    places.toolRow.after(this.search.bar.element);
    places.outline.replaceWith(this.outline.element);
    this.overview.element.hidden = places.overview.hidden;
    places.overview.replaceWith(this.overview.element, time.element);
    axisHolder.before(measuring.layer.over, time.line);
    axisHolder.append(measuring.layer.axis);
    places.end.append(measuring.panel.element, this.tasksPanel.element, inspector.tooltip.element, inspector.card.element, this.keyboard.panel.element, inspector.live, this.laneMenu.element);
    scroller.addEventListener('scroll', () => inspector.tooltip.hide(), { passive: true });
  }

  private attach(openTask: ((group: number) => void) | undefined): void {
    const { picture } = this.options;
    const { speak, choices, stack } = picture;
    const scene = (): Scene => picture.scene();
    stack.furnish({
      makeWhatIf: (group, toggle, onChange) => new WhatIf(group, toggle, speak, onChange),
      makeMore: (onPress) => makeButton({ label: '', look: 'secondary', onPress }),
      onView: (view) => {
        attachPointer(view, this.inspector, scene, openTask);
        for (const strip of [view.queue, view.requests]) attachReading(strip, this.inspector.tooltip, scene);
        this.keyboard.attach(view);
        this.measuring.attach(view);
        attachLaneMenu(view, choices, this.laneMenu, scene, speak);
      },
      onViewGone: (view) => {
        this.keyboard.detach(view);
        this.measuring.detach(view);
      },
    });
  }
}
