/** What every drawing on a canvas needs: the context, its colours and its hatchings. */
import type { TaskDetails } from '../store/task-table';
import { hatchingColors, makeHatching, type Hatching } from './hatching';
import type { Palette } from './palette';

export interface Brush {
  readonly context: CanvasRenderingContext2D;
  readonly palette: Palette;
  readonly hatching: Hatching;
}

export function makeBrush(canvas: HTMLCanvasElement, palette: Palette, ratio: number): Brush | undefined {
  const context = canvas.getContext('2d');
  if (!context) return undefined;
  return { context, palette, hatching: makeHatching(hatchingColors(palette), ratio) };
}

const numerals: string[] = [];
/** The task's ordinal as text, made once. */
export function numeralOf(tasks: TaskDetails, id: number): string {
  const ordinal = tasks.ordinalOf(id);
  return ordinal < 1e6 ? (numerals[ordinal] ??= String(ordinal)) : String(ordinal);
}
