/** Steps back and forth through what was looked at. One gesture is one step, however many events it came as. */
export interface View {
  /** Milliseconds on the axis. */
  readonly start: number;
  readonly end: number;
  /** All there is, also as it grows. */
  readonly isFitted: boolean;
}

/** Changes closer to each other belong to one gesture. */
const GESTURE_MS = 400;
const MOST_STEPS = 100;
const ALL: View = { start: 0, end: 0, isFitted: true };

export class ZoomHistory {
  private past: View[] = [];
  private future: View[] = [];
  private current = ALL;
  private changedAt = -Infinity;

  /** A hand has changed the view. @param at milliseconds, of any one clock */
  note(view: View, at: number): void {
    if (at - this.changedAt > GESTURE_MS) {
      this.past = [...this.past.slice(1 - MOST_STEPS), this.current];
      this.future = [];
    }
    this.current = view;
    this.changedAt = at;
  }

  /** @returns what was looked at before; undefined where nothing was */
  back(): View | undefined { return this.step(this.past, this.future); }

  /** @returns what `back` has left */
  forth(): View | undefined { return this.step(this.future, this.past); }

  private step(from: View[], to: View[]): View | undefined {
    const view = from.pop();
    if (!view) return undefined;
    to.push(this.current);
    this.current = view;
    // What comes next is a gesture of its own.
    this.changedAt = -Infinity;
    return view;
  }
}
