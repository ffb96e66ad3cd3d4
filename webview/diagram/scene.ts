/** What all that is drawn on a page shares while one picture is drawn. */
import type { Nesting } from '../store/nesting';
import type { TaskTable } from '../store/task-table';
import type { ThreadActivity } from '../store/thread-activity';
import type { Speak } from '../words/speak';
import type { Palette } from './palette';
import type { Selection } from './selection';
import type { Shading } from './shading';
import type { Align } from './time-range';
import type { Viewport } from './viewport';

export interface Scene {
  readonly viewport: Viewport;
  readonly palette: Palette;
  readonly align: Align;
  /** Milliseconds after `timeOrigin`. */
  readonly now: number;
  /** Up to where the picture is drawn, ms on the axis; Infinity: all there is. */
  readonly until: number;
  /** As `OverlayInput.isFilling`. */
  readonly isFilling: boolean;
  /** Whether the run has ended. */
  readonly isOver: boolean;
  readonly speak: Speak;
  readonly tasks: TaskTable;
  /** What threads went through. */
  readonly activity: ThreadActivity;
  readonly selection: Selection;
  readonly shading: Shading;
  readonly nesting: Nesting;
  /** As `OverlayInput.outlinesAll`. */
  readonly outlinesAll: boolean;
  /** Part of the page in sight, in client coordinates. */
  readonly seenTop: number;
  readonly seenBottom: number;
  /** Pixels of a text in the overlay's size. */
  readonly measure: (text: string) => number;
}
