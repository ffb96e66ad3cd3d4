/** A demo's lesson beside its runs: a step at a time, its parameters, and what its runs came to. */
import { labelsKo } from '../../media/demos/lib/ko.mjs';
import type { Values } from '../../src/model/demos';
import type { FromView, Lesson } from '../../src/model/protocol';
import { makeButton } from '../controls/toolkit';
import { element, setHidden, setText } from '../dom';
import { speakIn, type Speak } from '../words/speak';
import { lessonsEn, type LessonWords } from './en';
import { figuresTable } from './figures-table';
import { lessonsKo } from './ko';
import { ParametersForm } from './parameters-form';
import { STEPS, type Step } from './steps';

export interface LessonOptions {
  readonly lesson: Lesson;
  readonly send: (message: FromView) => void;
  /** Called where a step is about the drawing, or it is asked for. */
  readonly onDraw: (isOpen: boolean) => void;
  /** Called whenever the fields hold other values that make sense. */
  readonly onValues: (values: Values) => void;
}

export class LessonPanel {
  readonly element = element('aside', 'lesson');
  private readonly speak: Speak;
  private readonly words: LessonWords;
  private readonly steps: readonly Step[];
  private readonly counter = element('p', 'lesson-counter');
  private readonly text = element('p', 'lesson-text');
  private readonly back: HTMLElement;
  private readonly next: HTMLElement;
  private readonly tryIt: HTMLElement;
  private readonly form: ParametersForm;
  private figures = element('section');
  private step = 0;

  constructor(private readonly options: LessonOptions) {
    const { lesson: { locale, demo }, send } = options;
    const speak = this.speak = speakIn(locale);
    this.words = (isKorean(locale) ? lessonsKo : lessonsEn)[demo.name] ?? { title: demo.name, steps: {} };
    this.steps = STEPS[demo.name] ?? [];
    this.back = makeButton({ label: speak('lesson.back'), look: 'secondary', onPress: () => { this.go(this.step - 1); } });
    this.next = makeButton({ label: speak('lesson.next'), look: 'secondary', onPress: () => { this.go(this.step + 1); } });
    this.tryIt = makeButton({ label: speak('lesson.try'), look: 'primary', onPress: () => { this.form.show(this.steps[this.step].set ?? {}); this.form.submit(); } });
    this.tryIt.classList.add('lesson-try');
    this.form = new ParametersForm({
      demo, speak, labelOf: (name, english) => this.labelOf(name, english),
      onRun: (values: Values) => { send({ type: 'runDemo', values }); options.onDraw(false); }, onStop: () => { send({ type: 'stop' }); }, onValues: options.onValues,
    });
    this.element.setAttribute('aria-label', speak('lesson.label'));
    this.text.setAttribute('aria-live', 'polite');
    this.element.append(element('h1', '', this.words.title), this.counter, this.text,
      element('div', 'lesson-actions', this.back, this.next, this.tryIt, ...(this.steps.some(({ draws }) => draws)
        ? [makeButton({ label: speak('draw.open'), look: 'secondary', onPress: () => { options.onDraw(true); } })] : [])),
      this.form.element, this.figures);
    this.go(0);
    this.form.show(options.lesson.values);
    this.update(options.lesson);
  }

  update({ demo, runs, isRunning }: Lesson): void {
    this.form.update(isRunning);
    this.tryIt.toggleAttribute('disabled', isRunning);
    const figures = figuresTable(demo, runs, (name, english) => this.labelOf(name, english), this.speak);
    this.figures.replaceWith(figures);
    this.figures = figures;
    // The latest run stands last.
    figures.querySelector('.lesson-table')?.scrollTo({ left: Number.MAX_SAFE_INTEGER });
  }

  private go(step: number): void {
    this.step = Math.max(0, Math.min(step, this.steps.length - 1));
    const current = this.steps.at(this.step);
    setText(this.counter, this.speak('lesson.step', { number: this.step + 1, count: this.steps.length }));
    setText(this.text, current ? this.words.steps[current.step] : this.options.lesson.demo.about);
    this.back.toggleAttribute('disabled', this.step === 0);
    this.next.toggleAttribute('disabled', this.step >= this.steps.length - 1);
    setHidden(this.tryIt, current?.set === undefined);
    if (current?.set) this.form.show(current.set);
    if (current?.draws) this.options.onDraw(true);
  }

  private labelOf(name: string, english: string): string {
    const { locale, demo } = this.options.lesson;
    return isKorean(locale) ? labelsKo[`${demo.name}.${name}`] ?? english : english;
  }
}

const isKorean = (locale: string): boolean => /^ko\b/i.test(locale);
