/**
 * Hands out rails: the longest-free one first, a new one where none is free. When a task began, or ended, may become known late; from
 * then on rails are amiss, and are laid again:
 *
 *   known late   1 ├▇▇▇▇┤  ├▇▇▇▇▇┤       laid again   1 ├▇▇▇▇┤  ├▇▇▇▇▇┤
 *                  ├▇▇▇▇▇▇┤ on 1, too                 2 ├▇▇▇▇▇▇┤
 */
import { Queue } from './queue';

/** What runs on a rail. Times are milliseconds after the run's `timeOrigin`; an end that is NaN is yet to come. */
export interface OnRail { readonly start: number; readonly end: number; lane: number }

export class Rails {
  private free = new Queue<number>();
  /** By rail: since when it is free, as far as is known; and until when what is settled for good ran there. */
  private readonly freeSince: number[] = [];
  private readonly settledUntil: number[] = [];
  private count = 0;
  private latestNew = -Infinity;
  /** Whether a rail was handed out on which something ran, or a new one where another was free. */
  areAmiss = false;

  /** @param start when what it is for began @returns a 1-based rail */
  take(start: number): number {
    if (this.free.length > 0) {
      const rail = this.free.shift();
      this.areAmiss ||= this.freeSince[rail - 1] > start;
      return rail;
    }
    this.latestNew = start;
    return ++this.count;
  }

  /** @param end until when something ran there */
  release(rail: number, end: number): void {
    this.freeSince[rail - 1] = end;
    this.areAmiss ||= end <= this.latestNew;
    this.free.push(rail);
  }

  /** What ran on a rail stays there for good. */
  settle({ lane, end }: OnRail): void {
    while (this.settledUntil.length < lane) this.settledUntil.push(-Infinity);
    this.settledUntil[lane - 1] = Math.max(this.settledUntil[lane - 1], end);
  }

  /**
   * Gives each its rail as if all had been known in time.
   * @param tasks all that is not settled for good, by their starts
   */
  layAgain(tasks: readonly OnRail[]): void {
    this.areAmiss = false;
    this.latestNew = -Infinity;
    this.free = new Queue<number>();
    this.count = this.settledUntil.length;
    const settled = this.settledUntil.map((end, i): OnRail => ({ start: -Infinity, end, lane: i + 1 }));
    const endings = [...settled, ...tasks.filter(({ end }) => !Number.isNaN(end))].sort((a, b) => a.end - b.end);
    const laid = new Set<OnRail>(settled);
    let next = 0;
    const freeUntil = (time: number): void => {
      // What is as short as no time at all may end before it has a rail.
      for (; next < endings.length && endings[next].end <= time && laid.has(endings[next]); next++) this.release(endings[next].lane, endings[next].end);
    };
    for (const task of tasks) {
      freeUntil(task.start);
      task.lane = this.take(task.start);
      laid.add(task);
    }
    freeUntil(Infinity);
    this.areAmiss = false;
  }
}
