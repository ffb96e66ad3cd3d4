/** A parameter of a demo, by field and by slider, with a sentence where its value makes no sense. */
import type { Parameter } from '../../src/model/demos';
import { element, setText } from '../dom';

/** Along a line: fine steps where a range is small, larger ones the further one goes where it is large. */
const STEPS = 1000;

export interface ParameterField {
  readonly element: HTMLElement;
  /** As it stands in the field. */
  readonly text: string;
  show(text: string): void;
  /** @param sentence undefined where the value can be used */
  complain(sentence: string | undefined): void;
}

/** @param label what the parameter is, in the reader's language @param onChange called with every change */
export function makeField(name: string, spec: Parameter, label: string, onChange: () => void): ParameterField {
  const id = `parameter-${name}`;
  const input = spec.of === undefined ? element('input', 'parameter-input') : element('select', 'parameter-input', ...spec.of.map((word) => new Option(word, word)));
  input.id = id;
  const problem = element('p', 'parameter-problem');
  problem.id = `${id}-problem`;
  problem.setAttribute('role', 'alert');
  input.setAttribute('aria-describedby', problem.id);
  const caption = element('label', 'parameter-label', element('code', '', name), ' ', label);
  caption.htmlFor = id;
  const holder = element('div', 'parameter', caption, element('div', 'parameter-line', input), problem);
  let slide = (_text: string): void => { /* A choice has no slider. */ };
  input.addEventListener('input', () => { slide(input.value); onChange(); });
  if (spec.of === undefined) {
    const slider = element('input', 'slider');
    slider.type = 'range';
    slider.min = '0';
    slider.max = String(STEPS);
    slider.setAttribute('aria-label', label);
    const { from, to, step = 1 } = spec;
    // Exponential over the range: place 0 is `from`, place 1 is `to`.
    const grow = Math.log(to - from + 1);
    slider.addEventListener('input', () => {
      const value = from + Math.exp(Number(slider.value) / STEPS * grow) - 1;
      input.value = String(Number((Math.round(value / step) * step).toFixed(6)));
      slider.setAttribute('aria-valuetext', input.value);
      onChange();
    });
    slide = (text) => {
      const value = Math.min(to, Math.max(from, Number(text)));
      if (Number.isFinite(value)) slider.value = String(Math.log(value - from + 1) / grow * STEPS);
      slider.setAttribute('aria-valuetext', text);
    };
    input.setAttribute('inputmode', 'decimal');
    input.parentElement?.append(slider);
  }
  return {
    element: holder,
    get text() { return input.value; },
    show(text) {
      input.value = text;
      slide(text);
    },
    complain(sentence) {
      setText(problem, sentence ?? '');
      input.setAttribute('aria-invalid', String(sentence !== undefined));
    },
  };
}
