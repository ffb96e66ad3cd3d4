/**
 * A `ToView` message as one ArrayBuffer, so that every carrier moves it alike and at the price of a copy of bytes.
 *
 *   u32 magic "ALF1" · u32 length of the JSON · JSON (UTF-8), padded to 8 · u32 tasks · u32 rows of activity
 *   columns of the tasks, padded to 8 · columns of the activity
 *
 * Tasks: f64 queued, start, end · u32 id, group, ordinal, lane, chunk · u8 state. Activity: f64 start, end · u32 thread, count,
 * most, limit · u8 kind. Falling alignment, no padding between columns. Little-endian throughout (every platform of Node and Chromium is).
 */
import { ACTIVITY_ROW_BYTES, copyActivity, type ActivityColumns } from './activity';
import type { Values } from './demos';
import { MAX_ACTIVITY_PER_DELTA, MAX_FILE_BYTES, MAX_TASKS_PER_DELTA, PROTOCOL_VERSION, type Delta, type FromView, type ToView } from './protocol';
import { createTaskColumns, TASK_ROW_BYTES, type TaskColumns } from './timeline';

const MAGIC = 0x31464c41;
const HEAD = 8;
/** Parameters of a demo at the most, and letters of one that is a word. */
const MAX_VALUES = 50;
const MAX_WORD = 50;
const MAX_JSON_BYTES = 64 << 20;
/** No folder, and no other kind of file than a view makes. */
const FILE_NAME = /^[^\\/:*?"<>|\p{Cc}]{1,100}\.(?:svg|png|csv)$/u;
const pad8 = (n: number): number => (n + 7) & ~7;

/** @returns a buffer of its own, which the caller may transfer. */
export function encodeFrame(message: ToView): ArrayBuffer {
  const columns = message.type === 'delta' ? message.tasks : undefined;
  const json = new TextEncoder().encode(JSON.stringify(message.type === 'delta' ? { ...message, tasks: undefined, activity: undefined } : message));
  const rows = columns?.length ?? 0;
  const activity = message.type === 'delta' ? message.activity : undefined;
  const activityRows = activity?.length ?? 0;
  const at = HEAD + pad8(json.length);
  const buffer = new ArrayBuffer(at + 8 + pad8(rows * TASK_ROW_BYTES) + activityRows * ACTIVITY_ROW_BYTES);
  const head = new DataView(buffer);
  head.setUint32(0, MAGIC, true);
  head.setUint32(4, json.length, true);
  head.setUint32(at, rows, true);
  head.setUint32(at + 4, activityRows, true);
  new Uint8Array(buffer, HEAD, json.length).set(json);
  if (columns) {
    const views = viewsOf(buffer, at + 8, rows);
    views.queued.set(columns.queued.subarray(0, rows));
    views.start.set(columns.start.subarray(0, rows));
    views.end.set(columns.end.subarray(0, rows));
    views.id.set(columns.id.subarray(0, rows));
    views.group.set(columns.group.subarray(0, rows));
    views.ordinal.set(columns.ordinal.subarray(0, rows));
    views.lane.set(columns.lane.subarray(0, rows));
    views.chunk.set(columns.chunk.subarray(0, rows));
    views.state.set(columns.state.subarray(0, rows));
  }
  if (activity) copyActivity(activity, 0, activityRows, activityViews(buffer, at + 8 + pad8(rows * TASK_ROW_BYTES), activityRows), 0);
  return buffer;
}

/**
 * Reads what `encodeFrame` wrote. The columns are views on the buffer, not copies.
 * @throws Error with a sentence where the bytes are no such frame.
 */
export function decodeFrame(buffer: ArrayBuffer): ToView {
  const head = new DataView(buffer);
  if (buffer.byteLength < HEAD + 8 || head.getUint32(0, true) !== MAGIC) throw new Error('not a frame of Async Lanes');
  const jsonBytes = head.getUint32(4, true);
  const at = HEAD + pad8(jsonBytes);
  if (jsonBytes > MAX_JSON_BYTES) throw new Error(`the frame is larger than ${MAX_JSON_BYTES >> 20} MiB`);
  if (at + 8 > buffer.byteLength) throw new Error('the frame is cut short');
  const rows = head.getUint32(at, true);
  const activityRows = head.getUint32(at + 4, true);
  if (rows > MAX_TASKS_PER_DELTA || activityRows > MAX_ACTIVITY_PER_DELTA) throw new Error('the frame is cut short');
  const activityAt = at + 8 + pad8(rows * TASK_ROW_BYTES);
  if (activityAt + activityRows * ACTIVITY_ROW_BYTES !== buffer.byteLength) throw new Error('the frame is cut short');
  const message = parseJson(new TextDecoder().decode(new Uint8Array(buffer, HEAD, jsonBytes)));
  if (!isTyped(message)) throw new Error('the frame holds no message');
  if (!isShaped(message)) throw new Error('the frame holds a message of another shape');
  if (message.type === 'hello' || message.type === 'lesson' || message.type === 'comparison') return message as unknown as ToView;
  if (message.type === 'delta') {
    const activity = activityRows === 0 ? undefined : activityViews(buffer, activityAt, activityRows);
    return { ...(message as unknown as Delta), tasks: viewsOf(buffer, at + 8, rows), activity };
  }
  throw new Error(`the frame holds an unknown message: ${String(message.type).slice(0, 40)}`);
}

/** Parses what a view sent. @returns undefined where it is none of the known messages. */
export function parseFromView(value: unknown): FromView | undefined {
  if (!isTyped(value)) return undefined;
  switch (value.type) {
    case 'ready': case 'stop': case 'runAgain':
      return { type: value.type };
    case 'ack':
      return isCount(value.seq) ? { type: 'ack', seq: value.seq } : undefined;
    case 'runDemo':
      return isValues(value.values) ? { type: 'runDemo', values: value.values } : undefined;
    case 'openSource':
      return isCount(value.group) && (value.what === 'group' || value.what === 'task')
        ? { type: 'openSource', group: value.group, what: value.what } : undefined;
    case 'saveFile': {
      const data = value.data instanceof ArrayBuffer ? new Uint8Array(value.data) : value.data;
      return typeof value.name === 'string' && FILE_NAME.test(value.name) && data instanceof Uint8Array && data.byteLength <= MAX_FILE_BYTES
        ? { type: 'saveFile', name: value.name, data } : undefined;
    }
    default:
      return undefined;
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error('the frame holds broken JSON');
  }
}

/** Whether the fields are of the kinds the message has; what is in them is for the view to judge, entry by entry. */
function isShaped(message: { readonly type: unknown; readonly [key: string]: unknown }): boolean {
  const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);
  // A hello of another version may look otherwise: its version is all that is asked of it.
  if (message.type === 'hello') return isCount(message.protocol) && (message.protocol !== PROTOCOL_VERSION || (isObject(message.run) && isObject(message.capabilities)));
  if (message.type !== 'delta') return true;
  const { seq, now, state, groups, removed, labels, errors = [] } = message;
  return isCount(seq) && typeof now === 'number' && isObject(state) && [groups, removed, labels, errors].every(Array.isArray);
}

const isTyped = (value: unknown): value is { readonly type: unknown; readonly [key: string]: unknown } =>
  typeof value === 'object' && value !== null && 'type' in value;
const isValues = (value: unknown): value is Values => typeof value === 'object' && value !== null && Object.keys(value).length <= MAX_VALUES
  && Object.values(value).every((each) => Number.isFinite(each) || (typeof each === 'string' && each.length <= MAX_WORD));
const isCount = (value: unknown): value is number => typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;

function viewsOf(buffer: ArrayBuffer, offset: number, rows: number): TaskColumns {
  if (rows === 0) return createTaskColumns(0);
  let at = offset;
  const f64 = (): Float64Array => { const view = new Float64Array(buffer, at, rows); at += rows * 8; return view; };
  const u32 = (): Uint32Array => { const view = new Uint32Array(buffer, at, rows); at += rows * 4; return view; };
  const queued = f64(), start = f64(), end = f64();
  const id = u32(), group = u32(), ordinal = u32(), lane = u32(), chunk = u32();
  return { length: rows, queued, start, end, id, group, ordinal, lane, chunk, state: new Uint8Array(buffer, at, rows) };
}

function activityViews(buffer: ArrayBuffer, offset: number, rows: number): ActivityColumns {
  let at = offset;
  const f64 = (): Float64Array => { const view = new Float64Array(buffer, at, rows); at += rows * 8; return view; };
  const u32 = (): Uint32Array => { const view = new Uint32Array(buffer, at, rows); at += rows * 4; return view; };
  const start = f64(), end = f64();
  const thread = u32(), count = u32(), most = u32(), limit = u32();
  return { length: rows, start, end, thread, count, most, limit, kind: new Uint8Array(buffer, at, rows) };
}
