/** Looking at one task: a card beside it, a mark around it, a sentence for a screen reader. */
import { element, setText } from '../dom';
import type { TaskSpot } from '../store/group-tasks';
import type { RunStore } from '../store/run-store';
import type { GroupView } from './group-view';
import { idleFacts } from './idle-facts';
import type { IdleStretch } from './idle-stretch';
import { boxOf } from './plot-lookup';
import type { Scene } from './scene';
import type { Selection } from './selection';
import { taskFacts } from './task-facts';
import { Tooltip } from './tooltip';
import type { Zooming } from './zooming';

/** A task gone to by keyboard is brought this far (of the plot's width) inside the edge. */
const INSET = 0.1;

export class Inspector {
  readonly tooltip = new Tooltip();
  /** Speaks the task gone to. */
  readonly live = element('div', 'spoken');

  constructor(private readonly store: RunStore, readonly selection: Selection, private readonly scene: () => Scene, private readonly zooming: Zooming) {
    this.live.setAttribute('aria-live', 'polite');
  }

  /** Marks and speaks a task that is in view already. */
  goTo(view: GroupView, spot: TaskSpot): void {
    this.selection.focus(view.group.id, spot);
    const { align, now, speak } = this.scene();
    setText(this.live, taskFacts(this.store, view.shown, spot, align, now, speak)?.spoken ?? '');
  }

  /** Marks and speaks a task, brings it into view and explains it. @param spot undefined: there is none to go to */
  bring(view: GroupView, spot: TaskSpot | undefined): void {
    if (!spot) return;
    this.goTo(view, spot);
    this.bringIntoView(view, spot);
    const box = boxOf(view, spot, this.scene());
    const plot = view.plot.getBoundingClientRect();
    if (box) this.explainTask(view, spot, plot.left + Math.min(box.x + box.width, plot.width), plot.top + box.y + box.height);
  }

  /** @param x @param y client coordinates */
  explainTask(view: GroupView, spot: TaskSpot, x: number, y: number): void {
    const { align, now, speak } = this.scene();
    const facts = taskFacts(this.store, view.shown, spot, align, now, speak);
    if (facts) this.tooltip.show(facts, x, y);
  }

  /** @param idle undefined: there is nothing to explain @param x @param y client coordinates */
  explainIdle(view: GroupView, idle: IdleStretch | undefined, x: number, y: number): void {
    const { align, speak } = this.scene();
    const facts = idle && idleFacts(view.shown, idle, align, speak);
    if (facts) this.tooltip.show(facts, x, y); else this.tooltip.hide();
  }

  private bringIntoView(view: GroupView, spot: TaskSpot): void {
    const scene = this.scene();
    const { viewport } = scene;
    const box = boxOf(view, spot, scene);
    if (!box) return;
    const inset = viewport.width * INSET;
    if (box.x + box.width < viewport.left || box.x > viewport.right) {
      viewport.place(viewport.scale, viewport.shift + viewport.left + inset - box.x);
      this.zooming.sync();
    }
    const top = view.plot.getBoundingClientRect().top + box.y;
    if (top < scene.seenTop || top + box.height > scene.seenBottom) {
      view.plot.closest('.scroller')?.scrollBy({ top: top - (scene.seenTop + scene.seenBottom) / 2 });
    }
  }
}
