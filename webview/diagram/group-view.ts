/** One group on the page: its header, its plot, and how high that is. `GroupPicture` draws into the plot; `Pointer` and `Keyboard` listen to it. */
import type { Group } from '../../src/model/timeline';
import { element } from '../dom';
import { formatCount, formatMs, formatShare } from '../format';
import type { GroupTasks } from '../store/group-tasks';
import { WhatIf } from '../what-if/what-if';
import type { Speak } from '../words/speak';
import { geometryFor, type Geometry } from './geometry';
import { GroupHeader } from './group-header';
import { GroupPicture, type Partner } from './group-picture';
import { groupTitle } from './names';
import type { Scene } from './scene';

export class GroupView {
  readonly element: HTMLElement;
  readonly plot: HTMLElement;
  geometry: Geometry = geometryFor(1, 0, 0);
  partner: Partner | undefined;
  hasCallout = false;
  inSight = true;
  private readonly whatIf: WhatIf;
  private readonly header: GroupHeader;
  private readonly picture: GroupPicture;

  /** @param group as it happened @param onOtherPlan the tasks shown are others now: a picture and its words are due */
  constructor(readonly group: GroupTasks, speak: Speak, openSource: ((what: 'group' | 'task') => void) | undefined, onOtherPlan: () => void) {
    this.whatIf = new WhatIf(group, speak, onOtherPlan);
    const { panel } = this.whatIf;
    this.header = new GroupHeader({ speak, openSource, extra: panel.toggle });
    this.picture = new GroupPicture(group, this.whatIf);
    this.plot = element('div', 'plot', ...this.picture.elements);
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
    const { geometry, partner, calls } = this;
    const detail = this.inSight ? this.picture.draw(this.plot, { geometry, partner, hasCallout: calls }, scene) : this.picture.release();
    if (detail) this.element.dataset.detail = detail;
  }

  /** The callout speaks of chunks and calls; rails wait for nobody. */
  private get calls(): boolean { return this.hasCallout && this.shown.info?.kind !== 'pool'; }
}
