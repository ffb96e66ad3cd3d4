/** "Draw it first": ten tasks whose bars can be drawn out, as chunks and on rails at once. */
import { scheduleChunks, scheduleRails, type Schedule } from '../../src/analysis/schedule';
import { makeSlider, type Slider } from '../controls/slider';
import { makeButton } from '../controls/toolkit';
import { element, setText } from '../dom';
import { formatChange } from '../format';
import type { Speak } from '../words/speak';
import type { LessonDrawing } from './lesson-holder';
import { hatching, shape } from './shapes';

/** The document's drawing, in its units. */
const DOCUMENT = [8.3, 4, 2, 5, 6, 4.7, 2, 3, 8.3, 6];
const SLOTS = 5;
const LEAST = 0.5;
const MOST = 12;
const STEP = 0.1;
const WIDTH = 900;
const ROW = 30;
const TOP = 24;

export class Drawing implements LessonDrawing {
  readonly element = element('section', 'drawing');
  private readonly chunks;
  private readonly rails;
  private readonly result = element('p', 'drawing-result');
  private readonly slider: Slider;
  private durations = [...DOCUMENT];
  private slots = SLOTS;
  /** Units to the width of the picture: fixed while a bar is drawn out, or the bar would run away under the hand. */
  private units = 18;

  constructor(private readonly speak: Speak, onClose: () => void) {
    this.chunks = picture();
    this.rails = picture();
    this.slider = makeSlider({ label: speak('draw.slots'), hint: speak('draw.slots.hint'), onSlide: (slots) => { this.slots = slots; this.draw(); } });
    this.result.setAttribute('aria-live', 'polite');
    this.element.setAttribute('aria-label', speak('draw.title'));
    this.chunks.element.append(hatching());
    this.element.append(element('h2', '', speak('draw.title')), element('p', 'drawing-hint', speak('draw.hint')),
      this.chunks.element, this.rails.element, this.result, element('div', 'lesson-actions', this.slider.element,
        makeButton({ label: speak('draw.reset'), look: 'secondary', onPress: () => { this.durations = [...DOCUMENT]; this.slots = SLOTS; this.draw(); } }),
        makeButton({ label: speak('draw.close'), look: 'secondary', onPress: onClose })));
    this.draw();
  }

  private draw(): void {
    const chunks = scheduleChunks(this.durations, this.slots);
    const rails = scheduleRails(this.durations, this.slots);
    this.units = Math.max(this.units, Math.ceil(chunks.makespan + 1));
    this.slider.show(this.slots, this.durations.length);
    this.fill(this.chunks, chunks, 'draw.chunks');
    this.fill(this.rails, rails, 'draw.rails');
    const less = chunks.makespan - rails.makespan;
    setText(this.result, less < 0.05 ? this.speak('draw.same') : this.speak('draw.less', { less: less.toFixed(1), change: formatChange(-less / chunks.makespan) }));
  }

  private fill({ element: svg, title }: Picture, schedule: Schedule, words: 'draw.chunks' | 'draw.rails'): void {
    setText(title, this.speak(words, { total: schedule.makespan.toFixed(1) }));
    svg.setAttribute('viewBox', `0 0 ${WIDTH} ${TOP + this.slots * ROW + 8}`);
    const keep = document.activeElement instanceof SVGElement && svg.contains(document.activeElement) ? document.activeElement.dataset.task : undefined;
    const x = (at: number): number => at / this.units * (WIDTH - 16) + 8;
    // Row 1 is at the bottom.
    const y = (lane: number): number => TOP + (this.slots - lane) * ROW;
    const parts: SVGElement[] = framesOf(schedule).map(([from, to]) => shape('rect', 'drawing-frame', { x: x(from), y: TOP - 2, width: x(to) - x(from), height: this.slots * ROW + 4 }));
    for (const [from, to, lane] of idleOf(schedule)) parts.push(shape('rect', 'drawing-idle', { x: x(from), y: y(lane) + 4, width: x(to) - x(from), height: ROW - 8 }));
    this.durations.forEach((duration, task) => {
      const start = schedule.start[task];
      const end = schedule.end[task];
      const isLongest = framesOf(schedule).some(([, to]) => to === end) && schedule.chunk[task] > 0;
      const bar = shape('rect', isLongest ? 'drawing-bar longest' : 'drawing-bar', { x: x(start), y: y(schedule.lane[task]) + 4, width: x(end) - x(start), height: ROW - 8 });
      const handle = shape('rect', 'drawing-handle', { x: x(end) - 8, y: y(schedule.lane[task]) + 2, width: 12, height: ROW - 4 });
      const number = shape('text', 'drawing-number', { x: x(start) + 8, y: y(schedule.lane[task]) + ROW / 2 + 5 }, String(task + 1));
      const group = shape('g', 'drawing-task');
      Object.assign(group.dataset, { task: String(task) });
      group.setAttribute('tabindex', '0');
      group.setAttribute('role', 'slider');
      group.setAttribute('aria-label', this.speak('draw.task', { number: task + 1, duration: duration.toFixed(1) }));
      group.setAttribute('aria-valuenow', duration.toFixed(1));
      group.setAttribute('aria-valuemin', String(LEAST));
      group.setAttribute('aria-valuemax', String(MOST));
      group.append(bar, number, handle);
      group.addEventListener('keydown', (event) => { this.press(event, task); });
      handle.addEventListener('pointerdown', (event) => { this.drag(event, svg, task); });
      parts.push(group);
    });
    for (const part of svg.querySelectorAll('.drawing-frame, .drawing-idle, .drawing-task')) part.remove();
    svg.append(title, ...parts);
    if (keep !== undefined) svg.querySelector<SVGElement>(`[data-task="${keep}"]`)?.focus();
  }

  private press(event: KeyboardEvent, task: number): void {
    const change = { ArrowRight: STEP, ArrowLeft: -STEP, PageUp: 1, PageDown: -1 }[event.key];
    const slots = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (change === undefined && slots === undefined) return;
    event.preventDefault();
    if (slots !== undefined) this.slots = Math.max(1, Math.min(this.durations.length, this.slots + slots));
    this.stretch(task, this.durations[task] + (change ?? 0));
  }

  private drag(event: PointerEvent, svg: SVGSVGElement, task: number): void {
    event.preventDefault();
    const from = event.clientX;
    const was = this.durations[task];
    // The bars are made anew with each move: the picture itself follows the hand.
    svg.setPointerCapture(event.pointerId);
    const unitsPerPixel = this.units / (svg.getBoundingClientRect().width || 1);
    const move = ({ clientX }: PointerEvent): void => { this.stretch(task, was + (clientX - from) * unitsPerPixel); };
    const end = (): void => {
      svg.removeEventListener('pointermove', move);
      for (const name of ['pointerup', 'pointercancel'] as const) svg.removeEventListener(name, end);
    };
    svg.addEventListener('pointermove', move);
    for (const name of ['pointerup', 'pointercancel'] as const) svg.addEventListener(name, end);
  }

  private stretch(task: number, duration: number): void {
    this.durations[task] = Number(Math.max(LEAST, Math.min(MOST, duration)).toFixed(1));
    this.draw();
  }
}

interface Picture { readonly element: SVGSVGElement; readonly title: SVGElement }

function picture(): Picture {
  const svg = shape('svg', 'drawing-picture');
  svg.setAttribute('role', 'group');
  return { element: svg, title: shape('text', 'drawing-title', { x: 8, y: 14 }) };
}

/** From and to of each chunk, or of the one frame of the rails. */
function framesOf({ start, end, chunk, makespan }: Schedule): [number, number][] {
  if (chunk[0] === 0) return [[0, makespan]];
  const frames: [number, number][] = [];
  chunk.forEach((number, task) => {
    const frame = (frames[number - 1] ??= [start[task], 0]);
    frame[1] = Math.max(frame[1], end[task]);
  });
  return frames;
}

/** [from, to, lane] of the time between a bar and the end of its frame in which nothing runs. */
function idleOf(schedule: Schedule): [number, number, number][] {
  const { start, end, lane, chunk } = schedule;
  const frames = framesOf(schedule);
  return [...end].flatMap((from, task): [number, number, number][] => {
    const to = frames[Math.max(0, chunk[task] - 1)][1];
    const isLast = ![...start].some((other, row) => row !== task && lane[row] === lane[task] && chunk[row] === chunk[task] && other >= from);
    return isLast && to > from ? [[from, to, lane[task]]] : [];
  });
}
