/** `report`, `open` and `export`: what is done with a trace afterwards. */
import { InvalidArgumentError, type Command } from 'commander';
import { EXPORTERS } from '../formats/exporters';
import { reportPieces } from '../formats/report';
import { GAP_MS, isLog, LogRun } from '../formats/log-run';
import { isTraceEvents, TraceEventRun } from '../formats/trace-event-run';
import { RecordedRun } from '../session/recorded-run';
import { Refusal } from '../session/refusal';
import type { RunSource } from '../timeline/feed';
import { loadPage } from '../viewer/page';
import { holdInterrupts } from './interrupts';
import { checkWritable, printPieces, writePieces } from './output-file';
import { say } from './say';
import { keepShowing, show } from './show';

/** How the lines of a log are to be read, where it is no trace. */
export interface LogOptions {
  readonly pattern?: string;
  readonly begin?: string;
  readonly end?: string;
  readonly gap?: number;
}

export const withLogOptions = (command: Command): Command => command
  .option('--pattern <pattern>', 'of a log: how its lines read, e.g. "[{time}] [{thread}] {level} {message}"')
  .option('--begin <text>', 'of a log: what a message holds that begins a task')
  .option('--end <text>', 'of a log: what a message holds that ends one')
  .option('--gap <ms>', `of a log, without --begin: silence after which another task begins (${GAP_MS})`, milliseconds);

function milliseconds(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !(value >= 0 && Number.isFinite(value))) throw new InvalidArgumentError('It takes a number of milliseconds from 0.');
  return value;
}

export async function reportTrace(trace: string, options: LogOptions): Promise<void> {
  await printPieces(reportPieces(await openTold(trace, options)));
}

/** @param dist absolute path of the folder the bundles lie in */
export async function viewTrace(dist: string, trace: string, options: LogOptions): Promise<void> {
  const page = loadPage(dist);
  const run = await openTold(trace, options);
  const interrupts = holdInterrupts();
  await keepShowing(await show(run, page, {}), interrupts);
  interrupts.release();
}

export async function exportTrace(trace: string, { to, out, ...options }: LogOptions & { readonly to: string; readonly out: string }): Promise<void> {
  const exporter = EXPORTERS.find(({ name }) => name === to);
  if (!exporter) throw new Refusal('no-format', `There is no format "${to}"; there is ${EXPORTERS.map(({ name }) => name).join(', ')}.`);
  checkWritable(out);
  await writePieces(out, exporter.pieces(await openTold(trace, options)));
}

/** Opens a trace, or trace events or a log as if they were one, and says what is wrong with it, where something is. */
async function openTold(trace: string, { pattern, begin, end, gap }: LogOptions): Promise<RunSource> {
  const run = isTraceEvents(trace) ? await TraceEventRun.open(trace) : isLog(trace) ? await LogRun.open(trace, { pattern, begin, end, gapMs: gap }) : await RecordedRun.open(trace);
  for (const notice of run.state().notices) if (notice.severity === 'error' || /^(?:log|trace)-/.test(notice.code)) say(notice.text);
  return run;
}
