import { describe, expect, it } from 'vitest';
import { ComparedRuns, figuresOf } from '../../../src/formats/comparison';
import { toReport } from '../../../src/formats/report';
import type { GroupFigures } from '../../../src/model/comparison';
import { decodeFrame, encodeFrame } from '../../../src/model/frames';
import { TaskState } from '../../../src/model/timeline';
import type { RunSource } from '../../../src/timeline/feed';
import { sampleRun } from './runs';

/** The same run, which went on for twice as long and had one task more in its pool. */
function laterRun(): RunSource {
  const run = sampleRun({ elapsedMs: 200 });
  run.timeline.addTask({ group: 1, ordinal: 2, lane: 2, chunk: 0, queued: NaN, start: 60, end: 190, state: TaskState.rejected });
  return { ...run, now: () => 200 };
}
const compared = (): ComparedRuns => new ComparedRuns({ title: 'before', startedAt: 1, source: sampleRun() }, { title: 'after', startedAt: 2, source: laterRun() });
const round = (value: number): number => Math.round(value * 1000) / 1000;

describe('two runs beside each other', () => {
  it('have the figures of their own reports, in the table and in the diagrams', () => {
    const both = compared();
    const { groups } = both.message('en');
    const report = { first: toReport(sampleRun()), second: toReport(laterRun()) };
    const drawn = toReport(both.source).groups;
    expect(groups).toHaveLength(2);
    for (const which of ['first', 'second'] as const) {
      groups.forEach((pair, k) => {
        const told = pair[which];
        const { metrics, taskCount, rejected, pending } = report[which].groups[k];
        expect(told && { makespanMs: round(told.makespanMs), idleMs: round(told.idleMs), utilization: round(told.utilization), tasks: told.tasks, rejected: told.rejected, pending: told.pending })
          .toEqual({ makespanMs: metrics.makespanMs, idleMs: metrics.idleMs, utilization: metrics.utilization, tasks: taskCount, rejected, pending });
        expect(drawn.find(({ id }) => id === told?.group)?.metrics).toEqual(metrics);
      });
    }
  });

  it('stand below each other pair by pair, each from its own beginning', () => {
    const { source } = compared();
    const at = (id: number) => source.timeline.group(id, source.now());
    expect([1, 2, 3, 4].map((id) => [at(id)?.kind, at(id)?.run, at(id)?.start])).toEqual([['chunk', 1, 10], ['chunk', 2, 10], ['pool', 1, 50], ['pool', 2, 50]]);
    expect(at(3)?.parent).toEqual({ group: 1, task: 1 });
    expect(at(4)?.parent).toEqual({ group: 2, task: 5 });
    expect(at(3)).toMatchObject({ until: 100, metrics: { makespanMs: 50 } });
    expect(source.timeline.labelOf(8)).toBe('=HYPERLINK("x"), "two"');
  });

  it('tell the quartiles of durations, and of failures', () => {
    const [chunk, pool] = figuresOf(laterRun());
    expect([chunk.medianMs, pool.medianMs, pool.p95Ms, pool.rejected]).toEqual([20.12345, 130, 130, 1]);
    expect(figuresOf(sampleRun())[1].medianMs).toBeUndefined();
  });

  it('gather what other runs of the same took', () => {
    const both = compared();
    const other = (makespanMs: number): GroupFigures[] => figuresOf(sampleRun()).map((figures) => ({ ...figures, makespanMs }));
    both.addRepeats('both', [other(31), other(33)]);
    expect(both.message('en').groups.map(({ repeats }) => repeats)).toEqual([[{ of: 'both', makespansMs: [31, 33, 35, 35] }], [{ of: 'both', makespansMs: [31, 33, 50, 150] }]]);
  });

  it('survive the way to a view', () => {
    const message = compared().message('ko');
    expect(decodeFrame(encodeFrame(message))).toEqual(JSON.parse(JSON.stringify(message)));
  });
});
