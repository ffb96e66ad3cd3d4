/** A strip below a group's plot: a canvas on the time axis of the diagram, drawn where its load or the axis is another one. */
import { makeBrush } from '../diagram/brush';
import { RIGHT } from '../diagram/geometry';
import type { Scene } from '../diagram/scene';
import { element, setHidden, setText } from '../dom';
import { drawLoads, STRIP_HEIGHT, type LoadPicture, type LoadSource } from './load-picture';

export class LoadStrip {
  readonly element: HTMLElement;
  readonly canvas = element('canvas');
  /** Beside the picture, not in it: in a narrow panel it takes two lines. */
  private readonly label = element('div', 'load-label');
  /** As it is drawn. */
  picture: LoadPicture | undefined;
  private drawn = '';

  constructor(name: LoadPicture['name']) {
    // It is read from the left to the right with the arrow keys.
    this.canvas.setAttribute('role', 'slider');
    this.canvas.tabIndex = 0;
    this.element = element('div', `load-strip ${name}`, this.label, this.canvas);
    // The canvas says the same.
    this.label.setAttribute('aria-hidden', 'true');
    setHidden(this.element, true);
  }

  /** @param isShown whether there is anything to show @returns pixels it takes */
  heightWhere(isShown: boolean): number {
    setHidden(this.element, !isShown);
    return isShown ? STRIP_HEIGHT : 0;
  }

  draw(source: () => LoadSource | undefined, { viewport, palette }: Scene): void {
    const load = this.element.hidden ? undefined : source();
    if (!load) return;
    const state = `${load.version} ${viewport.version} ${devicePixelRatio} ${palette.background}`;
    if (state === this.drawn) return;
    this.drawn = state;
    const width = viewport.right + RIGHT;
    const { canvas } = this;
    canvas.width = Math.round(width * devicePixelRatio);
    canvas.height = Math.round(STRIP_HEIGHT * devicePixelRatio);
    canvas.style.width = `${width}px`;
    canvas.style.height = `${STRIP_HEIGHT}px`;
    const brush = makeBrush(canvas, palette, devicePixelRatio);
    if (!brush) return;
    brush.context.scale(devicePixelRatio, devicePixelRatio);
    this.picture = load.make();
    drawLoads(brush, this.picture, viewport.left);
    setText(this.label, this.picture.label);
    canvas.setAttribute('aria-label', this.picture.label);
    canvas.setAttribute('aria-valuemin', String(viewport.start));
    canvas.setAttribute('aria-valuemax', String(viewport.end));
    if (!canvas.hasAttribute('aria-valuenow')) canvas.setAttribute('aria-valuenow', String(viewport.start));
  }

  /** As it is to be taken away; undefined where it is not shown. */
  pictureOf(source: () => LoadSource | undefined): LoadPicture | undefined {
    return this.element.hidden ? undefined : source()?.make();
  }
}
