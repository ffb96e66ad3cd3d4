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
  add({ promise, task: work }: HandedIn): void {
    const task = new TaskDraft(work, work.made);
    task.queueSince(promise.made);
    work.task = task;
    if (!this.draft.facts.taskSite) this.draft.change({ taskSite: taskSiteOf(work) });
    this.draft.add(task, 0, 0);
    task.finish(Math.min(work.ended, promise.ended), work.rejected || promise.rejected, false);
    this.draft.freeRail(task);
    promise.endsTask ??= task;
  }
}
