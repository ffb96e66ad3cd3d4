import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PROTOCOL_VERSION, type Delta } from '../../../src/model/protocol';
import { createTaskColumns, IGNORED, TaskState } from '../../../src/model/timeline';
import { findMatches, isAt } from '../../../webview/search/match';
import { parseQuery, type Term } from '../../../webview/search/query';
import { RunStore } from '../../../webview/store/run-store';
import { makeGroup } from './group';

const terms = (text: string): readonly Term[] => {
  const { terms: parsed, error } = parseQuery(text);
  if (error) throw new Error(JSON.stringify(error));
  return parsed;
};

/** Two lanes of tasks 1 to 8, each 10 ms longer than the one before; task 3 rejected, 4 pending, 5 ignored, 6 waited. */
function store(): RunStore {
  const made = new RunStore();
  made.reset({ type: 'hello', protocol: PROTOCOL_VERSION, locale: 'en', firstLane: 'bottom', run: { command: [], cwd: '', node: '', timeOrigin: 0, title: '' }, capabilities: { stop: false, runAgain: false, openSource: false, saveFile: false } });
  const tasks = createTaskColumns(8);
  tasks.length = 8;
  for (let row = 0; row < 8; row++) {
    const id = row + 1;
    tasks.id[row] = id; tasks.group[row] = 1; tasks.ordinal[row] = id; tasks.lane[row] = (row % 2) + 1; tasks.chunk[row] = row < 4 ? 1 : 2;
    tasks.start[row] = row * 100; tasks.end[row] = id === 4 ? NaN : row * 100 + id * 10; tasks.queued[row] = id === 6 ? 450 : NaN;
    tasks.state[row] = id === 3 ? TaskState.rejected : id === 4 ? TaskState.pending : id === 5 ? TaskState.fulfilled | IGNORED : TaskState.fulfilled;
  }
  const delta: Delta = {
    type: 'delta', seq: 1, now: 800, caughtUp: true, state: { phase: 'finished', elapsedMs: 800, complete: true, dropped: 0, sampledMs: 0, notices: [] },
    groups: [makeGroup({ taskCount: 8, site: { file: '/w/a.mjs', line: 20, column: 1, function: 'main' }, taskSite: { file: '/w/a.mjs', line: 7, column: 1, function: 'fetchUser' } })],
    removed: [], labels: [[2, 'Invoice 77']], tasks,
  };
  made.apply(delta, 0);
  return made;
}

const found = (query: string): number[] => {
  const matches = findMatches(store(), terms(query), 800, 1);
  return [1, 2, 3, 4, 5, 6, 7, 8].filter((id) => matches.has(id));
};

describe('a query', () => {
  it.each([
    ['', [1, 2, 3, 4, 5, 6, 7, 8]], ['status:rejected', [3]], ['status:pending', [4]], ['status:ignored', [5]], ['status:queued', [6]], ['-status:fulfilled', [3, 4]],
    ['lane:1', [1, 3, 5, 7]], ['lane:2 chunk:2', [6, 8]], ['task:2-4', [2, 3, 4]], ['task:2+3', [2, 5, 8]], ['-chunk:1+2 lane:1', [5, 7]], ['7', [2, 7]], ['invoice', [2]], ['"Invoice 77"', [2]],
    ['fetchuser lane:2', [2, 4, 6, 8]], ['at:a.mjs:7 task:1', [1]], ['at:a.mjs:9', []], ['group:2', []], ['-group:2 task:8', [8]],
    ['dur>60ms', [4, 7, 8]], ['dur>=60', [4, 6, 7, 8]], ['dur<0.02s', [1]], ['start>=500ms', [6, 7, 8]], ['end<130', [1, 2]], ['wait>40ms', [6]], ['-wait>40ms task:6-7', [7]],
  ])('%s finds what it says', (query, ids) => { expect(found(query)).toEqual(ids); });

  it.each([
    ['status:late', 'status'], ['lane:x', 'number'], ['chunk:2+0', 'number'], ['dur>soon', 'time'], ['dur>5days', 'time'], ['colour:red', 'field'], ['size>5', 'field'],
  ] as const)('%s is told to be wrong', (query, why) => { expect(parseQuery(query)).toEqual({ error: { why, term: query } }); });

  it('takes anything a hand can type', () => {
    fc.assert(fc.property(fc.string({ maxLength: 60 }), (text) => {
      const { terms: parsed, error } = parseQuery(text);
      expect((parsed === undefined) !== (error === undefined)).toBe(true);
      if (parsed) expect(findMatches(store(), parsed, 800, 1).count).toBeLessThanOrEqual(8);
    }), { numRuns: 200 });
  });

  it('means a file by its whole name or its end, from a separator on', () => {
    const site = { file: '/w/lib/a.mjs', line: 7, column: 1, function: '' };
    expect(['/w/lib/a.mjs', 'a.mjs', 'lib/a.mjs', '.mjs', 'b/a.mjs'].map((file) => isAt(site, file, 7))).toEqual([true, true, true, false, false]);
    expect(isAt({ ...site, file: 'file:///w/lib/a.mjs' }, '/w/lib/a.mjs', 7)).toBe(true);
  });
});
