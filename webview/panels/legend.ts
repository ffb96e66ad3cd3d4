/** Which look means what; only looks that occur. Each sample is drawn by the code that draws the diagram. */
import type { Group } from '../../src/model/timeline';
import { drawBar } from '../diagram/bar-shape';
import { makeBrush } from '../diagram/brush';
import type { Look, Palette } from '../diagram/palette';
import { element } from '../dom';
import type { Speak } from '../words/speak';

type Sample = Look | 'idle' | 'longest' | 'winner';
const WIDTH = 30;
const HEIGHT = 14;

export class Legend {
  readonly element = element('ul', 'legend');
  private shown = '';
  private palette: Palette | undefined;

  constructor(private readonly speak: Speak) { this.element.setAttribute('aria-label', speak('legend.label')); }

  update(groups: readonly Group[], hasIgnored: boolean, palette: Palette): void {
    const samples: Sample[] = [];
    const some = (is: (group: Group) => boolean): boolean => groups.some(is);
    if (groups.length > 0) samples.push('fulfilled');
    if (some((group) => group.rejected > 0)) samples.push('rejected');
    if (some((group) => group.pending > 0)) samples.push('pending');
    if (hasIgnored) samples.push('ignored');
    if (some((group) => group.metrics.idleMs > 0)) samples.push('idle');
    if (some((group) => group.kind === 'chunk' || group.kind === 'all' || group.kind === 'allSettled')) samples.push('longest');
    if (some((group) => group.kind === 'race' || group.kind === 'any')) samples.push('winner');
    const key = `${samples.join(' ')} ${devicePixelRatio}`;
    if (key === this.shown && palette === this.palette) return;
    this.shown = key;
    this.palette = palette;
    this.element.replaceChildren(...samples.map((sample) => element('li', `sample-${sample}`, swatch(sample, palette), this.speak(`legend.${sample}`))));
  }
}

function swatch(sample: Sample, palette: Palette): HTMLCanvasElement {
  const canvas = element('canvas', 'swatch');
  canvas.width = Math.round(WIDTH * devicePixelRatio);
  canvas.height = Math.round(HEIGHT * devicePixelRatio);
  const brush = makeBrush(canvas, palette, devicePixelRatio);
  if (!brush) return canvas;
  brush.context.scale(devicePixelRatio, devicePixelRatio);
  if (sample === 'idle') {
    brush.context.fillStyle = brush.hatching.idle;
    brush.context.fillRect(0, 0, WIDTH, HEIGHT);
  } else {
    // The last pixel of a bar's width is the gap to the next one.
    const look = sample === 'longest' || sample === 'winner' ? 'fulfilled' : sample;
    drawBar(brush, look, palette.bars[look], 0, 0, WIDTH + 1, HEIGHT);
  }
  return canvas;
}
