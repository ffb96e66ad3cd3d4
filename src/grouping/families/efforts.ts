/** How long a family's calls took, and whether some were at work at once. Times are milliseconds after the run's `timeOrigin`. */
import { NO_WAIT_MS, NO_WORK_MS } from '../moments';

/** Of calls of which one did work, how many of the latest took no time where they are fed by that one: more than when two in a row have worked. */
const FEED = 0.4;
/** Milliseconds that calls took one after the other before anybody would look for them: what a program sets up is through by then. */
const SLIGHT_MS = 20;

export class Efforts {
  /** Whether one did work; and how many of the latest took no time: 0–1, each call counts half of all before it. */
  private hasWorked = false;
  private trifling = 0;
  private atOnce = false;
  private total = 0;
  /** When the latest of those ended that did work and are over. */
  private latestEnd = -Infinity;

  /** Whether some that did work ran beside one another. */
  get wereAtOnce(): boolean { return this.atOnce; }

  /** Whether they hand on what one in a few of them fetched: rows of a page, messages of a batch. */
  get areFed(): boolean { return this.hasWorked && this.trifling > FEED; }

  /** Whether all of them took but a moment together. */
  get areSlight(): boolean { return this.total < SLIGHT_MS; }

  /** A call is over. @param hasPassedOn whether it made the next one itself, and so lasts longer than that */
  add(made: number, ended: number, hasPassedOn: boolean): void {
    if (ended - made >= NO_WORK_MS) {
      this.hasWorked = true;
      this.atOnce ||= !hasPassedOn && made < this.latestEnd;
      this.latestEnd = Math.max(this.latestEnd, ended);
    }
    this.total += ended - made;
    this.trifling = (this.trifling + (ended - made < NO_WAIT_MS ? 1 : 0)) / 2;
  }
}
