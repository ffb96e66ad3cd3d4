/** The tasks that adapters tell of: which are not over, for which of them a promise stands, and which ended lately. */
import type { TaskDraft } from '../drafts';
import type { LibraryTask } from './library-task';

/** Tasks that ended lately of which a promise may still be told. */
const MAX_ENDED = 64;

export class LibraryTasks {
  /** Those that are not over, as adapters number them. */
  private readonly byId = new Map<number, LibraryTask>();
  /** Those that are not over, by what is drawn of them. */
  private readonly byDraft = new WeakMap<TaskDraft, LibraryTask>();
  /** The latest that ended: a promise may still be told of that was settled there. */
  private readonly endedLately = new Map<number, LibraryTask>();
  private untied = 0;

  /** Whether there are tasks for which no promise stands that V8 knows of: what a library of its own kind of promises gives for them is a thenable. */
  get hasUntied(): boolean { return this.untied > 0; }

  /** @returns undefined for one that is over */
  find(id: number): LibraryTask | undefined { return this.byId.get(id); }

  /** @returns undefined where what is drawn is over, or was not told of */
  of(draft: TaskDraft): LibraryTask | undefined { return this.byDraft.get(draft); }

  /** A task was handed in. */
  open(task: LibraryTask): void {
    this.byId.set(task.id, task);
    this.byDraft.set(task.draft, task);
    task.group.mostOpen = Math.max(task.group.mostOpen, ++task.group.open);
    this.untied++;
  }

  /** What is told of a task from now on is told of another one, and the other way round. @returns the other one */
  swap(task: LibraryTask, other: LibraryTask): LibraryTask {
    if (other === task) return task;
    [task.id, other.id] = [other.id, task.id];
    this.byId.set(task.id, task).set(other.id, other);
    return other;
  }

  /** What stands for it is known, or no longer of interest. */
  tie(task: LibraryTask): void {
    if (!task.isTied) this.untied--;
    task.isTied = true;
  }

  /** Nothing more is told of a task. */
  close(task: LibraryTask): void {
    if (!this.byId.delete(task.id)) return;
    this.byDraft.delete(task.draft);
    task.group.open--;
  }

  /** A task that is closed has ended, and did not only give up waiting. */
  end(task: LibraryTask): void {
    task.group.promised.end();
    this.endedLately.set(task.id, task);
    if (this.endedLately.size <= MAX_ENDED) return;
    for (const oldest of this.endedLately.keys()) { this.endedLately.delete(oldest); break; }
  }

  /** A promise was settled where a task ended. @returns the task, once; undefined where that was too long ago */
  takeEnded(id: number): LibraryTask | undefined {
    const task = this.endedLately.get(id);
    this.endedLately.delete(id);
    return task;
  }
}
