/** What is drawn of programs whose tasks are two steps, 50 ms and more together, of which neither takes as long. */
import { observe } from './observed';

/** @returns its groups, and whether each of a group's tasks is both steps */
export async function drawnOfTwoSteps(source: string, backend: 'v8' | 'async_hooks'): Promise<readonly unknown[]> {
  const { timeline, groups } = await observe(source, { backend, as: 'a.mjs' });
  return groups.map(({ id, kind, taskCount, peak, taskSite }) => ({
    kind, taskCount, peak, task: taskSite?.function,
    areBoth: timeline.rowsOf(id).every((row) => timeline.tasks.end[row] - timeline.tasks.start[row] > 45),
  }));
}
