/** Title, state and elapsed time of the run, and what can be done with it. */
import type { Hello } from '../../src/model/protocol';
import { isOver, type RunState } from '../../src/model/run';
import { makeButton } from '../controls/toolkit';
import { element, setHidden, setText } from '../dom';
import { formatMs } from '../format';
import type { Speak } from '../words/speak';

export interface TopBarOptions {
  readonly hello: Hello;
  readonly speak: Speak;
  readonly onStop: () => void;
  readonly onRunAgain: () => void;
}

export class TopBar {
  readonly element = element('header', 'top-bar');
  private readonly phase = element('span', 'phase');
  private readonly elapsed = element('span', 'elapsed');
  private readonly stop: HTMLElement;
  private readonly runAgain: HTMLElement;

  constructor(private readonly options: TopBarOptions) {
    const { hello, speak } = options;
    const title = element('h1', '', hello.run.title || hello.run.command.join(' ') || speak('page.label'));
    title.title = speak('bar.details', { command: hello.run.command.join(' '), cwd: hello.run.cwd, node: hello.run.node || '–' });
    this.phase.setAttribute('role', 'status');
    this.elapsed.title = speak('bar.elapsed');
    this.stop = makeButton({ label: speak('bar.stop'), look: 'secondary', onPress: options.onStop });
    this.stop.classList.add('stop');
    this.runAgain = makeButton({ label: speak('bar.runAgain'), look: 'primary', onPress: options.onRunAgain });
    this.runAgain.classList.add('run-again');
    this.element.append(title, element('span', 'run-state', this.phase, this.elapsed), element('span', 'actions', this.stop, this.runAgain));
  }

  /** @param now the host's clock, ms after `timeOrigin` */
  update(state: RunState | undefined, now: number): void {
    const { hello, speak } = this.options;
    const over = state !== undefined && isOver(state.phase);
    setText(this.phase, state ? phaseWords(state, speak) : speak('phase.starting'));
    this.element.dataset.phase = state?.phase ?? 'starting';
    this.element.dataset.failed = String(state !== undefined && over && (state.phase === 'crashed' || state.phase === 'killed' || (state.exitCode ?? 0) !== 0));
    setText(this.elapsed, !state || state.phase === 'starting' ? '' : formatMs(over ? state.elapsedMs : Math.max(state.elapsedMs, now)));
    setHidden(this.stop, !hello.capabilities.stop || over);
    setHidden(this.runAgain, !hello.capabilities.runAgain || !over);
  }
}

export function phaseWords(state: RunState, speak: Speak): string {
  switch (state.phase) {
    case 'finished': return state.exitCode === undefined ? speak('phase.finished') : speak('phase.finishedWith', { code: state.exitCode });
    case 'crashed': return state.exitCode === undefined ? speak('phase.crashed') : speak('phase.crashedWith', { code: state.exitCode });
    case 'killed': return state.signal === undefined ? speak('phase.killed') : speak('phase.killedBy', { signal: state.signal });
    default: return speak(`phase.${state.phase}`);
  }
}
