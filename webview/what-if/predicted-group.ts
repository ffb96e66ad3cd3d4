/** A prediction as a group like any other, so that it is drawn, searched and read out like one. */
import type { Prediction } from '../../src/analysis/what-if';
import type { Group } from '../../src/model/timeline';
import { GroupTasks } from '../store/group-tasks';
import { PagedColumn } from '../store/paged-column';
import type { TaskDetails } from '../store/task-table';
import type { Layout, Recorded } from './recorded';

/** @param happened the group the durations are from; the prediction stands at its start */
export function predictedGroup(happened: Group, details: TaskDetails, { ids, states }: Recorded, prediction: Prediction): GroupTasks {
  const { schedule, plan, metrics, lanes, chunks } = prediction;
  const chunkOf = new PagedColumn((length) => new Uint32Array(length));
  const group = new GroupTasks(happened.id, { ordinalOf: (id) => details.ordinalOf(id), chunkOf: (id) => chunkOf.get(id), waitOf: () => NaN });
  const isChunks = plan === 'chunks';
  group.setInfo({
    ...happened,
    // A number no group of the run has: it is none of them.
    id: -happened.id, kind: isChunks ? 'chunk' : 'pool', lanes, peak: lanes, chunks: isChunks ? chunks : undefined, declared: undefined,
    end: happened.start + metrics.makespanMs, metrics,
  });
  // Lanes are filled from left to right.
  const order = plan === 'longestFirst' ? Uint32Array.from(ids.keys()).sort((a, b) => schedule.start[a] - schedule.start[b]) : ids.keys();
  for (const row of order) {
    const id = ids[row];
    chunkOf.set(id, schedule.chunk[row]);
    group.insert({
      id, lane: schedule.lane[row], chunk: schedule.chunk[row], state: states[row],
      start: happened.start + schedule.start[row], end: happened.start + schedule.end[row],
    });
  }
  return group;
}

export const layoutOf = ({ schedule }: Prediction): Layout => ({ start: schedule.start, end: schedule.end, lane: Float64Array.from(schedule.lane) });
