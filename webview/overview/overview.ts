/** Above all diagrams: the whole run at a glance, and which part of it is in view. */
import { element, setHidden } from '../dom';
import type { Group } from '../../src/model/timeline';
import type { Scene } from '../diagram/scene';
import type { Tooltip } from '../diagram/tooltip';
import type { Viewport } from '../diagram/viewport';
import type { Zooming } from '../diagram/zooming';
import { formatCount, formatMs } from '../format';
import type { RunStore } from '../store/run-store';
import type { Speak } from '../words/speak';
import { curvesOf, paceIn, type Curve } from './curves';
import { OverviewBrush } from './overview-brush';
import { barWidth, drawOverview, HEIGHT, rounded } from './overview-picture';

/** What comes in is drawn no more often than this. */
const EVERY_MS = 200;

export class Overview {
  readonly element = element('div', 'overview');
  private readonly canvas = element('canvas');
  private readonly brush: OverviewBrush;
  private curves: readonly Curve[] = [];
  private drawn = '';
  private drawnAt = -Infinity;

  constructor(private readonly store: RunStore, private readonly viewport: Viewport, zooming: Zooming, private readonly speak: Speak, private readonly tooltip: Tooltip) {
    this.brush = new OverviewBrush(viewport, zooming, speak);
    this.canvas.setAttribute('role', 'img');
    this.element.append(this.canvas, this.brush.element);
    this.element.addEventListener('pointermove', (event) => this.explain(event));
    this.element.addEventListener('pointerleave', () => this.tooltip.hide());
    setHidden(this.element, true);
  }

  /** @param at `performance.now()` @returns false where what came in waits for its turn: to be called again */
  update(groups: readonly Group[], { align, now, palette }: Scene, at: number): boolean {
    setHidden(this.element, groups.length === 0);
    if (groups.length === 0) return true;
    this.brush.update();
    const { left, right, range } = this.viewport;
    const place = `${left} ${right} ${devicePixelRatio} ${align} ${palette.bars.fulfilled.fill} ${palette.background}`;
    const data = `${place} ${range.start} ${range.end} ${this.store.revision} ${groups.length}`;
    if (data === this.drawn) return true;
    if (this.drawn.startsWith(`${place} `) && at - this.drawnAt < EVERY_MS) return false;
    this.drawn = data;
    this.drawnAt = at;
    this.curves = curvesOf(this.store, groups, align, now, this.speak);
    this.draw(palette);
    return true;
  }

  private draw(palette: Scene['palette']): void {
    const { canvas, viewport } = this;
    const width = viewport.right + 1;
    canvas.width = Math.round(width * devicePixelRatio);
    canvas.height = Math.round(HEIGHT * devicePixelRatio);
    canvas.style.width = `${width}px`;
    canvas.style.height = `${HEIGHT}px`;
    const context = canvas.getContext('2d');
    if (!context) return;
    context.scale(devicePixelRatio, devicePixelRatio);
    drawOverview(context, this.curves, viewport, palette, this.speak);
    const { start, end } = viewport.range;
    const paces = this.curves.map((curve) => ({ name: curve.name, ...paceIn(curve, start, end), lasts: curve.until - start }));
    canvas.setAttribute('aria-label', paces.map(({ name, inFlight, ended, failed, lasts }) => this.speak('overview.spoken', {
      name: name || this.speak('overview.run'), inFlight: rounded(inFlight), ended: formatCount(ended), rate: rounded(ended / Math.max(1e-9, lasts / 1000)), failed: formatCount(failed),
    })).join(' '));
  }

  private explain({ clientX, clientY, buttons }: PointerEvent): void {
    const { left, right, width, range } = this.viewport;
    const x = clientX - this.element.getBoundingClientRect().left;
    if (buttons !== 0 || x < left || x > right) {
      this.tooltip.hide();
      return;
    }
    const time = (at: number): number => range.start + ((at - left) / width) * (range.end - range.start);
    // Of the bar the pointer is at.
    const bar = barWidth(this.curves, this.viewport);
    const number = Math.floor((x - left) / bar);
    const [from, to] = [time(left + number * bar), time(Math.min(right, left + (number + 1) * bar))];
    const rows = this.curves.flatMap((curve): [string, string][] => {
      const { inFlight, ended, failed } = paceIn(curve, from, to);
      const head: [string, string][] = curve.name ? [[curve.name, '']] : [];
      return [...head, [this.speak('overview.inFlightWord'), rounded(inFlight)], [this.speak('overview.perSecondWord'), rounded(ended / ((to - from) / 1000))], [this.speak('figure.rejected'), formatCount(Math.round(failed))]];
    });
    this.tooltip.show({ title: this.speak('overview.from', { from: formatMs(from), to: formatMs(to) }), label: undefined, rows }, clientX, clientY);
  }
}
