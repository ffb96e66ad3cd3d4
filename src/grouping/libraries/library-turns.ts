/** Tasks of a library that wait for their turn by a promise. Their code goes on only once the code that gave them their turn is through. */
import type { TaskDraft } from '../drafts';
import type { LibraryTask } from './library-task';
import type { PromiseNode } from '../promises/promise-node';

export class LibraryTurns {
  /** Tasks by the promise whose fulfilment is their turn. */
  private readonly waiting = new Map<PromiseNode, LibraryTask>();
  /** Tasks whose turn came in the run of code `tick`, and when the latest was heard of that one. */
  private granted: { readonly tick: number; time: number; readonly tasks: TaskDraft[] } = { tick: 0, time: 0, tasks: [] };

  /** @param begin a task's turn has come, at a time in milliseconds on the run's axis @param changed a task begins later than was said */
  constructor(private readonly begin: (task: LibraryTask, time: number) => void, private readonly changed: (task: TaskDraft) => void) {}

  /** A task goes on once a promise is fulfilled. */
  wait(task: LibraryTask, promise: PromiseNode): void {
    this.waiting.set(promise, task);
    if (!promise.isPending) this.grant(task, promise.tick, promise.ended);
  }

  /** @param tick the run of code in which it settled */
  settled(node: PromiseNode, tick: number): void {
    this.hear(tick, node.ended);
    const task = this.waiting.get(node);
    if (task) this.grant(task, tick, node.ended);
  }

  /** @returns the task whose turn will not come where nothing more is heard of a promise, if it is one's */
  drop(promise: PromiseNode): LibraryTask | undefined {
    const task = this.waiting.get(promise);
    this.waiting.delete(promise);
    return task;
  }

  /** Something happened in a run of code: as long as it is the same one, whose turn came in it has not begun. */
  hear(tick: number, time: number): void {
    const { granted } = this;
    if (granted.tasks.length === 0) return;
    if (granted.tick === tick) { granted.time = time; return; }
    for (const task of granted.tasks.splice(0)) {
      if (!(granted.time > task.start) || !Number.isNaN(task.end) || !task.group) continue;
      task.start = granted.time;
      this.changed(task);
    }
  }

  private grant(task: LibraryTask, tick: number, time: number): void {
    this.hear(tick, time);
    this.begin(task, time);
    if (this.granted.tick !== tick) this.granted = { tick, time, tasks: [] };
    this.granted.tasks.push(task.draft);
  }
}
