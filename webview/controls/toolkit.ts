/**
 * Controls in our own words. The one file that knows `@vscode/webview-ui-toolkit`, which is deprecated: another library,
 * or plain elements, can take its place here without anybody else noticing.
 */
import { provideVSCodeDesignSystem, vsCodeButton, vsCodeRadio, vsCodeRadioGroup } from '@vscode/webview-ui-toolkit';
import { element, setText } from '../dom';
import { drawIcon, type Icon } from './icons';

// Known to the page from when this module is first asked for.
provideVSCodeDesignSystem().register(vsCodeButton(), vsCodeRadio(), vsCodeRadioGroup());
// It reads the theme's colours, and begins to follow them, when the page has loaded; that may be over by now.
if (document.readyState === 'complete') window.dispatchEvent(new Event('load'));

export interface ButtonOptions {
  readonly label: string;
  /** `icon`: small and flat. */
  readonly look: 'primary' | 'secondary' | 'icon';
  readonly hint?: string;
  readonly onPress: () => void;
}

export function makeButton({ label, look, hint, onPress }: ButtonOptions): HTMLElement {
  const button = document.createElement('vscode-button');
  button.setAttribute('appearance', look);
  button.append(label);
  if (hint) {
    button.title = hint;
    button.setAttribute('aria-label', hint);
  }
  button.addEventListener('click', onPress);
  return button;
}

export interface SignOptions {
  readonly icon: Icon;
  /** What it does. */
  readonly hint: string;
  readonly onPress: () => void;
}

/** A small, flat button with a drawn sign on it. */
export function makeSign({ icon, hint, onPress }: SignOptions): HTMLElement {
  const button = makeButton({ label: '', look: 'icon', hint, onPress });
  showSign(button, icon);
  return button;
}

/** Puts another sign on it. */
export function showSign(button: HTMLElement, icon: Icon): void {
  if (button.querySelector<SVGSVGElement>('.icon')?.dataset.icon !== icon) button.replaceChildren(drawIcon(icon));
}

export interface ChoiceOptions<T extends string> {
  readonly label: string;
  readonly choices: readonly { readonly value: T; readonly label: string; readonly hint: string }[];
  readonly onChoose: (value: T) => void;
}

export interface Choice<T extends string> {
  readonly element: HTMLElement;
  show(value: T): void;
  /** What a choice says has become another. */
  rename(value: T, label: string, hint: string): void;
}

/** One of a few, all of them in sight. */
export function makeChoice<T extends string>({ label, choices, onChoose }: ChoiceOptions<T>): Choice<T> {
  const group = document.createElement('vscode-radio-group');
  group.setAttribute('aria-label', label);
  const radios = choices.map(({ value, label: text, hint }) => {
    const radio = document.createElement('vscode-radio') as HTMLElement & { checked: boolean; value: string };
    radio.setAttribute('value', value);
    radio.title = hint;
    radio.append(text);
    radio.addEventListener('change', () => {
      if (radio.checked && shown !== value) {
        shown = value;
        onChoose(value);
      }
    });
    group.append(radio);
    return radio;
  });
  let shown: T | undefined;
  return {
    element: element('div', 'choice', group),
    show(value) {
      if (shown === value) return;
      shown = value;
      group.setAttribute('value', value);
      radios.forEach((radio, i) => { radio.checked = choices[i].value === value; });
    },
    rename(value, text, hint) {
      const radio = radios[choices.findIndex((choice) => choice.value === value)];
      setText(radio, text);
      radio.title = hint;
    },
  };
}
