/** A number chosen along a line: the browser's own control, in VS Code's colours. */
import { element, setText } from '../dom';

export interface SliderOptions {
  readonly label: string;
  readonly hint: string;
  /** Called with every step of a drag. */
  readonly onSlide: (value: number) => void;
}

export interface Slider {
  readonly element: HTMLElement;
  show(value: number, max: number): void;
}

/** Whole numbers from 1 on. */
export function makeSlider({ label, hint, onSlide }: SliderOptions): Slider {
  const input = element('input', 'slider');
  const output = element('output');
  input.type = 'range';
  input.min = '1';
  input.step = '1';
  input.title = hint;
  input.setAttribute('aria-label', hint);
  input.addEventListener('input', () => {
    setText(output, input.value);
    onSlide(Number(input.value));
  });
  return {
    element: element('label', 'slider-holder', label, ' ', input, output),
    show(value, max) {
      input.max = String(max);
      input.value = String(value);
      setText(output, String(value));
    },
  };
}
