/** One of several, in a list that opens: the browser's own control, in VS Code's colours. */
import { element } from '../dom';

export interface SelectOptions<T extends string> {
  readonly label: string;
  readonly hint: string;
  readonly choices: readonly { readonly value: T; readonly label: string }[];
  readonly onChoose: (value: T) => void;
}

export interface Select<T extends string> {
  readonly element: HTMLElement;
  show(value: T): void;
}

export function makeSelect<T extends string>({ label, hint, choices, onChoose }: SelectOptions<T>): Select<T> {
  const select = element('select', 'select', ...choices.map((choice) => {
    const option = element('option', '', choice.label);
    option.value = choice.value;
    return option;
  }));
  select.title = hint;
  select.setAttribute('aria-label', hint);
  select.addEventListener('change', () => {
    const chosen = choices.find(({ value }) => value === select.value);
    if (chosen) onChoose(chosen.value);
  });
  return {
    element: element('label', 'select-holder', element('span', 'select-word', label), select),
    show(value) { select.value = value; },
  };
}
