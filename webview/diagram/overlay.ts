/** Draws an overlay model as SVG over the canvas, with D3's joins. Only attributes and classes: a strict CSP allows no inline styles. */
import { select, type Selection } from '../d3';
import { CALLOUT_LINE } from './geometry';
import type { BarMark, CalloutMark, FrameMark, OverlayModel } from './overlay-model';
import type { GuideMark, SavingMark } from './saving-model';

type Layer = Selection<SVGGElement, unknown, null, undefined>;
const TICK = 5;
/** Around a lower bar a full outline would hide the bar. */
const THIN = 7;

export class Overlay {
  readonly element: SVGSVGElement;
  private readonly layers: { readonly [name in 'saving' | 'frames' | 'bars' | 'callouts']: Layer };

  constructor() {
    const svg = select(document.createElementNS('http://www.w3.org/2000/svg', 'svg')).attr('class', 'overlay').attr('aria-hidden', 'true');
    this.element = svg.node() as SVGSVGElement;
    const layer = (name: string): Layer => svg.append('g').attr('class', name);
    this.layers = { saving: layer('saving-layer'), frames: layer('frames'), bars: layer('marks'), callouts: layer('callouts') };
  }

  update(model: OverlayModel, saving: SavingMark | undefined, guide: GuideMark | undefined): void {
    // Where the label of the saving needs the title row, the duration makes room.
    this.drawFrames(saving?.place === 'title' ? model.frames.map((frame) => ({ ...frame, duration: '' })) : model.frames);
    this.drawBars(model.bars);
    this.drawCallouts(model.callouts);
    this.drawSaving(saving);
    this.drawGuide(guide);
  }

  private drawFrames(frames: readonly FrameMark[]): void {
    const frame = this.layers.frames.selectAll<SVGGElement, FrameMark>('g.frame').data(frames, (datum) => datum.key).join((enter) => {
      const group = enter.append('g').attr('class', 'frame').attr('data-frame', (d) => d.key);
      group.append('rect');
      group.append('text').attr('class', 'title');
      group.append('text').attr('class', 'duration').attr('text-anchor', 'end');
      return group;
    });
    // Half a pixel inside, so that two frames that meet are two lines and each of them sharp.
    frame.select('rect').attr('x', (d) => d.x0 + 0.5).attr('y', (d) => d.y0 + 0.5)
      .attr('width', (d) => Math.max(0, d.x1 - d.x0 - 2)).attr('height', (d) => d.y1 - d.y0 - 1).attr('rx', 3);
    frame.select('.title').attr('x', (d) => d.titleX).attr('y', (d) => d.y0 - 6).text((d) => d.title);
    frame.select('.duration').attr('x', (d) => d.x1 - 6).attr('y', (d) => d.y0 - 6).text((d) => d.duration);
  }

  private drawBars(bars: readonly BarMark[]): void {
    this.layers.bars.selectAll<SVGRectElement, BarMark>('rect').data(bars, (datum) => `${datum.look} ${datum.key}`)
      .join((enter) => enter.append('rect').attr('class', (d) => d.look).attr('data-task', (d) => d.key))
      .attr('x', (d) => d.x).attr('y', (d) => d.y).attr('width', (d) => d.width).attr('height', (d) => d.height)
      .attr('rx', (d) => (d.height >= 12 ? 3 : 1)).classed('thin', (d) => d.height < THIN);
  }

  private drawCallouts(callouts: readonly CalloutMark[]): void {
    const callout = this.layers.callouts.selectAll<SVGGElement, CalloutMark>('g.callout').data(callouts).join((enter) => {
      const group = enter.append('g').attr('class', 'callout');
      group.append('path');
      return group;
    });
    callout.select('path').attr('d', (d) => dimension(d.x0 + 1, d.x1 - 1, d.y) + ` M ${d.barX} ${d.barY} V ${d.y}`);
    callout.selectAll<SVGTextElement, string>('text').data((d) => d.lines).join('text').text((line) => line).each(function place(_line, i) {
      const d = select(this.parentNode as SVGGElement).datum() as CalloutMark;
      select(this).attr('x', d.textX).attr('y', d.textY + i * CALLOUT_LINE).attr('text-anchor', d.anchor).attr('dy', '0.35em');
    });
  }

  private drawSaving(saving: SavingMark | undefined): void {
    const group = this.layers.saving.selectAll<SVGGElement, SavingMark>('g.saving').data(saving ? [saving] : []).join((enter) => {
      const added = enter.append('g').attr('class', 'saving');
      added.append('rect');
      added.append('path');
      return added;
    }).attr('data-text', (d) => d.text);
    group.select('rect').attr('x', (d) => d.x0).attr('y', (d) => d.y0).attr('width', (d) => Math.max(0, d.x1 - d.x0)).attr('height', (d) => d.y1 - d.y0);
    group.select('path').attr('d', (d) => `${dimension(d.x0 + 1, d.x1, d.y)} M ${d.x1} ${d.y0} V ${d.y1}`);
    group.selectAll<SVGTextElement, string>('text').data((d) => d.lines).join('text').text((line) => line).each(function place(_line, i, all) {
      const d = select(this.parentNode as SVGGElement).datum() as SavingMark;
      const inside = d.place === 'inside';
      select(this).attr('class', inside ? (i === 1 ? 'change' : 'less') : 'beside').attr('text-anchor', inside ? 'middle' : 'end')
        .attr('x', inside ? (d.x0 + d.x1) / 2 : d.x1).attr('y', inside ? d.y - 10 - (all.length - 1 - i) * 22 : d.y0 - 6);
    });
  }

  private drawGuide(guide: GuideMark | undefined): void {
    const group = this.layers.saving.selectAll<SVGGElement, GuideMark>('g.guide').data(guide ? [guide] : []).join((enter) => {
      const added = enter.append('g').attr('class', 'guide');
      added.append('path');
      added.append('text').attr('text-anchor', 'end');
      return added;
    });
    group.select('path').attr('d', (d) => `M ${d.x} ${d.y0} V ${d.y1}`);
    group.select('text').attr('x', (d) => d.x).attr('y', (d) => d.y0 - 6).text((d) => d.text);
  }
}

/** A dimension line as draughtsmen draw it: arrows at both ends between two ticks. */
export function dimension(x0: number, x1: number, y: number): string {
  const line = `M ${x0} ${y - TICK} V ${y + TICK} M ${x1} ${y - TICK} V ${y + TICK} M ${x0} ${y} H ${x1}`;
  return x1 - x0 < 18 ? line : `${line} M ${x0 + 6} ${y - 3.5} L ${x0} ${y} L ${x0 + 6} ${y + 3.5} M ${x1 - 6} ${y - 3.5} L ${x1} ${y} L ${x1 - 6} ${y + 3.5}`;
}
