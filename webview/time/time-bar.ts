/** Pause and play, how fast, and where: a scrubber over all there is. */
import { makeSelect, type Select } from '../controls/select';
import { makeButton, makeSign, showSign } from '../controls/toolkit';
import { element, setHidden, setText } from '../dom';
import type { TimeRange } from '../diagram/time-range';
import { formatMs } from '../format';
import type { Speak } from '../words/speak';
import type { Playhead } from './playhead';

const SPEEDS = ['fit', '0.01', '0.1', '0.5', '1', '2', '10', '100'] as const;
type Speed = (typeof SPEEDS)[number];
/** All of it plays in so many milliseconds, whatever its length. */
const FIT_MS = 10_000;
const STEPS = 10_000;

export class TimeBar {
  /** Stands with the tools. */
  readonly buttons: HTMLElement;
  readonly element = element('div', 'time-bar');
  private readonly pauseButton: HTMLElement;
  private readonly replayButton: HTMLElement;
  private readonly liveButton: HTMLElement;
  private readonly playButton: HTMLElement;
  private readonly scrubber = element('input', 'scrubber');
  private readonly time = element('output', 'playhead-time');
  private readonly speedSelect: Select<Speed>;
  private speed: Speed = 'fit';
  private range: TimeRange = { start: 0, end: 1 };

  /** @param onChange a picture is due @param onFollow the reader wants to see what happens now */
  constructor(private readonly speak: Speak, private readonly playhead: Playhead, private readonly edge: () => number, private readonly onChange: () => void, onFollow: () => void) {
    this.pauseButton = makeSign({ icon: 'pause', hint: speak('time.pause'), onPress: () => this.toggle() });
    this.replayButton = makeSign({ icon: 'play', hint: speak('time.replay'), onPress: () => this.toggle() });
    this.liveButton = makeButton({ label: speak('time.live'), look: 'secondary', hint: speak('time.live.hint'), onPress: () => { playhead.leave(); onFollow(); } });
    this.liveButton.classList.add('live');
    this.buttons = element('span', 'time-buttons', this.liveButton, this.pauseButton, this.replayButton);
    this.playButton = makeSign({ icon: 'play', hint: speak('time.play'), onPress: () => this.toggle() });
    this.scrubber.type = 'range';
    this.scrubber.min = '0';
    this.scrubber.max = String(STEPS);
    this.scrubber.setAttribute('aria-label', speak('time.scrubber'));
    this.scrubber.addEventListener('input', () => {
      const { start, end } = this.range;
      playhead.hold(start + (Number(this.scrubber.value) / STEPS) * (end - start));
      onChange();
    });
    this.speedSelect = makeSelect<Speed>({
      label: speak('time.speed'), hint: speak('time.speed.hint'), choices: SPEEDS.map((value) => ({ value, label: value === 'fit' ? speak('time.fit') : `${value}×` })),
      onChoose: (speed) => { this.speed = speed; this.setSpeed(); },
    });
    const leave = makeSign({ icon: 'close', hint: speak('time.leave'), onPress: () => { playhead.leave(); onChange(); } });
    this.element.append(this.playButton, this.scrubber, this.time, this.speedSelect.element, leave);
    setHidden(this.element, true);
  }

  /** Pauses what is drawn or played, or plays it. */
  toggle(): void {
    const { playhead } = this;
    if (playhead.isPlaying) playhead.pause();
    else if (playhead.at === undefined && !this.pauseButton.hidden) playhead.hold(this.edge());
    else {
      this.setSpeed();
      playhead.play({ start: this.range.start, end: this.edge() }, performance.now());
    }
    this.onChange();
  }

  /** @param isLive the run goes on @param isBehind the reader looks at something other than now */
  update(range: TimeRange, isLive: boolean, isBehind: boolean, hasGroups: boolean): void {
    this.range = range;
    const { at, isPlaying } = this.playhead;
    setHidden(this.buttons, !hasGroups);
    setHidden(this.pauseButton, !isLive || at !== undefined);
    setHidden(this.replayButton, isLive || at !== undefined);
    setHidden(this.liveButton, !isLive || !(isBehind || at !== undefined));
    setHidden(this.element, at === undefined);
    if (at === undefined) return;
    showSign(this.playButton, isPlaying ? 'pause' : 'play');
    const hint = this.speak(isPlaying ? 'time.pause' : 'time.play');
    if (this.playButton.title !== hint) {
      this.playButton.title = hint;
      this.playButton.setAttribute('aria-label', hint);
    }
    const value = String(Math.round(((at - range.start) / (range.end - range.start)) * STEPS));
    if (this.scrubber.value !== value) this.scrubber.value = value;
    const text = formatMs(at);
    setText(this.time, text);
    this.scrubber.setAttribute('aria-valuetext', text);
    this.speedSelect.show(this.speed);
  }

  private setSpeed(): void {
    this.playhead.speed = this.speed === 'fit' ? (this.edge() - this.range.start) / FIT_MS : Number(this.speed);
  }
}
