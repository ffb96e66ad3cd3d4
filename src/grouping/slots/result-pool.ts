/** Tasks that were handed to a limiter for a promise of their result, by functions that do other things as well: `await limit(() => load(id))`. */
import { GroupDraft, TaskDraft } from '../drafts';
import type { HandedIn } from './handed-in';
import { siteOf, type Stack } from '../promises/places';
import { taskSiteOf } from '../combinators/series';

export class ResultPool {
  readonly draft: GroupDraft;

  /** @param frame where tasks are handed over */
  constructor(thread: number, frame: Stack) {
    this.draft = new GroupDraft({ thread, kind: 'pool', combinator: undefined, library: undefined, site: siteOf(frame), taskSite: undefined, declared: undefined });
  }

  /** A task is over. */
  add({ promise, job: work }: HandedIn): void {
    const task = new TaskDraft(work, work.made);
    task.queueSince(promise.made);
    this.draw(task, Math.min(work.ended, promise.ended), work.rejected || promise.rejected);
    promise.endsTask ??= task;
  }

  /** Another one's tasks were behind the same limiter. @returns whether they could be taken over: none is settled for good */
  takeOver({ draft }: ResultPool): boolean {
    if (draft.settledCount > 0) return false;
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
