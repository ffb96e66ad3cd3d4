/**
 * Trace events as lanes: a group for each process with a lane a thread, a group for each category of asynchronous operations with
 * a task an id. What runs inside other slices of its thread stands in a group of its own, a level below. A process that Async
 * Lanes itself wrote is one of its groups again, with the kind, the chunks and the outcomes it had.
 */
import { Rails } from '../grouping/rails';
import { ABORTED, GROUP_KINDS, IGNORED, TaskState, TIMED_OUT } from '../model/timeline';
import { Timeline, type GroupFacts } from '../timeline/timeline';
import { SlicePhase, SliceTrack, type Slice } from './slices';
import type { TraceEvent } from './trace-events';

export interface TraceCounts {
  readonly events: number;
  /** Events that make no sense: without a moment, or with one out of range. */
  readonly wrong: number;
  /** Ends without a beginning. */
  readonly unpaired: number;
  /** Of kinds that are not drawn: flows, counters, instants. */
  readonly other: number;
  /** Left out, for there were too many, on too many threads, or too deep in others. */
  readonly beyond: number;
}

const MAX_EVENTS = 1_000_000;
const MAX_TRACKS = 200_000;
const MAX_LANES = 10_000;
const MAX_GROUPS = 2_000;
const MAX_LEVELS = 64;
const MAX_LABELS = 100_000;
const MAX_NAME = 120;
/** Microseconds: a trace that spans more than 30 years is none. */
const MAX_SPAN = 1e15;

/** Of one event, what its task is to be told of. */
interface Detail {
  readonly name: string; readonly ordinal: number; readonly chunk: number; readonly state: number; readonly isOpen: boolean; readonly error: string;
  /** Microseconds before its start; NaN where it is not known to have waited. */
  readonly waited: number;
}
/** The task a group ran inside: the process of that task's group, and its ordinal there. */
interface Parent { readonly process: string; readonly ordinal: number }
interface Track { readonly slices: SliceTrack; readonly process: string; readonly category: string | undefined; readonly id: string }

const STATES: Readonly<Record<string, number>> = { pending: TaskState.pending, rejected: TaskState.rejected };

export class TraceLanes {
  readonly timeline = new Timeline();
  /** Milliseconds from the first beginning to the last end. */
  elapsedMs = 0;
  private readonly tracks = new Map<string, Track>();
  private readonly processes = new Map<string, string>();
  private readonly threads = new Map<string, string>();
  /** Groups as Async Lanes itself wrote them, by process. */
  private readonly own = new Map<string, Partial<GroupFacts>>();
  private readonly parents = new Map<string, Parent>();
  private readonly details: Detail[] = [];
  private events = 0;
  private wrong = 0;
  private unpaired = 0;
  private other = 0;
  private beyond = 0;

  get counts(): TraceCounts {
    const { events, wrong, unpaired, other, beyond } = this;
    return { events, wrong, unpaired, other, beyond };
  }

  push(event: TraceEvent): void {
    this.events++;
    const { ph } = event.fields;
    switch (ph) {
      case 'M': return this.name(event);
      case 'X': return this.slice(event, SlicePhase.whole);
      case 'B': return this.slice(event, SlicePhase.begin);
      case 'E': return this.slice(event, SlicePhase.end);
      case 'b': case 'S': return this.operation(event, SlicePhase.begin);
      case 'e': case 'F': return this.operation(event, SlicePhase.end);
      default:
        if (typeof ph === 'string' && ph.length === 1) this.other++; else this.wrong++;
    }
  }

  /** The file is over: lanes are made of what was told. */
  finish(): void {
    const found: (Slice & { readonly track: Track })[] = [];
    for (const track of this.tracks.values()) this.unpaired += track.slices.slices((slice) => { found.push({ ...slice, track }); });
    found.sort((a, b) => a.start - b.start || a.level - b.level);
    const origin = found[0]?.start ?? 0;
    const groups = new Map<string, LaneGroup>();
    for (const slice of found) {
      if (slice.start - origin > MAX_SPAN) { this.wrong++; continue; }
      this.place(slice, origin, groups);
    }
    for (const group of groups.values()) group.finish();
    this.nest(groups);
  }

  /** Groups of Async Lanes' own that ran inside tasks stand inside them again. */
  private nest(groups: ReadonlyMap<string, LaneGroup>): void {
    for (const [process, parent] of this.parents) {
      const inner = groups.get(keyOf(undefined, 1, process));
      const task = groups.get(keyOf(undefined, 1, parent.process))?.taskOf(parent.ordinal);
      if (inner && task !== undefined && !this.isInside(parent.process, process)) this.timeline.updateGroup(inner.id, { parentTask: task });
    }
  }

  /** Whether a group runs, by what the file says, inside another: one that runs inside itself is a broken file's. */
  private isInside(process: string, other: string): boolean {
    let at: string | undefined = process;
    for (let steps = 0; at !== undefined && steps <= this.parents.size; steps++) {
      if (at === other) return true;
      at = this.parents.get(at)?.process;
    }
    return at !== undefined;
  }

  private place(slice: Slice & { readonly track: Track }, origin: number, groups: Map<string, LaneGroup>): void {
    const { track: { process, category, id }, what } = slice;
    const own = category === undefined ? this.own.get(process) : undefined;
    const level = own ? 1 : slice.level;
    const key = keyOf(category, level, process);
    if (level > MAX_LEVELS) { this.beyond++; return; }
    let group = groups.get(key);
    if (!group) {
      if (groups.size >= MAX_GROUPS) { this.beyond++; return; }
      group = new LaneGroup(this.timeline, { thread: 1, kind: 'pool', ...(own ?? { name: this.title(process, category, level), lanesOf: category === undefined ? undefined : 'operations' }) }, own !== undefined, category !== undefined);
      groups.set(key, group);
    }
    const start = (slice.start - origin) / 1000;
    const detail = this.details[what];
    const isOpen = detail.isOpen || Number.isNaN(slice.end);
    const end = isOpen ? NaN : (slice.end - origin) / 1000;
    this.elapsedMs = Math.max(this.elapsedMs, start, Number.isNaN(slice.end) ? 0 : (slice.end - origin) / 1000);
    const label = own ? detail.name : category === undefined ? this.labelOf(process, id, detail.name) : detail.name;
    if (!group.add({ start, end, lane: id, detail, label: own && label === String(detail.ordinal) ? '' : label, state: isOpen ? TaskState.pending : detail.state })) this.beyond++;
  }

  private labelOf(process: string, id: string, name: string): string {
    const thread = this.threads.get(`${process}\n${id}`);
    return thread === undefined ? name : `${thread}: ${name}`;
  }

  private title(process: string, category: string | undefined, level: number): string {
    const name = this.processes.get(process) ?? process;
    return `${name}${category === undefined ? '' : ` · ${category || 'async'}`}${level > 1 ? ` · ${level}` : ''}`.slice(0, MAX_NAME);
  }

  private name({ fields, args }: TraceEvent): void {
    const process = text(fields['pid']);
    const name = text(args['name']).slice(0, MAX_NAME);
    if (this.processes.size + this.threads.size > MAX_TRACKS) return;
    if (fields['name'] === 'process_name') {
      if (name !== '') this.processes.set(process, name);
      const own = ownGroup(args);
      if (own && this.own.size < MAX_GROUPS) {
        this.own.set(process, own);
        const parent = { process: text(args['asyncLanes.parent']), ordinal: count(args['asyncLanes.parentOrdinal']) };
        if (parent.process !== '' && parent.ordinal > 0) this.parents.set(process, parent);
      }
    } else if (fields['name'] === 'thread_name' && name !== '') {
      this.threads.set(`${process}\n${text(fields['tid'])}`, name);
    }
  }

  private slice({ fields, args }: TraceEvent, phase: SlicePhase): void {
    this.add(text(fields['pid']), undefined, text(fields['tid']), phase, fields, args);
  }

  private operation({ fields, args, id2 }: TraceEvent, phase: SlicePhase): void {
    const id = text(fields['id']) || text(id2['local']) || text(id2['global']);
    if (id === '') this.wrong++;
    else this.add(text(fields['pid']), text(fields['cat']).slice(0, MAX_NAME), id, phase, fields, args);
  }

  private add(process: string, category: string | undefined, id: string, phase: SlicePhase, fields: TraceEvent['fields'], args: TraceEvent['args']): void {
    const { ts } = fields;
    const length = phase === SlicePhase.whole ? fields['dur'] : 0;
    if (!isTime(ts) || !isTime(length) || length < 0 || length > MAX_SPAN) { this.wrong++; return; }
    const key = `${category === undefined ? 'thread' : `operation ${category}`}\n${process}\n${id}`;
    let track = this.tracks.get(key);
    if (this.details.length >= MAX_EVENTS || (!track && this.tracks.size >= MAX_TRACKS)) { this.beyond++; return; }
    if (!track) this.tracks.set(key, track = { slices: new SliceTrack(), process, category, id });
    const what = phase === SlicePhase.end ? 0 : this.details.push(detailOf(fields, args)) - 1;
    track.slices.add(phase, ts, length, what);
  }
}

interface Placed { readonly start: number; readonly end: number; readonly lane: string; readonly detail: Detail; readonly label: string; readonly state: number }

/** One group while its tasks come in, in the order of their starts. */
class LaneGroup {
  readonly id: number;
  /** Ids of tasks that others may run inside, by ordinal. */
  private readonly tasks = new Map<number, number>();
  private readonly lanes = new Map<string, number>();
  private readonly rails = new Rails();
  /** Ends of tasks on rails, the earliest first. */
  private readonly busy: { readonly end: number; readonly rail: number }[] = [];
  /** Of `busy`, the first that has not been released. */
  private next = 0;
  private readonly placed: { readonly task: Placed; readonly lane: number }[] = [];

  /** @param isOwn lanes are numbers, and tasks know ordinal and chunk @param isPacked a task takes any lane that is free */
  constructor(private readonly timeline: Timeline, private readonly facts: GroupFacts, private readonly isOwn: boolean, private readonly isPacked: boolean) {
    this.id = timeline.addGroup(facts);
  }

  /** @returns false where there is no lane for it */
  add(task: Placed): boolean {
    const lane = this.laneOf(task);
    if (lane > MAX_LANES) return false;
    this.placed.push({ task, lane });
    return true;
  }

  finish(): void {
    const { placed, timeline } = this;
    placed.forEach(({ task: { start, end, detail, label, state }, lane }, k) => {
      const ordinal = this.isOwn && detail.ordinal > 0 ? detail.ordinal : k + 1;
      // A chunk of a number beyond that of tasks would be one of a broken file.
      const chunk = this.facts.kind === 'chunk' && detail.chunk <= placed.length ? detail.chunk : 0;
      const id = timeline.addTask({ group: this.id, ordinal, lane, chunk, queued: this.isOwn ? start - detail.waited / 1000 : NaN, start, end, state });
      if (this.isOwn) this.tasks.set(ordinal, id);
      if (label !== '' && id <= MAX_LABELS) timeline.labelTask(id, label);
      if (detail.error !== '' && id <= MAX_LABELS) timeline.tellError(id, detail.error);
    });
  }

  /** @returns the id of a task of a group that Async Lanes wrote, once it is finished */
  taskOf(ordinal: number): number | undefined { return this.tasks.get(ordinal); }

  private laneOf({ lane, start, end }: Placed): number {
    if (this.isOwn) return /^[1-9]\d{0,6}$/.test(lane) ? Number(lane) : this.numbered(lane);
    if (!this.isPacked) return this.numbered(lane);
    return this.packed(start, end);
  }

  private packed(start: number, end: number): number {
    const { busy, rails } = this;
    for (; this.next < busy.length && busy[this.next].end <= start; this.next++) rails.release(busy[this.next].rail, busy[this.next].end);
    if (busy.length - this.next >= MAX_LANES) return MAX_LANES + 1;
    const rail = rails.take(start);
    if (Number.isNaN(end)) return rail;
    let at = busy.length;
    while (at > this.next && busy[at - 1].end > end) at--;
    busy.splice(at, 0, { end, rail });
    return rail;
  }

  private numbered(lane: string): number {
    const known = this.lanes.get(lane);
    if (known !== undefined) return known;
    this.lanes.set(lane, this.lanes.size + 1);
    return this.lanes.size;
  }
}

function detailOf(fields: TraceEvent['fields'], args: TraceEvent['args']): Detail {
  const status = text(args['status']);
  const waited = args['waited'];
  return {
    name: text(fields['name']).slice(0, MAX_NAME), ordinal: count(args['ordinal']), chunk: count(args['chunk']),
    error: text(args['error']).slice(0, MAX_NAME), state: stateOf(status, args), isOpen: status === 'pending', waited: isTime(waited) && waited >= 0 && waited <= MAX_SPAN ? waited : NaN,
  };
}

/** What cut a task short is said of rejected ones alone, and is one thing or the other. */
function stateOf(status: string, args: TraceEvent['args']): number {
  const state = Object.hasOwn(STATES, status) ? STATES[status] : TaskState.fulfilled;
  const cut = state !== TaskState.rejected ? 0 : args['aborted'] === true ? ABORTED : args['timedOut'] === true ? TIMED_OUT : 0;
  return state | cut | (args['ignored'] === true ? IGNORED : 0);
}

const keyOf = (category: string | undefined, level: number, process: string): string => `${category === undefined ? 'threads' : `operations ${category}`}\n${level}\n${process}`;

/** What `chrome.ts` writes beside the name of a process. */
function ownGroup(args: TraceEvent['args']): Partial<GroupFacts> | undefined {
  const kind = GROUP_KINDS.find((each) => each === args['asyncLanes.kind']);
  if (!kind) return undefined;
  const combinator = (['all', 'allSettled', 'race', 'any'] as const).find((each) => each === args['asyncLanes.combinator']);
  const word = (name: string): string | undefined => text(args[`asyncLanes.${name}`]).slice(0, MAX_NAME) || undefined;
  const file = word('file');
  return {
    kind, combinator, name: word('name'), library: word('library'), declared: count(args['asyncLanes.declared']) || undefined, failed: args['asyncLanes.failed'] === true || undefined,
    site: file === undefined ? undefined : { file, line: count(args['asyncLanes.line']), column: count(args['asyncLanes.column']), function: word('function') ?? '' },
  };
}

const text = (value: unknown): string => (typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '');
const count = (value: unknown): number => (typeof value === 'number' && Number.isSafeInteger(value) && value > 0 && value < 2 ** 31 ? value : 0);
const isTime = (value: unknown): value is number => typeof value === 'number' && Math.abs(value) < 1e17;
