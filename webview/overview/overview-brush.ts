/** The part of the run in view as a window over the overview: drawn, dragged and stretched by pointer (D3's brush) and keyboard. */
import { formatMs } from '../format';
import { select, type Selection } from '../d3';
import { brushX, type BrushBehavior, type D3BrushEvent } from '../d3-motion';
import type { Viewport } from '../diagram/viewport';
import type { Zooming } from '../diagram/zooming';
import type { Speak } from '../words/speak';
import { HEIGHT } from './overview-picture';

/** Of the window's width, one press of a key. */
const STEP = 0.1;

export class OverviewBrush {
  readonly element: SVGSVGElement;
  private readonly behavior: BrushBehavior<unknown>;
  private readonly holder: Selection<SVGGElement, unknown, null, undefined>;
  /** A hand is at it: it knows better where the window is. */
  private isHeld = false;
  private placed = '';

  constructor(private readonly viewport: Viewport, private readonly zooming: Zooming, private readonly speak: Speak) {
    const svg = select(document.createElementNS('http://www.w3.org/2000/svg', 'svg')).attr('class', 'overview-brush').attr('height', HEIGHT);
    this.element = svg.node() as SVGSVGElement;
    this.holder = svg.append('g').attr('class', 'brush').attr('tabindex', 0).attr('role', 'slider').attr('aria-label', speak('overview.window'));
    this.behavior = brushX<unknown>()
      .on('start', ({ sourceEvent }: D3BrushEvent<unknown>) => { this.isHeld = sourceEvent !== undefined; })
      .on('brush', (event: D3BrushEvent<unknown>) => this.take(event))
      .on('end', ({ sourceEvent, selection }: D3BrushEvent<unknown>) => {
        this.isHeld = false;
        this.placed = '';
        // A click beside the window brings it there.
        if (sourceEvent instanceof MouseEvent && !selection) this.centre(sourceEvent.clientX - this.element.getBoundingClientRect().left);
      });
    this.holder.on('keydown', (event: KeyboardEvent) => this.onKey(event));
  }

  /** Puts the window where the viewport is. */
  update(): void {
    const { viewport } = this;
    if (this.isHeld) return;
    const [x0, x1] = [this.x(viewport.start), this.x(viewport.end)];
    const place = `${viewport.left} ${viewport.right} ${x0} ${x1} ${viewport.range.start} ${viewport.range.end}`;
    if (place === this.placed) return;
    this.placed = place;
    this.element.setAttribute('width', String(viewport.right + 1));
    this.behavior.extent([[viewport.left, 0], [viewport.right, HEIGHT]]);
    this.holder.call(this.behavior);
    // All in view: no window, so that one can be drawn anywhere.
    this.holder.call((holder) => this.behavior.move(holder, viewport.isFitted ? null : [x0, Math.max(x0 + 1, x1)]));
    this.holder.attr('aria-valuemin', viewport.range.start).attr('aria-valuemax', viewport.range.end).attr('aria-valuenow', viewport.start)
      .attr('aria-valuetext', this.speak('overview.from', { from: formatMs(viewport.start), to: formatMs(viewport.end) }));
  }

  private take({ sourceEvent, selection }: D3BrushEvent<unknown>): void {
    if (!sourceEvent || !selection) return;
    const [x0, x1] = selection as [number, number];
    if (x1 - x0 >= 1) this.zooming.showExactly(this.time(x0), this.time(x1));
  }

  private centre(x: number): void {
    const { viewport } = this;
    const half = (viewport.end - viewport.start) / 2;
    if (!viewport.isFitted) this.zooming.showExactly(this.time(x) - half, this.time(x) + half);
  }

  /** Arrows move the window; with Shift they move its end, with Ctrl or ⌘ its start. */
  private onKey(event: KeyboardEvent): void {
    const direction = event.key === 'ArrowLeft' ? -1 : event.key === 'ArrowRight' ? 1 : 0;
    if (direction === 0) return;
    event.preventDefault();
    const { start, end } = this.viewport;
    const step = direction * (end - start) * STEP;
    const isStart = event.ctrlKey || event.metaKey;
    if (!isStart && !event.shiftKey) this.zooming.showExactly(start + step, end + step);
    else this.zooming.showExactly(start + (isStart ? step : 0), end + (isStart ? 0 : step));
  }

  private x(time: number): number {
    const { left, width, range } = this.viewport;
    return left + ((time - range.start) / (range.end - range.start)) * width;
  }

  private time(x: number): number {
    const { left, width, range } = this.viewport;
    return range.start + ((x - left) / width) * (range.end - range.start);
  }
}
