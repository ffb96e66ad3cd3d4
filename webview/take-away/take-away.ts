/** What is shown, to take away: as SVG, PNG or CSV in a file, or as a picture in the clipboard. */
import { MAX_FILE_BYTES, type FromView, type Hello } from '../../src/model/protocol';
import { makeMenu } from '../controls/menu';
import type { GroupView } from '../diagram/group-view';
import { groupTitle, placeOf } from '../diagram/names';
import type { Scene } from '../diagram/scene';
import { formatCount, formatMs, formatShare } from '../format';
import type { RunStore } from '../store/run-store';
import type { Speak } from '../words/speak';
import { csvLines } from './csv';
import { figureColors, figureOf, type FigureGroup } from './figure';
import { paintPicture } from './paint';
import type { Picture } from './shapes';
import { writeSvg } from './svg';

export interface TakeAwayOptions {
  readonly hello: Hello;
  readonly store: RunStore;
  readonly speak: Speak;
  readonly views: () => readonly GroupView[];
  readonly scene: () => Scene;
  /** What the axis counts. */
  readonly axisTitle: () => string;
  readonly send: (message: FromView) => void;
  /** Says why something could not be taken, or with undefined that all is well again. */
  readonly tell: (problem: string | undefined) => void;
}

/** More bars than this no slide program opens. */
const MOST_VECTOR_BARS = 20_000;
/** Pixels of a PNG per CSS pixel: sharp on a projector. */
const RATIO = 2;
const LINES_PER_PIECE = 5000;

export class TakeAway {
  readonly menu: HTMLElement;

  constructor(private readonly options: TakeAwayOptions) {
    const { speak } = options;
    this.menu = makeMenu(speak('take.menu'), speak('take.hint'), [
      { label: speak('take.svg'), hint: speak('take.svg.hint'), onChoose: () => { void this.guard(() => this.svg()); } },
      { label: speak('take.png'), hint: speak('take.png.hint'), onChoose: () => { void this.guard(async () => this.save('png', await this.png())); } },
      { label: speak('take.copy'), hint: speak('take.copy.hint'), onChoose: () => { void this.guard(() => this.copy()); } },
      { label: speak('take.csv'), hint: speak('take.csv.hint'), onChoose: () => { void this.guard(() => this.save('csv', this.csv())); } },
    ]);
  }

  private async guard(act: () => unknown): Promise<void> {
    this.options.tell(undefined);
    try {
      await act();
    } catch (error) {
      this.options.tell(error instanceof Error ? error.message : String(error));
    }
  }

  private svg(): unknown {
    const groups = this.groups(false);
    const bars = groups.reduce((sum, { visible }) => sum + visible, 0);
    if (bars > MOST_VECTOR_BARS) throw new Error(this.options.speak('take.tooMany', { count: formatCount(bars), most: formatCount(MOST_VECTOR_BARS) }));
    return this.save('svg', new Blob([writeSvg(this.picture(groups))]));
  }

  private async png(): Promise<Blob> {
    const canvas = paintPicture(this.picture(this.groups(true)), RATIO);
    const blob = await new Promise<Blob | null>((done) => { if (canvas) canvas.toBlob(done); else done(null); });
    if (!blob) throw new Error(this.options.speak('take.noPicture'));
    return blob;
  }

  private async copy(): Promise<void> {
    try {
      await navigator.clipboard.write([new ClipboardItem({ 'image/png': this.png() })]);
    } catch (error) {
      throw new Error(this.options.speak('take.noClipboard', { reason: error instanceof Error ? error.message : String(error) }), { cause: error });
    }
  }

  private csv(): Blob {
    const { store, views, scene } = this.options;
    const { matches } = scene().shading;
    const parts: string[] = [];
    let lines: string[] = [];
    for (const line of csvLines(store, views().map(({ group }) => group), (id) => !matches || matches.has(id))) {
      lines.push(line);
      if (lines.length === LINES_PER_PIECE) {
        parts.push(lines.join(''));
        lines = [];
      }
    }
    return new Blob([...parts, lines.join('')]);
  }

  private groups(withPixels: boolean): (FigureGroup & { readonly visible: number })[] {
    const { views, scene, speak } = this.options;
    const now = scene();
    return views().flatMap((view) => {
      const info = view.figures(now);
      const drawn = view.figure(now, withPixels ? MOST_VECTOR_BARS : Infinity, RATIO);
      if (!info || !drawn) return [];
      const { metrics } = info;
      const heading = [groupTitle(info, speak), info.library, info.site && placeOf(info.site, speak), view.prediction && speak('whatIf.mark')].filter(Boolean).join(' · ');
      const figures = [
        [speak('figure.elapsed'), formatMs(metrics.makespanMs)], [speak('figure.tasks'), formatCount(info.taskCount)],
        [speak('figure.idle'), formatMs(metrics.idleMs)], [speak('figure.utilization'), formatShare(metrics.utilization)],
        ...(info.rejected > 0 ? [[speak('figure.rejected'), formatCount(info.rejected)]] : []),
      ].map(([word, value]) => `${word} ${value}`).join(' · ');
      return [{ ...drawn, heading, figures, strips: view.strips(now) }];
    });
  }

  private picture(groups: readonly FigureGroup[]): Picture {
    const { scene, hello, axisTitle } = this.options;
    const { viewport, palette, measure, until } = scene();
    return figureOf({ title: hello.run.title, groups, viewport, until, axisTitle: axisTitle(), colors: figureColors(document.body, palette), measure });
  }

  /** Hands a file to the host, or to the browser. */
  private async save(extension: 'svg' | 'png' | 'csv', blob: Blob): Promise<void> {
    const { hello, send, speak } = this.options;
    if (blob.size > MAX_FILE_BYTES) throw new Error(speak('take.tooLarge', { size: formatCount(blob.size / 1e6), most: formatCount(MAX_FILE_BYTES / 1e6) }));
    const name = `${hello.run.title.replace(/[\\/:*?"<>|\p{Cc}]/gu, '-').slice(0, 80) || 'run'}.${extension}`;
    if (hello.capabilities.saveFile) {
      send({ type: 'saveFile', name, data: new Uint8Array(await blob.arrayBuffer()) });
      return;
    }
    const link = document.createElement('a');
    link.href = URL.createObjectURL(blob);
    link.download = name;
    link.click();
    // The browser reads the file after the click has been handled.
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  }
}
