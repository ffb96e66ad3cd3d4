/** Running sums over the tasks of one group, so that its figures cost nothing to read while a million tasks come in. */
import { metricsOf, type SlotSpan } from '../analysis/metrics';
import { STATE_MASK, TaskState, type GroupKind, type Metrics, type TaskColumns } from '../model/timeline';
import { Peak } from './peak';

interface ChunkSums { slots: number; start: number; lastEnd: number; pending: number }

const emptyChunk = (): ChunkSums => ({ slots: 0, start: Infinity, lastEnd: -Infinity, pending: 0 });

/**
 * Fed with each task once when it comes into the group and once when it ends, nearly in the order in which that happened.
 * What happened long before (a task found late), and a task taken away, call for a new tally over all tasks: `Tally.over`.
 */
export class Tally {
  taskCount = 0;
  fulfilled = 0;
  rejected = 0;
  lanes = 0;
  start = Infinity;
  private lastEnd = -Infinity;
  private running = 0;
  private endedBusy = 0;
  private runningStarts = 0;
  private readonly most = new Peak();
  /** Index 0 holds the sums of all tasks, index k those of chunk k. */
  private readonly spans: ChunkSums[] = [emptyChunk()];

  begin(start: number, lane: number, chunk: number): void {
    this.most.begin(start);
    this.taskCount++;
    this.running++;
    this.runningStarts += start;
    if (lane > this.lanes) this.lanes = lane;
    if (start < this.start) this.start = start;
    this.openSpan(0, start);
    if (chunk > 0) this.openSpan(chunk, start);
  }

  finish(start: number, end: number, state: number, chunk: number): void {
    this.most.end(end, start);
    this.running--;
    this.runningStarts -= start;
    this.endedBusy += end - start;
    if (end > this.lastEnd) this.lastEnd = end;
    this.count(state, 1);
    this.closeSpan(0, end);
    if (chunk > 0) this.closeSpan(chunk, end);
  }

  /** A task that has ended turned out to have ended otherwise. */
  restate(before: number, after: number): void {
    this.count(before, -1);
    this.count(after, 1);
  }

  /** The most tasks at once. */
  get peak(): number { return this.most.value; }
  /** True once the peak can only be told from all tasks. */
  get isLost(): boolean { return this.most.isLost; }
  get pending(): number { return this.running; }
  get chunks(): number { return this.spans.length - 1; }
  /** Undefined while a task is pending. */
  get end(): number | undefined { return this.running > 0 || this.taskCount === 0 ? undefined : this.lastEnd; }

  /** @param now milliseconds after `timeOrigin`: up to where pending tasks have worked by now */
  metrics(kind: GroupKind, now: number): Metrics {
    if (this.taskCount === 0) return metricsOf(0, 0, []);
    const until = (span: ChunkSums): number => (span.pending > 0 ? Math.max(now, span.lastEnd, span.start) : span.lastEnd);
    const whole = this.spans[0];
    const makespan = until(whole) - whole.start;
    const busy = this.endedBusy + Math.max(0, this.running * until(whole) - this.runningStarts);
    const spans: SlotSpan[] = kind === 'chunk' && this.chunks > 0
      ? this.spans.slice(1).filter((span) => span.slots > 0).map((span) => ({ slots: span.slots, durationMs: until(span) - span.start }))
      : [{ slots: this.lanes, durationMs: makespan }];
    return metricsOf(makespan, busy, spans);
  }

  /** A tally over the given rows, whatever the order they were found in. O(n log n) */
  static over(tasks: TaskColumns, rows: readonly number[]): Tally {
    const tally = new Tally();
    const starts = rows.toSorted((a, b) => tasks.start[a] - tasks.start[b] || a - b);
    const ends = rows.filter((row) => !Number.isNaN(tasks.end[row])).sort((a, b) => tasks.end[a] - tasks.end[b] || a - b);
    let next = 0;
    const finishBefore = (time: number): void => {
      for (; next < ends.length && tasks.end[ends[next]] < time; next++) {
        const row = ends[next];
        tally.finish(tasks.start[row], tasks.end[row], tasks.state[row], tasks.chunk[row]);
      }
    };
    for (const row of starts) {
      finishBefore(tasks.start[row]);
      tally.begin(tasks.start[row], tasks.lane[row], tasks.chunk[row]);
    }
    finishBefore(Infinity);
    return tally;
  }

  private count(state: number, by: number): void {
    if ((state & STATE_MASK) === TaskState.rejected) this.rejected += by; else this.fulfilled += by;
  }

  private openSpan(index: number, start: number): void {
    while (this.spans.length <= index) this.spans.push(emptyChunk());
    const span = this.spans[index];
    span.slots++;
    span.pending++;
    if (start < span.start) span.start = start;
  }

  private closeSpan(index: number, end: number): void {
    const span = this.spans[index];
    span.pending--;
    if (end > span.lastEnd) span.lastEnd = end;
  }
}
