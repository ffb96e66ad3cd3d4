/**
 * Runs of one limiter, or queue, one after the other: `const users = await Promise.all(ids.map((id) => limit(() => user(id))))`, and
 * later the same with something else. Each is a group of its own, as is each call of a function that brings its own limiter. Where
 * several share it at once, or one loop goes on with it, it is one group all the time.
 */
import type { CombinatorCall } from '../combinators/combinator-call';
import type { TaskDraft } from '../drafts';
import type { LibraryGroups } from './library-groups';
import type { Collected, LibraryGroup, LibraryTask } from './library-task';

/**
 * Another combinator takes what submitters got of a group.
 * @param own the tasks whose submitters' promises it takes, of that group
 * @param open those of them that are not over
 * @param groups gets the new group
 * @returns the group that these tasks are in from now on; undefined where they stay
 */
export function splitRun(group: LibraryGroup, collected: Collected, call: CombinatorCall, own: ReadonlySet<TaskDraft>, open: readonly LibraryTask[], groups: LibraryGroups): LibraryGroup | undefined {
  if (collected.isShared || group.loose) return undefined;
  if (collected.call.node.isPending || open.length < group.open || !areOver(group, own)) { collected.isShared = true; return undefined; }
  const { node, frame } = call;
  if (collected.owner === node.owner && collected.call.frame?.place === frame?.place) return undefined;
  // It is at work where it was before the others came.
  group.draft.home = { node: collected.owner };
  const next = groups.again(group, node.owner, node.made);
  for (const task of open) task.group = next;
  group.open -= open.length;
  next.open = next.mostOpen = open.length;
  move(group, next, own);
  return next;
}

/** Whether all other tasks were over before the first of a run came in. */
function areOver({ draft }: LibraryGroup, own: ReadonlySet<TaskDraft>): boolean {
  let begun = Infinity;
  for (const { queued, start } of own) {
    const since = Number.isNaN(queued) ? start : queued;
    if (since < begun) begun = since;
  }
  for (const task of draft.recentTasks) if (!own.has(task) && !(task.end <= begun)) return false;
  return true;
}

function move(from: LibraryGroup, to: LibraryGroup, tasks: ReadonlySet<TaskDraft>): void {
  for (const task of [...tasks].sort((a, b) => a.start - b.start)) {
    const isDrawn = !Number.isNaN(task.start);
    if (isDrawn) from.draft.remove(task);
    task.work = to.work;
    task.group = to.draft;
    if (!isDrawn) continue;
    to.draft.add(task, 0, 0);
    if (!Number.isNaN(task.end)) to.draft.freeRail(task);
  }
}
