/** Draws the area over the plots, marks through all of them, and both with their lengths on the axis; its edges there can be moved. */
import { select, type Selection as Selected } from '../d3';
import { barTop, GUTTER } from '../diagram/geometry';
import type { GroupView } from '../diagram/group-view';
import type { Scene } from '../diagram/scene';
import { originOf } from '../diagram/time-range';
import { formatMs } from '../format';
import { sameArea, type Area } from './area';

type Layer = Selected<SVGGElement, unknown, null, undefined>;
/** Where a length stands, below the axis, in place of its words. */
const LINE = 37;

interface Placed { readonly area: Area; readonly x0: number; readonly x1: number; readonly length: string }
export type Edge = 'start' | 'end';

export class AreaLayer {
  /** Over all plots. */
  readonly over: SVGSVGElement;
  /** Over the axis. */
  readonly axis: SVGSVGElement;
  private readonly box: Layer;
  private readonly lines: Layer;
  private readonly lengths: Layer;
  private readonly edges: Layer;
  private drawn = '';

  /** @param onEdgeKey @param onEdgeHeld somebody is at an edge of the area by keyboard or pointer */
  constructor(private readonly onEdgeKey: (edge: Edge, event: KeyboardEvent) => void, private readonly onEdgeHeld: (edge: Edge, event: PointerEvent) => void) {
    const svg = (name: string) => select(document.createElementNS('http://www.w3.org/2000/svg', 'svg')).attr('class', name);
    const over = svg('area-over').attr('aria-hidden', 'true');
    const axis = svg('area-axis');
    this.over = over.node() as SVGSVGElement;
    this.axis = axis.node() as SVGSVGElement;
    this.lines = over.append('g').attr('class', 'mark-lines');
    this.box = over.append('g');
    this.lengths = axis.append('g');
    this.edges = axis.append('g');
  }

  /** @param views by group, those on the page */
  update({ viewport, align, selection, speak }: Scene, views: ReadonlyMap<number, GroupView>): void {
    const { area, marks } = selection;
    const boxOf = area && views.get(area.group);
    const top = boxOf?.plot.offsetTop ?? 0;
    const state = `${selection.areaVersion} ${viewport.version} ${align} ${top} ${boxOf?.geometry.height} ${boxOf?.geometry.rowHeight} ${views.size}`;
    if (state === this.drawn) return;
    this.drawn = state;
    const place = (each: Area): Placed[] => {
      const info = views.get(each.group)?.shown.info;
      if (!info) return [];
      const origin = originOf(info, align);
      return [{ area: each, x0: viewport.x(each.start - origin), x1: viewport.x(each.end - origin), length: formatMs(each.end - each.start) }];
    };
    const width = String(viewport.right + GUTTER);
    for (const svg of [this.over, this.axis]) svg.setAttribute('width', width);
    const [placed] = area ? place(area) : [];
    this.drawBox(placed, boxOf, top, viewport);
    const marked = marks.flatMap(place);
    const inSight = marked.flatMap(({ x0, x1 }) => [x0, x1]).filter((x) => x >= viewport.left && x <= viewport.right);
    this.lines.selectAll('path').data(inSight).join('path').attr('d', (x) => `M ${x} 0 V 100000`);
    const all = [...marked, ...(placed && !marks.some((mark) => sameArea(mark, placed.area)) ? [placed] : [])];
    this.drawLengths(all.filter(({ x0, x1 }) => x1 >= viewport.left && x0 <= viewport.right), area, viewport);
    this.drawEdges(placed, viewport, speak);
    this.axis.parentElement?.classList.toggle('measured', all.length > 0);
  }

  private drawBox(placed: Placed | undefined, view: GroupView | undefined, top: number, { left, right }: Scene['viewport']): void {
    const rows = placed && view ? placed.area.lanes.map((lane) => barTop(view.geometry, lane)).filter((y) => y >= 0) : [];
    const y0 = rows.reduce((a, b) => Math.min(a, b), Infinity);
    const y1 = rows.reduce((a, b) => Math.max(a, b), -Infinity) + (view?.geometry.barHeight ?? 0);
    const boxes = placed && rows.length > 0 ? [{ x0: Math.max(left, placed.x0), x1: Math.min(right, placed.x1), y0: top + y0, y1: top + y1 }] : [];
    this.box.selectAll<SVGRectElement, (typeof boxes)[number]>('rect').data(boxes).join('rect').attr('class', 'area-box').attr('x', (d) => d.x0).attr('width', (d) => Math.max(0, d.x1 - d.x0)).attr('y', (d) => d.y0 - 2).attr('height', (d) => d.y1 - d.y0 + 4);
  }

  private drawLengths(placed: readonly Placed[], area: Area | undefined, { left, right }: Scene['viewport']): void {
    const length = this.lengths.selectAll<SVGGElement, Placed>('g').data(placed).join((enter) => {
      const added = enter.append('g').attr('class', 'length');
      added.append('path');
      added.append('text').attr('text-anchor', 'middle').attr('dy', '0.35em');
      return added;
    }).classed('mark', (d) => !area || !sameArea(area, d.area)).attr('data-length', (d) => d.length);
    const clip = (x: number): number => Math.max(left, Math.min(right, x));
    length.select('path').attr('d', ({ x0, x1 }) => `M ${clip(x0)} ${LINE} H ${clip(x1)}${x0 >= left ? ` M ${x0} 0 V 12 M ${x0} ${LINE - 5} V ${LINE + 5}` : ''}${x1 <= right ? ` M ${x1} 0 V 12 M ${x1} ${LINE - 5} V ${LINE + 5}` : ''}`);
    length.select('text').attr('x', ({ x0, x1 }) => (clip(x0) + clip(x1)) / 2).attr('y', LINE).text((d) => d.length);
  }

  private drawEdges(placed: Placed | undefined, { left, right }: Scene['viewport'], speak: Scene['speak']): void {
    const edges = placed ? [{ edge: 'start' as const, x: placed.x0, at: placed.area.start }, { edge: 'end' as const, x: placed.x1, at: placed.area.end }] : [];
    this.edges.selectAll<SVGRectElement, (typeof edges)[number]>('rect').data(edges, (d) => d.edge).join((enter) => enter.append('rect').attr('class', 'area-edge')
      .attr('width', 9).attr('height', LINE + 5).attr('tabindex', 0).attr('role', 'slider').attr('data-edge', (d) => d.edge)
      .attr('aria-label', (d) => speak(`area.${d.edge}`))
      .on('keydown', (event: KeyboardEvent, d) => this.onEdgeKey(d.edge, event))
      .on('pointerdown', (event: PointerEvent, d) => this.onEdgeHeld(d.edge, event)))
      .attr('x', (d) => Math.max(left, Math.min(right, d.x)) - 4.5).attr('aria-valuenow', (d) => d.at).attr('aria-valuetext', (d) => formatMs(d.at));
  }
}
