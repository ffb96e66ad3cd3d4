/**
 * A run as Chrome trace events, for Perfetto and chrome://tracing: a process a group, a thread a lane, a complete event a task.
 * The format: https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU
 */
import { basename } from 'node:path';
import { ABORTED, IGNORED, stateName, TIMED_OUT, type Group } from '../model/timeline';
import type { RunSource } from '../timeline/feed';
import { groupsOf, rowsOf } from './report';

export function* chromePieces(run: RunSource): Generator<string> {
  let first = true;
  yield '{"displayTimeUnit":"ms","traceEvents":[';
  for (const group of groupsOf(run)) {
    for (const event of eventsOf(run, group)) {
      yield `${first ? '' : ','}\n${JSON.stringify(event)}`;
      first = false;
    }
  }
  yield '\n]}\n';
}

function* eventsOf(run: RunSource, group: Group): Generator<object> {
  const { timeline } = run;
  const { id, ordinal, lane, chunk, queued, start, end, state } = timeline.tasks;
  const place = group.site ? ` ${basename(group.site.file)}:${group.site.line}` : '';
  yield { ph: 'M', name: 'process_name', pid: group.id, tid: 0, args: { name: `${group.kind}${place}`, asyncLanes: ownFacts(run, group) } };
  for (let tid = 1; tid <= group.lanes; tid++) {
    yield { ph: 'M', name: 'thread_name', pid: group.id, tid, args: { name: `lane ${tid}` } };
    yield { ph: 'M', name: 'thread_sort_index', pid: group.id, tid, args: { sort_index: tid } };
  }
  for (const row of rowsOf(timeline, group.id)) {
    const until = Number.isNaN(end[row]) ? Math.max(run.now(), start[row]) : end[row];
    yield {
      ph: 'X', pid: group.id, tid: lane[row], name: timeline.labelOf(id[row]) ?? String(ordinal[row]), cat: stateName(state[row]),
      ts: microseconds(start[row]), dur: roundToNanoseconds(microseconds(until) - microseconds(start[row])),
      args: {
        ordinal: ordinal[row], status: stateName(state[row]), ...(chunk[row] > 0 ? { chunk: chunk[row] } : {}), ...waitOf(queued[row], start[row]), ...bitsOf(state[row]), error: timeline.errorOf(id[row]),
      },
    };
  }
}

/** What `trace-lanes.ts` makes the same group of again. */
const ownFacts = ({ timeline }: RunSource, { kind, combinator, name, library, declared, site, parent, status }: Group): object => ({
  kind, combinator, name, library, declared, failed: status === 'rejected' ? true : undefined, ...(site ? { file: basename(site.file), line: site.line, column: site.column, function: site.function } : {}),
  ...(parent ? { parent: parent.group, parentOrdinal: timeline.tasks.ordinal[parent.task - 1] } : {}),
});

/** Microseconds before its start, of a task that is known to have waited. */
const waitOf = (queued: number, start: number): object => (queued <= start ? { waited: roundToNanoseconds(microseconds(start) - microseconds(queued)) } : {});

/** What a state says beside its name. */
const bitsOf = (state: number): object =>
  ({ ...((state & IGNORED) === 0 ? {} : { ignored: true }), ...((state & ABORTED) === 0 ? {} : { aborted: true }), ...((state & TIMED_OUT) === 0 ? {} : { timedOut: true }) });

/** Trace events count in microseconds; fractions keep what clocks told. */
const microseconds = (ms: number): number => roundToNanoseconds(ms * 1000);
const roundToNanoseconds = (us: number): number => Math.round(us * 1000) / 1000;
