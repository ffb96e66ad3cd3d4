/** The one time axis below all diagrams: an arrow to the right with ticks. */
import { select, type Selection } from '../d3';
import type { WordKey } from '../words/en';
import type { Speak } from '../words/speak';
import { ticksOf } from './ticks';
import type { Viewport } from './viewport';

/** Pixels between two ticks, about. */
const TICK_DISTANCE = 90;
const LINE = 8;

export class Axis {
  readonly element: SVGSVGElement;
  private readonly arrow: Selection<SVGPathElement, unknown, null, undefined>;
  private readonly ticks: Selection<SVGGElement, unknown, null, undefined>;
  private readonly title: Selection<SVGTextElement, unknown, null, undefined>;
  private readonly base: Selection<SVGTextElement, unknown, null, undefined>;

  constructor() {
    const svg = select(document.createElementNS('http://www.w3.org/2000/svg', 'svg')).attr('class', 'axis').attr('role', 'img');
    this.element = svg.node() as SVGSVGElement;
    this.ticks = svg.append('g').attr('class', 'ticks');
    this.arrow = svg.append('path').attr('class', 'arrow');
    this.title = svg.append('text').attr('class', 'axis-title').attr('text-anchor', 'end').attr('y', LINE + 32);
    this.base = svg.append('text').attr('class', 'axis-base').attr('y', LINE + 32);
  }

  /** @param title what the axis counts from */
  update(viewport: Viewport, title: WordKey, speak: Speak): void {
    const tip = viewport.right + 18;
    this.arrow.attr('d', `M ${viewport.left} ${LINE} H ${tip} M ${tip - 8} ${LINE - 4.5} L ${tip} ${LINE} L ${tip - 8} ${LINE + 4.5}`);
    const words = speak(title);
    this.title.attr('x', tip).text(words);
    this.element.setAttribute('aria-label', words);
    const { times, write, base } = ticksOf(viewport.start, viewport.end, Math.max(2, viewport.width / TICK_DISTANCE));
    this.base.attr('x', viewport.left).text(base);
    const tick = this.ticks.selectAll<SVGGElement, number>('g').data(times, (time) => time).join((enter) => {
      const added = enter.append('g');
      added.append('path').attr('d', `M 0 ${LINE - 4} V ${LINE + 4}`);
      added.append('text').attr('y', LINE + 17).attr('text-anchor', 'middle');
      return added;
    });
    tick.attr('transform', (time) => `translate(${viewport.x(time)},0)`).attr('data-time', (time) => time);
    tick.select('text').text(write);
  }
}
