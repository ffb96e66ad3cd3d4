/** A run as CSV (RFC 4180): a row a task, times in milliseconds after the run's start, empty where there is none. */
import { IGNORED, stateName } from '../model/timeline';
import type { RunSource } from '../timeline/feed';
import { groupsOf, rowsOf } from './report';

const HEADER = ['group', 'kind', 'place', 'task', 'ordinal', 'lane', 'chunk', 'queued', 'start', 'end', 'duration', 'status', 'ignored', 'label'];

export function* csvPieces(run: RunSource): Generator<string> {
  const { timeline } = run;
  const { id, ordinal, lane, chunk, queued, start, end, state } = timeline.tasks;
  yield line(HEADER);
  for (const group of groupsOf(run)) {
    const place = group.site ? `${group.site.file}:${group.site.line}` : '';
    for (const row of rowsOf(timeline, group.id)) {
      yield line([
        group.id, group.kind, place, id[row], ordinal[row], lane[row], chunk[row] > 0 ? chunk[row] : '',
        time(queued[row]), time(start[row]), time(end[row]), time(end[row] - start[row]),
        stateName(state[row]), (state[row] & IGNORED) !== 0, timeline.labelOf(id[row]) ?? '',
      ]);
    }
  }
}

const time = (ms: number): string => (Number.isNaN(ms) ? '' : ms.toFixed(3));

const line = (cells: readonly (string | number | boolean)[]): string => `${cells.map((cell) => quote(String(cell))).join(',')}\r\n`;

/** A text that begins like a formula is one to a spreadsheet: an apostrophe keeps it a text. */
function quote(cell: string): string {
  const text = /^[=+@\t\r]|^-(?![\d.])/.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
