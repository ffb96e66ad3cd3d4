/** Tasks that were handed to a limiter for a promise of their result, by functions that do other things as well: `await limit(() => load(id))`. */
import { GroupDraft, TaskDraft } from '../drafts';
import type { HandedIn } from './handed-in';
import { siteOf, type Stack } from '../promises/places';
import { taskSiteOf } from '../combinators/series';

/** Tasks on one rail that a later one may have begun before: it is told of a task only once that is over. */
const KEPT = 64;

export class ResultPool {
  readonly draft: GroupDraft;
  private readonly rails: { readonly start: number; readonly end: number }[][] = [];

  /** @param frame where tasks are handed over */
  constructor(thread: number, frame: Stack) {
    this.draft = new GroupDraft({ thread, kind: 'pool', combinator: undefined, library: undefined, site: siteOf(frame), taskSite: undefined, declared: undefined });
  }

  /** A task is over. */
  add({ promise, task: work }: HandedIn): void {
    const task = new TaskDraft(work, work.made);
    const end = Math.min(work.ended, promise.ended);
    task.queueSince(promise.made);
    work.task = task;
    if (!this.draft.facts.taskSite) this.draft.change({ taskSite: taskSiteOf(work) });
    this.draft.add(task, this.railFor(task.start, end), 0);
    task.finish(end, work.rejected || promise.rejected, false);
    promise.endsTask ??= task;
  }

  private railFor(start: number, end: number): number {
    const found = this.rails.findIndex((rail) => rail.every((taken) => taken.end <= start || end <= taken.start));
    const lane = found < 0 ? this.rails.length : found;
    const rail = (this.rails[lane] ??= []);
    rail.push({ start, end });
    if (rail.length > KEPT) rail.shift();
    return lane + 1;
  }
}
