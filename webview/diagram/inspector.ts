/** Looking at one task: a card beside it, a mark around it, a sentence for a screen reader. */
import { element, setText } from '../dom';
import type { TaskSpot } from '../store/group-tasks';
import type { RunStore } from '../store/run-store';
import type { Speak } from '../words/speak';
import type { GroupView } from './group-view';
import { idleFacts } from './idle-facts';
import type { IdleStretch } from './idle-stretch';
import { boxOf } from './plot-lookup';
import type { Scene } from './scene';
import type { Selection } from './selection';
import { PinnedCard, type CardAction } from './pinned-card';
import { taskFacts, type TaskFacts } from './task-facts';
import { Tooltip } from './tooltip';
import type { Zooming } from './zooming';

/** A task gone to by keyboard is brought this far (of the plot's width) inside the edge. */
const INSET = 0.1;

export class Inspector {
  readonly tooltip = new Tooltip();
  /** Speaks the task gone to. */
  readonly live = element('div', 'spoken');

  readonly card: PinnedCard;
  private pinned: { readonly view: GroupView; readonly id: number; readonly spot: TaskSpot } | undefined;

  /** @param actionsFor what can be done with a task */
  constructor(private readonly store: RunStore, readonly selection: Selection, private readonly scene: () => Scene, private readonly zooming: Zooming, speak: Speak, private readonly actionsFor: (view: GroupView, id: number) => readonly CardAction[]) {
    this.card = new PinnedCard(speak, () => { this.pinned = undefined; });
    this.live.setAttribute('aria-live', 'polite');
  }

  /** Marks and speaks a task that is in view already. */
  goTo(view: GroupView, spot: TaskSpot): void {
    this.selection.focus(view.group.id, spot);
    setText(this.live, this.factsOf(view, spot)?.spoken ?? '');
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

  /** Pins the card of a task, in place of the one pinned before. @param x @param y client coordinates */
  pin(view: GroupView, spot: TaskSpot, x: number, y: number): void {
    const facts = this.factsOf(view, spot);
    const id = view.shown.lanes[spot.lane - 1]?.idOf(spot.index);
    if (!facts || id === undefined) return;
    this.pinned = { view, id, spot };
    this.card.show(facts, this.actionsFor(view, id), x, y);
    this.tooltip.hide();
  }

  /** Brings the pinned card up to date. */
  refresh(): void {
    const { pinned } = this;
    if (!pinned) return;
    // What comes in may have moved the task, and another plan has it elsewhere.
    const isThere = pinned.view.shown.lanes[pinned.spot.lane - 1]?.idOf(pinned.spot.index) === pinned.id;
    const facts = isThere ? this.factsOf(pinned.view, pinned.spot) : undefined;
    if (facts) this.card.update(facts); else this.card.close();
  }

  private factsOf(view: GroupView, spot: TaskSpot): TaskFacts | undefined {
    return taskFacts(this.store, view.shown, spot, this.scene());
  }

  /** @param x @param y client coordinates */
  explainTask(view: GroupView, spot: TaskSpot, x: number, y: number): void {
    const facts = this.factsOf(view, spot);
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
