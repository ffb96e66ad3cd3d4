import { describe, expect, it } from 'vitest';
import { summaryOf } from '../../../src/formats/summary';
import { TaskState } from '../../../src/model/timeline';
import { sampleRun } from './runs';

describe('the summary', () => {
  it('tells of each group its kind, place, tasks, lanes, elapsed and idle time, in the order in which they began', () => {
    expect(summaryOf(sampleRun())).toBe([
      'a.mjs: finished with status 0 after 100 ms',
      '  chunk           a.mjs:20  3 tasks (1 rejected)      2 lanes × 2 chunks  35 ms  idle 9.9 ms (15 %)',
      '  pool (p-limit)  a.mjs:30  1 task (1 never settled)  1 lane              50 ms  idle 0.0 ms (0 %)',
      '',
    ].join('\n'));
  });

  it.each([
    [{ phase: 'crashed', exitCode: 1 }, 'a.mjs: crashed with status 1 after 100 ms'],
    [{ phase: 'killed', exitCode: undefined, signal: 'SIGKILL', complete: false }, 'a.mjs: killed by SIGKILL after 100 ms, its last moments may be missing'],
    [{ phase: 'stopped', exitCode: 3 }, 'a.mjs: stopped after 100 ms'],
  ] as const)('names the end %j', (state, line) => {
    expect(summaryOf(sampleRun(state)).split('\n')[0]).toBe(line);
  });

  it('repeats what the user should know', () => {
    const notices = [{ severity: 'warning', code: 'dropped', text: '5 facts could not be recorded.' }] as const;
    expect(summaryOf(sampleRun({ notices }))).toContain('\nwarning: 5 facts could not be recorded.\n');
  });

  it('stays short where there are many groups', () => {
    const run = sampleRun();
    for (let i = 0; i < 100; i++) {
      const group = run.timeline.addGroup({ thread: 1, kind: 'all' });
      run.timeline.addTask({ group, ordinal: 1, lane: 1, chunk: 0, queued: NaN, start: 200, end: 210, state: TaskState.fulfilled });
    }
    const lines = summaryOf(run).split('\n');
    expect(lines).toHaveLength(1 + 25 + 1 + 1);
    expect(lines.at(-2)).toBe('  and 77 groups more (--report writes them all)');
  });
});
