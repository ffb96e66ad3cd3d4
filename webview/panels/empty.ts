/** What the page says while, or because, there is no group to draw. */
import type { RunInfo, RunPhase } from '../../src/model/run';
import { element, setHidden } from '../dom';
import type { Speak } from '../words/speak';

const LOOKED_FOR = ['empty.chunk', 'empty.pool', 'empty.single', 'empty.sequential'] as const;

export class EmptyState {
  readonly element = element('div', 'empty');
  private shown = '';

  /** @param phase undefined before the host's first word */
  update(phase: RunPhase | undefined, run: RunInfo | undefined, hasGroups: boolean, speak: Speak): void {
    setHidden(this.element, hasGroups);
    const state = phase === undefined ? 'waiting' : phase === 'starting' || phase === 'running' ? phase : 'none';
    const key = `${state} ${run?.title ?? ''} ${speak('page.waiting')}`;
    if (hasGroups || key === this.shown) return;
    this.shown = key;
    const sentence = state === 'waiting' ? speak('page.waiting')
      : state === 'starting' ? speak('empty.starting', { title: run?.title ?? '' })
        : state === 'running' ? speak('empty.running') : speak('empty.none');
    this.element.replaceChildren(element('p', 'empty-sentence', sentence));
    if (state !== 'none') return;
    this.element.append(element('p', '', speak('empty.lookedFor')), element('ul', '', ...LOOKED_FOR.map((key) => element('li', '', speak(key)))));
  }
}
