/** Where the page stands: alone, or beside the lesson it belongs to, and below the drawing while that is open. */
import type { FromView, Lesson } from '../../src/model/protocol';
import { element, setHidden } from '../dom';
import { speakIn } from '../words/speak';
import { Drawing } from './drawing';
import { LessonPanel } from './lesson-panel';

export class LessonHolder {
  private readonly page = element('div', 'page-holder');
  private readonly drawings = element('div', 'drawing-holder');
  private panel: LessonPanel | undefined;

  constructor(private readonly root: HTMLElement, private readonly send: (message: FromView) => void) {
    setHidden(this.drawings, true);
    root.replaceChildren(this.page);
  }

  /** Shows a page in place of what there was. */
  show(...parts: readonly HTMLElement[]): void { this.page.replaceChildren(...parts); }

  update(lesson: Lesson): void {
    if (this.panel) return this.panel.update(lesson);
    const panel = this.panel = new LessonPanel({ lesson, send: this.send, onDraw: (isOpen) => { this.draw(isOpen, lesson.locale); } });
    const main = element('div', 'beside-lesson', this.drawings, this.page);
    this.root.replaceChildren(element('div', 'with-lesson', panel.element, main));
  }

  private draw(isOpen: boolean, locale: string): void {
    if (isOpen && this.drawings.childElementCount === 0) this.drawings.append(new Drawing(speakIn(locale), () => { this.draw(false, locale); }).element);
    setHidden(this.drawings, !isOpen);
  }
}
