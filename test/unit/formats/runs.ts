/** A run that is over, with a chunk group and a pool in it, for the tests of formats. */
import type { RunInfo, RunState } from '../../../src/model/run';
import { IGNORED, TaskState } from '../../../src/model/timeline';
import type { RunSource } from '../../../src/timeline/feed';
import { Timeline } from '../../../src/timeline/timeline';

const SITE = { file: '/w/a.mjs', line: 20, column: 24, function: 'main' };
const TASK_SITE = { file: '/w/a.mjs', line: 7, column: 1, function: 'fetch|User' };

/** Chunks of 2 over 3 tasks, begun at 10 ms, after a pool that was found first but begun at 50 ms and never came to its end. */
export function sampleRun(state: Partial<RunState> = {}): RunSource {
  const timeline = new Timeline();
  timeline.addThread({ pid: 42, threadId: 0, name: 'main', requests: false });
  const pool = timeline.addGroup({ thread: 1, kind: 'pool', library: 'p-limit', declared: 4, site: { ...SITE, line: 30 } });
  const chunk = timeline.addGroup({ thread: 1, kind: 'chunk', combinator: 'all', site: SITE, taskSite: TASK_SITE });
  timeline.addGroup({ thread: 1, kind: 'all', combinator: 'all' });
  const add = (group: number, ordinal: number, lane: number, inChunk: number, start: number, end: number, bits: number, queued = NaN): number =>
    timeline.addTask({ group, ordinal, lane, chunk: inChunk, queued, start, end, state: bits });
  const first = add(chunk, 1, 1, 1, 10, 30.12345, TaskState.fulfilled);
  add(chunk, 3, 1, 2, 40, 45, TaskState.fulfilled | IGNORED);
  timeline.tellError(add(chunk, 2, 2, 1, 10, 40, TaskState.rejected), 'Error: no, no');
  const open = add(pool, 1, 1, 0, 50, NaN, TaskState.pending, 48);
  timeline.labelTask(open, '=HYPERLINK("x"), "two"');
  timeline.updateGroup(pool, { parentTask: first });
  const info: RunInfo = { command: ['node', 'a.mjs'], cwd: '/w', node: 'v22.1.0', timeOrigin: 1795183154804.9351, title: 'a.mjs' };
  return {
    info, timeline, now: () => 100,
    state: () => ({ phase: 'finished', exitCode: 0, elapsedMs: 100, complete: true, dropped: 0, sampledMs: 0, notices: [], ...state }),
    onDidChange: () => ({ dispose: () => { /* never changes */ } }),
  };
}
