/**
 * How a hand moves the viewport, on D3's zoom:
 * - Ctrl or ⌘ with the wheel, and a pinch, zoom at the pointer;
 * - the plain wheel scrolls as everywhere else; where nothing can be scrolled it zooms;
 * - Shift with the wheel, or a sideways wheel, pans; so does dragging.
 */
import { select, type Selection } from '../d3';
import { zoom, zoomIdentity, zoomTransform, type D3ZoomEvent, type ZoomBehavior } from '../d3-motion';
import type { Viewport } from './viewport';
import { ZoomHistory, type View } from './zoom-history';

/** One press of a key or button. */
const STEP = 1.6;
const PAN_SHARE = 0.12;
/** Dragging pans here; elsewhere it selects text as usual. */
const DRAGGABLE = '.plot, .axis';

export class Zooming {
  private readonly behavior: ZoomBehavior<HTMLElement, unknown>;
  private readonly history = new ZoomHistory();
  private readonly selection: Selection<HTMLElement, unknown, null, undefined>;

  /**
   * @param surface what the hand acts on; pixels of the viewport are counted from its left edge
   * @param scroller what scrolls up and down
   */
  constructor(private readonly surface: HTMLElement, scroller: HTMLElement, private readonly viewport: Viewport, private readonly onChange: () => void) {
    this.selection = select(surface);
    this.behavior = zoom<HTMLElement, unknown>()
      .filter((event: Event) => this.isForUs(event, scroller))
      .on('zoom', (event: D3ZoomEvent<HTMLElement, unknown>) => {
        // Without a source it is `sync` telling D3 where we are, not a hand telling us.
        if (!event.sourceEvent) return;
        if (event.sourceEvent instanceof MouseEvent && event.sourceEvent.type === 'mousemove') scroller.scrollTop -= event.sourceEvent.movementY;
        viewport.place(event.transform.k, event.transform.x);
        this.changed();
      });
    this.selection.call(this.behavior).on('dblclick.zoom', null);
    surface.addEventListener('wheel', (event) => this.panByWheel(event), { passive: false });
  }

  /** Tells D3 the extents and where the viewport is now. */
  sync(): void {
    const { viewport } = this;
    this.behavior
      .extent([[viewport.left, 0], [viewport.right, 1]])
      .translateExtent([[viewport.range.start, -Infinity], [viewport.range.end, Infinity]])
      .scaleExtent([...viewport.scaleExtent]);
    const known = zoomTransform(this.surface);
    if (known.k === viewport.scale && known.x === viewport.shift) return;
    this.behavior.transform(this.selection, zoomIdentity.translate(viewport.shift, 0).scale(viewport.scale));
  }

  zoomBy(steps: number): void {
    const { viewport } = this;
    const centre = (viewport.start + viewport.end) / 2;
    const half = (viewport.end - viewport.start) / 2 / STEP ** steps;
    this.showExactly(centre - half, centre + half);
  }

  panBy(steps: number): void { this.panPixels(steps * PAN_SHARE * this.viewport.width); }

  fit(): void {
    this.viewport.fit();
    this.changed();
  }

  /** Shows a stretch of time with as much again on both sides. @param start @param end milliseconds on the axis */
  show(start: number, end: number): void {
    this.showExactly(start - (end - start), end + (end - start));
  }

  /** Shows a stretch of time, as far as there is one. @param start @param end milliseconds on the axis */
  showExactly(start: number, end: number): void {
    this.viewport.isFitted = false;
    this.viewport.show(start, end);
    this.changed();
  }

  /** Goes back to what was looked at before, or forth again. */
  undo(): void { this.goTo(this.history.back()); }
  redo(): void { this.goTo(this.history.forth()); }

  private goTo(view: View | undefined): void {
    if (!view) return;
    if (view.isFitted) this.viewport.fit();
    else {
      this.viewport.isFitted = false;
      this.viewport.show(view.start, view.end);
    }
    this.onChange();
  }

  private changed(): void {
    const { start, end, isFitted } = this.viewport;
    this.history.note({ start, end, isFitted }, performance.now());
    this.onChange();
  }

  private panPixels(pixels: number): void {
    this.viewport.place(this.viewport.scale, this.viewport.shift - pixels);
    this.changed();
  }

  private isForUs(event: Event, scroller: HTMLElement): boolean {
    if (!(event instanceof MouseEvent)) return true;
    if (event instanceof WheelEvent) {
      if (event.ctrlKey || event.metaKey) return true;
      return !isSideways(event) && scroller.scrollHeight <= scroller.clientHeight + 1;
    }
    return event.button === 0 && !event.ctrlKey && !event.shiftKey && event.target instanceof Element && event.target.closest(DRAGGABLE) !== null;
  }

  private panByWheel(event: WheelEvent): void {
    if (event.ctrlKey || event.metaKey || !isSideways(event)) return;
    event.preventDefault();
    this.panPixels(event.deltaX !== 0 ? event.deltaX : event.deltaY);
  }
}

const isSideways = (event: WheelEvent): boolean => event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY);
