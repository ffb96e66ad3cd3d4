/**
 * Measuring: an area is drawn with Shift and the pointer, or put around tasks by keyboard; `M` keeps it as a mark. Edges go to
 * the ends of bars near them, so that the gap between two bars is measured to the tick.
 */
import type { GroupView } from '../diagram/group-view';
import { lanesBetween, type Geometry } from '../diagram/geometry';
import { isCommand, type KeyBinding } from '../diagram/keyboard';
import type { Scene } from '../diagram/scene';
import { originOf } from '../diagram/time-range';
import type { TaskSpot } from '../store/group-tasks';
import type { Speak } from '../words/speak';
import { areaBetween, hull, nextEdge, snap, type Area } from './area';
import { AreaLayer, type Edge } from './area-layer';
import { AreaPanel } from './area-panel';
import { areaTable } from './area-stats';

/** Pixels within which an edge goes to the end of a bar. */
const REACH = 6;
/** A table of millions of tasks is made anew no more often than this while they come in. */
const EVERY_MS = 500;

export class Measuring {
  readonly panel: AreaPanel;
  readonly layer: AreaLayer;
  private readonly views = new Map<number, GroupView>();
  private isHeld = false;
  private tabled = '';
  private tabledAt = -Infinity;

  constructor(speak: Speak, private readonly scene: () => Scene) {
    this.panel = new AreaPanel(speak, () => this.selection.setArea(undefined));
    this.layer = new AreaLayer((edge, event) => this.onEdgeKey(edge, event), (edge, event) => this.holdEdge(edge, event));
  }

  attach(view: GroupView): void {
    this.views.set(view.group.id, view);
    view.plot.addEventListener('pointerdown', (event) => {
      if (event.button === 0 && event.shiftKey) this.drag(view, event);
    });
  }

  detach(view: GroupView): void {
    this.views.delete(view.group.id);
    if (this.selection.area?.group === view.group.id) this.selection.setArea(undefined);
  }

  /** @param at `performance.now()` @returns false where the table lags behind what came in */
  update(scene: Scene, at: number): boolean {
    this.layer.update(scene, this.views);
    const { area } = scene.selection;
    const view = area && this.views.get(area.group);
    const info = view?.shown.info;
    if (!area || !view || !info) {
      this.panel.hide();
      this.tabled = '';
      return true;
    }
    // While the area is drawn its length is enough.
    if (this.isHeld) return true;
    const origin = originOf(info, scene.align);
    const place = `${scene.selection.areaVersion} ${origin}`;
    const state = `${place} ${view.shown.revision} ${view.shown.whole.pending > 0 ? Math.floor(scene.now / EVERY_MS) : 0}`;
    if (state === this.tabled) return true;
    if (this.tabled.startsWith(`${place} `) && at - this.tabledAt < EVERY_MS) return false;
    this.tabled = state;
    this.tabledAt = at;
    this.panel.show(area, areaTable(view.shown, area, scene.now), info, origin);
    return true;
  }

  get bindings(): readonly KeyBinding[] {
    const { selection } = this;
    return [
      {
        shown: 'M', word: 'keys.mark',
        action: (event, view) => {
          if (event.code !== 'KeyM' || isCommand(event)) return undefined;
          if (event.shiftKey) return () => selection.clearMarks();
          const area = selection.area ?? (view && this.areaOfFocus(view));
          return area && (() => selection.toggleMark(area));
        },
      },
      {
        shown: 'Space · Shift Space', word: 'keys.area',
        action: ({ code, shiftKey }, view) => {
          const area = code === 'Space' && view ? this.areaOfFocus(view) : undefined;
          const before = selection.area;
          return area && (() => selection.setArea(shiftKey && before?.group === area.group ? hull(before, area) : area));
        },
      },
      { word: 'keys.putAway', action: ({ key }) => (key === 'Escape' && selection.area ? () => selection.setArea(undefined) : undefined) },
    ];
  }

  private get selection(): Scene['selection'] { return this.scene().selection; }

  private areaOfFocus(view: GroupView): Area | undefined {
    const spot: TaskSpot | undefined = this.selection.focusIn(view.group.id);
    const lane = spot && view.shown.lanes[spot.lane - 1];
    if (!spot || !lane) return undefined;
    const end = lane.endOf(spot.index);
    return areaBetween(view.group.id, lane.startOf(spot.index), Number.isNaN(end) ? this.scene().now : end, [spot.lane]);
  }

  private drag(view: GroupView, event: PointerEvent): void {
    const from = { time: this.timeAt(view, event), y: this.yAt(view, event) };
    this.follow(view.plot, event, (moved) => {
      const y = this.yAt(view, moved);
      const lanes = lanesBetween(view.geometry, ...inRows(view.geometry, Math.min(from.y, y), Math.max(from.y, y)));
      this.selection.setArea(areaBetween(view.group.id, from.time, this.timeAt(view, moved, lanes), lanes));
    });
  }

  private holdEdge(edge: Edge, event: PointerEvent): void {
    const { area } = this.selection;
    const view = area && this.views.get(area.group);
    if (!area || !view) return;
    const other = edge === 'start' ? area.end : area.start;
    this.follow(event.currentTarget as Element, event, (moved) => this.selection.setArea(areaBetween(area.group, other, this.timeAt(view, moved, area.lanes), area.lanes)));
  }

  private onEdgeKey(edge: Edge, event: KeyboardEvent): void {
    const direction = event.key === 'ArrowLeft' ? -1 : event.key === 'ArrowRight' ? 1 : 0;
    const { area } = this.selection;
    const view = area && this.views.get(area.group);
    if (direction === 0 || !area || !view) return;
    event.preventDefault();
    const moved = nextEdge(view.shown, area.lanes, area[edge], direction);
    const next = { ...area, [edge]: moved };
    if (next.start <= next.end) this.selection.setArea(next);
  }

  /** Follows a pointer until it is let go. */
  private follow(target: Element, event: PointerEvent, onMove: (event: PointerEvent) => void): void {
    event.preventDefault();
    event.stopPropagation();
    target.setPointerCapture(event.pointerId);
    this.isHeld = true;
    const move = (moved: Event): void => onMove(moved as PointerEvent);
    const end = (): void => {
      target.removeEventListener('pointermove', move);
      this.isHeld = false;
      this.selection.touchArea();
    };
    target.addEventListener('pointermove', move);
    target.addEventListener('lostpointercapture', end, { once: true });
  }

  /** The group's time under the pointer, at the end of a bar where one is near. @param lanes that are looked at; else the one under the pointer */
  private timeAt(view: GroupView, event: PointerEvent, lanes?: readonly number[]): number {
    const { viewport, align } = this.scene();
    const x = event.clientX - view.plot.getBoundingClientRect().left;
    const origin = view.shown.info ? originOf(view.shown.info, align) : 0;
    const time = viewport.time(Math.max(viewport.left, Math.min(viewport.right, x))) + origin;
    const y = this.yAt(view, event);
    return snap(view.shown, lanes ?? lanesBetween(view.geometry, ...inRows(view.geometry, y, y)), time, REACH / viewport.scale);
  }

  private yAt(view: GroupView, event: PointerEvent): number { return event.clientY - view.plot.getBoundingClientRect().top; }
}

/** Heights brought to where rows are: who begins above the first row means the first row. */
function inRows({ rowsTop, rows, rowHeight }: Geometry, top: number, bottom: number): [number, number] {
  const inside = (y: number): number => Math.max(rowsTop, Math.min(rowsTop + rows * rowHeight - 0.5, y));
  return [inside(top), inside(bottom)];
}
