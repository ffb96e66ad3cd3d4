/**
 * A run as Chrome trace events, for Perfetto and chrome://tracing: a process a group, a thread a lane, a complete event a task.
 * The format: https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU
 */
import { basename } from 'node:path';
import { stateName, type Group } from '../model/timeline';
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
  const { id, ordinal, lane, chunk, start, end, state } = timeline.tasks;
  const place = group.site ? ` ${basename(group.site.file)}:${group.site.line}` : '';
  yield { ph: 'M', name: 'process_name', pid: group.id, tid: 0, args: { name: `${group.kind}${place}`, asyncLanes: ownFacts(group) } };
  for (let tid = 1; tid <= group.lanes; tid++) {
    yield { ph: 'M', name: 'thread_name', pid: group.id, tid, args: { name: `lane ${tid}` } };
    yield { ph: 'M', name: 'thread_sort_index', pid: group.id, tid, args: { sort_index: tid } };
  }
  for (const row of rowsOf(timeline, group.id)) {
    const until = Number.isNaN(end[row]) ? Math.max(run.now(), start[row]) : end[row];
    yield {
      ph: 'X', pid: group.id, tid: lane[row], name: timeline.labelOf(id[row]) ?? String(ordinal[row]), cat: stateName(state[row]),
      ts: microseconds(start[row]), dur: roundToNanoseconds(microseconds(until) - microseconds(start[row])),
      args: { ordinal: ordinal[row], status: stateName(state[row]), ...(chunk[row] > 0 ? { chunk: chunk[row] } : {}), error: timeline.errorOf(id[row]) },
    };
  }
}

/** What `trace-lanes.ts` makes the same group of again. */
const ownFacts = ({ kind, combinator, name, library, declared, site }: Group): object =>
  ({ kind, combinator, name, library, declared, ...(site ? { file: basename(site.file), line: site.line, column: site.column, function: site.function } : {}) });

/** Trace events count in microseconds; fractions keep what clocks told. */
const microseconds = (ms: number): number => roundToNanoseconds(ms * 1000);
const roundToNanoseconds = (us: number): number => Math.round(us * 1000) / 1000;
