import { describe, expect, it } from 'vitest';
import { EXPORTERS } from '../../../src/formats/exporters';
import { sampleRun } from './runs';

function exported(name: string): string {
  const exporter = EXPORTERS.find((one) => one.name === name);
  if (!exporter) throw new Error(name);
  return [...exporter.pieces(sampleRun())].join('');
}

describe('export', () => {
  it('csv: a row a task, quoted as RFC 4180 has it, and nothing a spreadsheet would compute', () => {
    expect(exported('csv').split('\r\n')).toEqual([
      'group,kind,place,task,ordinal,lane,chunk,queued,start,end,duration,status,ignored,label,error',
      '2,chunk,/w/a.mjs:20,1,1,1,1,,10.000,30.123,20.123,fulfilled,false,,',
      '2,chunk,/w/a.mjs:20,3,2,2,1,,10.000,40.000,30.000,rejected,false,,"Error: no, no"',
      '2,chunk,/w/a.mjs:20,2,3,1,2,,40.000,45.000,5.000,fulfilled,true,,',
      `1,pool,/w/a.mjs:30,4,1,1,,48.000,50.000,,,pending,false,"'=HYPERLINK(""x""), ""two""",`,
      '',
    ]);
  });

  it('markdown: a table of the groups, with names that are no markup', () => {
    expect(exported('markdown')).toBe([
      '# a.mjs', '',
      '`node a.mjs` finished with status 0 after 100 ms, Node v22.1.0.', '',
      '| Kind | Place | Task | Tasks | Lanes | Chunks | Elapsed | Busy | Idle | Utilization | Rejected | Never settled |',
      '| --- | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |',
      '| chunk | a.mjs:20 main | a.mjs:7 fetch\\|User | 3 | 2 | 2 | 35 ms | 55 ms | 9.9 ms | 85 % | 1 | 0 |',
      '| pool (p-limit) | a.mjs:30 main |  | 1 | 1 |  | 50 ms | 50 ms | 0.0 ms | 100 % | 0 | 1 |', '',
    ].join('\n'));
  });

  it('chrome: a process a group, a thread a lane, a complete event a task, in microseconds', () => {
    const { traceEvents } = JSON.parse(exported('chrome')) as { traceEvents: Record<string, unknown>[] };
    expect(traceEvents.filter(({ name }) => name === 'process_name').map(({ pid, args }) => [pid, args])).toEqual([
      [2, { name: 'chunk a.mjs:20', asyncLanes: { kind: 'chunk', combinator: 'all', file: 'a.mjs', line: 20, column: 24, function: 'main' } }],
      [1, { name: 'pool a.mjs:30', asyncLanes: { kind: 'pool', library: 'p-limit', declared: 4, parent: 2, parentOrdinal: 1, file: 'a.mjs', line: 30, column: 24, function: 'main' } }],
    ]);
    expect(traceEvents.filter(({ ph }) => ph === 'X').map(({ pid, tid, name, cat, ts, dur }) => [pid, tid, name, cat, ts, dur])).toEqual([
      [2, 1, '1', 'fulfilled', 10_000, 20_123.45], [2, 2, '2', 'rejected', 10_000, 30_000], [2, 1, '3', 'fulfilled', 40_000, 5_000],
      // What never settled is drawn to the end of the run.
      [1, 1, '=HYPERLINK("x"), "two"', 'pending', 50_000, 50_000],
    ]);
  });
});
