/** Where the page stands: alone, or beside the lesson it belongs to, and below the drawing while that is open. */
import type { Values } from '../../src/model/demos';
import type { FromView, Lesson } from '../../src/model/protocol';
import { element, setHidden } from '../dom';
import { speakIn, type Speak } from '../words/speak';
import { Drawing } from './drawing';
import { ExecutorPicture } from './executor-picture';
import { LessonPanel } from './lesson-panel';

/** A picture of a lesson, above the run. */
export interface LessonDrawing {
  readonly element: HTMLElement;
  /** The parameters have other values. */
  update?(values: Values): void;
}

type MakeDrawing = (speak: Speak, onClose: () => void) => LessonDrawing;
const DRAWINGS: Readonly<Record<string, MakeDrawing>> = {
  'chunk-vs-rail': (speak, onClose) => new Drawing(speak, onClose),
  'thread-pool': (speak, onClose) => new ExecutorPicture(speak, onClose),
};

export class LessonHolder {
  private readonly drawings = element('div', 'drawing-holder');
  private panel: LessonPanel | undefined;
  private drawing: LessonDrawing | undefined;
  private values: Values = {};

  /** @param root what the page stands in @param page the page's own place, which goes beside the lesson */
  constructor(private readonly root: HTMLElement, private readonly page: HTMLElement, private readonly send: (message: FromView) => void) {
    setHidden(this.drawings, true);
  }

  update(lesson: Lesson): void {
    if (this.panel) return this.panel.update(lesson);
    const panel = this.panel = new LessonPanel({ lesson, send: this.send, onDraw: (isOpen) => { this.draw(isOpen, lesson); }, onValues: (values) => { this.values = values; this.drawing?.update?.(values); } });
    const main = element('div', 'beside-lesson', this.drawings, this.page);
    this.root.replaceChildren(element('div', 'with-lesson', panel.element, main));
  }

  private draw(isOpen: boolean, lesson: Lesson): void {
    const make = Object.hasOwn(DRAWINGS, lesson.demo.name) ? DRAWINGS[lesson.demo.name] : undefined;
    if (isOpen && !this.drawing && make) {
      this.drawing = make(speakIn(lesson.locale), () => { this.draw(false, lesson); });
      this.drawing.update?.(this.values);
      this.drawings.append(this.drawing.element);
    }
    setHidden(this.drawings, !isOpen);
  }
}
