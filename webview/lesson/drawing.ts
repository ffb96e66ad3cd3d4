/** "Draw it first": ten tasks whose bars can be drawn out, as chunks and on rails at once. */
import { scheduleChunks, scheduleRails, type Schedule } from '../../src/analysis/schedule';
import { makeSlider, type Slider } from '../controls/slider';
import { makeButton } from '../controls/toolkit';
import { element, setText } from '../dom';
import { formatChange } from '../format';
import type { Speak } from '../words/speak';
import type { LessonDrawing } from './lesson-holder';
import { LanePicture, ROW } from './lane-picture';
import { shape } from './shapes';

/** The document's drawing, in its units. */
const DOCUMENT = [8.3, 4, 2, 5, 6, 4.7, 2, 3, 8.3, 6];
const SLOTS = 5;
const LEAST = 0.5;
const MOST = 12;
const STEP = 0.1;

export class Drawing implements LessonDrawing {
  readonly element = element('section', 'drawing');
  private readonly chunks = new LanePicture();
  private readonly rails = new LanePicture();
  private readonly result = element('p', 'drawing-result');
  private readonly slider: Slider;
  private durations = [...DOCUMENT];
  private slots = SLOTS;
  /** Units to the width of the picture: fixed while a bar is drawn out, or the bar would run away under the hand. */
  private units = 18;

  constructor(private readonly speak: Speak, onClose: () => void) {
    for (const { element: picture } of [this.chunks, this.rails]) picture.setAttribute('role', 'group');
    this.slider = makeSlider({ label: speak('draw.slots'), hint: speak('draw.slots.hint'), onSlide: (slots) => { this.slots = slots; this.draw(); } });
    this.result.setAttribute('aria-live', 'polite');
    this.element.setAttribute('aria-label', speak('draw.title'));
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

  private fill(picture: LanePicture, schedule: Schedule, words: 'draw.chunks' | 'draw.rails'): void {
    const svg = picture.element;
    const keep = document.activeElement instanceof SVGElement && svg.contains(document.activeElement) ? document.activeElement.dataset.task : undefined;
    const title = this.speak(words, { total: schedule.makespan.toFixed(1) });
    svg.setAttribute('aria-label', title);
    picture.begin(this.slots, this.units);
    picture.title(title);
    const frames = framesOf(schedule);
    for (const [from, to] of frames) picture.frame(from, to);
    for (const [from, to, lane] of idleOf(schedule)) picture.idle(from, to, lane);
    this.durations.forEach((_, task) => {
      const isLongest = schedule.chunk[task] > 0 && frames.some(([, to]) => to === schedule.end[task]);
      picture.add(this.taskOf(picture, schedule, task, isLongest));
    });
    picture.show();
    if (keep !== undefined) svg.querySelector<SVGElement>(`[data-task="${keep}"]`)?.focus();
  }

  /** A bar that can be drawn out, by its end or by keys. */
  private taskOf(picture: LanePicture, { start, end, lane, chunk }: Schedule, task: number, isLongest: boolean): SVGElement {
    const [from, to, row] = [start[task], end[task], lane[task]];
    const handle = shape('rect', 'drawing-handle', { x: picture.x(to) - 8, y: picture.y(row) + 2, width: 12, height: ROW - 4 });
    const group = shape('g', 'drawing-task');
    const duration = this.durations[task].toFixed(1);
    Object.assign(group.dataset, { task: String(task) });
    const place = { from: from.toFixed(1), to: to.toFixed(1) };
    const attributes = {
      'tabindex': '0', 'role': 'slider', 'aria-label': this.speak('draw.task', { number: task + 1 }), 'aria-valuenow': duration, 'aria-valuemin': String(LEAST), 'aria-valuemax': String(MOST),
      'aria-valuetext': chunk[task] > 0 ? this.speak('draw.inChunk', { duration, chunk: chunk[task], ...place }) : this.speak('draw.onRail', { duration, rail: row, ...place }),
    };
    for (const [name, value] of Object.entries(attributes)) group.setAttribute(name, value);
    group.append(...picture.bar(isLongest ? 'drawing-bar longest' : 'drawing-bar', 'drawing-number', { from, to, lane: row, number: task + 1 }), handle);
    group.addEventListener('keydown', (event) => { this.press(event, task); });
    handle.addEventListener('pointerdown', (event) => { this.drag(event, picture.element, task); });
    return group;
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
