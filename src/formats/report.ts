/** A run as the JSON report that CONTRACT.md fixes. */
import type { Report, ReportGroup, ReportRun, ReportTask } from '../model/report';
import { IGNORED, stateName, type Group } from '../model/timeline';
import type { RunSource } from '../timeline/feed';
import type { Timeline } from '../timeline/timeline';

/** Tasks turned into text at a time: keeps a report of millions of tasks out of memory. */
const TASKS_PER_PIECE = 2000;

/** The whole report as one object; `reportPieces` writes the same without holding it. */
export function toReport(run: RunSource): Report {
  return {
    ...headOf(run),
    groups: groupsOf(run).map((group) => ({ ...reportGroup(group), tasks: rowsOf(run.timeline, group.id).map((row) => reportTask(run.timeline, row)) })),
  };
}

/** The report as JSON text, piece by piece, one task a line. */
export function* reportPieces(run: RunSource): Generator<string> {
  yield `${JSON.stringify(headOf(run)).slice(0, -1)},\n"groups":[`;
  let first = true;
  for (const group of groupsOf(run)) {
    yield `${first ? '' : ','}\n${JSON.stringify(reportGroup(group)).slice(0, -1)},"tasks":[`;
    first = false;
    const rows = rowsOf(run.timeline, group.id);
    for (let at = 0; at < rows.length; at += TASKS_PER_PIECE) {
      const lines = rows.slice(at, at + TASKS_PER_PIECE).map((row) => JSON.stringify(reportTask(run.timeline, row)));
      yield `${at > 0 ? ',' : ''}\n${lines.join(',\n')}`;
    }
    yield ']}';
  }
  yield ']}\n';
}

/** Groups that hold a task, in the order in which they started. */
export function groupsOf(run: RunSource): Group[] {
  const now = run.now();
  return run.timeline.groupIds()
    .map((id) => run.timeline.group(id, now))
    .filter((group) => group !== undefined)
    .filter((group) => group.taskCount > 0)
    .sort((a, b) => a.start - b.start || a.id - b.id);
}

/** Rows of a group's tasks, in the order of their ordinals. */
export function rowsOf(timeline: Timeline, group: number): number[] {
  const { ordinal } = timeline.tasks;
  return timeline.rowsOf(group).sort((a, b) => ordinal[a] - ordinal[b] || a - b);
}

function headOf(run: RunSource): Omit<Report, 'groups'> {
  const state = run.state();
  const head: ReportRun = {
    command: run.info.command, cwd: run.info.cwd, node: run.info.node, timeOrigin: run.info.timeOrigin,
    elapsedMs: round(state.elapsedMs), exitCode: state.exitCode ?? null, signal: state.signal ?? null,
    complete: state.complete, dropped: state.dropped, sampledMs: round(state.sampledMs),
  };
  const threads = run.timeline.threads.map(({ id, pid, threadId, name }) => ({ id, pid, threadId, name }));
  return { format: 'async-lanes-report', version: 1, run: head, threads };
}

function reportGroup(group: Group): Omit<ReportGroup, 'tasks'> {
  const { makespanMs, busyMs, idleMs, utilization } = group.metrics;
  return {
    id: group.id, thread: group.thread, kind: group.kind, combinator: group.combinator ?? null, library: group.library ?? null,
    site: group.site ?? null, taskSite: group.taskSite ?? null, parent: group.parent ?? null,
    declared: group.declared ?? null, peak: group.peak, lanes: group.lanes, chunks: group.chunks ?? null,
    start: round(group.start), end: group.end === undefined ? null : round(group.end), status: group.status,
    taskCount: group.taskCount, fulfilled: group.fulfilled, rejected: group.rejected, pending: group.pending,
    metrics: { makespanMs: round(makespanMs), busyMs: round(busyMs), idleMs: round(idleMs), utilization: round(utilization) },
  };
}

function reportTask(timeline: Timeline, row: number): ReportTask {
  const { id, ordinal, lane, chunk, queued, start, end, state } = timeline.tasks;
  const time = (value: number): number | null => (Number.isNaN(value) ? null : round(value));
  return {
    id: id[row], ordinal: ordinal[row], lane: lane[row], chunk: chunk[row] > 0 ? chunk[row] : null,
    queued: time(queued[row]), start: round(start[row]), end: time(end[row]),
    status: stateName(state[row]), ignored: (state[row] & IGNORED) !== 0, label: timeline.labelOf(id[row]) ?? null,
  };
}

/** Microseconds are the finest the clocks can tell apart; more digits would only be noise. */
const round = (value: number): number => Math.round(value * 1000) / 1000;
