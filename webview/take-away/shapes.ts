/** What a picture to take away is made of, before it is written as SVG or painted on a canvas. All lengths are CSS pixels. */

import type { HatchingColors } from '../diagram/hatching';

/** Hatchings by what they mean; drawn as in `diagram/hatching.ts`. */
export type HatchingName = keyof HatchingColors;
export type Fill = string | { readonly hatching: HatchingName };

export interface Paint {
  /** What it is, for whoever edits the SVG. */
  readonly name: string;
  readonly fill?: Fill;
  readonly stroke?: string;
  readonly strokeWidth?: number;
  readonly dash?: readonly number[];
  /** 0 to 1, of the fill. */
  readonly opacity?: number;
}

export interface RectShape extends Paint { readonly kind: 'rect'; readonly x: number; readonly y: number; readonly width: number; readonly height: number; readonly radius?: number }
/** @see https://www.w3.org/TR/SVG2/paths.html for `d` */
export interface PathShape extends Paint { readonly kind: 'path'; readonly d: string }
export interface TextShape {
  readonly kind: 'text';
  readonly name: string;
  readonly text: string;
  readonly x: number;
  /** Of the baseline. */
  readonly y: number;
  readonly size: number;
  readonly weight?: 400 | 600;
  readonly anchor: 'start' | 'middle' | 'end';
  readonly color: string;
  /** Drawn around the letters, so that they can be read over lines. */
  readonly halo?: string;
}
/** Bars too many for shapes, as pixels. */
export interface ImageShape { readonly kind: 'image'; readonly source: HTMLCanvasElement; readonly x: number; readonly y: number; readonly width: number; readonly height: number }

export type Shape = RectShape | PathShape | TextShape | ImageShape;

export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly title: string;
  readonly font: string;
  readonly background: string;
  readonly hatching: HatchingColors;
  readonly shapes: readonly Shape[];
}

/** A length as it is written: a hundredth of a pixel is seen by nobody. */
export const lengthText = (value: number): string => String(Math.round(value * 100) / 100);
