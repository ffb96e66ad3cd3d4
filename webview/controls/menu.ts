/** Short lists of things to do. Escape, a choice, or a click elsewhere closes them; arrow keys go up and down. */
import { element, setHidden } from '../dom';
import { makeButton } from './toolkit';

export interface MenuItem { readonly label: string; readonly hint: string; readonly onChoose: () => void }

/** A list that opens where it is asked for. */
export class PopupMenu {
  readonly element = element('div', 'menu-list');
  private items: HTMLElement[] = [];
  /** Gets the keyboard back. */
  private from: HTMLElement | undefined;

  constructor(private readonly onToggle: (isOpen: boolean) => void = () => { /* Nobody shows whether it is open. */ }) {
    this.element.setAttribute('role', 'menu');
    this.element.addEventListener('keydown', (event) => this.onKey(event));
    this.element.addEventListener('focusout', ({ relatedTarget }) => {
      if (!(relatedTarget instanceof Node && this.element.contains(relatedTarget))) this.close();
    });
    setHidden(this.element, true);
  }

  get isOpen(): boolean { return !this.element.hidden; }

  /** @param x @param y client coordinates @param from what gets the keyboard back */
  openAt(x: number, y: number, label: string, items: readonly MenuItem[], from: HTMLElement): void {
    this.element.setAttribute('aria-label', label);
    this.from = from;
    this.items = items.map(({ label: text, hint, onChoose }) => {
      const item = element('button', 'menu-item', text);
      item.type = 'button';
      item.title = hint;
      item.setAttribute('role', 'menuitem');
      item.addEventListener('click', () => {
        this.close();
        from.focus({ preventScroll: true });
        onChoose();
      });
      return item;
    });
    this.element.replaceChildren(...this.items);
    setHidden(this.element, false);
    const { width, height } = this.element.getBoundingClientRect();
    this.element.style.left = `${Math.max(4, Math.min(innerWidth - width - 4, x))}px`;
    this.element.style.top = `${Math.max(4, y + height > innerHeight ? y - height : y)}px`;
    this.items[0]?.focus();
    this.onToggle(true);
  }

  close(): void {
    setHidden(this.element, true);
    this.onToggle(false);
  }

  private onKey(event: KeyboardEvent): void {
    const at = this.items.findIndex((item) => item === document.activeElement);
    const to = event.key === 'ArrowDown' ? at + 1 : event.key === 'ArrowUp' ? at - 1 : undefined;
    event.stopPropagation();
    if (event.key === 'Escape') {
      this.close();
      this.from?.focus({ preventScroll: true });
    } else if (to === undefined) return;
    else this.items[(to + this.items.length) % this.items.length]?.focus();
    event.preventDefault();
  }
}

/** A button with a list below it. */
export function makeMenu(label: string, hint: string, items: readonly MenuItem[]): HTMLElement {
  const menu = new PopupMenu((isOpen) => button?.setAttribute('aria-expanded', String(isOpen)));
  // A press on the button while the list is open takes the keyboard from the list, which closes it: then it stays closed.
  let wasOpen = false;
  const button: HTMLElement | undefined = makeButton({
    label, look: 'icon', hint,
    onPress: () => {
      const { left, bottom } = holder.getBoundingClientRect();
      if (!wasOpen) menu.openAt(left, bottom + 2, hint, items, button ?? holder);
    },
  });
  button.addEventListener('pointerdown', () => { wasOpen = menu.isOpen; });
  button.addEventListener('keydown', () => { wasOpen = false; });
  button.setAttribute('aria-haspopup', 'menu');
  const holder = element('div', 'menu', button, menu.element);
  return holder;
}
