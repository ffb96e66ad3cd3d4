/** Tasks as CSV (RFC 4180): a row a task, times in milliseconds after the run's start, empty where there is none. */
import { IGNORED, stateName, type Group } from './timeline';

const HEADER = ['group', 'kind', 'place', 'task', 'ordinal', 'lane', 'chunk', 'queued', 'start', 'end', 'duration', 'status', 'ignored', 'label', 'error'];
export const CSV_HEADER_LINE = csvLine(HEADER);

export interface CsvTask {
  readonly id: number;
  readonly ordinal: number;
  readonly lane: number;
  /** 0: none. */
  readonly chunk: number;
  /** NaN: it did not wait. */
  readonly queued: number;
  readonly start: number;
  /** NaN: pending. */
  readonly end: number;
  /** `TaskState` | `IGNORED`. */
  readonly state: number;
  readonly label: string | undefined;
  /** What its error says. */
  readonly error: string | undefined;
}

export function csvTaskLine(group: Group, task: CsvTask): string {
  const place = group.site ? `${group.site.file}:${group.site.line}` : '';
  return csvLine([
    group.id, group.kind, place, task.id, task.ordinal, task.lane, task.chunk > 0 ? task.chunk : '',
    time(task.queued), time(task.start), time(task.end), time(task.end - task.start),
    stateName(task.state), (task.state & IGNORED) !== 0, task.label ?? '', task.error ?? '',
  ]);
}

export function csvLine(cells: readonly (string | number | boolean)[]): string {
  return `${cells.map((cell) => quote(String(cell))).join(',')}\r\n`;
}

const time = (ms: number): string => (Number.isNaN(ms) ? '' : ms.toFixed(3));

/** A text that begins like a formula is one to a spreadsheet: an apostrophe keeps it a text. */
function quote(cell: string): string {
  const text = /^[=+@\t\r]|^-(?![\d.])/.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
