/** What a run can be exported to; one file an exporter. */
import type { RunSource } from '../timeline/feed';
import { chromePieces } from './chrome';
import { csvPieces } from './csv';
import { markdownPieces } from './markdown';

export interface Exporter {
  readonly name: string;
  readonly about: string;
  /** The file's text, piece by piece. */
  pieces(run: RunSource): Iterable<string>;
}

export const EXPORTERS: readonly Exporter[] = [
  { name: 'chrome', about: 'trace events for Perfetto and chrome://tracing', pieces: chromePieces },
  { name: 'csv', about: 'a row a task', pieces: csvPieces },
  { name: 'markdown', about: 'a table of the groups, to paste into an issue', pieces: markdownPieces },
];
