import { describe, expect, it } from 'vitest';
import { reportPieces, toReport } from '../../../src/formats/report';
import { TaskState } from '../../../src/model/timeline';
import { sampleRun } from './runs';

describe('the report', () => {
  it('says all of a run as the contract has it', () => {
    expect(toReport(sampleRun())).toEqual({
      format: 'async-lanes-report', version: 1,
      run: {
        command: ['node', 'a.mjs'], cwd: '/w', node: 'v22.1.0', timeOrigin: 1795183154804.9351, elapsedMs: 100, exitCode: 0, signal: null,
        complete: true, dropped: 0, sampledMs: 0,
      },
      threads: [{ id: 1, pid: 42, threadId: 0, name: 'main' }],
      groups: [
        {
          id: 2, thread: 1, kind: 'chunk', combinator: 'all', library: null,
          site: { file: '/w/a.mjs', line: 20, column: 24, function: 'main' }, taskSite: { file: '/w/a.mjs', line: 7, column: 1, function: 'fetch|User' },
          parent: null, declared: null, peak: 2, lanes: 2, chunks: 2, start: 10, end: 45, status: 'fulfilled',
          taskCount: 3, fulfilled: 2, rejected: 1, pending: 0,
          // Chunk 1: 2 slots × 30 ms, chunk 2: 1 slot × 5 ms; busy 20.123 + 30 + 5.
          metrics: { makespanMs: 35, busyMs: 55.123, idleMs: 9.877, utilization: 0.848 },
          tasks: [
            { id: 1, ordinal: 1, lane: 1, chunk: 1, queued: null, start: 10, end: 30.123, status: 'fulfilled', ignored: false, label: null },
            { id: 3, ordinal: 2, lane: 2, chunk: 1, queued: null, start: 10, end: 40, status: 'rejected', ignored: false, label: null },
            { id: 2, ordinal: 3, lane: 1, chunk: 2, queued: null, start: 40, end: 45, status: 'fulfilled', ignored: true, label: null },
          ],
        },
        {
          id: 1, thread: 1, kind: 'pool', combinator: null, library: 'p-limit', site: { file: '/w/a.mjs', line: 30, column: 24, function: 'main' }, taskSite: null,
          parent: { group: 2, task: 1 }, declared: 4, peak: 1, lanes: 1, chunks: null, start: 50, end: null, status: 'pending',
          taskCount: 1, fulfilled: 0, rejected: 0, pending: 1, metrics: { makespanMs: 50, busyMs: 50, idleMs: 0, utilization: 1 },
          tasks: [{ id: 4, ordinal: 1, lane: 1, chunk: null, queued: 48, start: 50, end: null, status: 'pending', ignored: false, label: '=HYPERLINK("x"), "two"' }],
        },
      ],
    });
  });

  it('says of a killed run that it was', () => {
    const { run } = toReport(sampleRun({ phase: 'killed', exitCode: undefined, signal: 'SIGKILL', complete: false, dropped: 3, sampledMs: 1.23456 }));
    expect(run).toMatchObject({ exitCode: null, signal: 'SIGKILL', complete: false, dropped: 3, sampledMs: 1.235 });
  });

  it('written piece by piece is the same report', () => {
    const run = sampleRun();
    for (let i = 4; i < 5000; i++) {
      run.timeline.addTask({ group: 2, ordinal: i, lane: 1, chunk: i, queued: NaN, start: i * 10, end: i * 10 + 5, state: TaskState.fulfilled });
    }
    const pieces = [...reportPieces(run)];
    expect(pieces.length).toBeGreaterThan(5);
    expect(JSON.parse(pieces.join(''))).toEqual(toReport(run));
  });
});
