/** The card beside the pointer. */
import { element, setText } from '../dom';
import type { CardFacts } from './card-facts';

const DISTANCE = 14;

export class Tooltip {
  readonly element = element('div', 'tooltip');
  private readonly title = element('strong');
  private readonly label = element('span', 'task-label');
  private readonly rows = element('dl');

  constructor() {
    this.element.setAttribute('role', 'tooltip');
    this.element.hidden = true;
    this.element.append(element('div', 'tooltip-title', this.title, this.label), this.rows);
  }

  /** @param x @param y client coordinates of what is explained */
  show(facts: CardFacts, x: number, y: number): void {
    setText(this.title, facts.title);
    setText(this.label, facts.label ?? '');
    this.rows.replaceChildren(...facts.rows.flatMap(([word, value]) => [element('dt', '', word), element('dd', '', value)]));
    this.element.hidden = false;
    placeCard(this.element, x, y);
  }

  get isShown(): boolean { return !this.element.hidden; }

  hide(): void { this.element.hidden = true; }
}

/** Places a card beside a point, inside the window. @param x @param y client coordinates */
export function placeCard(card: HTMLElement, x: number, y: number): void {
  const { width, height } = card.getBoundingClientRect();
  const left = x + DISTANCE + width > innerWidth ? x - DISTANCE - width : x + DISTANCE;
  const top = y + DISTANCE + height > innerHeight ? y - DISTANCE - height : y + DISTANCE;
  card.style.left = `${Math.max(4, Math.min(innerWidth - width - 4, left))}px`;
  card.style.top = `${Math.max(4, Math.min(innerHeight - height - 4, top))}px`;
}
