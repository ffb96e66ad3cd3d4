import type { TaskDraft } from './drafts';

/**
 * Tasks in the order in which they came in, each in one list at most. Linked from one to the next, and no `Set`: that moves to a new
 * table each time so many have come and gone, and V8's young generation keeps whatever an old table names, be that table dead
 * itself, so that no promise of a task was ever collected cheaply.
 */
export class TaskList {
  /** How many are in it. */
  size = 0;
  private head: TaskDraft | undefined;
  private last: TaskDraft | undefined;

  get first(): TaskDraft | undefined { return this.head; }

  /** Puts a task last, and takes it out of where it is. */
  add(task: TaskDraft): void {
    task.list?.delete(task);
    task.list = this;
    task.before = this.last;
    if (this.last) this.last.after = task; else this.head = task;
    this.last = task;
    this.size++;
  }

  /** @returns whether it was in this list */
  delete(task: TaskDraft): boolean {
    if (task.list !== this) return false;
    const { before, after } = task;
    if (before) before.after = after; else this.head = after;
    if (after) after.before = before; else this.last = before;
    task.list = task.before = task.after = undefined;
    this.size--;
    return true;
  }

  /** All of them, first to last; the one that was given may be taken out meanwhile. */
  *[Symbol.iterator](): Generator<TaskDraft, void> {
    for (let at = this.head, after: TaskDraft | undefined; at; at = after) {
      ({ after } = at);
      yield at;
    }
  }
}
