/** Tasks that were handed to a limiter for a promise of their result, by functions that do other things as well: `await limit(() => load(id))`. */
import { GroupDraft, TaskDraft } from '../drafts';
import type { HandedIn } from './handed-in';
import { OwnTurns } from './own-turns';
import { siteOf, type Stack } from '../promises/places';
import type { PromiseNode } from '../promises/promise-node';
import { taskSiteOf } from '../combinators/series';

export class ResultPool {
  readonly draft: GroupDraft;
  /** What tells whether several running functions have a limiter of their own each, and the tasks so far as long as that is open. */
  private readonly turns = new OwnTurns();
  private readonly over: HandedIn[] = [];

  /** @param frame where tasks are handed over */
  constructor(thread: number, frame: Stack) {
    this.draft = new GroupDraft({ thread, kind: 'pool', combinator: undefined, library: undefined, site: siteOf(frame), taskSite: undefined, declared: undefined });
  }

  /** A task is over. */
  add(one: HandedIn): void {
    const { promise, job: work } = one;
    const task = new TaskDraft(work, work.made);
    task.queueSince(promise.made);
    this.draw(task, Math.min(work.ended, promise.ended), work.rejected || promise.rejected);
    promise.endsTask ??= task;
    if (this.turns.isOpen && this.draft.settledCount === 0) this.over.push(one); else this.over.length = 0;
  }

  /** A task is over that may have been let in by another one, in whose wake it was begun. @returns whether it is known now that each running function around them has a limiter of its own */
  passesOn({ promise, task }: HandedIn): boolean {
    const by = task.owner;
    return by !== undefined && by !== promise.owner && this.turns.pass(by, promise.owner);
  }

  /** The running function around a task that has a limiter of its own, once that is known. */
  homeOf({ promise }: HandedIn): PromiseNode | undefined { return this.turns.homeOf(promise.owner); }

  /** Its tasks are to be others'. @returns these; undefined where some of them are settled for good */
  giveUp(): readonly HandedIn[] | undefined {
    if (this.draft.settledCount > 0) return undefined;
    for (const task of [...this.draft.recentTasks]) {
      this.draft.remove(task);
      task.work.task = undefined;
    }
    for (const { promise } of this.over) promise.endsTask = undefined;
    return this.over.splice(0);
  }

  /** Another one's tasks were behind the same limiter. @returns whether they could be taken over: none is settled for good */
  takeOver(other: ResultPool): boolean {
    const { draft } = other;
    if (draft.settledCount > 0) return false;
    this.over.push(...other.over);
    for (const over of [...draft.recentTasks]) {
      draft.remove(over);
      const task = new TaskDraft(over.work, over.start);
      task.queued = over.queued;
      this.draw(task, over.end, over.rejected);
    }
    return true;
  }

  private draw(task: TaskDraft, end: number, rejected: boolean): void {
    if (!this.draft.facts.taskSite) this.draft.change({ taskSite: taskSiteOf(task.work) });
    this.draft.addOver(task, end, rejected);
  }
}
