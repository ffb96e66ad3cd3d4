/** One group on the page: its header, its plot, and how high that is. `GroupPicture` draws into the plot; `Pointer` and `Keyboard` listen to it. */
import type { Group } from '../../src/model/timeline';
import type { LoadPicture } from '../bands/load-picture';
import { LoadStrip } from '../bands/load-strip';
import { queueLoad } from '../bands/queue-load';
import { requestsLoad } from '../bands/requests-load';
import { element } from '../dom';
import { formatCount, formatMs, formatShare } from '../format';
import type { GroupTasks } from '../store/group-tasks';
import type { ThreadActivity } from '../store/thread-activity';
import { groupAsOf } from '../time/as-of';
import { isPlannable } from '../what-if/plannable';
import type { WhatIf } from '../what-if/what-if';
import type { Speak } from '../words/speak';
import { geometryFor, type Geometry, type LaneOrder } from './geometry';
import { GroupHeader } from './group-header';
import { GroupPicture, type Partner } from './group-picture';
import { orderOf, type LaneChoice } from './lane-order';
import { groupTitle } from './names';
import type { Scene } from './scene';
import { originOf } from './time-range';

export interface GroupViewOptions {
  readonly speak: Speak;
  /** Undefined where the host cannot show source. */
  readonly openSource: ((what: 'group' | 'task') => void) | undefined;
  /** Hidden lanes are to be shown. */
  readonly onShowLanes: () => void;
  /** All groups inside its tasks are to be opened, or closed. */
  readonly onOpenAll: () => void;
}

const REORDER_MS = 500;
const NONE: ReadonlySet<number> = new Set();
interface Ordered { readonly key: string; readonly revision: number; readonly at: number; readonly order: LaneOrder | undefined }

export class GroupView {
  readonly element: HTMLElement;
  readonly plot: HTMLElement;
  geometry: Geometry = geometryFor(1, 0, 0);
  partner: Partner | undefined;
  hasCallout = false;
  inSight = true;
  private whatIf: WhatIf | undefined;
  private readonly header: GroupHeader;
  private readonly picture: GroupPicture;
  private ordered: Ordered = { key: '', revision: -1, at: 0, order: undefined };
  readonly queue = new LoadStrip('queue');
  readonly requests = new LoadStrip('requests');

  /** @param group as it happened */
  constructor(readonly group: GroupTasks, options: GroupViewOptions) {
    this.header = new GroupHeader(options);
    this.picture = new GroupPicture(group);
    this.plot = element('div', 'plot', ...this.picture.elements);
    this.plot.tabIndex = 0;
    this.plot.setAttribute('role', 'application');
    this.element = element('section', 'group', this.header.element, this.plot, this.queue.element, this.requests.element);
    this.element.dataset.group = String(group.id);
  }

  /** Offers to show what would have happened. */
  offer(makeWhatIf: (toggle: HTMLElement) => WhatIf): void {
    this.whatIf = this.picture.plan = makeWhatIf(this.header.plans);
    this.header.element.after(this.whatIf.panel.element);
  }

  /** What is drawn: the group as it happened, or as it would have been. */
  get shown(): GroupTasks { return this.whatIf?.tasks ?? this.group; }

  /** What would have happened, where that is shown. */
  get prediction(): Group | undefined { return this.whatIf?.tasks?.info; }

  dispose(): void { this.whatIf?.dispose(); }

  /** Chooses a row height. @param room pixels the group may take @param calloutLines lines the callout takes where there is one @param lanes how they stand */
  layOut(room: number, calloutLines: number, lanes: LaneChoice, activity: ThreadActivity, now: number): void {
    const { info } = this.group;
    // Of a prediction nobody knows what waited.
    const strips = this.queue.heightWhere(!this.prediction && this.group.hasQueued) + this.requests.heightWhere(info !== undefined && activity.requests(info.thread) !== undefined);
    const order = this.orderOf(lanes, now);
    this.geometry = geometryFor(order?.lanes.length ?? this.shown.info?.lanes ?? 1, room - strips, this.calls ? calloutLines : 0, order);
    this.header.tellHidden(lanes.hidden.size);
    const height = `${this.geometry.height}px`;
    if (this.plot.style.height !== height) this.plot.style.height = height;
    this.element.dataset.predicted = String(this.whatIf?.tasks !== undefined);
    this.element.dataset.rowHeight = String(this.geometry.rowHeight);
  }

  /** @param depth how many groups it stands in */
  nest(depth: number): void { this.element.dataset.depth = String(depth); }

  /** @param count groups inside its tasks */
  tellInside(count: number, isOpen: boolean): void { this.header.tellInside(count, isOpen); }

  /** Header and words for a screen reader: a few times a second is enough. */
  describe(scene: Scene, parentOrdinal: number | undefined): void {
    const { group } = this;
    if (!group.info) return;
    const { speak } = scene;
    this.header.update(groupAsOf(group, group.info, scene.until + originOf(group.info, scene.align)), parentOrdinal);
    if (isPlannable(group)) this.header.offerPlans();
    this.whatIf?.refresh();
    const info = this.figures(scene) ?? group.info;
    this.element.dataset.kind = info.kind;
    const label = speak('group.diagram', {
      title: groupTitle(info, speak), tasks: formatCount(info.taskCount), lanes: formatCount(info.lanes), elapsed: formatMs(info.metrics.makespanMs),
      utilization: formatShare(info.metrics.utilization), rejected: formatCount(info.rejected), pending: formatCount(info.pending),
    });
    if (this.plot.getAttribute('aria-label') !== label) this.plot.setAttribute('aria-label', label);
  }

  /** What is shown of the group, with its figures up to where it is drawn. */
  figures({ until, align }: Scene): Group | undefined {
    const { shown } = this;
    return shown.info && groupAsOf(shown, shown.info, until + originOf(shown.info, align));
  }

  draw(scene: Scene): void {
    const { geometry, partner, calls } = this;
    const detail = this.inSight ? this.picture.draw(this.plot, { geometry, partner, hasCallout: calls }, this.ownTime(scene)) : this.picture.release();
    if (detail) this.element.dataset.detail = detail;
    if (this.inSight) {
      this.queue.draw(() => queueLoad(this.group, scene), scene);
      this.requests.draw(() => requestsLoad(this.group, scene), scene);
    } else this.group.forgetWaiting();
  }

  /** What stands below the plot, as it is drawn. */
  strips(scene: Scene): LoadPicture[] {
    return [this.queue.pictureOf(() => queueLoad(this.group, scene)), this.requests.pictureOf(() => requestsLoad(this.group, scene))].flatMap((picture) => picture ?? []);
  }

  /** As `GroupPicture.figure`. */
  figure(scene: Scene, most: number, ratio: number): ReturnType<GroupPicture['figure']> {
    const { geometry, partner, calls } = this;
    return this.picture.figure({ geometry, partner, hasCallout: calls }, this.ownTime(scene), most, ratio);
  }

  /** Of two runs at once, the shorter one's pending tasks end with it. */
  private ownTime(scene: Scene): Scene {
    const { until } = this.group.info ?? {};
    return until !== undefined && until < scene.now ? { ...scene, now: until } : scene;
  }

  /** Lanes that are sorted by what is in them are sorted anew a few times a second at the most. */
  private orderOf(choice: LaneChoice, now: number): LaneOrder | undefined {
    // Lanes of a prediction are none of those that were chosen.
    const wanted = this.prediction ? { ...choice, sort: 'number' as const, pinned: NONE, hidden: NONE } : choice;
    const key = `${wanted.sort} ${wanted.firstOnTop} ${[...wanted.pinned]} ${[...wanted.hidden]} ${this.shown.info?.lanes} ${this.shown.lanes.length} ${this.prediction !== undefined}`;
    const { revision } = this.shown;
    const at = performance.now();
    const { ordered } = this;
    if (ordered.key === key && (ordered.revision === revision || wanted.sort === 'number' || at - ordered.at < REORDER_MS)) return ordered.order;
    this.ordered = { key, revision, at, order: orderOf(this.shown, wanted, now) };
    return this.ordered.order;
  }

  /** The callout speaks of chunks and calls; rails wait for nobody. */
  private get calls(): boolean { return this.hasCallout && this.shown.info?.kind !== 'pool'; }
}
