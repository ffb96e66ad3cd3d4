/** A run as CSV: a row a task, group by group. */
import { CSV_HEADER_LINE, csvTaskLine } from '../model/csv';
import type { RunSource } from '../timeline/feed';
import { groupsOf, rowsOf } from './report';

export function* csvPieces(run: RunSource): Generator<string> {
  const { timeline } = run;
  const { id, ordinal, lane, chunk, queued, start, end, state } = timeline.tasks;
  yield CSV_HEADER_LINE;
  for (const group of groupsOf(run)) {
    for (const row of rowsOf(timeline, group.id)) {
      yield csvTaskLine(group, {
        id: id[row], ordinal: ordinal[row], lane: lane[row], chunk: chunk[row], queued: queued[row], start: start[row], end: end[row],
        state: state[row], label: timeline.labelOf(id[row]), error: timeline.errorOf(id[row]),
      });
    }
  }
}
