/**
 * Who let whom in. Behind a limiter, what a task is told by ends a few runs of code after its work, in which the next one may have been let in:
 *
 *   work    ├▇▇▇▇▇▇┤          the task was over when the next one began,
 *   promise ├▇▇▇▇▇▇▇▇┤        which no limiter would have let in before
 *   next           ├▇▇▇▇▇┤
 */
import type { TaskDraft } from '../drafts';
import { NO_WORK_MS } from '../moments';
import { isBehind, sourceOf, workOf, type PromiseNode } from '../promises/promise-node';
import { isInside } from '../promises/scopes';

/** Tasks that are kept in mind; those that began or ended within a moment of one another are fewer. */
const MAX_LATEST = 256;

export class Handovers {
  private readonly begun: TaskDraft[] = [];
  private readonly ended: TaskDraft[] = [];

  /**
   * A task begins.
   * @param release what told it so, if it waited for that
   * @returns those that had let it in, and ended only then: their work was over before, at `workEnd`
   */
  begin(task: TaskDraft, release: PromiseNode | undefined): TaskDraft[] {
    remember(this.begun, task);
    return this.ended.filter((before) => isHandover(before, before.end, task, release));
  }

  /** A task ends. @param releaseOf what told a task that it may begin @returns when it was over: milliseconds after the run's `timeOrigin` */
  end(task: TaskDraft, end: number, releaseOf: (task: TaskDraft) => PromiseNode | undefined): number {
    remember(this.ended, task);
    return this.begun.some((next) => next !== task && isHandover(task, end, next, releaseOf(next))) ? workEnd(task) : end;
  }
}

/** When a task's work was over; NaN where it goes on, or the task is all there is of it. */
export function workEnd({ work: member }: TaskDraft): number {
  const work = workOf(member);
  return work === member ? NaN : work.ended;
}

function remember(latest: TaskDraft[], task: TaskDraft): void {
  latest.push(task);
  if (latest.length > 2 * MAX_LATEST) latest.splice(0, MAX_LATEST);
}

function isHandover(before: TaskDraft, end: number, next: TaskDraft, release: PromiseNode | undefined): boolean {
  return end > next.start && end - next.start < NO_WORK_MS && workEnd(before) <= next.start && letsIn(workOf(before.work), next.work, release);
}

/** Whether what somebody did behind a task's work let another one begin. */
function letsIn(work: PromiseNode, next: PromiseNode, release: PromiseNode | undefined): boolean {
  const { madeIn, owner } = workOf(next);
  const reaction = release ? release.settledIn : madeIn;
  if (reaction && isBehind(reaction, work)) return true;
  return isInside(release ? release.settledBy : owner, ({ lastWait, waitedFor }) => [lastWait, waitedFor].some((wait) => wait !== undefined && sourceOf(wait) === work));
}
