/** The field tasks are searched by, how many match, and the way from one to the next. */
import { makeSign } from '../controls/toolkit';
import { element, setHidden, setText } from '../dom';
import type { Speak } from '../words/speak';

export interface SearchBarOptions {
  readonly speak: Speak;
  /** With every change of the text. */
  readonly onQuery: (text: string) => void;
  readonly onStep: (direction: 1 | -1) => void;
  /** Put away: nothing is searched for any more. */
  readonly onClose: () => void;
}

const MOST_SIGNS = 500;

export class SearchBar {
  readonly element = element('search', 'search');
  private readonly field = element('input', 'search-field');
  private readonly count = element('span', 'search-count');
  private readonly problem = element('p', 'search-problem');

  constructor({ speak, onQuery, onStep, onClose }: SearchBarOptions) {
    this.field.type = 'search';
    this.field.maxLength = MOST_SIGNS;
    this.field.placeholder = speak('search.placeholder');
    this.field.title = speak('search.hint');
    this.field.setAttribute('aria-label', speak('search.label'));
    this.field.spellcheck = false;
    this.field.addEventListener('input', () => onQuery(this.field.value));
    this.field.addEventListener('keydown', (event) => {
      if (event.key === 'Enter') onStep(event.shiftKey ? -1 : 1);
      else if (event.key === 'Escape') onClose();
      else return;
      event.preventDefault();
      event.stopPropagation();
    });
    this.count.setAttribute('role', 'status');
    this.problem.id = 'search-problem';
    this.problem.setAttribute('role', 'alert');
    this.element.append(this.field, this.count,
      makeSign({ icon: 'up', hint: speak('search.before'), onPress: () => onStep(-1) }),
      makeSign({ icon: 'down', hint: speak('search.next'), onPress: () => onStep(1) }),
      makeSign({ icon: 'close', hint: speak('search.close'), onPress: onClose }), this.problem);
    this.hide();
  }

  get isShown(): boolean { return !this.element.hidden; }

  /** @param text put into the field; undefined: what is there stays */
  show(text?: string): void {
    setHidden(this.element, false);
    if (text !== undefined && this.field.value !== text) this.field.value = text;
  }

  focus(): void {
    this.field.focus();
    this.field.select();
  }

  hide(): void {
    setHidden(this.element, true);
    this.field.value = '';
  }

  /** @param count of matches in words, or empty @param problem why the query cannot be understood, or empty */
  tell(count: string, problem: string): void {
    setText(this.count, count);
    setText(this.problem, problem);
    setHidden(this.problem, problem === '');
    this.field.setAttribute('aria-invalid', String(problem !== ''));
    if (problem) this.field.setAttribute('aria-describedby', this.problem.id); else this.field.removeAttribute('aria-describedby');
  }
}
