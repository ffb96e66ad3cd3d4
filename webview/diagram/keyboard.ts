/**
 * Listens to keys, for the whole page. What a key does stands where that is done: each feature adds bindings of its own, and
 * the list of keys is made from them.
 */
import { KeysPanel } from '../panels/keys';
import type { WordKey } from '../words/en';
import type { Speak } from '../words/speak';
import type { GroupView } from './group-view';

export interface KeyBinding {
  /** Keys by what is printed on most keyboards, for the list; undefined where they stand there already. */
  readonly shown?: string;
  readonly word: WordKey;
  /**
   * Signs go by what they are (`event.key`), letters by where they lie (`event.code`): the same fingers on every keyboard.
   * @param view the diagram the keyboard is at; undefined where it is at none
   * @returns what to do; undefined where the key is none of this binding's
   */
  action(event: KeyboardEvent, view: GroupView | undefined): (() => void) | undefined;
}

/** Whether Ctrl or ⌘ is held. */
export const isCommand = (event: KeyboardEvent): boolean => event.ctrlKey || event.metaKey;
/** These take keys for themselves. */
const TAKES_KEYS = 'input, textarea, select, vscode-radio-group';

export class Keyboard {
  readonly panel: KeysPanel;
  private readonly bindings: KeyBinding[] = [];
  private readonly views = new Map<Element, GroupView>();
  private readonly listener = (event: KeyboardEvent): void => this.onKey(event);

  constructor(speak: Speak) {
    this.panel = new KeysPanel(speak, this.bindings);
    document.addEventListener('keydown', this.listener);
  }

  /** The first binding that knows a key takes it. */
  add(...bindings: readonly KeyBinding[]): void { this.bindings.push(...bindings); }

  attach(view: GroupView): void { this.views.set(view.plot, view); }
  detach(view: GroupView): void { this.views.delete(view.plot); }

  dispose(): void { document.removeEventListener('keydown', this.listener); }

  private onKey(event: KeyboardEvent): void {
    const { target } = event;
    if (event.altKey || event.defaultPrevented || (target instanceof Element && target.closest(TAKES_KEYS))) return;
    const view = target instanceof Element ? this.views.get(target) : undefined;
    for (const binding of this.bindings) {
      const action = binding.action(event, view);
      if (!action) continue;
      action();
      event.preventDefault();
      return;
    }
  }
}

/** The list of keys itself: `?` shows it and puts it away, Escape puts it away. */
export const listBinding = (panel: KeysPanel): KeyBinding => ({
  shown: '?', word: 'keys.help',
  action({ key }) {
    if (key === '?') return () => (panel.isShown ? panel.hide() : panel.show());
    return key === 'Escape' && panel.isShown ? () => panel.hide() : undefined;
  },
});
