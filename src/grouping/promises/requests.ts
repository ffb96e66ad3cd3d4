/** Names of tasks by the requests that are sent for them: `GET example.org/users/3`. */
import type { PromiseNode } from './promise-node';
import type { TaskDraft } from '../drafts';

const MAX_STEPS = 64;
const MORE = ', …';

/** @returns the name that tasks have had before, and that of one request more */
const oneMore = (before: string | undefined, name: string): string => (before === undefined || before === name ? name : before.endsWith(MORE) ? before : before + MORE);

/**
 * A request is sent for a promise: so it is for the call that waits for it, and for all that called that one.
 * @returns tasks whose name changed by it
 */
export function nameByRequest(node: PromiseNode, name: string): Set<TaskDraft> {
  const tasks = new Set<TaskDraft>();
  let at: PromiseNode | undefined = node;
  for (let steps = 0; at && steps < MAX_STEPS; steps++, at = at.partOf ?? at.owner) {
    at.requests = oneMore(at.requests, name);
    // A library's task is called by the index of its item.
    if (at.task && at.task.work.id !== 0) tasks.add(at.task);
  }
  for (const task of tasks) {
    const requests = oneMore(task.requests, name);
    if (task.requests === requests) tasks.delete(task);
    task.requests = requests;
  }
  return tasks;
}
