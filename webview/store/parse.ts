/** Messages come from outside: what is not as `protocol.ts` says is refused here, entry by entry, and counted. */
import { ActivityKind, type ActivityColumns } from '../../src/model/activity';
import type { Delta, Hello } from '../../src/model/protocol';
import type { Notice, RunPhase, RunState, Thread } from '../../src/model/run';
import { ABORTED, GROUP_KINDS, IGNORED, STATE_MASK, TaskState, TIMED_OUT, type Combinator, type Group, type GroupKind, type Site, type StateName, type TaskColumns } from '../../src/model/timeline';
import { fields, isFields, list, text, type Fields } from '../fields';

/** Above these something is wrong with the data, and drawing it would only freeze the page. */
export const MAX_TASK_ID = 1 << 24;
export const MAX_LANE = 1 << 20;
export const MAX_CHUNK = 1 << 24;
/** More groups than a page can list: the first of them are shown. */
export const MAX_GROUPS = 1 << 16;
/** Of notices, threads and words of a command: nobody reads more. */
const MAX_LISTED = 1000;
const MAX_TIME = 1e12;

const isTime = (value: unknown): value is number => typeof value === 'number' && Math.abs(value) <= MAX_TIME;
const isCount = (value: unknown): value is number => typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
const time = (value: unknown): number => (isTime(value) ? value : 0);
const count = (value: unknown): number => (isCount(value) ? value : 0);
const optional = <T>(value: unknown, is: (value: unknown) => value is T): T | undefined => (is(value) ? value : undefined);

const PHASES: readonly string[] = ['starting', 'running', 'finished', 'crashed', 'killed', 'stopped'] satisfies RunPhase[];
const STATES: readonly string[] = ['pending', 'fulfilled', 'rejected'] satisfies StateName[];
const isPhase = (value: unknown): value is RunPhase => typeof value === 'string' && PHASES.includes(value);
export const isKind = (value: unknown): value is GroupKind => typeof value === 'string' && (GROUP_KINDS as readonly string[]).includes(value);
export const isCombinator = (value: unknown): value is Combinator => value === 'all' || value === 'allSettled' || value === 'race' || value === 'any';
const isStateName = (value: unknown): value is StateName => typeof value === 'string' && STATES.includes(value);

export function parseHello(message: Hello): Hello {
  const raw: Fields = { ...message };
  const run = fields(raw.run);
  const can = fields(raw.capabilities);
  return {
    type: 'hello', protocol: count(raw.protocol), locale: text(raw.locale),
    run: { command: list(run.command, MAX_LISTED).map(text), cwd: text(run.cwd), node: text(run.node), timeOrigin: optional(run.timeOrigin, isFinite) ?? 0, title: text(run.title) },
    capabilities: { stop: can.stop === true, runAgain: can.runAgain === true, openSource: can.openSource === true, saveFile: can.saveFile === true },
    firstLane: raw.firstLane === 'top' ? 'top' : 'bottom',
  };
}
const isFinite = (value: unknown): value is number => Number.isFinite(value);

/** @throws Error with a sentence where the delta as a whole cannot be taken @returns the delta, and entries left out of it */
export function parseDelta(message: Delta): { delta: Delta; refused: number } {
  const raw: Fields = { ...message };
  if (!isCount(raw.seq)) throw new Error('a delta without its number');
  let refused = 0;
  const some = <T>(values: unknown, parse: (value: unknown) => T | undefined): T[] => list(values).flatMap((value) => {
    const parsed = parse(value);
    if (parsed === undefined) refused++;
    return parsed === undefined ? [] : [parsed];
  });
  const delta: Delta = {
    type: 'delta', seq: raw.seq, now: time(raw.now), caughtUp: raw.caughtUp === true,
    state: parseState(raw.state),
    threads: raw.threads === undefined ? undefined : some(list(raw.threads, MAX_LISTED), parseThread),
    groups: some(raw.groups, parseGroup),
    removed: some(raw.removed, (value) => optional(value, isCount)),
    labels: some(raw.labels, parseTaskText),
    errors: raw.errors === undefined ? undefined : some(raw.errors, parseTaskText),
    tasks: message.tasks,
    place: isFields(raw.place) && isCount(raw.place.line) && text(raw.place.file) ? { file: text(raw.place.file), line: raw.place.line } : undefined,
    activity: message.activity,
  };
  return { delta, refused };
}

function parseTaskText(value: unknown): readonly [number, string] | undefined {
  const [id, words] = list(value);
  return isCount(id) && id <= MAX_TASK_ID && typeof words === 'string' ? [id, text(words)] : undefined;
}

/** Whether a row can be drawn. */
export function isSound(tasks: TaskColumns, row: number): boolean {
  const start = tasks.start[row];
  const end = tasks.end[row];
  return tasks.id[row] > 0 && tasks.id[row] <= MAX_TASK_ID && tasks.lane[row] > 0 && tasks.lane[row] <= MAX_LANE
    && tasks.chunk[row] <= MAX_CHUNK && Math.abs(start) <= MAX_TIME && (Number.isNaN(end) || (end >= start && end <= MAX_TIME))
    && isState(tasks.state[row]);
}

/** What cut a task short is said of rejected ones alone, and is one thing or the other. */
function isState(bits: number): boolean {
  const cut = bits & (ABORTED | TIMED_OUT);
  const state = bits & STATE_MASK;
  return (bits & ~(STATE_MASK | IGNORED | ABORTED | TIMED_OUT)) === 0 && state <= TaskState.rejected
    && (cut === 0 || (state === TaskState.rejected && cut !== (ABORTED | TIMED_OUT)));
}

const MAX_THREAD = 1 << 20;

/** Whether a row of what threads went through can be drawn. */
export function isSoundActivity({ start, end, thread, kind }: ActivityColumns, row: number): boolean {
  return Math.abs(start[row]) <= MAX_TIME && end[row] >= start[row] && end[row] <= MAX_TIME && thread[row] > 0 && thread[row] <= MAX_THREAD
    && kind[row] >= ActivityKind.blocked && kind[row] <= ActivityKind.unwatched;
}

export function parseState(value: unknown): RunState {
  const raw = isFields(value) ? value : {};
  return {
    phase: optional(raw.phase, isPhase) ?? 'running', exitCode: optional(raw.exitCode, isCount), signal: text(raw.signal) || undefined,
    elapsedMs: time(raw.elapsedMs), complete: raw.complete !== false, dropped: count(raw.dropped), sampledMs: time(raw.sampledMs),
    notices: list(raw.notices, MAX_LISTED).filter(isFields).map((notice): Notice => ({
      severity: notice.severity === 'error' || notice.severity === 'warning' ? notice.severity : 'info',
      code: text(notice.code), text: text(notice.text), values: valuesOf(notice.values),
    })),
  };
}

function parseThread(value: unknown): Thread | undefined {
  return isFields(value) && isCount(value.id) ? { id: value.id, pid: count(value.pid), threadId: count(value.threadId), name: text(value.name), requests: value.requests === true } : undefined;
}

function parseGroup(value: unknown): Group | undefined {
  if (!isFields(value) || !isCount(value.id) || !isKind(value.kind) || !isTime(value.start)) return undefined;
  const metrics = isFields(value.metrics) ? value.metrics : {};
  const parent = isFields(value.parent) ? value.parent : {};
  return {
    id: value.id, thread: count(value.thread), kind: value.kind,
    combinator: optional(value.combinator, isCombinator),
    name: text(value.name) || undefined, lanesOf: value.lanesOf === 'operations' ? value.lanesOf : undefined, library: text(value.library) || undefined, site: parseSite(value.site), taskSite: parseSite(value.taskSite),
    parent: isCount(parent.group) && isCount(parent.task) ? { group: parent.group, task: parent.task } : undefined,
    declared: optional(value.declared, isCount), run: value.run === 1 || value.run === 2 ? value.run : undefined, until: optional(value.until, isTime), peak: count(value.peak), lanes: Math.min(MAX_LANE, count(value.lanes)),
    chunks: optional(value.chunks, isCount), start: value.start, end: optional(value.end, isTime),
    status: optional(value.status, isStateName) ?? 'pending',
    taskCount: count(value.taskCount), fulfilled: count(value.fulfilled), rejected: count(value.rejected), pending: count(value.pending),
    metrics: { makespanMs: time(metrics.makespanMs), busyMs: time(metrics.busyMs), idleMs: time(metrics.idleMs), utilization: time(metrics.utilization) },
  };
}

export function parseSite(value: unknown): Site | undefined {
  return isFields(value) && typeof value.file === 'string'
    ? { file: text(value.file), line: count(value.line), column: count(value.column), function: text(value.function) } : undefined;
}

/** Words and numbers by name; undefined where there are none. */
function valuesOf(value: unknown): Notice['values'] {
  if (!isFields(value)) return undefined;
  return Object.fromEntries(Object.entries(value).filter((entry): entry is [string, string | number] => typeof entry[1] === 'string' || typeof entry[1] === 'number'));
}
