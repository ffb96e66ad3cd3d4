/** A log file as a view sees a run that is over. Read as a stream: its size does not matter, the number of its tasks does. */
import { createReadStream, statSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import type { Notice } from '../model/run';
import { readHead } from '../session/file-head';
import { fileTrouble, Refusal } from '../session/refusal';
import { FinishedRun } from '../timeline/finished-run';
import { LogLanes, type LogCounts } from './log-lanes';
import { compilePattern, guessPattern, type LogPattern } from './log-pattern';
import { parseLogTime } from './log-time';

export interface LogSettings {
  /** As `log-pattern.ts` has it; without it the known one that fits best. */
  readonly pattern?: string;
  readonly begin?: string;
  readonly end?: string;
  readonly gapMs?: number;
}

export const GAP_MS = 1000;
/** A longer line is cut: it is no line of a log. */
const MAX_LINE = 1 << 16;
const HEAD_BYTES = 1 << 16;

export class LogRun extends FinishedRun {
  /** @throws Refusal where the file cannot be read, the pattern cannot be used, or no line is of its form */
  static async open(path: string, settings: LogSettings = {}): Promise<LogRun> {
    const pattern = settings.pattern === undefined ? guessPattern(headOf(path), (text) => parseLogTime(text) !== undefined) : compilePattern(settings.pattern);
    const lanes = new LogLanes({ pattern, begin: settings.begin, end: settings.end, gapMs: settings.gapMs ?? GAP_MS });
    try {
      for await (const lines of linesOf(path)) for (const line of lines) lanes.push(line);
    } catch (error) {
      throw new Refusal('no-log', `Cannot open ${path}: ${fileTrouble(error)}.`);
    }
    lanes.finish();
    const { counts } = lanes;
    if (counts.wrong === counts.lines) {
      throw new Refusal('no-log', `${path} is no trace of Async Lanes, and none of its ${counts.lines} lines reads like a log line ${pattern.text}. Name the pattern of its lines, with {time} and {thread} where those stand.`);
    }
    const file = resolve(path);
    return new LogRun(lanes.timeline,
      { command: [basename(file)], cwd: dirname(file), node: '', timeOrigin: lanes.origin ?? 0, title: basename(file) },
      { phase: 'finished', elapsedMs: lanes.elapsedMs, complete: true, dropped: 0, sampledMs: 0, notices: noticesOf(counts, pattern) });
  }
}

/** Whether a file is to be read as a log: it is no folder, and neither called nor built like a trace. */
export function isLog(path: string): boolean {
  try {
    if (path.endsWith('.lanes') || !statSync(path).isFile()) return false;
    return !headOf(path)[0]?.startsWith('PK\u0003');
  } catch {
    return false;
  }
}

/** What a pattern makes of the first lines of a file. @throws Refusal where it is no pattern, or the file cannot be read */
export function previewLog(path: string, text: string): { readonly lines: number; readonly fitting: number; readonly first?: { readonly thread: string; readonly time: string } } {
  const pattern = compilePattern(text);
  const lines = headOf(path);
  const fitting = lines.map((line) => pattern.read(line)).filter((line) => line !== undefined && parseLogTime(line.time) !== undefined);
  return { lines: lines.length, fitting: fitting.length, first: fitting[0] };
}

/** The pattern that fits the beginning of a file best. @throws Refusal where it cannot be read */
export const patternFor = (path: string): string => guessPattern(headOf(path), (text) => parseLogTime(text) !== undefined).text;

/** The lines at the beginning of a file, but for those that are empty. */
function headOf(path: string): string[] {
  try {
    const head = readHead(path, HEAD_BYTES);
    const lines = head.toString('utf8').split(/\r?\n/);
    // The last one may be cut.
    return (head.length === HEAD_BYTES ? lines.slice(0, -1) : lines).filter((line) => line !== '');
  } catch (error) {
    throw new Refusal('no-log', `Cannot open ${path}: ${fileTrouble(error)}.`);
  }
}

/** In portions: a generator that gave one line at a time would take longer than reading it. */
async function* linesOf(path: string): AsyncGenerator<readonly string[]> {
  let rest = '';
  for await (const chunk of createReadStream(path, { encoding: 'utf8', highWaterMark: 1 << 18 })) {
    const lines = `${rest}${String(chunk)}`.split('\n');
    rest = (lines.pop() ?? '').slice(0, MAX_LINE);
    yield lines.map(withoutReturn);
  }
  if (rest !== '') yield [withoutReturn(rest)];
}

const withoutReturn = (line: string): string => (line.endsWith('\r') ? line.slice(0, -1) : line);

function noticesOf({ lines, wrong, unpaired, beyond }: LogCounts, pattern: LogPattern): Notice[] {
  const notices: Notice[] = [];
  if (wrong > 0) notices.push({ severity: 'warning', code: 'log-lines', text: `${wrong} of ${lines} lines were left out: they do not read like ${pattern.text}.`, values: { wrong, lines, pattern: pattern.text } });
  if (unpaired > 0) notices.push({ severity: 'warning', code: 'log-unpaired', text: `${unpaired} lines end a task that none began; they were left out.`, values: { unpaired } });
  if (beyond > 0) notices.push({ severity: 'warning', code: 'log-beyond', text: `${beyond} tasks were left out: more than can be drawn. Cut the log, or choose a larger gap.`, values: { beyond } });
  return notices;
}
