/** The page's time: up to when the picture is drawn, whether the view goes along with now, and what the reader moves both by. */
import type { Group } from '../../src/model/timeline';
import { isCommand, type KeyBinding } from '../diagram/keyboard';
import { endOf, originOf, type Align } from '../diagram/time-range';
import type { Viewport } from '../diagram/viewport';
import { element, setHidden } from '../dom';
import type { HostClock } from '../store/clock';
import { prefersReducedMotion } from '../theme';
import type { Speak } from '../words/speak';
import { LiveEdge, liveEdgeOf } from './live-edge';
import { Playhead } from './playhead';
import { TimeBar } from './time-bar';

export interface TimeControlOptions {
  readonly speak: Speak;
  readonly viewport: Viewport;
  /** The host's clock, groups on the axis, and how they stand on it. */
  readonly now: () => { readonly clock: HostClock; readonly groups: readonly Group[]; readonly align: Align };
  /** The view has moved, or another picture is due. */
  readonly onChange: () => void;
}

export class TimeControl {
  /** Over all plots. */
  readonly line = element('div', 'playhead');
  private readonly playhead = new Playhead();
  private readonly live = new LiveEdge();
  private readonly bar: TimeBar;

  constructor(private readonly options: TimeControlOptions) {
    this.bar = new TimeBar(options.speak, this.playhead, () => this.lastEnd, options.onChange, () => this.follow());
    setHidden(this.line, true);
  }

  get buttons(): HTMLElement { return this.bar.buttons; }
  get element(): HTMLElement { return this.bar.element; }
  /** As `Scene.until`. */
  get until(): number { return this.playhead.at ?? Infinity; }
  get isPlaying(): boolean { return this.playhead.isPlaying; }
  /** True while a picture stands though the run goes on: then its axis stands as well. */
  get isHeld(): boolean { return this.playhead.at !== undefined && this.options.now().clock.isRunning; }

  get binding(): KeyBinding {
    return { shown: 'P', word: 'keys.play', action: (event) => (event.code === 'KeyP' && !isCommand(event) ? () => this.bar.toggle() : undefined) };
  }

  /** The reader has moved the view. */
  moved(): void { this.live.moved(this.options.viewport, this.liveEdge); }

  /** Before a picture is drawn. @param at `performance.now()` */
  step(at: number): void {
    this.playhead.step(at, this.lastEnd, prefersReducedMotion());
    if (!this.isHeld) this.live.step(this.options.viewport, this.liveEdge);
  }

  show(): void {
    const { viewport, now } = this.options;
    const { clock, groups } = now();
    const { at } = this.playhead;
    const x = at === undefined ? 0 : viewport.x(at);
    setHidden(this.line, at === undefined || x < viewport.left || x > viewport.right);
    this.line.style.left = `${x}px`;
    const { start } = viewport.range;
    this.bar.update({ start, end: Math.max(this.lastEnd, start + 1e-6) }, clock.isRunning, !this.live.isFollowing, groups.length > 0);
  }

  /** Where what happens now stands on the axis; undefined where nothing does. */
  private get liveEdge(): number | undefined {
    const { clock, groups, align } = this.options.now();
    return clock.isRunning ? liveEdgeOf(groups, align, clock.now(performance.now())) : undefined;
  }

  /** Up to where there is something on the axis. */
  private get lastEnd(): number {
    const { clock, groups, align } = this.options.now();
    const now = clock.now(performance.now());
    return groups.reduce((last, group) => Math.max(last, endOf(group, now) - originOf(group, align)), this.options.viewport.range.start);
  }

  private follow(): void {
    const edge = this.liveEdge;
    if (edge !== undefined && !this.options.viewport.isFitted) this.live.follow(this.options.viewport, edge);
    this.options.onChange();
  }
}
