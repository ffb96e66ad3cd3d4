/** The list of keys, shown by `?` and put away by it or by Escape. */
import { element, setHidden } from '../dom';
import type { Speak } from '../words/speak';

/** Keys by what is printed on most keyboards, and what they do. */
const KEYS = [
  ['← → ↑ ↓', 'keys.task'], ['[ ]', 'keys.lane'], [', .', 'keys.failure'], ['A D · Shift ← →', 'keys.pan'], ['W S · + −', 'keys.zoom'],
  ['F', 'keys.fitTask'], ['0', 'keys.fitAll'], ['Ctrl Z · Ctrl Shift Z', 'keys.undo'], ['?', 'keys.help'],
] as const;

export class KeysPanel {
  readonly element = element('aside', 'keys');

  constructor(speak: Speak) {
    this.element.setAttribute('role', 'dialog');
    this.element.setAttribute('aria-label', speak('keys.title'));
    const list = element('dl', '', ...KEYS.flatMap(([keys, word]) => [element('dt', '', keys), element('dd', '', speak(word))]));
    this.element.append(element('strong', '', speak('keys.title')), list);
    this.hide();
  }

  toggle(): void { setHidden(this.element, !this.element.hidden); }
  hide(): void { setHidden(this.element, true); }
}
