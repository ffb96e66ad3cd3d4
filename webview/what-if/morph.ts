/** Bars on their way from one schedule to another: one timer for all of them, columns in between. */
import { easeCubicInOut, timer, type Timer } from '../d3-motion';
import { emptyLayout, type Layout } from './recorded';

const DURATION_MS = 700;

export class Morph {
  /** Where the bars are now. */
  readonly layout: Layout;
  private readonly clock: Timer;

  /** @param onStep called for each picture @param onEnd called once, in place of the last */
  constructor(from: Layout, to: Layout, onStep: () => void, onEnd: () => void) {
    this.layout = emptyLayout(to.start.length);
    this.move(from, to, 0);
    this.clock = timer((elapsed) => {
      if (elapsed >= DURATION_MS) {
        this.stop();
        onEnd();
        return;
      }
      this.move(from, to, easeCubicInOut(elapsed / DURATION_MS));
      onStep();
    });
  }

  stop(): void { this.clock.stop(); }

  private move(from: Layout, to: Layout, share: number): void {
    for (const column of ['start', 'end', 'lane'] as const) {
      const now = this.layout[column];
      const a = from[column];
      const b = to[column];
      for (let row = 0; row < now.length; row++) now[row] = a[row] + (b[row] - a[row]) * share;
    }
  }
}
