/** A file of Chrome trace events, also gzipped, as a view sees a run that is over. Read as a stream, up to what can be drawn. */
import { createReadStream, statSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { constants, createGunzip, gunzipSync } from 'node:zlib';
import type { Notice } from '../model/run';
import { readHead } from '../session/file-head';
import { fileTrouble, Refusal } from '../session/refusal';
import { FinishedRun } from '../timeline/finished-run';
import { TraceEventReader } from './trace-events';
import { TraceLanes, type TraceCounts } from './trace-lanes';

/** What a file may unpack to: a few bytes can stand for very many. */
const MAX_BYTES = 2 ** 31;
const HEAD_BYTES = 4096;
/** Longer than the reading of one portion may take, others get a turn. */
const TURN_BYTES = 1 << 22;

export class TraceEventRun extends FinishedRun {
  /** @throws Refusal where the file cannot be read, or holds no trace events */
  static async open(path: string): Promise<TraceEventRun> {
    const lanes = new TraceLanes();
    const reader = new TraceEventReader((event) => { lanes.push(event); });
    const trouble = await read(path, reader);
    if (!reader.foundEvents || (trouble !== undefined && lanes.counts.events === 0)) {
      throw new Refusal('no-trace-events', `${path} holds no trace events: ${trouble ?? 'it is neither an array of events nor an object with traceEvents'}. Chrome, Perfetto and async-lanes export --to chrome write such files as JSON.`);
    }
    lanes.finish();
    const { counts } = lanes;
    if (lanes.timeline.tasks.length === 0) {
      throw new Refusal('no-trace-events', `${path} holds nothing that could stand on lanes: none of its ${counts.events} events begins and ends something at a time that makes sense.`);
    }
    const file = resolve(path);
    return new TraceEventRun(lanes.timeline,
      { command: [basename(file)], cwd: dirname(file), node: '', timeOrigin: 0, title: basename(file) },
      { phase: 'finished', elapsedMs: lanes.elapsedMs, complete: true, dropped: 0, sampledMs: 0, notices: noticesOf(counts, trouble) });
  }
}

/** Whether a file is to be read as trace events: JSON that begins with an object, or with an array of objects. */
export function isTraceEvents(path: string): boolean {
  try {
    if (!statSync(path).isFile()) return false;
    const head = headOf(path);
    return /^\uFEFF?\s*(?:\{\s*"|\[\s*(?:\{|$))/.test(head) && (/\.json(?:\.gz)?$/i.test(path) || head.includes('"traceEvents"') || /"ph"\s*:/.test(head));
  } catch {
    return false;
  }
}

/** @returns what kept it from being read to its end */
async function read(path: string, reader: TraceEventReader): Promise<string | undefined> {
  const file = createReadStream(path, { highWaterMark: 1 << 18 });
  let isPacked: boolean;
  try {
    isPacked = isGzip(readHead(path, HEAD_BYTES));
  } catch (error) {
    throw new Refusal('no-trace-events', `Cannot open ${path}: ${fileTrouble(error)}.`);
  }
  const stream = isPacked ? file.pipe(createGunzip()) : file;
  file.on('error', (error) => { stream.destroy(error); });
  let bytes = 0;
  let sinceTurn = 0;
  try {
    for await (const chunk of stream) {
      const portion = chunk as Uint8Array;
      reader.write(portion);
      bytes += portion.length;
      sinceTurn += portion.length;
      if (bytes > MAX_BYTES) return `it is larger than ${MAX_BYTES / 2 ** 30} GiB`;
      if (sinceTurn < TURN_BYTES) continue;
      sinceTurn = 0;
      await new Promise((done) => { setImmediate(done); });
    }
    return reader.isComplete ? undefined : 'it ends before its JSON does';
  } catch (error) {
    return `${fileTrouble(error).replace(/[.\s]+$/, '').slice(0, 200)} (near byte ${bytes})`;
  } finally {
    file.destroy();
  }
}

const isGzip = (bytes: Uint8Array): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b;

function headOf(path: string): string {
  const bytes = readHead(path, HEAD_BYTES);
  // The end of what is packed is not there: what can be unpacked without it is enough.
  return (isGzip(bytes) ? gunzipSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: 1 << 20 }) : bytes).toString('utf8');
}

function noticesOf({ events, wrong, unpaired, other, beyond }: TraceCounts, trouble: string | undefined): Notice[] {
  const notices: Notice[] = [];
  if (trouble !== undefined) notices.push({ severity: 'error', code: 'trace-cut', text: `The file could not be read to its end: ${trouble}. It is shown up to there.`, values: { reason: trouble } });
  if (wrong > 0) notices.push({ severity: 'warning', code: 'trace-wrong', text: `${wrong} of ${events} events were left out: they have no moment, or one that makes no sense.`, values: { count: wrong, events } });
  if (unpaired > 0) notices.push({ severity: 'warning', code: 'trace-unpaired', text: `${unpaired} events end something that nothing began; they were left out.`, values: { count: unpaired } });
  if (beyond > 0) notices.push({ severity: 'warning', code: 'trace-beyond', text: `${beyond} events were left out: there are more, on more threads or deeper in others, than can be drawn.`, values: { count: beyond } });
  if (other > 0) notices.push({ severity: 'info', code: 'trace-other', text: `${other} events are of kinds that are not drawn: flows, counters, instants and the like.`, values: { count: other } });
  return notices;
}
