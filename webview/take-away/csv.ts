/** The tasks of groups as CSV, in the columns of the command line. */
import { CSV_HEADER_LINE, csvTaskLine } from '../../src/model/csv';
import type { GroupTasks } from '../store/group-tasks';
import type { RunStore } from '../store/run-store';
import { tasksInOrder } from '../store/task-order';

/** @param groups in the order they are to stand @param takes whether a task, by id, is taken */
export function* csvLines({ tasks, labels, errors }: RunStore, groups: Iterable<GroupTasks>, takes: (id: number) => boolean): Generator<string> {
  yield CSV_HEADER_LINE;
  for (const group of groups) {
    const { info } = group;
    if (!info) continue;
    const order = tasksInOrder(group);
    for (let row = 0; row < order.length; row++) {
      const lane = group.lanes[order.lane[row] - 1];
      if (!lane) continue;
      const index = order.index[row];
      const id = lane.idOf(index);
      if (!takes(id)) continue;
      const start = lane.startOf(index);
      yield csvTaskLine(info, {
        id, ordinal: tasks.ordinalOf(id), lane: order.lane[row], chunk: tasks.chunkOf(id), queued: start - tasks.waitOf(id), start,
        end: lane.endOf(index), state: lane.stateOf(index), label: labels.get(id), error: errors.get(id),
      });
    }
  }
}
