/** Which look means what; only looks that occur. Each sample is drawn by the code that draws the diagram. */
import type { Group } from '../../src/model/timeline';
import { BANDS, drawBand } from '../bands/bands';
import { drawBar } from '../diagram/bar-shape';
import { makeBrush } from '../diagram/brush';
import { CATEGORIES } from '../diagram/hues';
import { placeOf } from '../diagram/names';
import { MOST_OUTLINED, WORST } from '../diagram/overlay-model';
import type { Look, Palette } from '../diagram/palette';
import { QUEUED_HEIGHT } from '../diagram/queued';
import type { Meaning } from '../diagram/shading';
import { element } from '../dom';
import { formatMs } from '../format';
import type { RunStore } from '../store/run-store';
import type { Band, ThreadActivity } from '../store/thread-activity';
import type { Speak } from '../words/speak';

type Sample = Look | Band | 'queued' | 'idle' | 'longest' | 'winner';
/** What finds the tasks that look so; samples that are not here stand for no tasks. */
const QUERIES: Readonly<Partial<Record<Sample, string>>> = {
  fulfilled: 'status:fulfilled', rejected: 'status:rejected', aborted: 'status:aborted', timedOut: 'status:timedout', pending: 'status:pending', unsettled: 'status:pending', ignored: 'status:ignored', queued: 'status:queued',
};
const isBand = (sample: Sample | Meaning): sample is Band => BANDS.some((band) => band === sample);
const WIDTH = 30;
const HEIGHT = 14;

export interface LegendOptions {
  readonly speak: Speak;
  /** What is searched for. */
  readonly query: () => string;
  readonly onQuery: (text: string) => void;
  /** Whether the longest task of every chunk is outlined. */
  readonly outlinesAll: () => boolean;
  readonly onOutlineAll: (all: boolean) => void;
}

interface Entry {
  readonly sample: Sample | Meaning;
  readonly text: string;
  /** What pressing it does; undefined: it only explains. */
  readonly press: { readonly hint: string; readonly isOn: boolean; readonly onPress: () => void } | undefined;
}

export class Legend {
  readonly element = element('ul', 'legend');
  private shown = '';
  private palette: Palette | undefined;

  constructor(private readonly options: LegendOptions) { this.element.setAttribute('aria-label', options.speak('legend.label')); }

  update(groups: readonly Group[], { hasRejected, hasAborted, hasTimedOut, hasIgnored, hasQueued, isOver }: RunStore, activity: ThreadActivity, meanings: readonly Meaning[], palette: Palette): void {
    const { speak } = this.options;
    const samples: Sample[] = [];
    const some = (is: (group: Group) => boolean): boolean => groups.some(is);
    if (groups.length > 0 && meanings.length === 0) samples.push('fulfilled');
    if (hasRejected) samples.push('rejected');
    if (hasTimedOut) samples.push('timedOut');
    if (hasAborted) samples.push('aborted');
    if (some((group) => group.pending > 0)) samples.push(isOver ? 'unsettled' : 'pending');
    if (hasIgnored) samples.push('ignored');
    if (hasQueued) samples.push('queued');
    if (some((group) => group.metrics.idleMs > 0)) samples.push('idle');
    if (some((group) => group.kind === 'chunk' || group.kind === 'all' || group.kind === 'allSettled')) samples.push('longest');
    if (some((group) => group.kind === 'race' || group.kind === 'any')) samples.push('winner');
    for (const band of BANDS.toReversed()) if (activity.has(band)) samples.push(band);
    const entries: Entry[] = [
      ...meanings.map((meaning) => ({ sample: meaning, text: meaningWords(meaning, speak), press: this.filter(queryOf(meaning)) })),
      ...samples.map((sample) => ({ sample, text: speak(`legend.${sample}`), press: this.filter(QUERIES[sample]) })),
    ].map((entry) => (entry.sample === 'longest' && some(({ chunks = 0 }) => chunks > MOST_OUTLINED) ? this.outlineSwitch(entry) : entry));
    const key = `${JSON.stringify(entries)} ${devicePixelRatio}`;
    if (key === this.shown && palette === this.palette) return;
    this.shown = key;
    this.palette = palette;
    // Whoever filters by the keyboard stays where they are.
    const focused = [...this.element.querySelectorAll('button')].findIndex((button) => button === document.activeElement);
    this.element.replaceChildren(...entries.map((entry) => this.item(entry, palette)));
    this.element.querySelectorAll('button')[focused]?.focus();
  }

  /** @param query undefined: what it stands for are no tasks */
  private filter(query: string | undefined): Entry['press'] {
    if (query === undefined) return undefined;
    const { speak, query: now, onQuery } = this.options;
    const isOn = now() === query;
    return { hint: speak('legend.filter'), isOn, onPress: () => onQuery(isOn ? '' : query) };
  }

  /** Of very many chunks only the worst are outlined, unless the reader wants all. */
  private outlineSwitch(entry: Entry): Entry {
    const { speak, outlinesAll, onOutlineAll } = this.options;
    const isOn = outlinesAll();
    return {
      ...entry, text: isOn ? entry.text : speak('legend.longestOfWorst', { count: WORST }),
      press: { hint: speak('legend.outlineAll', { count: WORST }), isOn, onPress: () => onOutlineAll(!isOn) },
    };
  }

  private item({ sample, text, press }: Entry, palette: Palette): HTMLElement {
    const name = typeof sample === 'string' ? `sample-${sample}` : `sample-hue-${sample.hue}`;
    const picture = swatch(sample, palette);
    if (!press) return element('li', name, picture, text);
    const button = element('button', 'legend-filter', picture, text);
    button.type = 'button';
    button.title = press.hint;
    button.setAttribute('aria-pressed', String(press.isOn));
    button.addEventListener('click', press.onPress);
    return element('li', name, button);
  }
}

function meaningWords({ from, to, site, chunk }: Meaning, speak: Speak): string {
  if (site) return placeOf(site, speak);
  if (chunk !== undefined) return speak('legend.chunk', { chunk, next: chunk + CATEGORIES });
  if (from === undefined) return speak('legend.below', { to: formatMs(to ?? 0) });
  return to === undefined ? speak('legend.above', { from: formatMs(from) }) : speak('legend.between', { from: formatMs(from), to: formatMs(to) });
}

function queryOf({ from, to, site, chunk }: Meaning): string | undefined {
  if (site) return `at:"${site.file}:${site.line}"`;
  if (chunk !== undefined) return `chunk:${chunk}+${CATEGORIES}`;
  return [...(from === undefined ? [] : [`dur>=${from}ms`]), ...(to === undefined ? [] : [`dur<${to}ms`])].join(' ');
}

function swatch(sample: Sample | Meaning, palette: Palette): HTMLCanvasElement {
  const canvas = element('canvas', 'swatch');
  canvas.width = Math.round(WIDTH * devicePixelRatio);
  canvas.height = Math.round(HEIGHT * devicePixelRatio);
  const brush = makeBrush(canvas, palette, devicePixelRatio);
  if (!brush) return canvas;
  brush.context.scale(devicePixelRatio, devicePixelRatio);
  if (sample === 'idle') {
    brush.context.fillStyle = brush.hatching.idle;
    brush.context.fillRect(0, 0, WIDTH, HEIGHT);
  } else if (sample === 'queued') {
    brush.context.fillStyle = palette.bars.pending.line;
    brush.context.fillRect(0, (HEIGHT - QUEUED_HEIGHT) / 2, WIDTH, QUEUED_HEIGHT);
  } else if (isBand(sample)) drawBand(brush, sample, 0, 0, WIDTH, HEIGHT);
  else {
    // The last pixel of a bar's width is the gap to the next one.
    if (typeof sample !== 'string') {
      drawBar(brush, 'fulfilled', palette.hues[sample.hue - 1], 0, 0, WIDTH + 1, HEIGHT);
      return canvas;
    }
    const look = sample === 'longest' || sample === 'winner' ? 'fulfilled' : sample;
    drawBar(brush, look, palette.bars[look], 0, 0, WIDTH + 1, HEIGHT);
  }
  return canvas;
}
