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
  /** Opens and closes the panel. */
  readonly toggle = element('button', 'what-if-toggle');
  readonly element = element('div', 'what-if');
  private readonly choice;
  private readonly slider;
  private readonly mark;
  private readonly result = element('span', 'what-if-result');
  private readonly note;
  private shown: Shown = 'happened';
  private lanes = 1;

  constructor(private readonly speak: Speak, onChange: (shown: Shown, lanes: number) => void) {
    this.toggle.type = 'button';
    setText(this.toggle, speak('whatIf.open'));
    this.toggle.addEventListener('click', () => this.open(this.element.hidden === true));
    this.choice = makeChoice<Shown>({
      label: speak('whatIf.label'), onChoose: (shown) => { this.shown = shown; onChange(shown, this.lanes); },
      choices: (['happened', ...PLANS] as const).map((value) => ({ value, label: speak(`whatIf.${value}`), hint: speak(`whatIf.${value}.hint`) })),
    });
    this.slider = makeSlider({ label: speak('whatIf.of'), hint: speak('whatIf.of.hint'), onSlide: (lanes) => { this.lanes = lanes; onChange(this.shown, lanes); } });
    this.mark = element('strong', 'prediction-mark', speak('whatIf.mark'));
    this.note = element('p', 'what-if-note', speak('whatIf.note'));
    this.result.setAttribute('aria-live', 'polite');
    this.element.append(this.choice.element, this.slider.element, element('p', 'what-if-words', this.mark, this.result), this.note);
    this.open(false);
    setHidden(this.toggle, true);
  }

  /** Offers the panel. @param group the group as it happened */
  offer(group: Group): void {
    if (!this.toggle.hidden) return;
    setHidden(this.toggle, false);
    const isLimited = group.kind === 'chunk' || group.kind === 'pool';
    this.lanes = Math.max(1, Math.min(isLimited ? group.lanes : WITHOUT_LIMIT, group.taskCount));
    setText(this.note, this.speak(group.kind === 'sequential' ? 'whatIf.note.sequential' : 'whatIf.note'));
    this.slider.show(this.lanes, Math.min(group.taskCount, Math.max(LEAST_MAX, TIMES_LANES * group.lanes)));
    this.tell(group, undefined);
  }

  /** @param prediction undefined while what happened is shown */
  tell(group: Group, prediction: Prediction | undefined): void {
    this.choice.show(prediction?.plan ?? 'happened');
    this.shown = prediction?.plan ?? 'happened';
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

  private open(isOpen: boolean): void {
    setHidden(this.element, !isOpen);
    this.toggle.setAttribute('aria-expanded', String(isOpen));
  }
}
