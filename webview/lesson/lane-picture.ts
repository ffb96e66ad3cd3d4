/** Bars on lanes, as the lessons' own small pictures have them: time to the right, lane 1 at the bottom. */
import { hatching, shape } from './shapes';

export const WIDTH = 900;
export const ROW = 28;
const TOP = 24;
const RIGHT = 8;
/** Between a bar and the edge of its row. */
const INSET = 4;

export class LanePicture {
  readonly element = shape('svg', 'drawing-picture');
  private parts: SVGElement[] = [];
  private lanes = 0;
  private until = 1;

  /** @param left width of the column of lane names */
  constructor(private readonly left = 8) {}

  /** Pixels of the picture's own for a time. */
  readonly x = (at: number): number => this.left + at / this.until * (WIDTH - this.left - RIGHT);

  /** Upper edge of a lane's row. @param lane 1-based, from the bottom */
  readonly y = (lane: number): number => TOP + (this.lanes - lane) * ROW;

  /** Where the lanes end. */
  get bottom(): number { return TOP + this.lanes * ROW; }

  /** Begins anew. @param until the time at the right edge @param below height of what stands under the lanes */
  begin(lanes: number, until: number, below = 0): void {
    this.parts = [];
    this.lanes = lanes;
    this.until = until;
    this.element.setAttribute('viewBox', `0 0 ${WIDTH} ${this.bottom + INSET * 2 + below}`);
  }

  add(...parts: readonly SVGElement[]): void { this.parts.push(...parts); }

  title(text: string): void { this.add(shape('text', 'drawing-title', { x: 8, y: 14 }, text)); }

  frame(from: number, to: number): void {
    this.add(shape('rect', 'drawing-frame', { x: this.x(from), y: TOP - 2, width: this.x(to) - this.x(from), height: this.lanes * ROW + 4 }));
  }

  /** A stretch in which a lane stands idle. */
  idle(from: number, to: number, lane: number): void { this.add(this.stretch('drawing-idle', from, to, lane)); }

  laneName(lane: number, text: string): void { this.add(shape('text', 'drawing-lane', { x: 0, y: this.middle(lane) }, text)); }

  /** A bar and its number. */
  bar(className: string, numberClass: string, { from, to, lane, number }: { readonly from: number; readonly to: number; readonly lane: number; readonly number: number }): SVGElement[] {
    return [this.stretch(className, from, to, lane), shape('text', numberClass, { x: this.x(from) + 8, y: this.middle(lane) }, String(number))];
  }

  /** Shows what was added. */
  show(): void { this.element.replaceChildren(hatching(), ...this.parts); }

  private middle(lane: number): number { return this.y(lane) + ROW / 2 + 5; }

  private stretch(className: string, from: number, to: number, lane: number): SVGElement {
    return shape('rect', className, { x: this.x(from), y: this.y(lane) + INSET, width: Math.max(1, this.x(to) - this.x(from)), height: ROW - 2 * INSET });
  }
}
