/**
 * Two runs as one that a view can show: all times count from the beginning of the run they belong to, and every group says
 * which of the two it is of. Groups are numbered in the order in which they are to stand.
 */
import type { RunInfo, RunState } from '../model/run';
import type { TaskColumns } from '../model/timeline';
import type { RunSource } from './feed';
import { FinishedRun } from './finished-run';
import { Timeline } from './timeline';

/** Ids of groups in the first and the second run; one is missing where a group stands alone. */
export type GroupPair = readonly [number | undefined, number | undefined];

export interface MergedRuns {
  readonly source: RunSource;
  /** `Group.id` in the merged run by the id in the first and in the second run. */
  readonly ids: readonly [ReadonlyMap<number, number>, ReadonlyMap<number, number>];
}

/**
 * Copies both; neither may change any more. O(tasks)
 * @param order all groups that are to be shown, from top to bottom @param title of the two together
 */
export function mergeRuns(runs: readonly [RunSource, RunSource], order: readonly GroupPair[], title: string): MergedRuns {
  const timeline = new Timeline();
  const ids = [new Map<number, number>(), new Map<number, number>()] as const;
  const threads = [0, timeline.threads.length + runs[0].timeline.threads.length] as const;
  runs.forEach(({ timeline: from }, k) => {
    for (const { pid, threadId, name, requests } of from.threads) timeline.addThread({ pid, threadId, name, requests });
    copyActivity(from, timeline, threads[k]);
  });
  for (const pair of order) runs.forEach((run, k) => {
    const id = pair[k];
    const facts = id === undefined ? undefined : run.timeline.factsOf(id);
    if (id === undefined || !facts) return;
    ids[k].set(id, timeline.addGroup({ ...facts, thread: facts.thread + threads[k], parentTask: undefined, run: k + 1, until: run.now() }));
  });
  runs.forEach((run, k) => { copyTasks(run.timeline, timeline, ids[k]); });
  const elapsedMs = Math.max(...runs.map((run) => run.state().elapsedMs));
  const { timeOrigin, cwd, node } = runs[0].info;
  const info: RunInfo = { command: [], cwd, node, timeOrigin, title };
  const state: RunState = { phase: 'finished', elapsedMs, complete: true, dropped: 0, sampledMs: 0, notices: [] };
  return { ids, source: new FinishedRun(timeline, info, state, Math.max(...runs.map((run) => run.now()))) };
}

function copyTasks(from: Timeline, to: Timeline, groups: ReadonlyMap<number, number>): void {
  const copied = new Map<number, number>();
  for (const [id, group] of groups) {
    for (const row of from.rowsOf(id)) {
      const task = to.addTask({ group, ...taskOf(from.tasks, row) });
      const label = from.labelOf(row + 1);
      if (label !== undefined) to.labelTask(task, label);
      const error = from.errorOf(row + 1);
      if (error !== undefined) to.tellError(task, error);
      copied.set(row + 1, task);
    }
  }
  for (const [id, group] of groups) {
    const parentTask = from.factsOf(id)?.parentTask;
    if (parentTask !== undefined) to.updateGroup(group, { parentTask: copied.get(parentTask) });
  }
}

const taskOf = ({ ordinal, lane, chunk, queued, start, end, state }: TaskColumns, row: number) =>
  ({ ordinal: ordinal[row], lane: lane[row], chunk: chunk[row], queued: queued[row], start: start[row], end: end[row], state: state[row] });

function copyActivity({ activity }: Timeline, to: Timeline, threads: number): void {
  const { rows, length } = activity;
  for (let row = 0; row < length; row++) {
    to.activity.add({
      thread: rows.thread[row] + threads, kind: rows.kind[row], start: rows.start[row], end: rows.end[row], count: rows.count[row], most: rows.most[row], limit: rows.limit[row],
    });
  }
}
