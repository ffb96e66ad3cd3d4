/**
 * How many of a family's calls are at work, as they come and end. Where others take the places of those that ended while more of them
 * still run, that is a pool's doing; what is begun in one go and ends is a burst.
 */
import { NO_WAIT_MS } from '../moments';

export class Occupancy {
  /** How many are at work. */
  active = 0;
  /** The most at once, without those that made the next one themselves. */
  peak = 0;
  /** How many were made while others were at work and some had ended before. */
  refills = 0;
  /** Milliseconds: when the latest to end did so. */
  latestEnd = -Infinity;
  /** Whether none was at work when the latest was made. */
  wasIdle = true;
  /** How many that made the next one themselves are at work. */
  private passing = 0;
  /** How many have ended since none was at work. */
  private ends = 0;

  /** How many are at work, without those that made the next one themselves. */
  get working(): number { return this.active - this.passing; }

  /** A call is made, at a time in milliseconds. @returns whether a stretch begins with it: none is at work, nor ended later than that */
  comes(made: number): boolean {
    this.wasIdle = this.active === 0;
    if (!this.wasIdle) {
      if (this.ends > 0) this.refills++;
      return false;
    }
    if (made < this.latestEnd) return false;
    this.ends = 0;
    return true;
  }

  /** What has come is at work. */
  enters(): void {
    this.active++;
    this.notePeak();
  }

  /** What has come was over at once, or is known only now. Times in milliseconds. */
  goesThrough(made: number, ended: number): void {
    // What was through at once made no room for the next.
    if (ended - made >= NO_WAIT_MS) this.ends++;
    this.latestEnd = Math.max(this.latestEnd, ended);
    this.notePeak();
  }

  /** One that is at work made the next one. */
  passOn(): void { this.passing++; }

  /** None of those at work counts as having made the next one any more. */
  forgetPassedOn(): void { this.passing = 0; }

  /** One that was at work is over. @param ended milliseconds @param hasPassedOn whether it had made the next one */
  leaves(ended: number, hasPassedOn: boolean): void {
    this.active--;
    if (hasPassedOn) this.passing--;
    this.latestEnd = ended;
  }

  /** One that is over made room. @returns whether it is the first to do so since none was at work */
  makesRoom(): boolean { return ++this.ends === 1; }

  /** One that had seemed to be over, and to make room, is at work still. */
  comesBack(): void {
    this.active++;
    if (this.ends > 0) this.ends--;
    this.notePeak();
  }

  /** One at work turned out to be none of these. */
  takeOut(): void { this.active--; }

  private notePeak(): void { this.peak = Math.max(this.peak, this.working); }
}
