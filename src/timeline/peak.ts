/**
 * The most tasks at once, from starts and ends that come nearly in order. Of a moment, an end frees its slot for a start
 * there; a task that took no time frees none for others of its moment, it counts beside them.
 */

/** Latest events that are kept, so that one which comes late still finds its place among them. */
const KEPT = 2048;
const FOLD_AT = 1 << 16;

const BEGIN = 1;
const END = -1;
/** The end of a task that took no time. */
const INSTANT_END = 0;

export class Peak {
  private times: number[] = [];
  private kinds: number[] = [];
  /** Tasks that run, and the most there were, before the events that are kept. */
  private running = 0;
  private best = 0;
  private foldedUntil = -Infinity;
  private late = false;
  /** The answer, until something new comes. */
  private known: number | undefined = 0;

  /** True once an event came so late that the peak can only be told from all tasks. */
  get isLost(): boolean { return this.late; }

  /** @param time of a task's start */
  begin(time: number): void { this.add(time, BEGIN); }

  /** @param time of a task's end @param start of the same task */
  end(time: number, start: number): void { this.add(time, time > start ? END : INSTANT_END); }

  get value(): number {
    if (this.known === undefined) {
      this.fold();
      this.known = this.sweep(this.times.length).best;
    }
    return this.known;
  }

  private add(time: number, kind: number): void {
    // Damaged facts: no moment at all.
    if (Number.isNaN(time)) return;
    if (time < this.foldedUntil) this.late = true;
    this.known = undefined;
    this.times.push(time);
    this.kinds.push(kind);
    if (this.times.length >= FOLD_AT) this.fold();
  }

  /** Brings what is kept into order, and takes out what lies far enough back. */
  private fold(): void {
    const { times, kinds } = this;
    const order = times.map((_, index) => index).sort((a, b) => times[a] - times[b] || a - b);
    this.times = order.map((index) => times[index]);
    this.kinds = order.map((index) => kinds[index]);
    // Whole moments only.
    let count = this.times.length - KEPT;
    while (count > 0 && this.times[count - 1] === this.times[count]) count--;
    if (count <= 0) return;
    const { running, best } = this.sweep(count);
    this.running = running;
    this.best = best;
    this.foldedUntil = this.times[count];
    this.times = this.times.slice(count);
    this.kinds = this.kinds.slice(count);
  }

  /** Goes over the first so many of what is kept, which is in order. */
  private sweep(count: number): { running: number; best: number } {
    let { running, best } = this;
    for (let at = 0; at < count;) {
      const time = this.times[at];
      let begins = 0, ends = 0, instants = 0;
      for (; at < count && this.times[at] === time; at++) {
        const kind = this.kinds[at];
        if (kind === BEGIN) begins++; else if (kind === END) ends++; else instants++;
      }
      best = Math.max(best, running + begins - ends);
      running += begins - ends - instants;
    }
    return { running, best };
  }
}
