/** All groups of the run, one above the other on one time axis. */
import type { Group } from '../../src/model/timeline';
import { element, setHidden, setText } from '../dom';
import { formatCount } from '../format';
import type { GroupTasks } from '../store/group-tasks';
import { Nesting } from '../store/nesting';
import type { RunStore } from '../store/run-store';
import type { WhatIf } from '../what-if/what-if';
import type { Speak } from '../words/speak';
import { pairsOf, stackOrder, type Pair } from './compare';
import { GroupView } from './group-view';
import type { LaneChoice } from './lane-order';
import type { Scene } from './scene';
import type { Selection } from './selection';

export interface StackOptions {
  readonly store: RunStore;
  readonly speak: Speak;
  readonly scroller: HTMLElement;
  /** Undefined where the host cannot show source. */
  readonly openSource: ((group: number, what: 'group' | 'task') => void) | undefined;
  readonly selection: Selection;
  /** Hidden lanes of a group are to be shown. */
  readonly onShowLanes: (group: number) => void;
  /** Whether a group that ran inside a task is open. */
  readonly isOpen: (group: number) => boolean;
  /** All groups inside tasks of a group are to be opened, or closed. */
  readonly onOpenAll: (group: number) => void;
  readonly redraw: () => void;
  /** Asks for a picture and for its words. */
  readonly refresh: () => void;
}

/** What is put to the diagrams once their picture stands. */
export interface StackFurniture {
  /** A group's diagram comes to the page, or goes. */
  readonly onView: (view: GroupView) => void;
  readonly onViewGone: (view: GroupView) => void;
  /** @param toggle opens it and closes it @param onChange the tasks shown are others now: a picture and its words are due */
  readonly makeWhatIf: (group: GroupTasks, toggle: HTMLElement, onChange: () => void) => WhatIf;
  /** A button that places more groups. */
  readonly makeMore: (onPress: () => void) => HTMLElement;
}

/** So many groups get a place on the page, and so many more with each press of a button. */
const PORTION = 100;
/** Groups this far out of sight are drawn already. */
const AHEAD = '300px';
/** Of so many groups each gets its share of the panel's height; of more, the panel scrolls. */
const SHARED_BY = 2;
const REFRESH_EVERY_MS = 250;
/** The share of the time that placing groups may take: very many are placed less often rather than slow every frame down. */
const BUSY_SHARE = 0.1;

export class Stack {
  readonly element = element('div', 'stack');
  /** Groups the page knows of, in the order they are shown. */
  order: readonly Group[] = [];
  pairs: readonly Pair[] = [];
  nesting = new Nesting([]);
  private readonly views = new Map<number, GroupView>();
  private readonly sections = new Map<Element, GroupView>();
  private more: HTMLElement | undefined;
  private furniture: StackFurniture | undefined;
  private readonly observer: IntersectionObserver;
  private shown = PORTION;
  private revision = -1;
  private refreshedAt = -Infinity;
  /** Until then, by `performance.now()`, groups stay where they are. */
  private due = 0;

  constructor(private readonly options: StackOptions) {
    this.observer = new IntersectionObserver((entries) => {
      for (const entry of entries) {
        const view = this.sections.get(entry.target);
        if (view) view.inSight = entry.isIntersecting;
      }
      options.redraw();
    }, { root: options.scroller, rootMargin: AHEAD });
  }

  furnish(furniture: StackFurniture): void {
    this.furniture = furniture;
    this.more = furniture.makeMore(() => {
      this.shown += PORTION;
      this.revision = -1;
      this.options.redraw();
    });
    this.element.append(this.more);
    for (const view of this.views.values()) this.furnishView(view, furniture);
    this.tellMore();
  }

  /** Other groups inside tasks are open now. */
  reorder(): void {
    this.revision = -1;
    this.options.refresh();
  }

  /** Brings the sections up to date with the store's groups. @param now milliseconds after `timeOrigin` */
  refresh(now: number): void {
    const { store } = this.options;
    // Whether two groups may still become a pair hangs on the time as well.
    const isKnown = store.groupsRevision === this.revision;
    if (isKnown && (store.isOver || Math.abs(now - this.refreshedAt) < REFRESH_EVERY_MS)) return;
    const begun = performance.now();
    if (!isKnown && this.revision >= 0 && begun < this.due) {
      this.options.redraw();
      return;
    }
    this.revision = store.groupsRevision;
    this.refreshedAt = now;
    this.arrange(now);
    const ended = performance.now();
    this.due = ended + (ended - begun) / BUSY_SHARE;
  }

  /** True while groups have come that have no place yet. */
  get isBehind(): boolean { return this.options.store.groupsRevision !== this.revision; }

  private arrange(now: number): void {
    const { store } = this.options;
    const groups = [...store.groups.values()].flatMap(({ info }) => (info && info.taskCount > 0 ? [info] : []));
    this.pairs = pairsOf(groups, store.isOver, now);
    this.nesting = new Nesting(stackOrder(groups, this.pairs));
    const rows = this.nesting.unfolded(this.options.isOpen);
    this.order = rows.map(({ group }) => group);
    this.placeSections(this.order.slice(0, this.shown));
    for (const { group, depth } of rows) this.views.get(group.id)?.nest(depth);
    this.markPairs();
    // The callout explains once: in the first group of chunks, else in the first call that has something to wait for.
    const calling = this.order.find((group) => group.kind === 'chunk') ?? this.order.find((group) => (group.kind === 'all' || group.kind === 'allSettled') && group.taskCount > 1);
    for (const view of this.views.values()) view.hasCallout = view.group.id === calling?.id;
    this.tellMore();
  }

  private tellMore(): void {
    const { more } = this;
    if (!more) return;
    const hidden = this.order.length - this.views.size;
    setHidden(more, hidden === 0);
    if (hidden > 0) setText(more, this.options.speak('tools.more', { count: formatCount(Math.min(PORTION, hidden)) }));
  }

  /** All the axis has to have room for: what happened, and what would have where that is shown. */
  get shownGroups(): Group[] {
    return [...this.order, ...[...this.views.values()].flatMap(({ prediction }) => prediction ?? [])];
  }

  /** Diagrams on the page, from top to bottom. */
  get shownViews(): readonly GroupView[] { return this.order.flatMap(({ id }) => this.views.get(id) ?? []); }

  /** Chooses row heights. @param height of the panel's part for groups, pixels @param calloutLines lines the callout takes @param lanesOf how a group's lanes stand */
  layOut(height: number, calloutLines: number, lanesOf: (group: number) => LaneChoice, now: number): void {
    const room = height / Math.min(SHARED_BY, Math.max(1, this.views.size));
    for (const view of this.views.values()) view.layOut(room, calloutLines, lanesOf(view.group.id), this.options.store.activity, now);
  }

  describe(scene: Scene): void {
    const { store } = this.options;
    for (const view of this.views.values()) {
      const parent = view.group.info?.parent;
      view.describe(scene, parent && store.tasks.ordinalOf(parent.task));
      const inside = this.nesting.inGroup(view.group.id);
      view.tellInside(inside.length, inside.some(({ id }) => this.options.isOpen(id)));
    }
  }

  draw(scene: Scene): void {
    for (const view of this.views.values()) view.draw(scene);
  }

  /** Brings a group into sight and gives it the keys. @returns false where it is not known yet */
  show(id: number): boolean {
    const at = this.order.findIndex((group) => group.id === id);
    if (at < 0) return false;
    const view = this.views.get(id);
    if (!view) {
      this.shown = Math.ceil((at + 1) / PORTION) * PORTION;
      this.revision = -1;
      this.options.redraw();
      return false;
    }
    view.element.scrollIntoView({ block: 'start' });
    view.plot.focus({ preventScroll: true });
    return true;
  }

  dispose(): void {
    for (const view of this.views.values()) view.dispose();
    this.observer.disconnect();
    this.element.remove();
  }

  private placeSections(groups: readonly Group[]): void {
    const wanted = new Set(groups.map((group) => group.id));
    for (const [id, view] of this.views) {
      if (wanted.has(id)) continue;
      this.observer.unobserve(view.element);
      this.sections.delete(view.element);
      view.element.remove();
      view.dispose();
      this.furniture?.onViewGone(view);
      this.views.delete(id);
    }
    let before: Element | null = this.element.firstElementChild;
    for (const group of groups) {
      const view = this.views.get(group.id) ?? this.addView(group.id);
      if (!view) continue;
      if (view.element === before) before = before.nextElementSibling;
      else this.element.insertBefore(view.element, before);
    }
  }

  private addView(id: number): GroupView | undefined {
    const { store, speak, openSource, onShowLanes, onOpenAll } = this.options;
    const group = store.groups.get(id);
    if (!group) return undefined;
    const view = new GroupView(group, {
      speak, openSource: openSource && ((what) => openSource(id, what)), onShowLanes: () => onShowLanes(id), onOpenAll: () => onOpenAll(id),
    });
    this.views.set(id, view);
    this.sections.set(view.element, view);
    this.observer.observe(view.element);
    if (this.furniture) this.furnishView(view, this.furniture);
    return view;
  }

  private furnishView(view: GroupView, { onView, makeWhatIf }: StackFurniture): void {
    const { selection, refresh } = this.options;
    view.offer((toggle) => makeWhatIf(view.group, toggle, () => {
      selection.blur(view.group.id);
      refresh();
    }));
    onView(view);
  }

  private markPairs(): void {
    for (const view of this.views.values()) view.partner = undefined;
    for (const { chunk, pool, settled } of this.pairs) {
      for (const [id, other] of [[chunk, pool], [pool, chunk]]) {
        const view = this.views.get(id);
        const group = this.options.store.groups.get(other)?.info;
        if (view && group) view.partner = { group, settled };
      }
    }
  }
}
