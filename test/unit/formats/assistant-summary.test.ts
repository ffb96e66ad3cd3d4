import { describe, expect, it } from 'vitest';
import { assistantSummary } from '../../../src/formats/assistant-summary';
import { culpritsOf } from '../../../src/formats/culprits';
import { TaskState, type GroupKind } from '../../../src/model/timeline';
import type { RunSource } from '../../../src/timeline/feed';
import { sampleRun } from './runs';

/** Tasks as [lane, chunk, start, end], as they started. */
function runOf(kind: GroupKind, tasks: readonly (readonly [number, number, number, number])[]): RunSource {
  const run = sampleRun();
  for (const id of run.timeline.groupIds()) run.timeline.removeGroup(id);
  const group = run.timeline.addGroup({ thread: 1, kind, site: { file: '/w/a.mjs', line: 20, column: 1, function: 'main' } });
  tasks.forEach(([lane, chunk, start, end], k) => {
    const id = run.timeline.addTask({ group, ordinal: k + 1, lane, chunk, queued: NaN, start, end, state: Number.isNaN(end) ? TaskState.pending : TaskState.fulfilled });
    run.timeline.labelTask(id, `user *${k + 1}*`);
  });
  return run;
}
const told = (run: RunSource): string[] => culpritsOf(run, 10).map(({ chunk, ordinal, slots, idleMs, durationMs }) => `chunk ${chunk}: task ${ordinal} of ${durationMs}, ${slots} slots ${idleMs}`);

describe('whom idle slots waited for', () => {
  it('is the last of each chunk, the one that cost most first', () => {
    expect(told(runOf('chunk', [[1, 1, 0, 10], [2, 1, 0, 40], [3, 1, 0, 30], [1, 2, 40, 100], [2, 2, 40, 45], [3, 2, 40, 50]]))).toEqual(['chunk 2: task 4 of 60, 2 slots 105', 'chunk 1: task 2 of 40, 2 slots 40']);
  });

  it('is the last of a pool, for what its rails had no task left', () => {
    expect(told(runOf('pool', [[1, 0, 0, 50], [2, 0, 0, 20], [2, 0, 20, 90]]))).toEqual(['chunk 0: task 3 of 70, 1 slots 40']);
  });

  it('is nobody where all end together, one runs at a time, or one has never ended', () => {
    expect(told(runOf('all', [[1, 0, 0, 50], [2, 0, 0, 50]]))).toEqual([]);
    expect(told(runOf('sequential', [[1, 0, 0, 50], [1, 0, 60, 70]]))).toEqual([]);
    expect(told(runOf('pool', [[1, 0, 0, 50], [2, 0, 0, NaN]]))).toEqual([]);
  });
});

describe('what an assistant is told', () => {
  it('names idle with its culprits, and nothing of it is markup', () => {
    expect(assistantSummary(runOf('chunk', [[1, 1, 0, 10], [2, 1, 0, 40]]), 5000)).toContain('- chunk a.mjs:20 main (group 4), chunk 1: 1 slot stood idle for 30 ms in all until task 2 “user \\*2\\*” ended, which took 40 ms.\n');
    expect(assistantSummary(runOf('all', [[1, 0, 0, 50]]), 5000)).toContain('No slot stood idle');
  });

  it('keeps to its length, and idle in it, however many groups there are', () => {
    const run = runOf('chunk', [[1, 1, 0, 10], [2, 1, 0, 40]]);
    for (let k = 0; k < 500; k++) run.timeline.addTask({ group: run.timeline.addGroup({ thread: 1, kind: 'all' }), ordinal: 1, lane: 1, chunk: 0, queued: NaN, start: 50 + k, end: 60 + k, state: TaskState.fulfilled });
    const text = assistantSummary(run, 3000);
    expect(text.length).toBeLessThanOrEqual(3000);
    expect(text).toContain('(cut: there are more groups)');
    expect(text).toContain('task 2');
  });
});
