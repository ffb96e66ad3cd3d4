/** The list of keys. */
import { element, setHidden } from '../dom';
import type { WordKey } from '../words/en';
import type { Speak } from '../words/speak';

export interface KeyRow {
  /** Undefined: the key stands in another row already. */
  readonly shown?: string;
  readonly word: WordKey;
}

export class KeysPanel {
  readonly element = element('aside', 'keys');
  private readonly list = element('dl');

  /** @param rows may still grow while the list is not shown */
  constructor(private readonly speak: Speak, private readonly rows: readonly KeyRow[]) {
    this.element.setAttribute('role', 'dialog');
    this.element.setAttribute('aria-label', speak('keys.title'));
    this.element.append(element('strong', '', speak('keys.title')), this.list);
    this.hide();
  }

  get isShown(): boolean { return !this.element.hidden; }

  show(): void {
    this.list.replaceChildren(...this.rows.flatMap(({ shown, word }) => (shown === undefined ? [] : [element('dt', '', shown), element('dd', '', this.speak(word))])));
    setHidden(this.element, false);
  }

  hide(): void { setHidden(this.element, true); }
}
