/** The tasks of one group: its lanes, and the spans that get frames. */
import { STATE_MASK, TaskState, type Group } from '../../src/model/timeline';
import { Lane } from './lane';
import { closeTask, emptySpan, openTask, type Span } from './span';
import type { TaskTable } from './task-table';

/** One row of a delta. */
export interface TaskRow { id: number; lane: number; chunk: number; start: number; end: number; state: number }

/** Where a task is found in its group's columns: 1-based lane, index in its columns. */
export interface TaskSpot { readonly lane: number; readonly index: number }

export class GroupTasks {
  /** Undefined until the host has said what group this is. */
  info: Group | undefined;
  /** Lane k at index k − 1; a hole where none of its tasks is known. */
  readonly lanes: (Lane | undefined)[] = [];
  /** Grows with every change: who has drawn revision n need not draw it again. */
  revision = 0;
  private wholeSpan = emptySpan(0);
  private chunks = new Map<number, Span>();
  private chunkList: Span[] = [];
  private stale = false;

  constructor(readonly id: number, private readonly table: TaskTable) {}

  insert(row: Readonly<TaskRow>): void {
    const lane = this.lanes[row.lane - 1] ?? (this.lanes[row.lane - 1] = new Lane());
    lane.insert(row.id, row.start, row.end, row.state);
    this.revision++;
    if (!this.stale) this.account(row.id, row.lane, row.chunk, row.start, row.end, row.state);
  }

  /** Replaces a task that stays in its lane. @returns false where it has to be taken out and put in anew */
  replace(row: Readonly<TaskRow>, chunk: number): boolean {
    const lane = this.lanes[row.lane - 1];
    const at = lane?.indexOf(row.id, row.start) ?? -1;
    if (!lane || at < 0 || lane.start[at] !== row.start || chunk !== row.chunk) return false;
    const wasPending = Number.isNaN(lane.end[at]);
    this.revision++;
    if (!wasPending && (lane.end[at] !== row.end || lane.state[at] !== row.state)) this.stale = true;
    lane.end[at] = row.end;
    lane.state[at] = row.state;
    if (wasPending && !Number.isNaN(row.end) && !this.stale) this.close(row.id, row.lane, chunk, row.start, row.end, row.state);
    return true;
  }

  remove(id: number, laneNumber: number): void {
    const lane = this.lanes[laneNumber - 1];
    const at = lane?.indexOf(id, NaN) ?? -1;
    if (at >= 0) lane?.remove(at);
    this.stale = true;
    this.revision++;
  }

  setInfo(info: Group): void {
    if (this.info?.kind !== info.kind) this.stale = true;
    this.info = info;
    this.revision++;
  }

  /** Frames to draw: the chunks of a chunk group, else the one whole. */
  get frames(): readonly Span[] {
    this.refresh();
    return this.info?.kind === 'chunk' && this.chunkList.length > 0 ? this.chunkList : [this.wholeSpan];
  }

  get whole(): Span {
    this.refresh();
    return this.wholeSpan;
  }

  /** The span a task of this group is drawn in. */
  spanOf(id: number): Span {
    this.refresh();
    return (this.info?.kind === 'chunk' ? this.chunks.get(this.table.chunk[id]) : undefined) ?? this.wholeSpan;
  }

  private refresh(): void {
    if (!this.stale) return;
    this.stale = false;
    this.wholeSpan = emptySpan(0);
    this.chunks = new Map();
    this.chunkList = [];
    this.lanes.forEach((lane, k) => {
      for (let i = 0; lane && i < lane.length; i++) {
        this.account(lane.id[i], k + 1, this.table.chunk[lane.id[i]], lane.start[i], lane.end[i], lane.state[i]);
      }
    });
    this.chunkList.sort((a, b) => a.number - b.number);
  }

  private account(id: number, lane: number, chunk: number, start: number, end: number, state: number): void {
    openTask(this.wholeSpan, start);
    if (chunk > 0) openTask(this.chunks.get(chunk) ?? this.addChunk(chunk), start);
    if (!Number.isNaN(end)) this.close(id, lane, chunk, start, end, state);
  }

  private close(id: number, lane: number, chunk: number, start: number, end: number, state: number): void {
    const decides = this.info?.kind !== 'any' || (state & STATE_MASK) === TaskState.fulfilled;
    closeTask(this.wholeSpan, id, lane, start, end, decides);
    const span = this.chunks.get(chunk);
    if (span) closeTask(span, id, lane, start, end, decides);
  }

  private addChunk(number: number): Span {
    const span = emptySpan(number);
    this.chunks.set(number, span);
    this.chunkList.push(span);
    return span;
  }
}
