/** The card of a task that was clicked: it stays, beside the cards of others, until it is put away. */
import { makeSign } from '../controls/toolkit';
import { element, setHidden, setText } from '../dom';
import type { Speak } from '../words/speak';
import type { CardFacts } from './card-facts';
import { placeCard } from './tooltip';

export interface CardAction { readonly label: string; readonly onPress: () => void }

export class PinnedCard {
  readonly element = element('aside', 'pinned');
  private readonly title = element('strong');
  private readonly label = element('span', 'card-label');
  private readonly rows = element('dl');
  private readonly actions = element('div', 'card-actions');

  /** @param onClose put away by the reader */
  constructor(speak: Speak, private readonly onClose: () => void) {
    this.element.setAttribute('aria-label', speak('task.pinned'));
    const close = makeSign({ icon: 'close', hint: speak('task.unpin'), onPress: () => this.close() });
    this.element.append(element('div', 'tooltip-title', this.title, this.label, close), this.rows, this.actions);
    setHidden(this.element, true);
  }

  get isShown(): boolean { return !this.element.hidden; }

  /** @param x @param y client coordinates of what is explained */
  show(facts: CardFacts, actions: readonly CardAction[], x: number, y: number): void {
    this.actions.replaceChildren(...actions.map(({ label, onPress }) => {
      const button = element('button', 'card-action', label);
      button.type = 'button';
      button.addEventListener('click', onPress);
      return button;
    }));
    setHidden(this.actions, actions.length === 0);
    this.update(facts);
    setHidden(this.element, false);
    placeCard(this.element, x, y);
  }

  /** A task that goes on is another with every look. */
  update(facts: CardFacts): void {
    setText(this.title, facts.title);
    setText(this.label, facts.label ?? '');
    this.rows.replaceChildren(...facts.rows.flatMap(([word, value]) => [element('dt', '', word), element('dd', '', value)]));
  }

  close(): void {
    setHidden(this.element, true);
    this.onClose();
  }
}
