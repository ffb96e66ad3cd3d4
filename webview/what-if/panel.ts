/** Controls and words of a prediction: which plan, of how many, and what would have come of it. */
import { PLANS, type Plan, type Prediction } from '../../src/analysis/what-if';
import type { Group } from '../../src/model/timeline';
import { makeSlider } from '../controls/slider';
import { makeChoice } from '../controls/toolkit';
import { element, setHidden, setText } from '../dom';
import { formatChange, formatMs, formatShare } from '../format';
import type { Speak } from '../words/speak';

/** `happened`: no prediction. */
export type Shown = Plan | 'happened';

/** A slider goes to so many times the lanes there were, and to so many at the least. */
const TIMES_LANES = 4;
const LEAST_MAX = 16;
/** Slots where the code sets no limit, or runs one task at a time: as many as the document's. */
const WITHOUT_LIMIT = 5;

export class WhatIfPanel {
  readonly element = element('div', 'what-if');
  private body: Body | undefined;
  private group: Group | undefined;
  private prediction: Prediction | undefined;
  private shown: Shown = 'happened';
  private lanes = 1;

  /** @param toggle opens and closes the panel */
  constructor(private readonly toggle: HTMLElement, private readonly speak: Speak, private readonly onChange: (shown: Shown, lanes: number) => void) {
    this.toggle.addEventListener('click', () => this.open(this.element.hidden === true));
    this.open(false);
  }

  /** Offers the panel. @param group the group as it happened */
  offer(group: Group): void {
    if (this.group) return;
    const isLimited = group.kind === 'chunk' || group.kind === 'pool';
    this.lanes = Math.max(1, Math.min(isLimited ? group.lanes : WITHOUT_LIMIT, group.taskCount));
    this.tell(group, undefined);
  }

  /** @param prediction undefined while what happened is shown */
  tell(group: Group, prediction: Prediction | undefined): void {
    this.group = group;
    this.prediction = prediction;
    this.shown = prediction?.plan ?? 'happened';
    this.body?.tell(group, prediction);
  }

  private open(isOpen: boolean): void {
    setHidden(this.element, !isOpen);
    this.toggle.setAttribute('aria-expanded', String(isOpen));
    if (!isOpen || this.body || !this.group) return;
    // A run of many groups has as many panels, of which few are ever opened.
    this.body = new Body(this.speak, this.group, this.lanes, (shown) => { this.shown = shown; this.onChange(shown, this.lanes); }, (lanes) => { this.lanes = lanes; this.onChange(this.shown, lanes); });
    this.body.tell(this.group, this.prediction);
    this.element.append(...this.body.elements);
  }
}

/** What stands in the panel. */
class Body {
  private readonly choice;
  private readonly slider;
  private readonly mark;
  private readonly result = element('span', 'what-if-result');
  private readonly note;

  constructor(private readonly speak: Speak, group: Group, lanes: number, onChoose: (shown: Shown) => void, onSlide: (lanes: number) => void) {
    this.choice = makeChoice<Shown>({
      label: speak('whatIf.label'), onChoose,
      choices: (['happened', ...PLANS] as const).map((value) => ({ value, label: speak(`whatIf.${value}`), hint: speak(`whatIf.${value}.hint`) })),
    });
    this.slider = makeSlider({ label: speak('whatIf.of'), hint: speak('whatIf.of.hint'), onSlide });
    this.slider.show(lanes, Math.min(group.taskCount, Math.max(LEAST_MAX, TIMES_LANES * group.lanes)));
    this.mark = element('strong', 'prediction-mark', speak('whatIf.mark'));
    this.note = element('p', 'what-if-note', speak(group.kind === 'sequential' ? 'whatIf.note.sequential' : 'whatIf.note'));
    this.result.setAttribute('aria-live', 'polite');
  }

  get elements(): readonly HTMLElement[] { return [this.choice.element, this.slider.element, element('p', 'what-if-words', this.mark, this.result), this.note]; }

  tell(group: Group, prediction: Prediction | undefined): void {
    this.choice.show(prediction?.plan ?? 'happened');
    for (const part of [this.slider.element, this.mark, this.note]) setHidden(part, prediction === undefined);
    setText(this.result, prediction ? this.words(group, prediction) : this.speak('whatIf.ask'));
  }

  private words({ metrics: happened }: Group, { metrics }: Prediction): string {
    const { speak } = this;
    const saved = happened.makespanMs - metrics.makespanMs;
    const change = formatChange(happened.makespanMs > 0 ? -saved / happened.makespanMs : 0);
    const key = Math.abs(saved) < happened.makespanMs * 0.005 ? 'whatIf.same' : saved > 0 ? 'saved.whole' : 'whatIf.more';
    return speak('whatIf.result', {
      makespan: formatMs(metrics.makespanMs), happened: formatMs(happened.makespanMs),
      difference: speak(key, { time: formatMs(Math.abs(saved)), change }),
      idle: formatShare(1 - metrics.utilization), idleBefore: formatShare(1 - happened.utilization),
    });
  }
}
