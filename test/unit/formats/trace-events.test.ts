import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { chromePieces } from '../../../src/formats/chrome';
import { markdownPieces } from '../../../src/formats/markdown';
import { groupsOf, toReport } from '../../../src/formats/report';
import { isTraceEvents, TraceEventRun } from '../../../src/formats/trace-event-run';
import { Timeline } from '../../../src/timeline/timeline';
import type { RunSource } from '../../../src/timeline/feed';
import { ABORTED, IGNORED, TaskState, TIMED_OUT } from '../../../src/model/timeline';
import { sampleRun } from './runs';

let folder: string;
beforeEach(() => { folder = mkdtempSync(join(tmpdir(), 'lanes-events-')); });
afterEach(() => { rmSync(folder, { recursive: true, force: true }); });

const file = (text: string | Uint8Array, name = 'trace.json'): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
const open = (events: unknown, name?: string): Promise<TraceEventRun> => TraceEventRun.open(file(typeof events === 'string' ? events : JSON.stringify(events), name));
const event = (ph: string, ts: unknown, more: object = {}): object => ({ ph, ts, pid: 1, tid: 1, name: 'work', ...more });
/** `name: lane start–end label`, a line a task. */
const drawn = (run: TraceEventRun): string[] => groupsOf(run).flatMap(({ id, name }) => run.timeline.rowsOf(id).map((row) => {
  const { lane, start, end } = run.timeline.tasks;
  return `${name ?? ''}: ${lane[row]} ${start[row]}–${end[row]} ${run.timeline.labelOf(row + 1) ?? ''}`;
}));
const notices = (run: TraceEventRun): string[] => run.state().notices.map(({ code, values }) => `${code} ${values?.['count'] ?? values?.['reason'] ?? ''}`);

describe('trace events', () => {
  it('that Async Lanes wrote come back as the same groups with the same figures', async () => {
    const run = sampleRun();
    const back = await open([...chromePieces(run)].join(''));
    const shape = (report: ReturnType<typeof toReport>) => report.groups.map(({ kind, combinator, library, declared, peak, lanes, chunks, taskCount, fulfilled, rejected, pending, metrics, tasks }) =>
      ({ kind, combinator, library, declared, peak, lanes, chunks, taskCount, fulfilled, rejected, pending, metrics, tasks: tasks.map(({ ordinal, lane, chunk, status, label }) => ({ ordinal, lane, chunk, status, label })) }));
    expect(shape(toReport(back))).toEqual(shape(toReport(run)));
    expect(toReport(back).groups[0].site).toEqual({ file: 'a.mjs', line: 20, column: 24, function: 'main' });
    expect(notices(back)).toEqual([]);
  });

  it('that Async Lanes wrote come back inside the tasks they ran in, with waits, and with what became of ignored and cut tasks', async () => {
    const run = sampleRun();
    const { timeline } = run;
    const cut = timeline.addGroup({ thread: 1, kind: 'all', combinator: 'all', failed: true });
    [TaskState.rejected | ABORTED, TaskState.rejected | TIMED_OUT | IGNORED].forEach((state, k) => timeline.addTask({ group: cut, ordinal: k + 1, lane: k + 1, chunk: 0, queued: 20 - k * 10.5, start: 20, end: 30, state }));
    const told = (of: RunSource) => groupsOf(of).map(({ id, kind, status, parent }) => ({
      kind, status, parentOrdinal: parent && of.timeline.tasks.ordinal[parent.task - 1],
      tasks: [...of.timeline.rowsOf(id)].sort((a, b) => of.timeline.tasks.ordinal[a] - of.timeline.tasks.ordinal[b]).map((row) => ({ waited: of.timeline.tasks.start[row] - of.timeline.tasks.queued[row], state: of.timeline.tasks.state[row] })),
    }));
    const before = told(run);
    expect(before.find(({ kind }) => kind === 'pool')).toMatchObject({ parentOrdinal: 1, tasks: [{ waited: 2 }] });
    const back = await open([...chromePieces(run)].join(''));
    // A call without a task leaves nothing behind.
    expect(told(back)).toEqual(before.filter(({ tasks }) => tasks.length > 0));
  });

  it('that say of groups that they run inside themselves, or inside what is not there, stand beside each other', async () => {
    const own = (pid: number, parent: unknown, parentOrdinal: unknown = 1): object[] => [
      { ph: 'M', name: 'process_name', pid, tid: 0, args: { name: 'pool', asyncLanes: { kind: 'pool', parent, parentOrdinal } } }, event('X', pid * 10, { dur: 5, pid, args: { ordinal: 1, waited: pid === 4 ? -7 : 'long' } })];
    const run = await open([...own(1, 2), ...own(2, 3), ...own(3, 1), ...own(4, 4), ...own(5, 99), ...own(6, 1, 7), ...own(7, {}, [])]);
    expect(groupsOf(run).map(({ parent }) => parent)).toEqual(Array(7).fill(undefined));
    expect([...run.timeline.tasks.queued.subarray(0, 7)].every(Number.isNaN)).toBe(true);
  });

  it('of a large run lose no microsecond of busy time on the way', async () => {
    const timeline = new Timeline();
    const group = timeline.addGroup({ thread: 1, kind: 'pool' });
    let at = 0;
    for (let k = 0; k < 3000; k++) timeline.addTask({ group, ordinal: k + 1, lane: 1, chunk: 0, queued: NaN, start: at, end: at += 0.1 + (k % 7) / 3, state: TaskState.fulfilled });
    const run = { ...sampleRun(), timeline, now: () => at };
    const [before] = toReport(run).groups;
    const [after] = toReport(await open([...chromePieces(run)].join(''))).groups;
    expect(after.lanes).toBe(1);
    expect(Math.abs(after.metrics.busyMs - before.metrics.busyMs)).toBeLessThan(0.01);
    expect(Math.abs(after.metrics.makespanMs - before.metrics.makespanMs)).toBeLessThan(0.001);
  });

  it('stand by process on lanes of threads, whole ones and pairs, with the names the file gives', async () => {
    const run = await open({ traceEvents: [
      { ph: 'M', name: 'process_name', pid: 1, tid: 0, args: { name: 'Browser' } }, { ph: 'M', name: 'thread_name', pid: 1, tid: 8, args: { name: 'io' } },
      event('X', 1000, { dur: 500, tid: 7 }), event('B', 2000, { tid: 8, name: 'read' }), event('E', 3500, { tid: 8 }), event('X', 1500, { dur: 1000, pid: 2 }),
    ] });
    expect(drawn(run)).toEqual(['Browser: 1 0–0.5 work', 'Browser: 2 1–2.5 io: read', '2: 1 0.5–1.5 work']);
    expect([...markdownPieces(run)].join('')).toContain('| pool Browser |');
  });

  it('that run inside others of their thread stand a level below, in whatever order they come', async () => {
    const run = await open([event('X', 200, { dur: 300, name: 'inner' }), event('X', 100, { dur: 900, name: 'outer' }), event('X', 1000, { dur: 10, name: 'after' }), event('B', 250, { name: 'deep' }), event('E', 400)]);
    expect(drawn(run)).toEqual(['1: 1 0–0.9 outer', '1: 1 0.9–0.91 after', '1 · 2: 1 0.1–0.4 inner', '1 · 3: 1 0.15–0.3 deep']);
  });

  it('of asynchronous operations are tasks by their ids, on as many lanes as run at once', async () => {
    const op = (ph: string, ts: number, id: string, more: object = {}): object => event(ph, ts, { id, cat: 'net', name: `GET ${id}`, ...more });
    const run = await open([op('b', 0, 'a'), op('b', 1000, 'b'), op('e', 2000, 'a'), op('n', 2100, 'b'), op('b', 3000, 'c', { id: undefined, id2: { local: 'c' } }), op('e', 4000, 'b'), op('e', 5000, 'c', { id: undefined, id2: { local: 'c' } })]);
    expect(drawn(run)).toEqual(['1 · net: 1 0–2 GET a', '1 · net: 2 1–4 GET b', '1 · net: 1 3–5 GET c']);
    expect(notices(run)).toEqual(['trace-other 1']);
  });

  it('that never ended go on to the end', async () => {
    const run = await open([event('B', 0), event('X', 0, { tid: 2, dur: 5000 })]);
    expect(groupsOf(run)[0]).toMatchObject({ pending: 1, metrics: { makespanMs: 5, busyMs: 10 } });
  });

  it('that make no sense are counted and left out', async () => {
    const run = await open([event('X', 10, { dur: 10 }), event('X', -5, { dur: 1 }), event('X', 'soon', { dur: 1 }), event('X', 10, { dur: -1 }), event('X', 10), event('E', 50), event('b', 10), event('s', 1), {}, event('X', 1e300, { dur: 1 })]);
    expect(drawn(run)).toEqual(['1: 1 0–0.001 work', '1: 1 0.015–0.025 work']);
    expect(notices(run)).toEqual(['trace-wrong 6', 'trace-unpaired 1', 'trace-other 1']);
  });

  it('are read gzipped, and without the end that a tool was killed before it wrote', async () => {
    const text = JSON.stringify([event('X', 0, { dur: 1000 })]);
    const packed = file(gzipSync(text), 'trace.json.gz');
    expect(isTraceEvents(packed)).toBe(true);
    expect(drawn(await TraceEventRun.open(packed))).toEqual(['1: 1 0–1 work']);
    const cut = await open(text.slice(0, -1));
    expect(drawn(cut)).toHaveLength(1);
    expect(notices(cut)).toEqual(['trace-cut it ends before its JSON does']);
  });
});

describe('files that are no trace events, or mean harm,', () => {
  it.each([
    ['other JSON', '{"name":"x","files":[{"a":1}]}', /neither an array of events nor an object with traceEvents/],
    ['no JSON', 'hello', /holds no trace events/],
    ['nothing', '', /holds no trace events/],
    ['an empty list', '[]', /nothing that could stand on lanes/],
    ['events of nothing', JSON.stringify([event('i', 3)]), /nothing that could stand on lanes/],
  ])('are refused with a sentence: %s', async (_, text, words) => {
    await expect(open(text)).rejects.toThrow(words);
  });

  it('are taken apart only as deep as JSON that somebody wrote', async () => {
    const deep = `[${JSON.stringify(event('X', 0, { dur: 1 }))},{"args":${'['.repeat(20_000)}`;
    const run = await open(deep);
    expect(notices(run)[0]).toMatch(/^trace-cut it is nested deeper than 10000 levels/);
    expect(drawn(run)).toHaveLength(1);
  });

  it('are shown up to a NaN, which is no JSON', async () => {
    const run = await open(`[${JSON.stringify(event('X', 0, { dur: 1 }))},{"ph":"X","ts":NaN,"dur":1}]`);
    expect(notices(run)[0]).toMatch(/^trace-cut /);
  });

  it('get no longer names, no more lanes and no more chunks than can be drawn', async () => {
    const long = await open([event('X', 0, { dur: 1, name: 'x'.repeat(10_000_000) })]);
    expect(long.timeline.labelOf(1)).toHaveLength(120);
    const wide = await open(Array.from({ length: 30_000 }, (_, tid) => event('X', tid, { dur: 1, tid })));
    expect(groupsOf(wide)[0].lanes).toBe(10_000);
    expect(notices(wide)).toEqual(['trace-beyond 20000']);
    const chunky = await open([{ ph: 'M', name: 'process_name', pid: 1, args: { name: 'p', asyncLanes: { kind: 'chunk' } } }, event('X', 0, { dur: 1, args: { chunk: 2_000_000_000, ordinal: 1 } })]);
    expect(groupsOf(chunky)[0]).toMatchObject({ kind: 'chunk', taskCount: 1, chunks: 0 });
  });

  it('cannot reach into objects by their keys', async () => {
    const run = await open('[{"ph":"X","ts":0,"dur":1,"pid":1,"tid":1,"name":"a","args":{"__proto__":{"status":"rejected"},"status":"__proto__"}}]');
    expect(groupsOf(run)[0].rejected).toBe(0);
    expect(Object.prototype).not.toHaveProperty('status');
  });

  it('are told from logs', () => {
    expect(isTraceEvents(file('[2024-01-01 10:00:00] [main] INFO {"a":1}', 'a.log'))).toBe(false);
    expect(isTraceEvents(file('{"time":"10:00"}\n{"time":"10:01"}', 'b.log'))).toBe(false);
    expect(isTraceEvents(file('{"traceEvents":[]}', 'c.txt'))).toBe(true);
  });
});
