/** Looking at one task: by pointer with a tooltip, by keyboard with a focus mark and a sentence for a screen reader. */
import { element, setText } from '../dom';
import type { RunStore } from '../store/run-store';
import type { TaskSpot } from '../store/group-tasks';
import type { GroupView, Scene } from './group-view';
import { idleFacts } from './idle-facts';
import type { IdleStretch } from './idle-stretch';
import { stepTask, type Step } from './stepping';
import { taskFacts } from './task-facts';
import { Tooltip } from './tooltip';
import type { Zooming } from './zooming';

const STEPS: Readonly<Record<string, Step>> = {
  ArrowLeft: 'left', ArrowRight: 'right', ArrowUp: 'up', ArrowDown: 'down', Home: 'first', End: 'last',
};
/** A task gone to by keyboard is brought this far (of the plot's width) inside the edge. */
const INSET = 0.1;

export class Inspector {
  readonly tooltip = new Tooltip();
  /** Speaks the task gone to by keyboard. */
  readonly live = element('div', 'spoken');

  constructor(private readonly store: RunStore, private readonly scene: () => Scene, private readonly zooming: Zooming, private readonly redraw: () => void) {
    this.live.setAttribute('aria-live', 'polite');
  }

  attach(view: GroupView): void {
    const { plot } = view;
    plot.addEventListener('pointermove', (event) => this.hover(view, event));
    plot.addEventListener('pointerleave', () => {
      this.tooltip.hide();
      this.markIdle(view, undefined);
    });
    plot.addEventListener('pointerdown', (event) => {
      const spot = this.spotAt(view, event);
      if (spot) this.goTo(view, spot, false);
    });
    plot.addEventListener('keydown', (event) => this.onKey(view, event));
    plot.addEventListener('blur', () => {
      view.focus = undefined;
      this.tooltip.hide();
      this.redraw();
    });
  }

  private hover(view: GroupView, event: PointerEvent): void {
    const spot = event.buttons === 0 ? this.spotAt(view, event) : undefined;
    if (spot) this.explain(view, spot, event.clientX, event.clientY);
    const idle = spot || event.buttons !== 0 ? undefined : this.idleAt(view, event);
    const { align, speak } = this.scene();
    const facts = idle && idleFacts(view.shown, idle, align, speak);
    if (facts) this.tooltip.show(facts, event.clientX, event.clientY);
    else if (!spot) this.tooltip.hide();
    this.markIdle(view, idle);
  }

  private markIdle(view: GroupView, idle: IdleStretch | undefined): void {
    if (view.idle?.waited === idle?.waited) return;
    view.idle = idle;
    this.redraw();
  }

  private onKey(view: GroupView, event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Escape') { this.tooltip.hide(); return; }
    if (event.key === '+' || event.key === '=') this.zooming.zoomBy(1);
    else if (event.key === '-') this.zooming.zoomBy(-1);
    else if (event.key === '0') this.zooming.fit();
    else if (event.shiftKey && event.key === 'ArrowLeft') this.zooming.panBy(-1);
    else if (event.shiftKey && event.key === 'ArrowRight') this.zooming.panBy(1);
    else if (Object.hasOwn(STEPS, event.key)) {
      const spot = stepTask(view.shown, view.focus, STEPS[event.key]);
      if (spot) this.goTo(view, spot, true);
    } else return;
    event.preventDefault();
  }

  private goTo(view: GroupView, spot: TaskSpot, byKeyboard: boolean): void {
    view.focus = spot;
    this.redraw();
    const { align, now, speak } = this.scene();
    const facts = taskFacts(this.store, view.shown, spot, align, now, speak);
    setText(this.live, facts?.spoken ?? '');
    if (!byKeyboard) return;
    this.bringIntoView(view, spot);
    const box = view.boxOf(spot, this.scene());
    const plot = view.plot.getBoundingClientRect();
    if (box) this.explain(view, spot, plot.left + Math.min(box.x + box.width, plot.width), plot.top + box.y + box.height);
  }

  private bringIntoView(view: GroupView, spot: TaskSpot): void {
    const scene = this.scene();
    const { viewport } = scene;
    const box = view.boxOf(spot, scene);
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

  private explain(view: GroupView, spot: TaskSpot, x: number, y: number): void {
    const { align, now, speak } = this.scene();
    const facts = taskFacts(this.store, view.shown, spot, align, now, speak);
    if (facts) this.tooltip.show(facts, x, y);
  }

  private idleAt(view: GroupView, event: PointerEvent): IdleStretch | undefined {
    const box = view.plot.getBoundingClientRect();
    return view.idleAt(event.clientX - box.left, event.clientY - box.top, this.scene());
  }

  private spotAt(view: GroupView, event: PointerEvent): TaskSpot | undefined {
    const box = view.plot.getBoundingClientRect();
    return view.taskAt(event.clientX - box.left, event.clientY - box.top, this.scene());
  }
}
