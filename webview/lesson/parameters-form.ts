/** All parameters of a demo, and the button that runs it with them. */
import { problemOf } from '../../media/demos/lib/parameters.mjs';
import type { Demo, Values } from '../../src/model/demos';
import { makeButton } from '../controls/toolkit';
import { element, setHidden, setText } from '../dom';
import { formatMs } from '../format';
import type { Speak } from '../words/speak';
import { makeField, type ParameterField } from './parameter-field';

const MINUTE_MS = 60_000;

export interface FormOptions {
  readonly demo: Demo;
  readonly speak: Speak;
  readonly labelOf: (name: string, english: string) => string;
  readonly onRun: (values: Values) => void;
  readonly onStop: () => void;
  readonly onValues: (values: Values) => void;
}

export class ParametersForm {
  readonly element = element('section', 'lesson-parameters');
  private readonly fields: ReadonlyMap<string, ParameterField>;
  private readonly run: HTMLElement;
  private readonly stop: HTMLElement;
  private readonly scale = element('p', 'lesson-scale');

  constructor(private readonly options: FormOptions) {
    const { demo, speak, labelOf } = options;
    this.fields = new Map(Object.entries(demo.parameters).map(([name, spec]) => [name, makeField(name, spec, labelOf(name, spec.about), () => { this.check(); })]));
    this.run = makeButton({ label: speak('lesson.run'), look: 'primary', onPress: () => { this.submit(); } });
    this.stop = makeButton({ label: speak('lesson.stop'), look: 'secondary', onPress: options.onStop });
    const reset = makeButton({ label: speak('lesson.reset'), look: 'secondary', onPress: () => { this.show({}); } });
    this.run.classList.add('lesson-run');
    this.element.append(element('h2', '', speak('lesson.parameters')), ...[...this.fields.values()].map((field) => field.element), this.scale,
      element('div', 'lesson-actions', this.run, this.stop, reset));
    this.element.addEventListener('keydown', (event) => { if (event.key === 'Enter' && event.target instanceof HTMLInputElement) this.submit(); });
    this.show({});
  }

  /** @param values what is not among them goes back to what the script has */
  show(values: Values): void {
    for (const [name, field] of this.fields) field.show(String(values[name] ?? this.options.demo.parameters[name].is));
    this.check();
  }

  /** Runs the demo, if all makes sense. */
  submit(): void {
    const values = this.check();
    if (values) this.options.onRun(values);
  }

  update(isRunning: boolean): void {
    setHidden(this.stop, !isRunning);
    this.run.toggleAttribute('disabled', isRunning);
    setText(this.run, this.options.speak(isRunning ? 'lesson.running' : 'lesson.run'));
  }

  /** Tells at each field what is wrong with it. @returns the values, where nothing is */
  private check(): Values | undefined {
    const { demo, speak } = this.options;
    const values = Object.fromEntries([...this.fields].map(([name, { text }]) => [name, demo.parameters[name].of ? text : Number(text)]));
    let isSound = true;
    for (const [name, field] of this.fields) {
      const problem = problemOf(demo.parameters, name, field.text, values);
      field.complain(problem && speak(`lesson.${problem.code}`, problem.words));
      isSound &&= problem === undefined;
    }
    const { scale } = values;
    setText(this.scale, typeof scale === 'number' && isSound ? speak('lesson.scale', { scale, minute: formatMs(MINUTE_MS * scale) }) : '');
    if (isSound) this.options.onValues(values);
    return isSound ? values : undefined;
  }
}
