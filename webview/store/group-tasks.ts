/** The tasks of one group: its lanes, and the spans that get frames. */
import { IGNORED, STATE_MASK, TaskState, type Group, type GroupKind } from '../../src/model/timeline';
import { Traffic } from './traffic';
import { Lane } from './lane';
import { addLane, closeTask, emptySpan, openTask, type Decides, type Span } from './span';
import type { TaskDetails } from './task-table';
import { PENDING, TickClock } from './tick-clock';
import { Mip, worthOf } from './mip';

/** One row of a delta. */
export interface TaskRow {
  id: number; lane: number; chunk: number; start: number; end: number; state: number;
  /** Milliseconds it waited for its start; NaN or left out where it did not. */
  wait?: number;
}

/** Where a task is found in its group's columns: 1-based lane, index in its columns. */
export interface TaskSpot { readonly lane: number; readonly index: number }

export class GroupTasks {
  /** Undefined until the host has said what group this is. */
  info: Group | undefined;
  /** Lane k at index k − 1; a hole where none of its tasks is known. */
  readonly lanes: (Lane | undefined)[] = [];
  readonly clock = new TickClock();
  /** Grows with every change: who has drawn revision n need not draw it again. */
  revision = 0;
  private wholeSpan = emptySpan(0);
  private chunks = new Map<number, Span>();
  private chunkList: Span[] = [];
  private stale = false;
  private mip: Mip | undefined;
  private ownTraffic: Traffic | undefined;
  private ownWaiting: Traffic | undefined;
  /** Whether any task of it has been seen to wait for its start. */
  hasQueued = false;
  /** Each task is counted in these. */
  private counted: readonly Traffic[] = [];

  private runTraffic: Traffic | undefined;

  /** @param addRail gives a new lane its number @param runTraffic of all groups of the run, where it is kept already */
  constructor(readonly id: number, readonly details: TaskDetails, private readonly addRail: (lane: number) => number = () => 0, runTraffic?: Traffic) {
    this.runTraffic = runTraffic;
    this.forgetTraffic();
  }

  /** @returns the rail of the lane it went to */
  insert(row: Readonly<TaskRow>): number {
    this.makeTime(row.start, row.end);
    const lane = this.lanes[row.lane - 1] ?? (this.lanes[row.lane - 1] = new Lane(this.clock, this.addRail(row.lane)));
    lane.insert(row.id, row.start, row.end, row.state);
    this.summarise(row);
    if (this.ownTraffic && row.start < this.ownTraffic.origin) this.forgetTraffic();
    count(this.counted, 1, row.start, row.end, row.state);
    this.countWait(row);
    this.revision++;
    if (!this.stale) this.account(row.id, row.lane, row.chunk, row.start, row.end, row.state);
    return lane.rail;
  }

  /** Replaces a task that stays in its lane. @returns false where it has to be taken out and put in anew */
  replace(row: Readonly<TaskRow>, chunk: number): boolean {
    this.makeTime(row.start, row.end);
    const lane = this.lanes[row.lane - 1];
    const at = lane?.indexOf(row.id, row.start) ?? -1;
    if (!lane || at < 0 || chunk !== row.chunk) return false;
    const wasPending = lane.end[at] === PENDING;
    const state = lane.stateOf(at);
    const end = lane.end[at];
    countEnd(this.counted, -1, lane.endOf(at), state);
    lane.setEnd(at, row.id, row.end, row.state);
    countEnd(this.counted, 1, row.end, row.state);
    this.revision++;
    if (wasPending) this.summarise(row);
    else if (lane.end[at] !== end || state !== row.state) {
      this.stale = true;
      this.mip = undefined;
    }
    if (wasPending && !Number.isNaN(row.end) && !this.stale) this.close(row.id, row.lane, chunk, row.start, row.end, row.state);
    return true;
  }

  remove(id: number, laneNumber: number): void {
    const lane = this.lanes[laneNumber - 1];
    const at = lane?.find(id) ?? -1;
    if (lane && at >= 0) {
      count(this.counted, -1, lane.startOf(at), lane.endOf(at), lane.stateOf(at));
      lane.removeAt(at);
    }
    this.stale = true;
    this.mip = undefined;
    this.revision++;
  }

  /** Counts what is there, once. */
  countIn(traffic: Traffic): void { this.countAll(1, [traffic]); }

  /** From now on the run's traffic is kept: what is there already is counted in it. */
  countInRun(traffic: Traffic): void {
    this.countIn(traffic);
    this.runTraffic = traffic;
    this.counted = this.ownTraffic ? [traffic, this.ownTraffic] : [traffic];
  }

  /** The group is no more: what it held is no traffic of the run. */
  withdraw(): void { this.countAll(-1, this.counted); }

  /** How much went on in this group, made on first use and kept up with from then on. */
  get traffic(): Traffic {
    if (this.ownTraffic) return this.ownTraffic;
    let origin = this.info?.start ?? Infinity;
    for (const lane of this.lanes) if (lane && lane.length > 0) origin = Math.min(origin, lane.startOf(0));
    const own = new Traffic(origin);
    this.countAll(1, [own]);
    this.counted = this.runTraffic ? [this.runTraffic, own] : [own];
    return (this.ownTraffic = own);
  }

  /** Gives its memory back. */
  forgetTraffic(): void {
    this.ownTraffic = undefined;
    this.counted = this.runTraffic ? [this.runTraffic] : [];
  }

  /** Tasks that waited for their start, as those in flight of a traffic: made on first use and kept up with from then on. A task is counted once it has started. */
  get waiting(): Traffic {
    if (this.ownWaiting) return this.ownWaiting;
    let origin = Infinity;
    this.eachWait((from) => { if (from < origin) origin = from; });
    const own = new Traffic(origin);
    this.eachWait((from, to) => countStretch(own, from, to));
    return (this.ownWaiting = own);
  }

  /** Whether its queue is shown over what is in flight: its traffic is read at every picture. */
  get showsInFlight(): boolean { return this.hasQueued && this.info?.declared !== undefined; }

  /** Gives its memory back, or has it counted anew where a wait is another one now. */
  forgetWaiting(): void { this.ownWaiting = undefined; }

  /** The summary of all ended tasks, made on first use and kept up with from then on; undefined where lanes are too many for one. */
  get summary(): Mip | undefined {
    if (!this.mip && Mip.fits(this.lanes.length)) {
      this.mip = new Mip(this.lanes.length);
      this.lanes.forEach((lane, k) => {
        for (let i = 0; lane && i < lane.length; i++) {
          if (lane.end[i] !== PENDING) this.mip?.add(k, lane.start[i], lane.end[i], worthOf(lane.stateOf(i)));
        }
      });
    }
    this.mip?.sync();
    return this.mip;
  }

  /** Gives the summary's memory back while nobody looks. */
  forgetSummary(): void { this.mip = undefined; }

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
    return (this.info?.kind === 'chunk' ? this.chunks.get(this.details.chunkOf(id)) : undefined) ?? this.wholeSpan;
  }

  private countWait({ start, wait = 0 }: Readonly<TaskRow>): void {
    if (!(wait > 0)) return;
    this.hasQueued = true;
    if (!this.ownWaiting) return;
    if (start - wait < this.ownWaiting.origin) this.forgetWaiting();
    else countStretch(this.ownWaiting, start - wait, start);
  }

  /** @param visit gets each wait, in milliseconds after `timeOrigin` */
  private eachWait(visit: (from: number, to: number) => void): void {
    for (const lane of this.lanes) {
      for (let i = 0; lane && i < lane.length; i++) {
        const wait = this.details.waitOf(lane.idOf(i));
        if (wait > 0) visit(lane.startOf(i) - wait, lane.startOf(i));
      }
    }
  }

  private makeTime(start: number, end: number): void {
    if (this.clock.holds(start, end)) return;
    const to = this.clock.widen(start, end);
    for (const lane of this.lanes) lane?.retick(to);
    this.mip = undefined;
  }

  private countAll(sign: 1 | -1, traffics: readonly Traffic[]): void {
    for (const lane of this.lanes) for (let i = 0; lane && i < lane.length; i++) count(traffics, sign, lane.startOf(i), lane.endOf(i), lane.stateOf(i));
  }

  private summarise({ lane, start, end, state }: Readonly<TaskRow>): void {
    if (!this.mip || Number.isNaN(end)) return;
    if (lane > this.mip.rows) this.mip = undefined;
    else this.mip.add(lane - 1, this.clock.ticks(start), this.clock.ticks(end), worthOf(state));
  }

  private refresh(): void {
    if (!this.stale) return;
    this.stale = false;
    this.wholeSpan = emptySpan(0);
    this.chunks = new Map();
    this.chunkList = [];
    const isPlain = this.info !== undefined && this.info.kind !== 'chunk' && !DECIDED.has(this.info.kind);
    this.lanes.forEach((lane, k) => {
      if (lane && isPlain) addLane(this.wholeSpan, lane, k + 1);
      else for (let i = 0; lane && i < lane.length; i++) {
        const id = lane.idOf(i);
        this.account(id, k + 1, this.details.chunkOf(id), lane.startOf(i), lane.endOf(i), lane.stateOf(i));
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
    const decides = decisionOf(this.info, state);
    const span = this.chunks.get(chunk);
    closeTask(this.wholeSpan, id, lane, start, end, decides);
    if (span) closeTask(span, id, lane, start, end, decides);
    if ((state & IGNORED) === 0) return;
    this.wholeSpan.ignored++;
    if (span) span.ignored++;
  }

  private addChunk(number: number): Span {
    const span = emptySpan(number);
    this.chunks.set(number, span);
    this.chunkList.push(span);
    return span;
  }
}

/** Calls that one of their tasks may settle. */
const DECIDED: ReadonlySet<GroupKind> = new Set(['all', 'race', 'any']);

/** How a task that ended so may have settled the call it is part of. @param state with its bits */
function decisionOf({ kind, combinator }: Partial<Group> = {}, state: number): Decides {
  const outcome = state & STATE_MASK;
  if (kind === 'race') return 'first';
  if (kind === 'any') return outcome === TaskState.fulfilled ? 'first' : 'never';
  return (kind === 'all' || (kind === 'chunk' && combinator === 'all')) && outcome === TaskState.rejected && (state & IGNORED) === 0 ? 'last' : 'never';
}

function countStretch(traffic: Traffic, from: number, to: number): void {
  traffic.begin(from);
  traffic.finish(to, false);
}

/** Adds a task to what went on, or takes it away again. @param end NaN while pending */
function count(traffics: readonly Traffic[], sign: 1 | -1, start: number, end: number, state: number): void {
  for (const traffic of traffics) traffic.begin(start, sign);
  countEnd(traffics, sign, end, state);
}

function countEnd(traffics: readonly Traffic[], sign: 1 | -1, end: number, state: number): void {
  if (Number.isNaN(end)) return;
  for (const traffic of traffics) traffic.finish(end, (state & STATE_MASK) === TaskState.rejected, sign);
}
