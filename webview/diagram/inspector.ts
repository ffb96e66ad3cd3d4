/** Looking at one task: by pointer with a tooltip, by keyboard with a focus mark and a sentence for a screen reader. */
import { element, setText } from '../dom';
import type { KeysPanel } from '../panels/keys';
import type { RunStore } from '../store/run-store';
import type { TaskSpot } from '../store/group-tasks';
import type { GroupView, Scene } from './group-view';
import { nextFailure } from './failures';
import { idleFacts } from './idle-facts';
import type { IdleStretch } from './idle-stretch';
import { stepTask, type Step } from './stepping';
import { taskFacts } from './task-facts';
import { Tooltip } from './tooltip';
import type { Zooming } from './zooming';

const STEPS: Readonly<Partial<Record<string, Step>>> = {
  ArrowLeft: 'left', ArrowRight: 'right', ArrowUp: 'up', ArrowDown: 'down', Home: 'first', End: 'last', BracketLeft: 'left', BracketRight: 'right',
};
/** A task gone to by keyboard is brought this far (of the plot's width) inside the edge. */
const INSET = 0.1;

export class Inspector {
  readonly tooltip = new Tooltip();
  /** Speaks the task gone to by keyboard. */
  readonly live = element('div', 'spoken');

  constructor(private readonly keys: KeysPanel, private readonly store: RunStore, private readonly scene: () => Scene, private readonly zooming: Zooming, private readonly redraw: () => void) {
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
    if (event.altKey) return;
    const action = event.ctrlKey || event.metaKey ? this.history(event) : this.action(view, event);
    if (!action) return;
    action();
    event.preventDefault();
  }

  private history({ code, shiftKey }: KeyboardEvent): (() => void) | undefined {
    if (code === 'KeyZ') return () => (shiftKey ? this.zooming.redo() : this.zooming.undo());
    return code === 'KeyY' ? () => this.zooming.redo() : undefined;
  }

  /** Signs go by what they are, letters by where they lie: the same fingers on every keyboard. */
  private action(view: GroupView, { key, code, shiftKey }: KeyboardEvent): (() => void) | undefined {
    const { zooming } = this;
    if (key === 'Escape') return () => { this.tooltip.hide(); this.keys.hide(); };
    if (key === '?') return () => this.keys.toggle();
    if (key === '+' || key === '=' || code === 'KeyW') return () => zooming.zoomBy(1);
    if (key === '-' || code === 'KeyS') return () => zooming.zoomBy(-1);
    if (key === '0') return () => zooming.fit();
    if (code === 'KeyA' || (shiftKey && key === 'ArrowLeft')) return () => zooming.panBy(-1);
    if (code === 'KeyD' || (shiftKey && key === 'ArrowRight')) return () => zooming.panBy(1);
    if (code === 'KeyF') return () => this.fitTask(view);
    if (code === 'Period' || code === 'Comma') return () => this.goToIfAny(view, nextFailure(view.shown, view.focus, code === 'Period' ? 1 : -1));
    const step = STEPS[Object.hasOwn(STEPS, key) ? key : code];
    return step && (() => this.goToIfAny(view, stepTask(view.shown, view.focus, step)));
  }

  private goToIfAny(view: GroupView, spot: TaskSpot | undefined): void {
    if (spot) this.goTo(view, spot, true);
  }

  /** Zooms to the task the keyboard is at. */
  private fitTask(view: GroupView): void {
    const { viewport } = this.scene();
    const times = view.focus && view.timesOf(view.focus, this.scene());
    if (times) this.zooming.show(times.start, Math.max(times.end, times.start + 1 / viewport.scaleExtent[1]));
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
