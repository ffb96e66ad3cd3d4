/** What a group would have been under another plan: keeps the plan chosen for one group, and what is shown of it. */
import { predict } from '../../src/analysis/what-if';
import type { GroupTasks } from '../store/group-tasks';
import { prefersReducedMotion } from '../theme';
import type { Speak } from '../words/speak';
import { Morph } from './morph';
import { WhatIfPanel, type Shown } from './panel';
import { isPlannable } from './plannable';
import { layoutOf, predictedGroup } from './predicted-group';
import { recordedOf, type Layout, type Recorded } from './recorded';

/** Of more tasks the bars do not move, they change over: a picture in between would take longer than a frame. */
const MOST_MOVING = 200_000;

export class WhatIf {
  readonly panel: WhatIfPanel;
  /** The prediction, drawn in place of what happened; undefined where what happened is shown. */
  tasks: GroupTasks | undefined;
  /** Grows with every picture. */
  version = 0;
  private recorded: Recorded | undefined;
  private recordedAt = -1;
  /** Where the bars are, or are going. */
  private layout: Layout | undefined;
  private morph: Morph | undefined;
  private waiting = 0;

  /** @param toggle opens the panel and closes it @param onChange the tasks shown are others now, or elsewhere */
  constructor(private readonly group: GroupTasks, toggle: HTMLElement, speak: Speak, private readonly onChange: () => void) {
    this.panel = new WhatIfPanel(toggle, speak, (shown, lanes) => this.choose(shown, lanes));
  }

  /** Bars on their way; undefined while all stand. */
  get moving(): { readonly layout: Layout; readonly states: Uint8Array } | undefined {
    return this.morph && this.recorded && { layout: this.morph.layout, states: this.recorded.states };
  }

  /** The group has changed: what was predicted from less is void. */
  refresh(): void {
    const { info } = this.group;
    if (this.recordedAt >= 0 && this.recordedAt !== this.group.revision) this.reset();
    if (info && isPlannable(this.group)) this.panel.offer(info);
  }

  dispose(): void {
    this.morph?.stop();
    cancelAnimationFrame(this.waiting);
  }

  /** A drag of the slider asks more often than a picture can follow. */
  private choose(shown: Shown, lanes: number): void {
    cancelAnimationFrame(this.waiting);
    this.waiting = requestAnimationFrame(() => this.show(shown, lanes));
  }

  private show(shown: Shown, lanes: number): void {
    const { group } = this;
    if (!this.recorded) {
      this.recorded = recordedOf(group);
      this.recordedAt = group.revision;
      this.layout = this.recorded?.layout;
    }
    const { info } = group;
    if (!this.recorded || !this.layout || !info) return;
    const prediction = shown === 'happened' ? undefined : predict(this.recorded.durations, shown, lanes);
    this.tasks = prediction && predictedGroup(info, group.details, this.recorded, prediction);
    this.panel.tell(info, prediction);
    this.move(this.morph?.layout ?? this.layout, prediction ? layoutOf(prediction) : this.recorded.layout);
  }

  private move(from: Layout, to: Layout): void {
    this.morph?.stop();
    this.morph = undefined;
    this.layout = to;
    const step = (): void => {
      this.version++;
      this.onChange();
    };
    if (!prefersReducedMotion() && to.start.length <= MOST_MOVING) {
      this.morph = new Morph(from, to, step, () => {
        this.morph = undefined;
        step();
      });
    }
    step();
  }

  private reset(): void {
    this.dispose();
    this.morph = this.tasks = this.recorded = this.layout = undefined;
    this.recordedAt = -1;
    this.version++;
    if (this.group.info) this.panel.tell(this.group.info, undefined);
  }
}
