import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createActivityColumns, type ActivityColumns } from '../../../src/model/activity';
import { decodeFrame, encodeFrame, parseFromView } from '../../../src/model/frames';
import { PROTOCOL_VERSION, type Delta, type Hello, type Lesson, type ToView } from '../../../src/model/protocol';
import { createTaskColumns, TASK_ROW_BYTES, type TaskColumns } from '../../../src/model/timeline';

const COLUMNS = ['queued', 'start', 'end', 'id', 'group', 'ordinal', 'lane', 'chunk', 'state'] as const;

const u32 = fc.integer({ min: 0, max: 0xffffffff });
const time = fc.oneof(fc.double(), fc.constant(NaN));
const row = fc.tuple(time, time, time, u32, u32, u32, u32, u32, fc.integer({ min: 0, max: 255 }));

/** Columns with room for more rows than are in use, as the host's are. */
const columns: fc.Arbitrary<TaskColumns> = fc.tuple(fc.array(row, { maxLength: 40 }), fc.nat(8)).map(([rows, spare]) => {
  const tasks = createTaskColumns(rows.length + spare);
  tasks.length = rows.length;
  rows.forEach((values, at) => COLUMNS.forEach((name, i) => { tasks[name][at] = values[i]; }));
  return tasks;
});

const ACTIVITY = ['start', 'end', 'thread', 'count', 'most', 'limit', 'kind'] as const;
const activityRow = fc.tuple(time, time, u32, u32, u32, u32, fc.integer({ min: 0, max: 255 }));
const activity: fc.Arbitrary<ActivityColumns | undefined> = fc.tuple(fc.array(activityRow, { maxLength: 10 }), fc.nat(3)).map(([rows, spare]) => {
  if (rows.length === 0) return undefined;
  const columns = createActivityColumns(rows.length + spare);
  columns.length = rows.length;
  rows.forEach((values, at) => ACTIVITY.forEach((name, i) => { columns[name][at] = values[i]; }));
  return columns;
});

const text = fc.string({ unit: 'binary' });
const delta: fc.Arbitrary<Delta> = fc.record({
  type: fc.constant('delta' as const), seq: fc.nat(), now: fc.double({ min: 0, max: 1e12, noNaN: true }),
  state: fc.record({
    phase: fc.constantFrom('running' as const, 'killed' as const), elapsedMs: fc.nat(), complete: fc.boolean(), dropped: fc.nat(), sampledMs: fc.nat(),
    notices: fc.array(fc.record({ severity: fc.constant('error' as const), code: text, text }), { maxLength: 2 }),
  }),
  caughtUp: fc.boolean(), groups: fc.constant([]), removed: fc.array(fc.nat()), labels: fc.array(fc.tuple(fc.nat(), text)), tasks: columns, activity,
});
const hello: fc.Arbitrary<Hello> = fc.record({
  type: fc.constant('hello' as const), protocol: fc.constant(PROTOCOL_VERSION), locale: text,
  run: fc.record({ command: fc.array(text), cwd: text, node: text, timeOrigin: fc.nat(), title: text }),
  capabilities: fc.record({ stop: fc.boolean(), runAgain: fc.boolean(), openSource: fc.boolean(), saveFile: fc.boolean() }),
  firstLane: fc.constantFrom('bottom' as const, 'top' as const),
});
const lesson: fc.Arbitrary<Lesson> = fc.record({
  type: fc.constant('lesson' as const), locale: text, isRunning: fc.boolean(), values: fc.constant({ tasks: 'figure', activity: 3 }),
  demo: fc.record({ name: text, about: text, parameters: fc.constant({ tasks: { is: 3, from: 1, to: 9, about: 'tasks' } }) }),
  runs: fc.array(fc.record({ values: fc.constant({ tasks: 4 }), rows: fc.array(fc.record({ figure: text, label: text, unit: text, measured: fc.nat() })), tables: fc.constant([]), why: text })),
});
const message: fc.Arbitrary<ToView> = fc.oneof(delta, hello, lesson);

/** What of a message has a meaning: the rows in use, and no more. */
const content = (value: ToView): unknown => (value.type !== 'delta' ? value : {
  ...value, tasks: COLUMNS.map((name) => [...value.tasks[name].subarray(0, value.tasks.length)]),
  activity: value.activity && ACTIVITY.map((name) => [...(value.activity?.[name] ?? []).slice(0, value.activity?.length)]),
});

describe('a frame', () => {
  test('comes out of the wire as it went in', () => {
    fc.assert(fc.property(message, (sent) => {
      expect(content(decodeFrame(encodeFrame(sent)))).toEqual(content(sent));
    }));
  });

  test('of a thousand tasks costs 45 bytes a task and little besides', () => {
    const tasks = createTaskColumns(1000);
    tasks.length = 1000;
    const [empty] = fc.sample(delta.map((sent) => ({ ...sent, tasks: createTaskColumns(0) })), { numRuns: 1, seed: 1 });
    const bytes = encodeFrame({ ...empty, tasks, activity: undefined }).byteLength - encodeFrame({ ...empty, activity: undefined }).byteLength;
    expect(TASK_ROW_BYTES).toBe(45);
    expect(bytes).toBe(45_000);
  });
});

/** Decodes, or gives the sentence; whatever else is thrown fails the test. */
function outcome(buffer: ArrayBuffer): string | ToView {
  try {
    return decodeFrame(buffer);
  } catch (error) {
    expect(error).toBeInstanceOf(Error);
    return (error as Error).message;
  }
}
const SENTENCE = /^(not a frame of Async Lanes|the frame (is cut short|is larger than 64 MiB|holds .+))$/s;
/** A damaged frame is refused with a sentence, or what is in it is still a message of a known type with whole columns. */
function expectSafe(buffer: ArrayBuffer): void {
  const result = outcome(buffer);
  if (typeof result === 'string') expect(result).toMatch(SENTENCE);
  else if (result.type === 'delta') for (const name of COLUMNS) { expect(result.tasks[name].length).toBe(result.tasks.length); expect(result.activity?.kind.length).toBe(result.activity?.length); }
  else expect(['hello', 'lesson']).toContain(result.type);
}

describe('bytes that are no whole frame', () => {
  test('any bytes at all are refused with a sentence', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => expectSafe(bytes.slice().buffer)));
  });

  test('a frame cut anywhere is refused', () => {
    fc.assert(fc.property(message, fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (sent, share) => {
      const whole = encodeFrame(sent);
      expect(outcome(whole.slice(0, Math.floor(whole.byteLength * share)))).toMatch(SENTENCE);
    }));
  });

  test('a frame with bytes flipped neither crashes the reader nor gives half a table', () => {
    const flips = fc.array(fc.tuple(fc.nat(), fc.integer({ min: 1, max: 255 })), { minLength: 1, maxLength: 8 });
    fc.assert(fc.property(message, flips, (sent, list) => {
      const bytes = new Uint8Array(encodeFrame(sent));
      for (const [at, mask] of list) bytes[at % bytes.length] ^= mask;
      expectSafe(bytes.buffer);
    }), { numRuns: 1000 });
  });

  test('a frame with its lengths forged is refused', () => {
    fc.assert(fc.property(delta, u32, fc.constantFrom(undefined, 0, 4), (sent, forged, rows) => {
      const buffer = encodeFrame(sent);
      const head = new DataView(buffer);
      const at = rows === undefined ? 4 : 8 + ((head.getUint32(4, true) + 7) & ~7) + rows;
      fc.pre(head.getUint32(at, true) !== forged);
      head.setUint32(at, forged, true);
      expectSafe(buffer);
    }), { numRuns: 500 });
  });

  test('JSON that is no message is refused', () => {
    for (const json of ['null', '3', '"delta"', '[]', '{}', '{"type":"evil"}', '{"type":7}', '{"type":', '{"type":null}']) {
      const bytes = new TextEncoder().encode(json);
      const buffer = new ArrayBuffer(8 + ((bytes.length + 7) & ~7) + 8);
      new Uint8Array(buffer).set(bytes, 8);
      const head = new DataView(buffer);
      head.setUint32(0, 0x31464c41, true);
      head.setUint32(4, bytes.length, true);
      expect(outcome(buffer)).toMatch(SENTENCE);
    }
  });
});

describe('what a view sends', () => {
  test('known messages are taken, and nothing besides their own fields', () => {
    expect(parseFromView({ type: 'ready', extra: 1 })).toEqual({ type: 'ready' });
    expect(parseFromView({ type: 'stop' })).toEqual({ type: 'stop' });
    expect(parseFromView({ type: 'runAgain' })).toEqual({ type: 'runAgain' });
    expect(parseFromView({ type: 'ack', seq: 3, evil: true })).toEqual({ type: 'ack', seq: 3 });
    expect(parseFromView({ type: 'openSource', group: 1, what: 'task' })).toEqual({ type: 'openSource', group: 1, what: 'task' });
  });

  test('fields out of bounds make it no message', () => {
    for (const seq of [-1, 1.5, NaN, Infinity, '1', undefined, 2 ** 53]) expect(parseFromView({ type: 'ack', seq })).toBeUndefined();
    expect(parseFromView({ type: 'openSource', group: 1, what: 'file' })).toBeUndefined();
    expect(parseFromView({ type: 'openSource', group: -1, what: 'task' })).toBeUndefined();
  });

  test('anything else is none either', () => {
    fc.assert(fc.property(fc.anything(), (value) => { expect(parseFromView(value)).toBeUndefined(); }));
    for (const value of [null, undefined, 'ready', { type: 'evil' }, { type: 'hello' }, []]) expect(parseFromView(value)).toBeUndefined();
  });
});
